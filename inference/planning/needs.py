"""The open work of models, in the order of the project's protocol. Reads no caption."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Exists, FilteredRelation, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotate.corpus.clip_stages import described
from annotate.models import Caption, CaptionRank, Project, Video, WorkItem
from inference.models import InferenceRun, QualityScore, QualityThreshold, Segmentation, VideoTheme
from inference.queries import (
    DEFAULT_THRESHOLD,
    clips_to_describe,
    clips_to_embed,
    current_captions_of,
    cut_videos,
)
from inference.recipes import try_stated

Kind = InferenceRun.Kind
Protocol = Project.Protocol


@dataclass(frozen=True)
class Need:
    """A run of the protocol: of `total` subjects, `done` have a result. `options` select this run;
    `why` says what is missing, "" if nothing is. `is_optional`: the protocol doesn't need it.
    `waits_for`: what must come first, "" if it can start.
    """

    kind: str
    total: int
    done: int
    noun: tuple[str, str]
    options: Mapping[str, str] = field(default_factory=dict)
    is_optional: bool = False
    waits_for: str = ""

    @property
    def left(self) -> int:
        return max(0, self.total - self.done)

    @property
    def is_due(self) -> bool:
        return self.left > 0 and not self.waits_for

    @property
    def key(self) -> str:
        """Return a name that distinguishes it from the protocol's other needs."""
        return "-".join([self.kind, *self.options.values()])


@dataclass(frozen=True)
class Scoring:
    """The scorer that was used last for captions of clips, with its adopted threshold, if any."""

    scorer: str = ""
    name: str = ""
    threshold: float | None = None


NO_SCORING = Scoring()
VIDEOS, CLIPS, CAPTIONS = ("video", "videos"), ("clip", "clips"), ("caption", "captions")
# What the embed runs of each protocol embed, with the captions that a text requires.
EMBEDDED: Mapping[str, tuple[str, ...]] = {
    Protocol.CAREBENCH: ("clips", "captions", "spatial", "temporal"),
    Protocol.LOVR: ("clips", "captions"),
    Protocol.TFCOVR: ("clips",),
}
_TEXTS = {
    "captions": Caption.Kind.GENERAL,
    "spatial": Caption.Kind.SPATIAL,
    "temporal": Caption.Kind.TEMPORAL,
}


def scoring_of(project: Project) -> Scoring:
    """Return how captions of clips were scored last. Two queries."""
    run = InferenceRun.objects.filter(project=project, kind=Kind.SCORE)
    newest = (
        QualityScore.objects.filter(
            project=project, item__run__in=run.values("pk"), caption__kind=Caption.Kind.GENERAL
        )
        .order_by("-pk")
        .values_list("scorer", "scorer_name")
        .first()
    )
    if newest is None:
        return NO_SCORING
    adopted = QualityThreshold.objects.filter(project=project, scorer=newest[0]).order_by("-id")
    return Scoring(*newest, adopted.values_list("value", flat=True).first())


def needs_of(project: Project, scoring: Scoring | None = None) -> list[Need]:
    """Return the runs that the protocol needs, in order, embedding last. A constant number of
    queries.
    """
    needs = []
    if project.protocol == Protocol.LOVR:
        needs = _of_lovr(project, scoring_of(project) if scoring is None else scoring)
    return [*needs, *_embedding(project)]


def next_need(needs: list[Need]) -> Need | None:
    """Return the first that can start, one that the protocol can do without last."""
    due = [need for need in needs if need.is_due]
    return next((need for need in due if not need.is_optional), due[0] if due else None)


def _of_lovr(project: Project, scoring: Scoring) -> list[Need]:
    counts = _counted(project) | _measured(project, scoring)
    started = counts["segmented"] > 0 or counts["described"] > 0
    return [
        # Clips that were imported individually need no cutting.
        Need(Kind.SEGMENT, counts["videos"], counts["segmented"], VIDEOS,
             is_optional=not counts["segmented"] and counts["described"] > 0),
        Need(Kind.THEME, counts["kept"], counts["themed"], VIDEOS, is_optional=True),
        Need(Kind.CAPTION, counts["clips"], counts["described"], CLIPS,
             waits_for="" if started else "Cut the videos first."),
        Need(Kind.SCORE, counts["machine"], counts["scored"], CAPTIONS,
             waits_for="" if counts["machine"] else "Caption the clips first."),
        Need(Kind.REFINE, counts["below"], counts["with_people"], CAPTIONS,
             waits_for="" if counts["scored"] else "Score the captions first."),
        Need(Kind.FUSE, counts["cut"], counts["fused"], VIDEOS,
             waits_for="" if counts["described"] else "Caption the clips first."),
    ]  # fmt: skip


