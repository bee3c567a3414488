"""Forms of the consent text and of a person's answer."""

from __future__ import annotations

from django import forms

MAX_TEXT_LENGTH = 40_000


class ConsentTextForm(forms.Form):
    text = forms.CharField(
        label="Text",
        required=False,
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"class": "textarea", "rows": 16, "dir": "auto"}),
        help_text="Markdown. Everybody agrees to it before their first work. With an empty text, "
        "nobody has to agree.",
    )
    asks_again = forms.BooleanField(
        label="Ask everybody again",
        required=False,
        help_text="Those who have agreed to an earlier version must agree to this one before they "
        "take more work. Leave it unticked for corrections of spelling.",
    )
    base_number = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    def clean(self) -> None:
        if "base_number" in self.errors:  # hidden, so its message is at the top of the form
            raise forms.ValidationError("The page sent no version of the text. Reload the page.")


class AgreeForm(forms.Form):
    """`number`: the version that the person has read; `kind`: the work that they wanted to take;
    `next`: the page that they wanted to open."""

    number = forms.IntegerField(min_value=1)
    kind = forms.CharField(required=False, max_length=16)
    next = forms.CharField(required=False, max_length=500)
