"""The form that announces an upload."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.corpus.forms import FileFactsForm

MOST_BYTES = 2**53  # the largest exact integer in JavaScript


class AnnouncedFileForm(FileFactsForm):
    """A file that a browser is about to send. The service checks its name."""

    name = forms.CharField(required=False, strip=False, validators=[])
    size = forms.IntegerField(min_value=0, max_value=MOST_BYTES)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The service refuses a name with a NUL and shows the reason in the file's row.
        self.fields["name"].validators.clear()
