"""Which projects and models are compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from annotate.forms import offer_choices
from annotate.models import Project

MAX_PROJECTS = 20


class BenchmarksForm(forms.Form):
    """`candidates`: the projects that the person may compare, by slug."""

    project = forms.MultipleChoiceField(
        label="Benchmarks",
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "invalid_choice": "You are not an admin of %(value)s. Choose projects from the list.",
            "required": "Choose at least one project.",
        },
    )

    def __init__(self, data: Any, candidates: Sequence[Project]) -> None:
        super().__init__(data)
        self.by_slug = {project.slug: project for project in candidates}
        offer_choices(self, "project", [(project.slug, project.name) for project in candidates])

    def clean_project(self) -> list[Project]:
        slugs = self.cleaned_data["project"]
        if len(slugs) > MAX_PROJECTS:
            raise forms.ValidationError(f"Choose at most {MAX_PROJECTS} projects.")
        return [self.by_slug[slug] for slug in slugs]
