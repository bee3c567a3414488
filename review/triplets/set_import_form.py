"""The form that imports a published set of triplets."""

from __future__ import annotations

from django import forms

from annotate.forms import UPLOAD_LIMIT, FileToImport
from review.triplets.set_import import FORMATS


class SetImportForm(forms.Form):
    format = forms.ChoiceField(choices=list(FORMATS.items()))
    file = FileToImport(
        label="ZIP",
        accept=".zip",
        help_text=f"Of the set’s folder, at most {UPLOAD_LIMIT}: leave out the folders with "
        "videos. For a larger one, use manage.py import_dataset.",
        choose="Choose the ZIP of the set.",
        mend="Leave out the videos, or import it on the server with manage.py import_dataset.",
    )
