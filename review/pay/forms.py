"""Forms of rates, corrections and approvals."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import DayInput
from annotate.kinds import kind_choices
from review.pay.models import PayBonus
from review.pay.money import CURRENCIES, amount_of
from review.pay.services import MAX_REASON_LENGTH


class CurrencyForm(forms.Form):
    currency = forms.ChoiceField(
        choices=[("", "Choose"), *((code, code) for code in CURRENCIES)],
        help_text="By its code of ISO 4217. It can’t change once there is a rate.",
    )


class RateForm(forms.Form):
    kind = forms.ChoiceField(label="Work", choices=kind_choices)
    per_item = forms.DecimalField(min_value=0, initial=0, max_digits=12, decimal_places=3)
    per_hour = forms.DecimalField(
        label="Per hour of active time", min_value=0, initial=0, max_digits=12, decimal_places=3
    )
    starts_on = forms.DateField(
        label="From",
        widget=DayInput(),
        help_text="From the beginning of the day, in UTC: a rate from today also pays what was "
        "submitted earlier today and has no entry yet. What is recorded stays as it is.",
    )
    pays_training = forms.BooleanField(label="Training earns, too", required=False)


END_IDS = "end-%s"  # the form of rates is on the same page


class EndPayForm(forms.Form):
    kind = forms.ChoiceField(label="Work", choices=kind_choices)
    starts_on = forms.DateField(
        label="From",
        widget=DayInput(),
        help_text="From the beginning of the day, in UTC: what was submitted earlier on it earns "
        "nothing either, unless it is recorded.",
    )


class BonusForm(forms.Form):
    amount = forms.DecimalField(
        label="Amount", min_value=0, initial=0, max_digits=12, decimal_places=3
    )
    percent = forms.IntegerField(
        label="Percent of the checked work’s earnings", min_value=0, max_value=100, initial=0
    )

    @staticmethod
    def values_of(bonus: PayBonus | None) -> dict[str, Any]:
        """Return the initial values of a form about the current bonus, if there is one."""
        if bonus is None:
            return {}
        amount = amount_of(bonus.units, bonus.project.currency)
        return {"amount": amount, "percent": bonus.percent}


class CorrectionForm(forms.Form):
    amount = forms.DecimalField(
        help_text="Negative to take something off.", max_digits=12, decimal_places=3
    )
    reason = forms.CharField(
        max_length=MAX_REASON_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2, "class": "textarea", "lang": "", "dir": "auto"}),
        help_text="The person reads it.",
    )


class PeriodForm(forms.Form):
    """The last day up to which the page counts open entries; empty for the end of last month."""

    until = forms.DateField(
        label="Up to", required=False, widget=DayInput(), help_text="Day of UTC."
    )


class ApprovalForm(forms.Form):
    until = forms.DateField()
    digest = forms.RegexField(r"^[0-9a-f]{64}$")
