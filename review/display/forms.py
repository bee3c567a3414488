"""What people type on the pages of this app, as values."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms

from annotate.forms import offer_choices


class ListForm(forms.Form):
    """How a list is filtered or sorted, by GET. What isn't valid is left out, so that an old link
    still opens the page. `choices`: field -> what it offers here."""

    def __init__(self, data: Any, **choices: list[tuple[str, str]]) -> None:
        super().__init__(data)
        for name, offered in choices.items():
            offer_choices(self, name, offered)
        self.is_valid()

    def query(self, **changes: Any) -> str:
        """The parameters of a link that keeps what is chosen, but for `changes`."""
        chosen = {**self.cleaned_data, **changes}
        return urlencode(
            [(name, "1" if value is True else value) for name, value in chosen.items() if value]
        )
