"""The form to import a table."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import UPLOAD_LIMIT, FileToImport, LeavesOutRows, offer_choices
from annotate.models import Project
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
        help_text="For verdicts on queries only.",
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
    file = FileToImport(
        accept=".csv,.json",
        help_text=f"CSV or a JSON list of objects, in UTF-8. At most {UPLOAD_LIMIT}; "
        "for a larger file, use manage.py import_table.",
        choose="Choose the file with the table.",
        mend="Import it with manage.py import_table.",
    )
    as_drafts = forms.BooleanField(
        label="Import accepted texts as drafts, which people here decide about", required=False
    )

    field_order = ("table", "file", "set", "as_drafts", "skips_bad")

    @property
    def choices(self) -> Choices:
        chosen = self.cleaned_data
        return Choices(
            set_number=chosen["set"],
            as_drafts=chosen["as_drafts"],
            skips_bad=chosen["skips_bad"],
        )
