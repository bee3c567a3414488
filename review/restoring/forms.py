"""What an admin chooses to bring a release back."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotate.models import Project
from review.restoring.services import CIRCO, FORMATS, NATIVE, TFCOVR

MOST_UPLOADED = 8 * 1024 * 1024


class RestoreForm(forms.Form):
    format = forms.ChoiceField(help_text="The format in which the release was downloaded.")
    file = forms.FileField(
        label="ZIP",
        widget=forms.FileInput(attrs={"accept": ".zip"}),
        help_text=f"Of the release’s folder, at most {MOST_UPLOADED // 2**20} MiB: leave out the "
        "folders with videos. For a larger one, use manage.py import_dataset.",
        error_messages={
            "required": "Choose the ZIP of the release.",
            "empty": "The file is empty. Choose the ZIP of the release.",
        },
    )
    skips_bad = forms.BooleanField(
        required=False, label="Leave out clips with an error and import the others"
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        has_triplets = project.protocol == Project.Protocol.TFCOVR
        offered = (NATIVE, TFCOVR, CIRCO) if has_triplets else (NATIVE,)
        field = self.fields["format"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(name, FORMATS[name]) for name in offered]
        if has_triplets:
            # Queries refer to one another's clips, so that a set is imported whole.
            del self.fields["skips_bad"]

    def clean_file(self) -> UploadedFile[bytes]:
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if (file.size or 0) > MOST_UPLOADED:
            raise forms.ValidationError(
                f"The file is larger than {MOST_UPLOADED // 2**20} MiB. Leave out the videos, or "
                "import it on the server with manage.py import_dataset."
            )
        return file
