"""Forms to import and export the annotation table."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from review.annotation_table.marks import Marks

LARGEST_TABLE_MB = 8
DEFAULT = Marks()
LONGEST_MARK = 40


class MarksForm(forms.Form):
    """The marks in the Caption column; a mark may begin or end with a space."""

    before = forms.CharField(
        label="Before a sentence", max_length=LONGEST_MARK, strip=False, initial=DEFAULT.before
    )
    behind = forms.CharField(
        label="After it", max_length=LONGEST_MARK, strip=False, initial=DEFAULT.behind
    )
    missing = forms.CharField(
        label="Missing content", max_length=LONGEST_MARK, strip=False, initial=DEFAULT.missing
    )
    marks: Marks

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                self.marks = Marks(cleaned["before"], cleaned["behind"], cleaned["missing"])
            except ValueError as error:
                raise forms.ValidationError(str(error)) from error
        return cleaned


class TableForm(MarksForm):
    """A table to import."""

    table = forms.FileField(
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
        help_text=f"CSV in UTF-8, at most {LARGEST_TABLE_MB} MB. For a larger one use "
        "manage.py import_annotations.",
        error_messages={
            "required": "Choose the table file.",
            "empty": "The file is empty. Choose another.",
        },
    )
    field_order = ["table", "before", "behind", "missing"]

    def clean_table(self) -> UploadedFile[bytes]:
        table: UploadedFile[bytes] = self.cleaned_data["table"]
        if (table.size or 0) > LARGEST_TABLE_MB * 1024 * 1024:
            raise forms.ValidationError(
                f"The file is larger than {LARGEST_TABLE_MB} MB. Use manage.py import_annotations, "
                "or divide it between two captions."
            )
        return table
