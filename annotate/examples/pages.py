"""The contexts of the pages about a guideline's examples."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator

from annotate.examples.forms import ExampleForm
from annotate.examples.queries import finished_work, held_back, kinds_with_examples, other_clips
from annotate.examples.services import MAX_EXAMPLES
from annotate.guidelines import guideline_html
from annotate.guidelines.versions import shown_examples
from annotate.kinds import Kind, kind_facts
from annotate.models import (
    Clip,
    GuidelineExample,
    GuidelineVersion,
    Membership,
)

PER_PAGE = 10
MAX_CLIPS = 10
MAX_VERSIONS = 30


def guideline_context(
    membership: Membership, kind: Kind, name: str, number: str | None
) -> dict[str, Any]:
    """Return the context. `name`: part of the names of clips to choose from. `number`: of the
    page.
    """
    project = membership.project
    examples = list(shown_examples(project, kind))
    places = held_back(project, kind)
    versions = GuidelineVersion.objects.filter(project=project, kind=kind)
    return {
        "membership": membership,
        "project": project,
        "kind": kind,
        "kinds": kinds_with_examples(project),
        "guideline": guideline_html(project, kind),
        "examples": [(example, places.get(example.clip_id, 0)) for example in examples],
        "is_held_back": not kind_facts(kind).keeps_examples,
        "is_full": len(examples) >= MAX_EXAMPLES,
        "most": MAX_EXAMPLES,
        "name": name,
        "name_query": urlencode({"q": name}) if name else "",
        "page": Paginator(finished_work(membership, kind, name), PER_PAGE).get_page(number),
        "clips": list(other_clips(project, kind, name)[:MAX_CLIPS]) if name else [],
        "versions": list(versions.select_related("changed_by")[:MAX_VERSIONS]),
        "keys": [example.pk for example in examples],
    }


def example_context(
    membership: Membership,
    kind: Kind,
    clip: Clip,
    form: ExampleForm,
    example: GuidelineExample | None = None,
) -> dict[str, Any]:
    return {
        "membership": membership,
        "project": membership.project,
        "kind": kind,
        "clip": clip,
        "form": form,
        "example": example,
    }
