"""The forms of a model server and of its models' prices."""

from __future__ import annotations

import re
from typing import Any

from django import forms

from annotate.outgoing.addresses import check_address
from annotate.outgoing.errors import AddressRefused
from inference.backends.servers import MAX_PARALLEL, allowed_hosts
from inference.models import RegisteredServer, ServedModel

MAX_URLS = 20


class ServerForm(forms.Form):
    """The fields of a server; name and kind stay as they were added."""

    name = forms.CharField(
        max_length=60, help_text="What admins choose it by: a-z, 0-9 and -, such as vllm."
    )
    kind = forms.ChoiceField(
        choices=RegisteredServer.Kind.choices,
        label="Protocol",
        help_text="vLLM, SGLang, Ollama and hosted services are OpenAI-compatible.",
    )
    urls = forms.CharField(
        label="Address",
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false", "dir": "ltr"}),
        help_text="Where /chat/completions begins, such as https://api.example.org/v1. Several "
        "servers with the same models: one address a line; each request goes to the least busy.",
    )
    key = forms.CharField(
        required=False,
        max_length=1000,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text="It is stored encrypted and never shown again.",
    )
    removes_key = forms.BooleanField(required=False, label="Remove the stored key")
    parallel = forms.IntegerField(
        label="Parallel requests",
        min_value=1,
        max_value=MAX_PARALLEL,
        initial=8,
        help_text="At most so many at once from each worker, whatever a model asks for.",
    )

    def __init__(self, *args: Any, server: RegisteredServer | None = None, **kwargs: Any) -> None:
        if server is not None:
            kwargs["initial"] = {"urls": server.urls, "parallel": server.parallel}
        super().__init__(*args, **kwargs)
        if server is not None:
            del self.fields["name"], self.fields["kind"]
        if server is not None and server.encrypted_key:
            self.fields["key"].help_text = "A key is stored. Leave this empty to keep it."
        else:
            del self.fields["removes_key"]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
            raise forms.ValidationError("Use a-z, 0-9 and -, with a letter first.")
        return name

    def clean_urls(self) -> list[str]:
        """Refuse what the guard would refuse; where a name leads to is checked when connecting."""
        urls = list(dict.fromkeys(self.cleaned_data["urls"].split()))
        if len(urls) > MAX_URLS:
            raise forms.ValidationError(f"Enter at most {MAX_URLS} addresses.")
        return [_checked(url) for url in urls]

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"].strip()
        if not re.fullmatch(r"[!-~]*", key):
            raise forms.ValidationError("A key has no spaces, and ASCII characters alone.")
        return key


def _checked(url: str) -> str:
    if "?" in url or "#" in url:
        raise forms.ValidationError("End the address after its path: it has a ? or a #.")
    try:
        return check_address(url, allowed_hosts()).url.rstrip("/")
    except AddressRefused as error:
        mend = str(error).replace("VERICAP_OUTGOING_ALLOWED", "VERICAP_MODEL_HOSTS")
        if "must begin with https" in mend:
            mend += " For a host in VERICAP_MODEL_HOSTS, http:// is allowed, too."
        raise forms.ValidationError(mend) from error


def _price(label: str) -> forms.DecimalField:
    return forms.DecimalField(
        label=label,
        required=False,
        min_value=0,
        max_value=100_000,
        decimal_places=6,
        widget=forms.NumberInput({"class": "input"}),
    )


class PriceForm(forms.Form):
    """A model and its prices. An empty row is left out."""

    model_id = forms.CharField(
        max_length=200,
        required=False,
        label="Model id",
        widget=forms.TextInput({"class": "input", "list": "model-ids"}),
    )
    input_price = _price("US$ per million input tokens")
    output_price = _price("US$ per million output tokens")
    picture_price = _price("US$ per 1,000 pictures")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        has_price = any(value is not None for name, value in data.items() if name != "model_id")
        if has_price and not data.get("model_id"):
            self.add_error("model_id", "Enter the model's id, too.")
        return data


class _PriceFormSet(forms.BaseFormSet):  # type: ignore[type-arg]  # has no [] when it runs
    def clean(self) -> None:
        ids = [form.cleaned_data.get("model_id") for form in self if form.is_valid()]
        for form in self:
            model_id = form.cleaned_data.get("model_id") if form.is_valid() else ""
            if model_id and ids.count(model_id) > 1:
                form.add_error("model_id", "This model is here twice.")


PriceFormSet = forms.formset_factory(
    PriceForm, formset=_PriceFormSet, extra=1, max_num=200, validate_max=True
)


def price_rows(server: RegisteredServer) -> list[dict[str, Any]]:
    names = ("model_id", "input_price", "output_price", "picture_price")
    return [
        {name: _shortest(getattr(model, name)) for name in names} for model in server.models.all()
    ]


def models_in(rows: forms.BaseFormSet[PriceForm]) -> list[ServedModel]:
    """Return the models of a valid PriceFormSet."""
    return [ServedModel(**row) for row in rows.cleaned_data if row.get("model_id")]


def _shortest(value: Any) -> Any:
    """Return a price without the zeros at its end."""
    return f"{value:f}".rstrip("0").rstrip(".") if hasattr(value, "is_finite") else value
