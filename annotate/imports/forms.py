"""The form of a file that a browser is about to send."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.corpus.forms import FileFactsForm

MOST_BYTES = 2**53  # what a browser's number can still count


class AnnouncedFileForm(FileFactsForm):
    """A file that a browser is about to send. The name is judged by the service."""

    name = forms.CharField(required=False, strip=False, validators=[])
    size = forms.IntegerField(min_value=0, max_value=MOST_BYTES)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A NUL in a name is refused with the reason that the service gives, on the file's row.
        self.fields["name"].validators.clear()
