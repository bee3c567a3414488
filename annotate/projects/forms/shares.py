"""The form to assign categories and subcategories to a member."""

from __future__ import annotations

import json
from typing import Any

from django import forms

from annotate.corpus.queries import categories
from annotate.models import Project


def category_choices(project: Project) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return each category with (value, name) of itself as a whole and of its subcategories."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for category, subcategory in categories(project):
        if category:
            group = groups.setdefault(category, [(share_value(category, ""), "All of it")])
            if subcategory:
                group.append((share_value(category, subcategory), subcategory))
    return list(groups.items())


def share_value(category: str, subcategory: str) -> str:
    """Return the value of a checkbox, from which names of any characters can be read back."""
    return json.dumps([category, subcategory])


class SharesForm(forms.Form):
    shares = forms.MultipleChoiceField(
        required=False,
        error_messages={
            "invalid_choice": "No video has this category and subcategory. Reload the page."
        },
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["shares"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [choice for _, group in category_choices(project) for choice in group]

    def clean_shares(self) -> list[tuple[str, str]]:
        return [tuple(json.loads(value)) for value in self.cleaned_data["shares"]]
