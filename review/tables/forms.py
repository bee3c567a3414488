"""The form to import a table."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotate.forms import LeavesOutRows, offer_choices
from annotate.models import Project
from review.captions.forms import MOST_UPLOADED
from review.exchange.tables import Choices
from review.tables.kinds import TABLES
from review.triplets.models import TripletSet


class SetForm(forms.Form):
    """The triplet set whose verdicts are meant."""

    set = forms.TypedChoiceField(
        label="Triplet set",
        coerce=int,
        empty_value=None,
        required=False,
        help_text="Of verdicts on queries.",
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sets = TripletSet.objects.filter(project=project, state=TripletSet.State.FINISHED)
        numbers = list(sets.values_list("number", flat=True))
        offer_choices(self, "set", [("", "The newest"), *((n, f"Set {n}") for n in numbers)])

    @property
    def choices(self) -> Choices:
        return Choices(set_number=self.cleaned_data["set"])


class ImportTableForm(LeavesOutRows, SetForm):
    table = forms.ChoiceField(choices=[(table.key, table.title) for table in TABLES.values()])
    file = forms.FileField(
        widget=forms.FileInput(attrs={"accept": ".csv,.json"}),
        help_text=f"CSV or a JSON list of objects, in UTF-8. At most {MOST_UPLOADED // 2**20} MiB; "
        "for a larger file, use manage.py import_table.",
        error_messages={
            "required": "Choose the file with the table.",
            "empty": "The file is empty. Choose the file with the table.",
        },
    )
    as_drafts = forms.BooleanField(
        label="Import accepted texts as drafts, which people here decide about", required=False
    )

    field_order = ("table", "file", "set", "as_drafts", "skips_bad")

    def clean_file(self) -> UploadedFile[bytes]:
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if (file.size or 0) > MOST_UPLOADED:
            raise forms.ValidationError(
                f"The file is larger than {MOST_UPLOADED // 2**20} MiB. Import it with "
                "manage.py import_table."
            )
        return file

    @property
    def choices(self) -> Choices:
        chosen = self.cleaned_data
        return Choices(
            set_number=chosen["set"],
            as_drafts=chosen["as_drafts"],
            skips_bad=chosen["skips_bad"],
        )
