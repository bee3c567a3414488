"""Forms of spot checks."""

from __future__ import annotations

from django import forms

from annotate.kinds import kind_choices
from review.studies.models import MAX_SEED

MAX_PER_PERSON = 1000
RIGHT, WRONG = "right", "wrong"


class SpotCheckForm(forms.Form):
    kind = forms.ChoiceField(label="Work", choices=kind_choices)
    per_person = forms.IntegerField(
        label="Items per person", min_value=1, max_value=MAX_PER_PERSON, initial=30
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=MAX_SEED,
        initial=0,
        help_text="The same seed draws the same items.",
    )


class JudgmentForm(forms.Form):
    verdict = forms.ChoiceField(
        choices=[(RIGHT, "Right"), (WRONG, "Wrong")],
        error_messages={"required": "Choose right or wrong."},
    )
    remark = forms.CharField(
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2, "class": "textarea", "lang": "", "dir": "auto"}),
        help_text="What is wrong. The admin reads it.",
    )
