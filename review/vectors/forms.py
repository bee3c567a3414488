"""The form to have a file of vectors written."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.forms import offer_choices
from annotate.models import Project
from review.composed.forms import BASELINE_NAMES
from review.retrieval.vector_writing import WRITERS
from review.vectors.contents import vector_sources


class VectorsForm(forms.Form):
    source = forms.ChoiceField(label="Vectors")
    fusion = forms.ChoiceField(
        label="Composed of",
        choices=list(BASELINE_NAMES.items()),
        initial="average",
        help_text="For composed queries only.",
    )
    format_name = forms.ChoiceField(
        label="Format", choices=[(name, f".{name}") for name in WRITERS]
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sources = [(source.key, source.name) for source in vector_sources(project)]
        offer_choices(self, "source", self.sources)
