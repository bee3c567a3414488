"""The filter and the order of the list of waiting clips."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms

ORDERS = {
    "": ("Queue order", ()),
    "short": ("Shortest first", ("clip__duration_ms", "id")),
    "long": ("Longest first", ("-clip__duration_ms", "id")),
}


class ChoiceForm(forms.Form):
    """The filters; a value that isn't offered is ignored."""

    subcategory = forms.ChoiceField(label="Subcategory", required=False)
    order = forms.ChoiceField(
        label="Order",
        required=False,
        choices=[(name, label) for name, (label, _) in ORDERS.items()],
    )

    def __init__(self, subcategories: Sequence[str], *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # as Form takes them
        names = [(name, name or "None") for name in subcategories if name]
        subcategory = self.fields["subcategory"]
        subcategory.choices = [("", "All"), *names]  # type: ignore[attr-defined]  # a choice
        self.is_valid()

    @property
    def subcategory_asked(self) -> str:
        return str(self.cleaned_data.get("subcategory") or "")

    @property
    def order_asked(self) -> tuple[str, ...]:
        return ORDERS[self.cleaned_data.get("order") or ""][1]
