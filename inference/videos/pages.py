"""The page of a video: its state, its cuts and clips, and its caption."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from annotate.clips_to_do import hide
from annotate.corpus.blindness import SEES_ALL, visible_captions
from annotate.corpus.precedence import Rank, only_outdated, with_rank
from annotate.models import (
    Caption,
    Clip,
    DynamicsDecision,
    DynamicsVerdict,
    Membership,
    Video,
    WorkItem,
)
from inference.cut_detectors import CONTENT, CUT_DETECTORS, CutDetector
from inference.models import InferenceRun, RunItem, Segmentation
from inference.queries import current_theme
from inference.recipes import try_recipe
from inference.scores.pages import Made, ShownScore, newest_scores, stale_makers, why_stale
from inference.segmentation import Curve, spoken, tile
from inference.videos.charts import draw_curve

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

State = RunItem.State


@dataclass(frozen=True)
class Part:
    """One line of the list: a part of the newest cuts, or a clip of earlier settings.

    `number` counts the parts from 1; None for a clip of earlier settings. `clip` is None if the
    video is excluded and so has no clips. `score` is that of the clip's current caption.
    """

    number: int | None
    first: int
    end: int
    fps: Fraction
    clip: Clip | None
    score: ShownScore | None

    @property
    def start(self) -> float:
        return float(self.first / self.fps)

    @property
    def clock(self) -> str:
        return clock(self.start)

    @property
    def seconds(self) -> float:
        return float((self.end - self.first) / self.fps)


@dataclass(frozen=True)
class Dynamics:
    """The progress of the judgments. Their answers are shown only when all are there, because
    people judge independently. `is_disputed`: as many find the video dynamic as not, and only an
    admin's `decision` or a third person settles it.
    """

    needed: int
    judged: int
    dynamic: int | None
    is_disputed: bool
    decision: DynamicsDecision | None


class Measure(NamedTuple):
    """A difference between frames: its field of a Segmentation, and its words. Those of the
    detector's own value depend on the detector.
    """

    field: str
    name: str = ""
    says: str = ""


MEASURES = {
    "content": Measure("curve"),
    "pixels": Measure(
        "absolute_curve",
        "Pixels",
        "The mean absolute difference of the pixels of two frames, 0 to 255 (LoVR, Figure 3).",
    ),
    "means": Measure(
        "means_curve",
        "Mean pixels",
        "The difference of the average pixel values of two frames, 0 to 255, word for word as in "
        "LoVR’s appendix A.1. It misses changes that keep the average.",
    ),
}


def _measures(detector: CutDetector) -> dict[str, Measure]:
    says = f"{detector.label}’s value, which decides the cuts: {detector.value}."
    return MEASURES | {"content": Measure("curve", detector.label, says)}


def _settings(segmentation: Segmentation) -> tuple[Mapping[str, Any], str]:
    """Return the options of a segmentation, or none and why they can't be read."""
    recipe, fault = try_recipe(segmentation.item.run.recipe)
    return recipe.options if recipe else {}, fault


def video_context(membership: Membership, video: Video, measure: str = "") -> dict[str, Any]:
    clips = list(video.clips.order_by("start_frame", "pk"))
    for clip in clips:
        clip.video = video
    hide(membership, clips)
    whole = next(c for c in clips if (c.start_frame, c.end_frame) == (0, video.frames))
    curves = [each.field for each in MEASURES.values()]
    history = list(video.segmentations.select_related("item__run").defer(*curves))
    newest = history[0] if history else None
    past = [
        (made, options, fault, _detector(options))
        for made in history
        for options, fault in [_settings(made)]
    ]
    reads = membership.has_role(*SEES_ALL)
    scores = newest_scores(membership, clips) if reads else {}
    return {
        "video": video,
        "clip": whole,
        "theme": current_theme(video),
        "length": spoken(video.duration),
        "newest": newest,
        "history": past,
        "under_way": _under_way(video),
        **(_chart(video, newest, past[0][-1], measure) if newest else {"chart": None}),
        "parts": _parts(video, whole, clips, newest, scores),
        "dynamics": _dynamics(video, whole),
        "reads_captions": reads,
        "scorers": sorted({of_clip.score.scorer_name for of_clip in scores.values()}),
        "whole_score": scores.get(whole.pk),
        **(_captions(membership, whole) if reads else {}),
    }


def clock(seconds: float) -> str:
    """Return 75.28 as "1:15.2", and from an hour on "1:01:15.2": truncated, like in a player."""
    tenths = int(seconds * 10 + 1e-6)
    minutes, rest = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    tail = f"{rest // 10:02}.{rest % 10}"
    return f"{hours}:{minutes:02}:{tail}" if hours else f"{minutes}:{tail}"