def _counted(project: Project) -> dict[str, int]:
    """Count videos, clips and the results of runs. One query."""
    clips = clips_to_describe(project)
    own = {"project": project}
    sizes = {
        "videos": _number(Video.objects.filter(**own)),
        "kept": _number(Video.objects.filter(**own, excluded_because="")),
        "segmented": _number(Segmentation.objects.filter(**own), "video"),
        "themed": _number(VideoTheme.objects.filter(**own), "video"),
        "clips": _number(clips),
        "described": _number(described(clips)),
        "cut": _number(cut_videos(project)),
        "fused": _number(Caption.objects.filter(**own, kind=Caption.Kind.FULL_VIDEO), "clip"),
    }
    return _in_one(project, sizes)


def _measured(project: Project, scoring: Scoring) -> dict[str, int]:
    """Count the current machine captions of clips, those with a score, those below the threshold,
    and how many of the latter people write by hand. One query, and one pass over the captions.
    """
    threshold = DEFAULT_THRESHOLD if scoring.threshold is None else scoring.threshold
    by_hand = WorkItem.objects.filter(clip=OuterRef("clip"), kind=WorkItem.Kind.HAND)
    captions = current_captions_of(project, Caption.Kind.GENERAL).filter(
        source=Caption.Source.MACHINE, word_count__gt=0
    )
    scored = captions.order_by().annotate(
        measured=FilteredRelation(
            "quality_scores", condition=Q(quality_scores__scorer=scoring.scorer)
        )
    )
    is_below = (
        Q(measured__value__lt=threshold)
        & (Q(given=None) | ~Q(given__because=CaptionRank.Because.VERIFIED))
        & (Q(given=None) | Q(given__is_chosen=False))
    )
    counts: dict[str, int] = scored.aggregate(
        machine=Count("pk"),
        scored=Count("measured"),
        below=Count("pk", filter=is_below),
        with_people=Count("pk", filter=Q(Exists(by_hand)) & is_below),
    )
    return counts


def _embedding(project: Project) -> list[Need]:
    """Return an embed run for each sort of thing that the protocol searches. Two queries."""
    newest: dict[str, InferenceRun] = {}
    runs = InferenceRun.objects.filter(project=project, kind=Kind.EMBED, has_results=True)
    for run in runs.only("recipe", "created_at", "counts", "total").order_by("pk"):
        newest[try_stated(run.recipe).of] = run
    sizes = {}
    for of in EMBEDDED[project.protocol]:
        things = clips_to_embed(project) if of == "clips" else _texts(project, _TEXTS[of])
        sizes[of] = _number(things)
        if last := newest.get(of):
            sizes[f"{of}_new"] = _number(things.filter(created_at__gt=last.created_at))
    counts = _in_one(project, sizes)
    needs = []
    for of in EMBEDDED[project.protocol]:
        total = counts[of]
        is_of_clips = of == "clips"
        needs.append(
            Need(
                Kind.EMBED,
                total,
                total - counts[f"{of}_new"] if of in newest else 0,
                CLIPS if is_of_clips else CAPTIONS,
                {"of": of},
                waits_for="" if total else _FIRST[of],
            )
        )
    return needs


_FIRST = {
    "clips": "Import videos first.",
    "captions": "No clip has a caption yet.",
    "spatial": "No clip is split yet.",
    "temporal": "No clip is split yet.",
}


def _texts(project: Project, kind: str) -> QuerySet[Caption]:
    """Return the captions to search for, as far as an index can tell: they may not be current."""
    sources = [Caption.Source.MERGED, Caption.Source.CORRECTED, Caption.Source.PUBLISHED]
    if project.protocol == Protocol.LOVR:
        sources = [*sources, Caption.Source.MACHINE, Caption.Source.HUMAN]
    elif kind != Caption.Kind.GENERAL:
        sources = [*sources, Caption.Source.HUMAN]
    return Caption.objects.filter(project=project, kind=kind, source__in=sources)


def _number(rows: QuerySet[Any], distinct: str = "") -> Coalesce:
    """Return the number of rows, or of their different values, as a part of a statement."""
    counted = Count(distinct or "pk", distinct=bool(distinct))
    numbers = rows.order_by().values("project").annotate(number=counted).values("number")
    return Coalesce(Subquery(numbers), 0)


def _in_one(project: Project, sizes: Mapping[str, Coalesce]) -> dict[str, int]:
    """Return the numbers of one statement. Its columns have names that no field has."""
    columns = {f"{name}_number": number for name, number in sizes.items()}
    row: Any = Project.objects.filter(pk=project.pk).values(**columns).get()
    return {name: row[f"{name}_number"] for name in sizes}
