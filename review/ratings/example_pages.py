"""The page to edit the raters' training set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from django.db.models import Count
from django.db.models.functions import Left
from django.http import QueryDict

from annotate.clips_to_do import hide
from annotate.corpus.blindness import hidden_captions
from annotate.models import Caption, Membership
from review.ratings.example_captions import (
    BEGINNING,
    LOOKED_AT,
    MAXIMUM,
    CaptionsForm,
    captions_page,
)
from review.ratings.forms import ExampleForm
from review.ratings.models import RatingExample
from review.ratings.queries import raters_without_examples
from review.ratings.studies import MIN_EXAMPLES
from review.ratings.work import caption_context

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

PER_PAGE = 20


class Shown(TypedDict):
    """An example with the beginning of its caption and the number of answers."""

    beginning: str
    answered: int


@dataclass(frozen=True)
class ListedExample:
    """`is_hidden`: this person may still have to judge its caption."""

    example: WithAnnotations[RatingExample, Shown]
    is_hidden: bool


def examples_context(
    membership: Membership, *, data: QueryDict, number: str | None
) -> dict[str, Any]:
    """Return the context. `data` filters and sorts the captions to choose from."""
    form = CaptionsForm(data)
    examples = (
        RatingExample.objects.filter(project=membership.project)
        .select_related("caption__clip", "caption__author")
        .defer("caption__text")
        .annotate(beginning=Left("caption__text", BEGINNING), answered=Count("answers"))
        .order_by("-is_used", "place", "id")
    )
    hide(membership, [each.caption.clip for each in examples])
    hidden = set(
        hidden_captions(
            membership, Caption.objects.filter(pk__in=[each.caption_id for each in examples])
        ).values_list("pk", flat=True)
    )
    listed = [ListedExample(example, example.caption_id in hidden) for example in examples]
    used = [item for item in listed if item.example.is_used]
    captions = captions_page(membership, form.filters, number, PER_PAGE)
    return {
        "membership": membership,
        "project": membership.project,
        "used": used,
        "retired": [item for item in listed if not item.example.is_used],
        "in_use": {item.example.caption_id for item in used},
        "least": MIN_EXAMPLES,
        "untrained": raters_without_examples(membership.project) if used else [],
        "form": form,
        "most": MAXIMUM,
        "page": captions.page,
        "is_cut": captions.is_cut,
        "looked_at": LOOKED_AT,
    }


def new_example_context(
    membership: Membership, caption: Caption, form: ExampleForm
) -> dict[str, Any]:
    hide(membership, [caption.clip])
    return {
        "membership": membership,
        "project": membership.project,
        "kind": "rate",
        "caption": caption,
        "clip": caption.clip,
        "form": form,
        **caption_context(caption),
    }
