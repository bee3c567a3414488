"""What is said about files on their way in."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms.names import validate_visible

MOST_BYTES = 2**53  # what a browser's number can still count


class FileFactsForm(forms.Form):
    """What is known of a video besides its bytes; the same fields for a page and a manifest."""

    category = forms.CharField(
        max_length=100,
        required=False,
        validators=[validate_visible],
        widget=forms.TextInput({"list": "categories"}),
        help_text="Needed before a release.",
    )
    subcategory = forms.CharField(
        max_length=100,
        required=False,
        validators=[validate_visible],
        widget=forms.TextInput({"list": "subcategories"}),
    )
    licence = forms.CharField(
        max_length=120, required=False, widget=forms.TextInput({"list": "licences"})
    )
    source_url = forms.URLField(
        label="Source",
        max_length=500,
        required=False,
        assume_scheme="https",
        error_messages={"invalid": "Give a whole address, such as https://example.org/clip."},
    )

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("subcategory") and not self.cleaned_data.get("category"):
            self.add_error("category", "A subcategory needs its category.")
        return self.cleaned_data

    def problems(self) -> list[str]:
        """Each field's errors as "field: what to mend"."""
        return [f"{name}: {error}" for name, errors in self.errors.items() for error in errors]


class AnnouncedFileForm(FileFactsForm):
    """A file that a browser is about to send. The name is judged by the service."""

    name = forms.CharField(required=False, strip=False, validators=[])
    size = forms.IntegerField(min_value=0, max_value=MOST_BYTES)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A NUL in a name is refused with the reason that the service gives, on the file's row.
        self.fields["name"].validators.clear()
