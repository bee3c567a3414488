"""Looking through a project's captions for good and bad ones to train raters on."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.paginator import Page, Paginator
from django.db.models import Avg, Case, Count, Exists, F, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Left

from annotate.corpus.blindness import hides, visible_captions
from annotate.models import Caption, Membership
from inference.models import QualityScore
from review.ratings.training_set import EXAMPLE_KINDS
from review.verification.models import Verification
from review.verification.queries import readable_verifications

BEGINNING = 240  # letters of a caption in a list
MOST = 1_000  # captions in the list
SOURCES = {
    "model": [Caption.Source.MACHINE],
    "person": [Caption.Source.HUMAN, Caption.Source.MERGED, Caption.Source.CORRECTED],
    "imported": [Caption.Source.IMPORTED],
}
# order -> (what it sorts by, whether the highest comes first).
ORDERS = {
    "lowest": ("score", False),
    "highest": ("score", True),
    "errors": ("errors", True),
    "fewest": ("errors", False),
}
_MEAN_ERRORS = Avg(F("content_errors") + F("topic_errors"))


class CaptionsForm(forms.Form):
    """GET parameters. What isn't valid is no filter, so that an old link still opens the page."""

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

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.is_valid()

    @property
    def filters(self) -> dict[str, str]:
        return {name: value for name, value in self.cleaned_data.items() if value}

    @property
    def query(self) -> str:
        """The parameters of a link that keeps what is chosen."""
        return urlencode(self.filters)


def captions_page(
    membership: Membership, filters: dict[str, str], number: str | None, per_page: int
) -> Page[Caption]:
    """Return a page of the first MOST captions that may become examples and that this person may
    read. Each has its `score` by the project's latest scorer, and the mean of the `errors` that its
    `verifications` counted; not where this person could still verify it, because people judge
    without knowing them."""
    # Who may read each of tens of thousands takes seconds, and nobody turns so many pages.
    page = Paginator(_first_keys(membership, filters), per_page).get_page(number)
    rows = (
        Caption.objects.select_related("clip", "author")
        .defer("text")
        .annotate(beginning=Left("text", BEGINNING), **_measures(membership))
        .in_bulk(page.object_list)
    )
    page.object_list = [rows[key] for key in page.object_list]
    return page


def _first_keys(membership: Membership, filters: dict[str, str]) -> list[Any]:
    """Return the first MOST captions in the order: by the scores or errors that this person may
    know, in either order, and then the others, newest first."""
    captions = _captions(membership, filters)
    measured: list[int] = []
    if order := ORDERS.get(filters.get("order", "")):
        measure, is_falling = order
        keys = (
            _scored(membership, captions) if measure == "score" else _verified(membership, captions)
        )
        value = F("measure").desc() if is_falling else F("measure").asc()
        measured = list(keys.order_by(value, "-caption").values_list("caption", flat=True)[:MOST])
    others = visible_captions(membership, captions).exclude(pk__in=measured).order_by("-id")
    return [*measured, *others.values_list("pk", flat=True)[: MOST - len(measured)]]


def _captions(membership: Membership, filters: dict[str, str]) -> QuerySet[Caption]:
    """Those that may become examples, also those that this person may not read."""
    captions = Caption.objects.filter(
        project=membership.project, kind__in=EXAMPLE_KINDS, word_count__gt=0
    )
    if name := filters.get("q"):
        captions = captions.filter(clip__name__icontains=name)
    if by := filters.get("by"):
        captions = captions.filter(source__in=SOURCES[by])
    return captions


def _scored(membership: Membership, captions: QuerySet[Caption]) -> QuerySet[QualityScore]:
    """The scores that this person may know. They are read in their order, so that no more are
    looked at than the list needs."""
    unscored = hides(membership, or_scores=True)
    known = captions.exclude(unscored) if unscored else captions
    return (
        _latest_scores(membership)
        .filter(Exists(known.filter(pk=OuterRef("caption"))))
        .annotate(measure=F("value"))
    )


def _verified(membership: Membership, captions: QuerySet[Caption]) -> QuerySet[Verification, Any]:
    """The mean errors of each caption in the verifications that this person may read."""
    of_captions = Exists(captions.filter(pk=OuterRef("caption")))
    found = readable_verifications(membership).filter(of_captions).order_by()
    return found.values("caption").annotate(measure=_MEAN_ERRORS)


def _measures(membership: Membership) -> dict[str, Case | Subquery]:
    unscored = hides(membership, or_scores=True)
    score = _score(membership)
    readable = readable_verifications(membership).filter(caption=OuterRef("pk")).order_by()
    found = readable.values("caption")
    return {
        "score": Case(When(unscored, then=None), default=score) if unscored else score,
        "errors": Subquery(found.annotate(mean=_MEAN_ERRORS).values("mean")),
        "verified": Subquery(found.annotate(number=Count("pk")).values("number")),
    }


def _score(membership: Membership) -> Subquery:
    scores = _latest_scores(membership).order_by("-pk")
    return Subquery(scores.filter(caption=OuterRef("pk")).values("value"))


def _latest_scores(membership: Membership) -> QuerySet[QualityScore]:
    """One scorer's alone: the scores of two can't be compared."""
    scores = QualityScore.objects.filter(project=membership.project)
    latest = scores.order_by("-pk").values_list("scorer", flat=True).first()
    return scores.filter(scorer=latest or "")
