"""The page on which the training set of the raters is kept."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count
from django.db.models.functions import Left
from django.utils.http import urlencode

from annotate.models import Caption, Membership, WorkItem
from review.models import RatingExample
from review.ratings.forms import ExampleForm
from review.ratings.work import caption_context
from review.services.rating_studies import LEAST_EXAMPLES
from review.services.rating_training import EXAMPLE_KINDS

PER_PAGE = 20
BEGINNING = 240  # letters of a caption in a list


def examples_context(membership: Membership, *, search: str, number: str | None) -> dict[str, Any]:
    examples = (
        RatingExample.objects.filter(project=membership.project)
        .select_related("caption__clip")
        .defer("caption__text")
        .annotate(beginning=Left("caption__text", BEGINNING), answered=Count("answers"))
        .order_by("-is_used", "place", "id")
    )
    used = [example for example in examples if example.is_used]
    captions = Caption.objects.filter(
        project=membership.project, kind__in=EXAMPLE_KINDS, word_count__gt=0
    )
    if search:
        captions = captions.filter(clip__name__icontains=search)
    page = Paginator(_listed(captions), PER_PAGE).get_page(number)
    return {
        "membership": membership,
        "project": membership.project,
        "used": used,
        "retired": [example for example in examples if not example.is_used],
        "in_use": {example.caption_id for example in used},
        "least": LEAST_EXAMPLES,
        "search": search,
        "query": urlencode({"q": search}) if search else "",
        "page": page,
    }


def _listed(captions: Any) -> Any:
    return (
        captions.select_related("clip")
        .defer("text")
        .annotate(beginning=Left("text", BEGINNING))
        .order_by("-id")
    )


def new_example_context(
    membership: Membership, caption: Caption, form: ExampleForm
) -> dict[str, Any]:
    return {
        "membership": membership,
        "project": membership.project,
        "kind": WorkItem.Kind.RATE,
        "caption": caption,
        "clip": caption.clip,
        "form": form,
        **caption_context(caption),
    }
