"""Search a project's captions for good and bad examples to train raters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.paginator import Page, Paginator
from django.db.models import Avg, Case, Count, Exists, F, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Left

from annotate.clips_to_do import hide, hides_facts
from annotate.corpus.blindness import hidden_captions, hides
from annotate.forms import ListForm
from annotate.models import Caption, Clip, Membership
from inference.models import QualityScore
from review.ratings.training_set import EXAMPLE_KINDS
from review.verification.models import Verification
from review.verification.queries import readable_verifications

BEGINNING = 240  # characters of a caption in a list
MAXIMUM = 500  # captions in the list
LOOKED_AT = 1_000  # captions that are examined to fill the list
SOURCES = {
    "model": [Caption.Source.MACHINE],
    "person": [Caption.Source.HUMAN, Caption.Source.MERGED, Caption.Source.CORRECTED],
    "imported": [Caption.Source.IMPORTED, Caption.Source.PUBLISHED],
}
# order -> (sort key, whether it is descending).
ORDERS = {
    "lowest": ("score", False),
    "highest": ("score", True),
    "errors": ("errors", True),
    "fewest": ("errors", False),
}
_MEAN_ERRORS = Avg(F("content_errors") + F("topic_errors"))


class CaptionsForm(ListForm):
    q = forms.CharField(label="Name of the clip contains", max_length=200, required=False)
    by = forms.ChoiceField(
        label="Written by",
        required=False,
        choices=[
            ("", "Anybody"),
            ("model", "A model"),
            ("person", "A person"),
            ("imported", "Imported"),
        ],
    )
    order = forms.ChoiceField(
        required=False,
        choices=[
            ("", "Newest first"),
            ("lowest", "Lowest score first"),
            ("highest", "Highest score first"),
            ("errors", "Most errors first"),
            ("fewest", "Fewest errors first"),
        ],
    )


@dataclass(frozen=True)
class CaptionsPage:
    """`is_cut`: only the first LOOKED_AT were examined, and this person may read fewer than MAXIMUM
    of them."""

    page: Page[Caption]
    is_cut: bool


def captions_page(
    membership: Membership, filters: dict[str, str], number: str | None, per_page: int
) -> CaptionsPage:
    """Return a page of the first MAXIMUM captions that may become examples and that this person may
    read. Each has its `score` by the project's latest scorer, and the mean of the `errors` in its
    `verifications`. Both are missing if this person could still verify it, because people judge
    without knowing them.
    """
    # Checking access to tens of thousands takes seconds, and nobody opens so many pages.
    keys, is_cut = _first_keys(membership, filters)
    page: Page[Any] = Paginator(keys, per_page).get_page(number)
    rows = (
        Caption.objects.select_related("clip", "author")
        .defer("text")
        .annotate(beginning=Left("text", BEGINNING), **_measures(membership))
        .in_bulk(page.object_list)
    )
    hide(membership, [caption.clip for caption in rows.values()])
    page.object_list = [rows[key] for key in page.object_list]
    return CaptionsPage(page, is_cut)


def _first_keys(membership: Membership, filters: dict[str, str]) -> tuple[list[int], bool]:
    """Return the first MAXIMUM captions in the order, and whether the search for them was cut.
    Captions with a score or error count that this person may know come first, then the others,
    newest first.

    A running round can hide nearly all captions from a person, and each caption takes 10 µs to
    examine. So at most LOOKED_AT are examined, in each of the two orders.
    """
    captions = _captions(membership, filters)
    measured: list[int] = []
    if order := ORDERS.get(filters.get("order", "")):
        measure, is_falling = order
        orders = (
            _scores(membership, captions) if measure == "score" else _errors(membership, captions)
        )
        value = F("measure").desc() if is_falling else F("measure").asc()
        ordered = orders.order_by(value, "-caption").values_list("caption", flat=True)
        first = list(ordered[: LOOKED_AT + 1])
        hidden = _hidden(membership, first, or_scores=True)
        measured = [key for key in first[:LOOKED_AT] if key not in hidden][:MAXIMUM]
        if len(first) > LOOKED_AT:
            return measured, len(measured) < MAXIMUM
    room = MAXIMUM - len(measured)
    others = captions.exclude(pk__in=measured).order_by("-id").values_list("pk", flat=True)
    newest = list(others[: LOOKED_AT + 1]) if room else []
    hidden = _hidden(membership, newest)
    readable = [key for key in newest[:LOOKED_AT] if key not in hidden][:room]
    return [*measured, *readable], len(newest) > LOOKED_AT and len(readable) < room


def _hidden(membership: Membership, keys: list[int], *, or_scores: bool = False) -> set[int]:
    named = Caption.objects.filter(pk__in=keys)
    hidden = hidden_captions(membership, named, or_scores=or_scores)
    return set(hidden.values_list("pk", flat=True))


def _captions(membership: Membership, filters: dict[str, str]) -> QuerySet[Caption]:
    """Return captions that can become examples, including those that this person can't read."""
    captions = Caption.objects.filter(
        project=membership.project, kind__in=EXAMPLE_KINDS, word_count__gt=0
    )
    if name := filters.get("q"):
        captions = captions.filter(clip__name__icontains=name)
        if hidden := hides_facts(membership):
            captions = captions.exclude(Exists(Clip.objects.filter(hidden, pk=OuterRef("clip"))))
    if by := filters.get("by"):
        captions = captions.filter(source__in=SOURCES[by])
    return captions


def _scores(membership: Membership, captions: QuerySet[Caption]) -> QuerySet[QualityScore]:
    """Return the scores of these captions, including hidden ones, sorted so that only as many are
    read as the list needs.
    """
    of_captions = Exists(captions.filter(pk=OuterRef("caption")))
    return _latest_scores(membership).filter(of_captions).annotate(measure=F("value"))


def _errors(membership: Membership, captions: QuerySet[Caption]) -> QuerySet[Verification, Any]:
    """Return the mean errors of each of these captions, including hidden ones. A person can read
    all of a caption's verifications or none, so their mean is the same for everybody.
    """
    of_captions = Exists(captions.filter(pk=OuterRef("caption")))
    verified = Verification.objects.filter(of_captions, project=membership.project).order_by()
    return verified.values("caption").annotate(measure=_MEAN_ERRORS)


def _measures(membership: Membership) -> dict[str, Case | Subquery]:
    unscored = hides(membership, or_scores=True)
    score = _score(membership)
    readable = readable_verifications(membership).filter(caption=OuterRef("pk")).order_by()
    measured = readable.values("caption")
    return {
        "score": Case(When(unscored, then=None), default=score) if unscored else score,
        "errors": Subquery(measured.annotate(mean=_MEAN_ERRORS).values("mean")),
        "verified": Subquery(measured.annotate(number=Count("pk")).values("number")),
    }


def _score(membership: Membership) -> Subquery:
    scores = _latest_scores(membership).order_by("-pk")
    return Subquery(scores.filter(caption=OuterRef("pk")).values("value"))


def _latest_scores(membership: Membership) -> QuerySet[QualityScore]:
    """Return scores of a single scorer, because those of different scorers can't be compared."""
    scores = QualityScore.objects.filter(project=membership.project)
    latest = scores.order_by("-pk").values_list("scorer", flat=True).first()
    return scores.filter(scorer=latest or "")
