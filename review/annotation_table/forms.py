"""Forms to import and export the annotation table."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import UPLOAD_LIMIT, FileToImport
from review.annotation_table.marks import Marks

DEFAULT = Marks()
MAX_MARK_LENGTH = 40


class MarksForm(forms.Form):
    """The marks in the Caption column; a mark may begin or end with a space."""

    before = forms.CharField(
        label="Before a sentence", max_length=MAX_MARK_LENGTH, strip=False, initial=DEFAULT.before
    )
    behind = forms.CharField(
        label="After it", max_length=MAX_MARK_LENGTH, strip=False, initial=DEFAULT.behind
    )
    missing = forms.CharField(
        label="Missing content", max_length=MAX_MARK_LENGTH, strip=False, initial=DEFAULT.missing
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

    table = FileToImport(
        accept=".csv,text/csv",
        help_text=f"CSV in UTF-8, at most {UPLOAD_LIMIT}. For a larger one use "
        "manage.py import_annotations.",
        choose="Choose the table file.",
        mend="Use manage.py import_annotations, or divide it between two captions.",
    )
    field_order = ["table", "before", "behind", "missing"]
