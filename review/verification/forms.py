"""Forms to filter verifications, and to import and export the annotation table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotate.forms import offer_choices
from review.verification.annotation_table import Marks
from review.verification.judgement import TYPES
from review.verification.models import Verification
from review.verification.queries import CLIPS, NO_ERROR, VIDEOS

ANY = ("", "Any")
LARGEST_TABLE_MB = 8
DEFAULT = Marks()
LONGEST_MARK = 40


class VerificationsForm(forms.Form):
    """GET parameters. Invalid filters are ignored, so that an old link still opens the page."""

    q = forms.CharField(label="Clip name contains", max_length=200, required=False)
    of = forms.ChoiceField(
        label="Captions of", required=False, choices=[(CLIPS, "Clips"), (VIDEOS, "Whole videos")]
    )
    who = forms.ChoiceField(label="Who", required=False)
    error = forms.ChoiceField(
        label="With error",
        required=False,
        choices=[ANY, *((letter, letter) for letter in TYPES), (NO_ERROR, "No error")],
    )
    theme = forms.ChoiceField(
        label="Theme", required=False, choices=[ANY, ("ok", "On topic"), ("off", "Off")]
    )
    study = forms.ChoiceField(label="Study", required=False)

    def __init__(
        self, data: Any, *, who: list[tuple[str, str]], studies: list[tuple[str, str]]
    ) -> None:
        super().__init__(data)
        offer_choices(self, "who", [ANY, *who])
        offer_choices(self, "study", [ANY, *studies])
        self.is_valid()

    def part(self, parts: Sequence[str]) -> str:
        """Return which of the verified `parts` is listed: the chosen one, or else the first."""
        chosen = self.cleaned_data.get("of", "")
        return chosen or (parts[0] if parts else "")

    @property
    def filters(self) -> dict[str, Any]:
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def query(self) -> str:
        """Return the parameters of a link with the same filters."""
        return urlencode(self.filters)


class CorrectionForm(forms.Form):
    """Which proposed correction becomes the clip's caption: a verification's key, or NONE."""

    NONE = "none"
    accepted = forms.ChoiceField(
        error_messages={"required": "Choose a correction or the machine caption."}
    )

    def __init__(self, data: Any, *, verifications: list[Verification]) -> None:
        super().__init__(data)
        self.by_key = {str(each.pk): each for each in verifications}
        offer_choices(self, "accepted", [(key, key) for key in (*self.by_key, self.NONE)])

    @property
    def verification(self) -> Verification | None:
        """The accepted verification; None if the machine caption stays."""
        return self.by_key.get(self.cleaned_data["accepted"])


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
