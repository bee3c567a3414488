"""Forms of modifications and of their prompts."""

from __future__ import annotations

from typing import Any

from django import forms

from review.modifications.prompts import EXAMPLE_PARTS, MAX_EXAMPLES, MAX_INSTRUCTION_LENGTH
from review.modifications.text import MAX_TEXT_LENGTH, Limits, problem_with
from review.pairs.forms import ModelForm


class ChangeForm(forms.Form):
    text = forms.CharField(
        label="Text",
        max_length=MAX_TEXT_LENGTH,
        widget=forms.TextInput(attrs={"dir": "auto", "lang": "", "spellcheck": "true"}),
    )

    def __init__(self, *args: Any, limits: Limits, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["text"].help_text = f"{limits}."


class WriteForm(ModelForm):
    """Choose the text model that writes modifications, and the domain of the labels."""

    domain = forms.CharField(max_length=40, required=False, widget=forms.HiddenInput)


class PromptForm(forms.Form):
    domain = forms.CharField(max_length=40, required=False, widget=forms.HiddenInput)
    instruction = forms.CharField(
        label="Instruction for the model",
        max_length=MAX_INSTRUCTION_LENGTH,
        widget=forms.Textarea(attrs={"rows": 10, "class": "long"}),
    )

    def clean_instruction(self) -> str:
        """Return the text with the line breaks of stored prompts; browsers send others."""
        instruction: str = self.cleaned_data["instruction"]
        return instruction.replace("\r\n", "\n")


class PasteForm(forms.Form):
    pasted = forms.CharField(
        label="Paste examples",
        max_length=40_000,
        required=False,
        help_text="One per line: from, to, modification, separated by commas, semicolons or tabs.",
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto", "lang": "", "spellcheck": "false"}),
    )


class ExampleRow(forms.Form):
    source = forms.CharField(label="From", max_length=MAX_TEXT_LENGTH, required=False)
    target = forms.CharField(label="To", max_length=MAX_TEXT_LENGTH, required=False)
    modification = forms.CharField(label="Modification", max_length=MAX_TEXT_LENGTH, required=False)

    def __init__(self, *args: Any, limits: Limits, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.limits = limits

    def clean(self) -> dict[str, str]:
        typed: dict[str, str] = {
            part: " ".join(self.cleaned_data.get(part, "").split()) for part in EXAMPLE_PARTS
        }
        if not any(typed.values()):
            return typed
        for part, text in typed.items():
            if not text:
                self.add_error(part, "Fill in all three fields, or leave the row empty.")
        if typed["modification"] and (problem := problem_with(typed["modification"], self.limits)):
            self.add_error("modification", problem)
        return typed


ExampleFormSet = forms.formset_factory(ExampleRow, extra=3, max_num=MAX_EXAMPLES, validate_max=True)


def typed_examples(rows: forms.BaseFormSet[ExampleRow]) -> list[dict[str, str]]:
    """Return the rows in which anything is typed, valid or not."""
    rows.is_valid()
    typed = [{part: row[part].value() or "" for part in EXAMPLE_PARTS} for row in rows]
    return [example for example in typed if any(example.values())]


def examples_in(rows: forms.BaseFormSet[ExampleRow]) -> list[dict[str, str]]:
    """Return the non-empty rows of a valid ExampleFormSet."""
    return [row for row in rows.cleaned_data if row.get("modification")]
