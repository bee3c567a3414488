"""How much of a clip must be watched, a number for each kind of work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from annotate.kinds import Kind


class WatchingForm(forms.Form):
    """A field for each of the kinds, named as the kind is."""

    def __init__(self, kinds: Sequence[Kind], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for kind in kinds:
            self.fields[kind] = forms.IntegerField(
                label=f"{kind.label}, in %", required=False, min_value=0, max_value=100
            )

    def percents(self) -> dict[str, int]:
        """Return the cleaned numbers by kind, without those of kinds that require nothing."""
        return {kind: percent for kind, percent in self.cleaned_data.items() if percent}
