"""What is shown of scores: the thresholds of a project, and the scores beside captions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Prefetch, Q
from django.db.models.functions import Floor

from annotate.caption_history import sees_every_caption
from annotate.models import Caption, Clip, Membership, Project
from inference import words
from inference.forms.thresholds import ThresholdForm
from inference.models import InferenceRun, QualityScore, QualityThreshold, RefineAttempt, RunItem
from inference.queries import clips_to_describe, latest_captions, scorers_of
from inference.score_chart import RANGES_TO_ONE, ScoreChart, draw_scores
from inference.services.starting import DEFAULT_THRESHOLD

# Of one result; words.WHY_STALE speaks of several.
WHY_STALE = {**words.WHY_STALE, "input": "what it was made from is out of date"}


@dataclass(frozen=True)
class ScorerRow:
    """One way of scoring, with the threshold in force. `newest` are the captions that are still
    the newest of their clip, `under` those of them below the threshold, and `to_refine` those of
    them that a refine run would take: what a person wrote stays."""

    scorer: str
    name: str
    run: InferenceRun
    scored: int
    newest: int
    under: int
    to_refine: int
    threshold: float
    adopted: list[QualityThreshold]
    chart: ScoreChart
    form: ThresholdForm

    @property
    def short(self) -> str:
        return self.scorer[:8]


@dataclass(frozen=True)
class ShownScore:
    """A score beside its caption; `stale` says why it is out of date."""

    score: QualityScore
    threshold: float
    is_adopted: bool

    @property
    def is_under(self) -> bool:
        return self.score.value < self.threshold

    @property
    def stale(self) -> str:
        item = self.score.item
        # A refinement that is out of date takes only the caption it ended with along; those that
        # it tried before, and their scores, are as they were.
        if self.score.caption_id not in {item.caption_id, item.result_id}:
            return ""
        return WHY_STALE.get(item.stale_because, "")


@dataclass(frozen=True)
class ScoredCaption:
    caption: Caption
    attempt: int | None
    scores: list[ShownScore]
    stale: str


def threshold_context(project: Project, bound: ThresholdForm | None = None) -> dict[str, Any]:
    """`bound` is a form that was refused; it takes the place of its scorer's."""
    found = scorers_of(project)
    adopted = _adopted(project)
    in_force = {key: rows[0].value for key, rows in adopted.items()}
    counts = _counts(project, in_force, [row["scorer"] for row in found])
    charted = _ranges(project)
    last = QualityScore.objects.select_related("item__run__model").in_bulk(
        [row["last"] for row in found]
    )
    rows = []
    for row in found:
        key = row["scorer"]
        threshold = in_force.get(key, DEFAULT_THRESHOLD)
        rows.append(
            ScorerRow(
                scorer=key,
                name=row["scorer_name"],
                run=last[row["last"]].item.run,
                scored=row["count"],
                **counts[key],
                threshold=threshold,
                adopted=adopted.get(key, []),
                chart=draw_scores(charted[key], threshold),
                form=bound if bound and bound["scorer"].value() == key else _form(key),
            )
        )
    return {"project": project, "rows": rows, "default": DEFAULT_THRESHOLD}


def _form(scorer: str) -> ThresholdForm:
    return ThresholdForm(initial={"scorer": scorer}, auto_id=form_ids(scorer))


def form_ids(scorer: str) -> str:
    return f"{scorer[:8]}-%s"


def _adopted(project: Project) -> dict[str, list[QualityThreshold]]:
    """Every adopted threshold by scorer, newest first."""
    found: dict[str, list[QualityThreshold]] = {}
    rows = QualityThreshold.objects.filter(project=project).select_related("adopted_by")
    for row in rows.order_by("-id"):
        found.setdefault(row.scorer, []).append(row)
    return found


