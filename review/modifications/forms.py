"""What people type to change an accepted modification."""

from __future__ import annotations

from django import forms

from review.modifications.text import LEAST_WORDS, LONGEST_TEXT, MOST_WORDS


class ChangeForm(forms.Form):
    text = forms.CharField(
        label="Text",
        max_length=LONGEST_TEXT,
        help_text=f"{LEAST_WORDS} to {MOST_WORDS} words.",
        widget=forms.TextInput(attrs={"dir": "auto", "lang": "", "spellcheck": "true"}),
    )
