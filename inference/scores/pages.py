"""Scores shown beside captions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from django.db.models import Prefetch, QuerySet

from annotate.corpus.blindness import hidden_captions, visible_captions
from annotate.corpus.caption_history import sees_every_caption
from annotate.corpus.precedence import current_captions, only_current
from annotate.errors import Refused
from annotate.models import Caption, Clip, Membership, Project
from inference import words
from inference.models import InferenceRun, QualityScore, QualityThreshold, RefineAttempt, RunItem
from inference.queries import DEFAULT_THRESHOLD, adopted_thresholds
from inference.recipes import RefineRecipe, read_stored

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

# The reasons for one result; words.WHY_STALE has the plural.
WHY_STALE = {**words.WHY_STALE, "input": "the caption or clip that it was made from is out of date"}

SCORED = (Caption.Kind.GENERAL, Caption.Kind.FULL_VIDEO)


@dataclass(frozen=True)
class ShownScore:
    """A score beside its caption; `stale` says why it is outdated."""

    score: QualityScore
    threshold: float
    is_adopted: bool

    @property
    def is_under(self) -> bool:
        return self.score.value < self.threshold

    @property
    def stale(self) -> str:
        item = self.score.item
        # An outdated refinement outdates only its final caption; its earlier attempts and their
        # scores stay as they are.
        if self.score.caption_id not in {item.caption_id, item.result_id}:
            return ""
        return WHY_STALE.get(item.stale_because, "")


@dataclass(frozen=True)
class ScoredCaption:
    caption: Caption
    attempt: int | None
    scores: list[ShownScore]
    stale: str
    hides_scores: bool
    is_current: bool


def newest_scores(
    membership: Membership, clips: Iterable[Clip], kind: str = Caption.Kind.GENERAL
) -> dict[int, ShownScore]:
    """Return, by clip, the newest score of its current caption of this kind, if there is one that
    the member may see.
    """
    captions = current_captions(Clip.objects.filter(pk__in=[clip.pk for clip in clips]), kind)
    scores = list(
        QualityScore.objects.filter(caption__in=captions).select_related("item").order_by("pk")
    )
    scored = Caption.objects.filter(pk__in={score.caption_id for score in scores})
    hidden = set(hidden_captions(membership, scored, or_scores=True).values_list("pk", flat=True))
    newest = {score.clip_id: score for score in scores if score.caption_id not in hidden}
    adopted = adopted_thresholds(membership.project) if newest else {}
    return {clip: _shown(score, adopted) for clip, score in newest.items()}


def clip_scores_context(membership: Membership, clip: Clip) -> dict[str, Any]:
    """Return the clip's captions with their scores, newest first, and refinement attempts, limited
    to texts that the clip's page shows to this member.
    """
    sees_all = sees_every_caption(membership, clip)
    captions = visible_captions(membership, Caption.objects.filter(clip=clip, kind__in=SCORED))
    unscored = set(
        hidden_captions(membership, Caption.objects.filter(clip=clip), or_scores=True).values_list(
            "pk", flat=True
        )
    )
    captions = captions.select_related("author", "refine_attempt").prefetch_related(
        Prefetch("quality_scores", QualityScore.objects.select_related("item").order_by("-pk")),
        stale_makers(),
    )
    adopted = adopted_thresholds(membership.project)
    of_clip = Caption.objects.filter(clip=clip, kind__in=SCORED)
    current = set(only_current(of_clip).values_list("pk", flat=True))
    return {
        "membership": membership,
        "project": membership.project,
        "clip": clip,
        "sees_all": sees_all,
        "captions": [
            ScoredCaption(
                caption,
                caption.refine_attempt.number if hasattr(caption, "refine_attempt") else None,
                []
                if caption.pk in unscored
                else [_shown(score, adopted) for score in caption.quality_scores.all()],
                why_stale(caption),
                caption.pk in unscored,
                caption.pk in current,
            )
            for caption in captions.order_by("-pk")
        ],
        "chains": _chains(clip, membership.project) if sees_all and not unscored else [],
    }


class Made(TypedDict):
    stale_items: list[RunItem]


def stale_makers() -> Prefetch[Literal["made_by_items"], QuerySet[RunItem], Literal["stale_items"]]:
    """Prefetch, for a query of captions, what `why_stale` reads."""
    stale = RunItem.objects.filter(state=RunItem.State.DONE).exclude(stale_because="")
    return Prefetch("made_by_items", stale, to_attr="stale_items")


def why_stale(caption: WithAnnotations[Caption, Made]) -> str:
    """Return why a machine caption is outdated, in words; empty if it is current."""
    return WHY_STALE.get(caption.stale_items[0].stale_because, "") if caption.stale_items else ""


def _shown(score: QualityScore, adopted: Mapping[str, list[QualityThreshold]]) -> ShownScore:
    rows = adopted.get(score.scorer)
    return ShownScore(score, rows[0].value if rows else DEFAULT_THRESHOLD, bool(rows))


@dataclass(frozen=True)
class Chain:
    """One refinement of the clip: the captions and failures in order, and the result. `needed` says
    which score it needed, or why that can't be read.
    """

    run_id: int
    needed: str
    attempts: list[RefineAttempt]
    outcome: str


def _chains(clip: Clip, project: Project) -> list[Chain]:
    items = (
        RunItem.objects.filter(clip=clip, run__project=project, run__kind=InferenceRun.Kind.REFINE)
        .select_related("run")
        .prefetch_related(
            Prefetch("refine_attempts", RefineAttempt.objects.select_related("model"))
        )
        .order_by("-pk")
    )
    return [
        Chain(
            item.run_id,
            _needed(item.run),
            attempts,
            _outcome(item),
        )
        for item in items
        if (attempts := list(item.refine_attempts.all()))
    ]


def _needed(run: InferenceRun) -> str:
    try:
        return f"{read_stored(run.recipe, RefineRecipe).threshold} was needed."
    except Refused as error:
        return str(error)


def _outcome(item: RunItem) -> str:
    match item.state:
        case RunItem.State.DONE:
            return item.note
        case RunItem.State.FAILED:
            return item.reason
        case RunItem.State.CANCELLED:
            return "cancelled"
    return item.step or "waits for its next attempt"