def _counts(
    project: Project, in_force: Mapping[str, float], scorers: Iterable[str]
) -> dict[str, dict[str, int]]:
    newest = Q(caption__in=latest_captions(clips_to_describe(project)).values("pk"))
    under = Q(pk__in=[])
    for scorer in scorers:
        under |= Q(scorer=scorer, value__lt=in_force.get(scorer, DEFAULT_THRESHOLD))
    rows = (
        QualityScore.objects.filter(project=project)
        .order_by()
        .values("scorer")
        .annotate(
            newest=Count("pk", filter=newest),
            under=Count("pk", filter=newest & under),
            to_refine=Count(
                "pk", filter=newest & under & Q(caption__source=Caption.Source.MACHINE)
            ),
        )
    )
    return {row.pop("scorer"): row for row in rows}


def _ranges(project: Project) -> dict[str, dict[int, tuple[int, int]]]:
    """By scorer: how many captions, and how many newest ones, score in each range."""
    newest = Q(caption__in=latest_captions(clips_to_describe(project)).values("pk"))
    rows = (
        QualityScore.objects.filter(project=project)
        .order_by()
        .annotate(range=Floor(F("value") * RANGES_TO_ONE))
        .values("scorer", "range")
        .annotate(n=Count("pk"), newest=Count("pk", filter=newest))
    )
    found: dict[str, dict[int, tuple[int, int]]] = {}
    for row in rows:
        found.setdefault(row["scorer"], {})[int(row["range"])] = (row["n"], row["newest"])
    return found


def newest_scores(project: Project, clips: Iterable[Clip]) -> dict[int, ShownScore]:
    """By clip: the newest score of its newest caption, where that one is scored."""
    captions = latest_captions(Clip.objects.filter(pk__in=[clip.pk for clip in clips]))
    scores = QualityScore.objects.filter(caption__in=captions).select_related("item")
    newest = {score.clip_id: score for score in scores.order_by("pk")}
    adopted = _adopted(project) if newest else {}
    return {clip: _shown(score, adopted) for clip, score in newest.items()}


def clip_scores_context(membership: Membership, clip: Clip) -> dict[str, Any]:
    """The clip's captions with their scores, newest first, and what refinement tried, as far as
    the page of the clip shows these texts to this member."""
    sees_all = sees_every_caption(membership, clip)
    captions = Caption.objects.filter(clip=clip, kind=Caption.Kind.GENERAL)
    if not sees_all:
        captions = captions.filter(author_id=membership.user_id)
    captions = captions.select_related("author", "refine_attempt").prefetch_related(
        Prefetch("quality_scores", QualityScore.objects.select_related("item").order_by("-pk")),
        stale_makers(),
    )
    adopted = _adopted(membership.project)
    return {
        "membership": membership,
        "project": membership.project,
        "clip": clip,
        "sees_all": sees_all,
        "captions": [
            ScoredCaption(
                caption,
                caption.refine_attempt.number if hasattr(caption, "refine_attempt") else None,
                [_shown(score, adopted) for score in caption.quality_scores.all()],
                why_stale(caption),
            )
            for caption in captions.order_by("-pk")
        ],
        "chains": _chains(clip, membership.project) if sees_all else [],
    }


def stale_makers() -> Prefetch:
    """For a query of captions, what `why_stale` reads."""
    stale = RunItem.objects.filter(state=RunItem.State.DONE).exclude(stale_because="")
    return Prefetch("made_by_items", stale, to_attr="stale_items")


def why_stale(caption: Caption) -> str:
    """Why a machine caption is out of date, in words; empty where it is not."""
    return WHY_STALE.get(caption.stale_items[0].stale_because, "") if caption.stale_items else ""


def _shown(score: QualityScore, adopted: Mapping[str, list[QualityThreshold]]) -> ShownScore:
    rows = adopted.get(score.scorer)
    return ShownScore(score, rows[0].value if rows else DEFAULT_THRESHOLD, bool(rows))


@dataclass(frozen=True)
class Chain:
    """One refinement of the clip: the captions and failures in their order, and what came of it."""

    run_id: int
    threshold: float
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
        Chain(item.run_id, item.run.recipe["threshold"], attempts, _outcome(item))
        for item in items
        if (attempts := list(item.refine_attempts.all()))
    ]


def _outcome(item: RunItem) -> str:
    match item.state:
        case RunItem.State.DONE:
            return item.note
        case RunItem.State.FAILED:
            return item.reason
        case RunItem.State.CANCELLED:
            return "cancelled"
    return item.step or "waits for its next attempt"
