"""Forms of panels: settings, joining, and decisions."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import timedelta
from typing import Any, cast
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError

from annotate.forms import DayInput, validate_visible
from review.panels.models import CODE, Panel, Participant
from review.panels.queries import panel_kinds
from review.panels.services import PanelValues
from review.pay.queries import end_of

MAX_ITEMS = 1000
MAX_PLACES = 100_000
MAX_SIGNED = 10_000
MAX_MINUTES = 60 * 24 * 60
_PARAMETER = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,39}", re.ASCII)
_CODE = re.compile(r"[A-Za-z0-9_.-]{0,60}", re.ASCII)


def check_parameter(value: str) -> None:
    if not _PARAMETER.fullmatch(value):
        raise ValidationError("Begin with a letter; use only letters, digits and _ . -")


def check_code(value: str) -> None:
    if not _CODE.fullmatch(value):
        raise ValidationError("A code has only letters, digits and _ . -")


def check_return_address(value: str) -> None:
    """Refuse every address that isn't plainly one of a page on a named host by https."""
    plain = value.replace(CODE, "CODE")
    try:
        parts = urlsplit(plain)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise ValidationError("The address can’t be read. Write https://host/path.") from None
    if not plain.isprintable() or not plain.isascii() or re.search(r"[\s\\\"'<>`]", plain):
        raise ValidationError("The address has a space or a character that links can’t have.")
    if parts.scheme != "https" or "." not in host:
        raise ValidationError("Write the whole address, beginning with https://.")
    if "@" in parts.netloc:
        raise ValidationError("The address has a user or a password. Take them out.")
    if "CODE" in parts.netloc and CODE in value.split("/", 3)[2]:
        raise ValidationError("{code} can’t be in the host. Put it into the path or after ?.")


def _number(label: str) -> forms.IntegerField:
    return forms.IntegerField(label=label, required=False, min_value=0, max_value=MAX_ITEMS)


def _code(label: str, help_text: str = "") -> forms.CharField:
    return forms.CharField(
        label=label, help_text=help_text, required=False, max_length=60, validators=[check_code]
    )


def _parameter(label: str, name: str, *, required: bool = False) -> forms.CharField:
    return forms.CharField(
        label=label,
        initial=name,
        required=required,
        max_length=40,
        validators=[check_parameter],
        widget=forms.TextInput(attrs={"class": "input mono", "spellcheck": "false"}),
    )


