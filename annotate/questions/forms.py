"""The text of a question or an answer."""

from __future__ import annotations

from typing import Any

from django import forms

MAX_LENGTH = 2000


class MessageForm(forms.Form):
    text = forms.CharField(
        max_length=MAX_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={
            "required": "Write something first.",
            "max_length": "This is %(show_value)d characters long. Shorten it to %(limit_value)d.",
        },
    )

    def __init__(self, *args: Any, label: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["text"].label = label

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        return text.replace("\r\n", "\n")
