"""The form that restores a release."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import UPLOAD_LIMIT, FileToImport
from annotate.models import Project
from review.restoring.services import CIRCO, FORMATS, NATIVE, TFCOVR


class RestoreForm(forms.Form):
    format = forms.ChoiceField(help_text="The format in which the release was downloaded.")
    file = FileToImport(
        label="ZIP",
        accept=".zip",
        takes=".zip",
        help_text=f"Of the release’s folder, at most {UPLOAD_LIMIT}: leave out the "
        "folders with videos. For a larger one, use manage.py import_dataset.",
        choose="Choose the ZIP of the release.",
        mend="Leave out the videos, or import it on the server with manage.py import_dataset.",
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
            # Queries refer to each other's clips, so a set is only imported whole.
            del self.fields["skips_bad"]