class PanelForm(forms.Form):
    """`items_<kind>`: how many items of each kind every person does."""

    name = forms.CharField(
        max_length=80, validators=[validate_visible], help_text="People who join see it."
    )
    places = forms.IntegerField(
        min_value=1, max_value=MAX_PLACES, help_text="How many people can join."
    )
    minutes = forms.IntegerField(
        label="Minutes per person",
        required=False,
        min_value=1,
        max_value=MAX_MINUTES,
        help_text="From joining on. Empty: no limit.",
    )
    last_day = forms.DateField(
        required=False,
        widget=DayInput(),
        help_text="The last day to join, in UTC. Empty: until you close it.",
    )
    items_write = _number("Write")
    items_split = _number("Split")
    items_dynamics = _number("Dynamics check")
    items_hand = _number("Write by hand")
    items_verify = _number("Verify")
    items_rate = _number("Rate")
    items_triplet = _number("Triplets")
    items_identify = _number("Identify")
    items_elements = _number("Elements")
    id_parameter = _parameter("Person", "PROLIFIC_PID", required=True)
    study_parameter = _parameter("Study", "STUDY_ID")
    session_parameter = _parameter("Session", "SESSION_ID")
    completed_code = _code("Completed")
    screened_out_code = _code("Training not passed")
    out_of_time_code = _code("Out of time")
    unfinished_code = _code("Not finished", "For people who skipped the rest of the work.")
    no_work_code = _code("No work left", "Empty: the code for people who completed.")
    return_address = forms.CharField(
        required=False,
        max_length=500,
        validators=[check_return_address],
        widget=forms.URLInput(attrs={"class": "input", "spellcheck": "false"}),
        help_text="Where people go at the end; {code} is replaced by their code, as in "
        "https://app.prolific.com/submissions/complete?cc={code}. Empty: they only see the code.",
    )
    asks_signature = forms.BooleanField(
        required=False,
        label="Only signed links, which you make for the IDs that you know",
        help_text="Leave this off for Prolific and other platforms that fill in the ID themselves: "
        "they can’t sign it.",
    )

    def offer_kinds(self, kinds: Collection[str]) -> None:
        """Leave out the kinds of work that the project doesn't have."""
        for kind in panel_kinds():
            if kind not in kinds:
                del self.fields[f"items_{kind}"]

    @property
    def item_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("items_")]

    @property
    def _has_end_error(self) -> bool:
        return bool(self.errors.get("completed_code") or self.errors.get("return_address"))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        data["items"] = {kind: n for kind in panel_kinds() if (n := data.get(f"items_{kind}"))}
        typed = any(self.errors.get(field.name) for field in self.item_fields)
        if not data["items"] and not typed:
            self.add_error(None, "Give a number of items for at least one kind of work.")
        if CODE in data.get("return_address", "") and not data.get("completed_code"):
            self.add_error("completed_code", "The return address needs a code.")
        elif not (data.get("completed_code") or data.get("return_address") or self._has_end_error):
            self.add_error(
                "completed_code",
                "Give this code or a return address. Without both, people can’t show that they "
                "finished.",
            )
        return data

    def panel(self) -> PanelValues:
        """Return the cleaned values as the services take them."""
        data, last_day = self.cleaned_data, self.cleaned_data["last_day"]
        names = [name for name in PanelValues.__annotations__ if name != "expires_at"]
        return cast(
            PanelValues,
            {name: data[name] for name in names}
            | {"expires_at": end_of(last_day) if last_day else None},
        )

    @staticmethod
    def values_of(panel: Panel) -> dict[str, Any]:
        """Return the initial values of a form about this panel."""
        names = [name for name in PanelValues.__annotations__ if name != "expires_at"]
        ends = panel.expires_at
        return {
            **{name: getattr(panel, name) for name in names},
            **{f"items_{kind}": panel.items.get(kind) for kind in panel_kinds()},
            "last_day": (ends - timedelta(days=1)).date() if ends else None,
        }


class JoinPanelForm(forms.Form):
    """The form of the link's page. The ids come from the link; without them, people type theirs."""

    external_id = forms.CharField(
        label="Your participant ID",
        max_length=100,
        validators=[validate_visible],
        error_messages={"required": "Type the ID that you have on the panel."},
    )
    study_id = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput())
    session_id = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput())
    consent_number = forms.IntegerField(required=False, widget=forms.HiddenInput())


class SignedLinksForm(forms.Form):
    external_ids = forms.CharField(
        label="IDs, one per line",
        max_length=MAX_SIGNED * 101,
        widget=forms.Textarea(attrs={"rows": 5, "class": "textarea mono", "spellcheck": "false"}),
        error_messages={"required": "Paste at least one ID."},
    )

    def clean_external_ids(self) -> list[str]:
        field, ids = JoinPanelForm.base_fields["external_id"], {}
        for number, line in enumerate(self.cleaned_data["external_ids"].splitlines(), 1):
            try:
                if line.strip():
                    ids[field.clean(line)] = number
            except ValidationError as error:
                raise ValidationError(f"Line {number}: {error.messages[0]}") from error
        if len(ids) > MAX_SIGNED:
            raise ValidationError(f"Paste at most {MAX_SIGNED:,} IDs at once.")
        return list(ids)


class DecisionForm(forms.Form):
    decision = forms.ChoiceField(
        choices=Participant.Decision.choices,
        error_messages={"required": "Choose: approve or reject."},
    )
    reason = forms.CharField(
        required=False, max_length=500, help_text="A rejection needs one; only admins see it."
    )
