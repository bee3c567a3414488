"""The form of a webhook."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings

from annotate.models import Webhook
from annotate.outgoing.addresses import check_address
from annotate.outgoing.errors import AddressRefused


class WebhookForm(forms.Form):
    address = forms.CharField(
        max_length=500,
        help_text="Where messages are sent, such as https://hooks.example.org/vericap.",
    )
    events = forms.MultipleChoiceField(
        choices=Webhook.Event.choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one event."},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["address"].widget.attrs |= {"inputmode": "url", "autocomplete": "off"}

    def clean_address(self) -> str:
        """Refuse what would be refused anyway; where a name leads to is checked when sending."""
        address: str = self.cleaned_data["address"]
        try:
            return check_address(address, settings.VERICAP_OUTGOING_ALLOWED).url
        except AddressRefused as error:
            raise forms.ValidationError(str(error)) from error