def _under_way(video: Video) -> RunItem | None:
    """Return the newest attempt to segment the video, unless it is done."""
    item = (
        RunItem.objects.filter(video=video, run__kind=InferenceRun.Kind.SEGMENT)
        .select_related("run")
        .order_by("-pk")
        .first()
    )
    states = {State.WAITING, State.RUNNING, State.FAILED}
    return item if item and item.state in states else None


def _detector(options: Mapping[str, Any]) -> CutDetector:
    return CUT_DETECTORS[options.get("cut_detector", CONTENT)]


def _chart(
    video: Video, newest: Segmentation, detector: CutDetector, asked_for: str
) -> dict[str, Any]:
    """Return the chart of the chosen difference, and the ones to choose from."""
    measures = _measures(detector)
    newest.refresh_from_db(fields=[each.field for each in MEASURES.values()])
    measure = asked_for if asked_for in MEASURES else "content"
    stored = bytes(getattr(newest, MEASURES[measure].field))
    chart = draw_curve(
        Curve.from_bytes(stored, newest.step),
        frames=video.frames,
        fps=video.fps,
        threshold=detector.line(newest.threshold) if measure == "content" else None,
        cuts=newest.cuts,
    )
    return {
        "chart": chart,
        "detector": detector,
        "measure": measures[measure],
        "measures": [(name, measures[name].name, name == measure) for name in MEASURES],
    }


def _parts(
    video: Video,
    whole: Clip,
    clips: list[Clip],
    newest: Segmentation | None,
    scores: Mapping[int, ShownScore],
) -> list[Part]:
    """Return the parts in order; none if a single clip spans the video."""
    pieces = tile(newest.cuts, video.frames) if newest else []
    numbers = {frames: number for number, frames in enumerate(pieces, 1)}
    by_frames = {(clip.start_frame, clip.end_frame): clip for clip in clips}
    spans = (whole.start_frame, whole.end_frame)
    return [
        Part(
            numbers.get(frames),
            *frames,
            video.fps,
            clip := by_frames.get(frames),
            scores.get(clip.pk) if clip else None,
        )
        for frames in sorted({*numbers, *by_frames} - {spans})
    ]


def _dynamics(video: Video, whole: Clip) -> Dynamics | None:
    item = WorkItem.objects.filter(clip=whole, kind="dynamics").first()
    verdicts = DynamicsVerdict.objects.filter(video=video)
    answers = list(verdicts.values_list("is_dynamic", flat=True))
    if item is None and not answers:
        return None
    needed = item.needed if item else len(answers)
    is_disputed = 0 < sum(answers) == len(answers) - sum(answers)
    return Dynamics(
        needed,
        len(answers),
        dynamic=sum(answers) if len(answers) >= needed else None,
        is_disputed=is_disputed,
        decision=_decision(video) if is_disputed else None,
    )


def _decision(video: Video) -> DynamicsDecision | None:
    """Return the current decision: the newest, unless it takes back an earlier one."""
    decisions = DynamicsDecision.objects.filter(video=video).select_related("decided_by")
    newest = decisions.order_by("-pk").first()
    return None if newest is None or newest.is_dynamic is None else newest


def _captions(membership: Membership, whole: Clip) -> dict[str, Any]:
    """Return the current caption of the whole video and the clip captions that it was made from,
    limited to those that the member can read.
    """
    captions = Caption.objects.filter(clip=whole, kind=Caption.Kind.FULL_VIDEO)
    full = (
        with_rank(visible_captions(membership, captions))
        .filter(precedence__gt=Rank.RECORD)
        .select_related("author")
        .prefetch_related(stale_makers())
        .order_by("-precedence", "-pk")
        .first()
    )
    if full is None:
        return {}
    parents = visible_captions(membership, full.parents.select_related("clip"))
    made_from = list(parents.order_by("clip__start_frame", "pk"))
    hide(membership, [caption.clip for caption in made_from])
    return {
        "full_caption": full,
        "full_stale": _why_outdated(full),
        "full_score": newest_scores(membership, [whole], Caption.Kind.FULL_VIDEO).get(whole.pk),
        "made_from": made_from,
    }


def _why_outdated(full: WithAnnotations[Caption, Made]) -> str:
    if only_outdated(Caption.objects.filter(pk=full.pk)).exists():
        return "the caption of a clip has been replaced since this one was joined"
    return why_stale(full)
