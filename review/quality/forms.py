"""Forms of the rules and the known answers of a kind of work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from annotate.forms import offer_choices
from annotate.models import WorkItem
from review.comparisons.models import Vote
from review.quality.models import QualityRule, Requirements

MAX_EXPLANATION_LENGTH = 2000
TRAINING = "Training: people see this answer after their own"
Purpose = WorkItem.Purpose


class RuleForm(forms.Form):
    """Shares are typed in percent and cleaned to shares of 1."""

    pass_percent = forms.IntegerField(
        label="Right answers to pass the training, in %",
        required=False,
        min_value=0,
        max_value=100,
        help_text="Empty: people begin without a training.",
    )
    tries = forms.IntegerField(
        label="Tries", min_value=1, max_value=20, help_text="Then an admin must let them in."
    )
    gold_percent = forms.IntegerField(
        label="Gold among the work, in %", min_value=0, max_value=50, help_text="0: no gold."
    )
    limit_percent = forms.IntegerField(
        label="Pause below, in % right",
        min_value=0,
        max_value=100,
        help_text="Somebody below gets no more work of this kind until an admin ends the pause.",
    )
    gold_least = forms.IntegerField(
        label="After at least",
        min_value=1,
        max_value=1000,
        help_text="Gold answers, before anybody is paused.",
    )

    def leave_out_gold(self) -> None:
        """Ask about the training alone: the kind of work has no gold."""
        for name in ("gold_percent", "limit_percent", "gold_least"):
            del self.fields[name]

    @staticmethod
    def values_of(rule: QualityRule) -> dict[str, Any]:
        """Return the initial values of a form about this rule."""
        return {
            "pass_percent": None if rule.pass_share is None else round(100 * rule.pass_share),
            "tries": rule.tries,
            "gold_percent": round(100 * rule.gold_rate),
            "limit_percent": round(100 * rule.gold_limit),
            "gold_least": rule.gold_least,
        }

    @property
    def requirements(self) -> Requirements:
        data = self.values_of(QualityRule()) | self.cleaned_data
        passing = data["pass_percent"]
        return Requirements(
            pass_share=None if passing is None else passing / 100,
            tries=data["tries"],
            gold_rate=data["gold_percent"] / 100,
            gold_limit=data["limit_percent"] / 100,
            gold_least=data["gold_least"],
        )


class KnownAnswerForm(forms.Form):
    purpose = forms.ChoiceField(
        label="Use it for",
        choices=[
            (Purpose.TRAINING, TRAINING),
            (Purpose.GOLD, "Gold: hidden among the work"),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": "Choose training or gold."},
    )
    outcome = forms.ChoiceField(
        label="The right vote",
        required=False,
        choices=Vote.Outcome.choices,
        widget=forms.RadioSelect,
    )
    explanation = forms.CharField(
        label="Why it is right",
        required=False,
        max_length=MAX_EXPLANATION_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4, "class": "textarea", "lang": "", "dir": "auto"}),
        help_text="People read it after they answer. Training needs it, gold doesn’t.",
    )

    facts = forms.CharField(
        label="What the text must have, and must not",
        required=False,
        max_length=MAX_EXPLANATION_LENGTH,
        widget=forms.Textarea(attrs={"rows": 5, "class": "textarea", "lang": "", "dir": "auto"}),
    )

    def clean_facts(self) -> list[str]:
        lines = (line.strip() for line in self.cleaned_data["facts"].splitlines())
        return [line for line in lines if line]

    def offer_vote(self, outcome: str) -> None:
        """Have `outcome` chosen, the vote that was cast."""
        self.fields["outcome"].initial = outcome

    def explain_facts(self, fields: Sequence[str]) -> None:
        """Return help on how to type facts for a text with these named parts."""
        example = f"; “{fields[-1]}: slowly” asks about one part" if fields else ""
        self.fields["facts"].help_text = (
            "One line for each thing: “red | crimson” asks for one of these words, “not: blue” "
            f"refuses a word{example}. The answer is right if every line is met. Without lines, "
            "people compare their text with the known one, and every answer counts as right."
        )

    def offer_training_alone(self) -> None:
        offer_choices(self, "purpose", [(Purpose.TRAINING, TRAINING)])
        self.fields["purpose"].initial = Purpose.TRAINING
        self.fields["explanation"].required = True
        self.fields["explanation"].help_text = "People read it after they answer."
