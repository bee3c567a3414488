"""Which notices a person wants, in which channel."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.models import Notice, NoticeChoices

IN_APP, BY_MAIL = "in_app", "by_mail"


class ChoicesForm(forms.Form):
    """A checkbox for each kind in each channel, named `<channel>-<kind>`."""

    def __init__(self, choices: NoticeChoices, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for channel, off in ((IN_APP, choices.off_in_app), (BY_MAIL, choices.off_by_mail)):
            for kind in Notice.Kind:
                self.fields[f"{channel}-{kind}"] = forms.BooleanField(
                    label=kind.label, required=False, initial=kind not in off
                )

    def off(self, channel: str) -> list[str]:
        """Return the kinds that were left unchecked."""
        return [str(kind) for kind in Notice.Kind if not self.cleaned_data[f"{channel}-{kind}"]]

    def rows(self) -> list[tuple[str, forms.BoundField, forms.BoundField]]:
        """Return each kind's label with its two checkboxes."""
        return [
            (kind.label, self[f"{IN_APP}-{kind}"], self[f"{BY_MAIL}-{kind}"])
            for kind in Notice.Kind
        ]
