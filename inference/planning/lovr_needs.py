"""The chain of runs that makes LoVR's captions, with what each still has to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Exists, FilteredRelation, Max, OuterRef, Q

from annotate.corpus.clip_stages import described
from annotate.dynamics.queries import unjudged_videos
from annotate.models import Caption, CaptionRank, ImportItem, Project, Video, WorkItem
from annotate.queue.caption_work import caption_work
from inference import words
from inference.models import InferenceRun, QualityScore, QualityThreshold, RunItem, Segmentation
from inference.planning.due import (
    clips_without_caption,
    outdated_captions,
    outdated_fusions,
    uncut_videos,
    unfused_videos,
    unthemed_videos,
    videos_left_out_by_cutting,
)
from inference.planning.left_out import small_clips
from inference.planning.need import CAPTIONS, CLIPS, VIDEOS, Need, in_one, number_of
from inference.planning.themes import captions_told_otherwise
from inference.queries import (
    DEFAULT_THRESHOLD,
    clips_to_describe,
    current_captions_of,
    cut_videos,
)

Kind = InferenceRun.Kind
REFINED = ("refined caption", "refined captions")


@dataclass(frozen=True)
class Scoring:
    """The scorer that was used last for captions of clips, with its adopted threshold, if any."""

    scorer: str = ""
    name: str = ""
    threshold: float | None = None


NO_SCORING = Scoring()


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


def lovr_needs(project: Project, scoring: Scoring) -> list[Need]:
    counts = _counted(project) | _measured(project, scoring)
    outdated = _outdated(project)
    small, why_small = small_clips(project)
    described, segmented, cut_out = counts["described"], counts["segmented"], counts["cut_out"]
    return [
        # Clips that were imported individually need no cutting.
        Need(Kind.SEGMENT, counts["uncut"] + segmented, segmented - cut_out, VIDEOS,
             waits_for="Videos are still being imported." if counts["importing"] else "",
             left_out=cut_out, is_optional=not segmented and described > 0,
             notes=_why_cut_out(project, cut_out)),
        Need(Kind.THEME, counts["kept"], counts["kept"] - counts["unthemed"], VIDEOS,
             is_optional=True, notes=_theme_notes(project, counts)),
        Need(Kind.CAPTION, counts["captioned"] + counts["bare"] + small, counts["captioned"], CLIPS,
             left_out=small, outdated=outdated[Kind.CAPTION].number,
             waits_for=_before_captions(project, counts),
             notes=_caption_notes(outdated[Kind.CAPTION], small, why_small)),
        Need(Kind.SCORE, counts["machine"], counts["scored"], CAPTIONS,
             waits_for="" if counts["machine"] else "Caption the clips first."),
        Need(Kind.REFINE, counts["below"] + counts["refined"],
             counts["with_people"] + counts["refined"], CAPTIONS,
             waits_for=_before_refining(counts, scoring),
             notes=outdated[Kind.REFINE].notes(REFINED)),
        Need(Kind.FUSE, counts["cut"], counts["cut"] - counts["unfused"], VIDEOS,
             outdated=counts["parts_replaced"],
             waits_for=_before_fusing(project, counts, scoring),
             notes=_fuse_notes(counts)),
    ]  # fmt: skip


def _before_captions(project: Project, counts: Mapping[str, int]) -> str:
    if not counts["segmented"] and not counts["described"]:
        return "Cut the videos first."
    unjudged = unjudged_videos(project).count()
    if unjudged:
        wait = "waits" if unjudged == 1 else "wait"
        return f"{words.counted(unjudged, VIDEOS)} {wait} for the dynamics check."
    return ""


def _before_refining(counts: Mapping[str, int], scoring: Scoring) -> str:
    if not counts["scored"]:
        return "Score the captions first."
    return "Adopt a threshold first." if scoring.threshold is None else ""


def _before_fusing(project: Project, counts: Mapping[str, int], scoring: Scoring) -> str:
    if not counts["described"]:
        return "Caption the clips first."
    if counts["scored"] and scoring.threshold is None:
        return "Adopt a threshold first."
    waiting = len(caption_work(project).clips)
    if waiting:
        wait = "waits" if waiting == 1 else "wait"
        return f"{words.counted(waiting, CAPTIONS)} {wait} for people."
    return ""


def _why_cut_out(project: Project, number: int) -> tuple[str, ...]:
    if not number:
        return ()
    reasons = videos_left_out_by_cutting(project).order_by("pk")
    first = reasons.values_list("excluded_because", flat=True)[0].rstrip(".")
    if number == 1:
        return (f"1 video is left out: {first}.",)
    return (f"{number:,} videos are left out. The first: {first}.",)


def _theme_notes(project: Project, counts: Mapping[str, int]) -> tuple[str, ...]:
    number = captions_told_otherwise(project) if counts["unthemed"] and counts["machine"] else 0
    if not number:
        return ()
    captions = words.counted(number, ("model caption", "model captions"))
    return (f"A theme run makes {captions} out of date.",)


@dataclass(frozen=True)
class Outdated:
    """Captions that are out of date, with one reason."""

    number: int = 0
    why: str = ""

    def notes(self, nouns: tuple[str, str]) -> tuple[str, ...]:
        if not self.number:
            return ()
        verb = "is" if self.number == 1 else "are"
        return (f"{words.counted(self.number, nouns)} {verb} out of date: {self.why}.",)


def _outdated(project: Project) -> dict[str, Outdated]:
    """Return the current captions that are out of date by the kind of run that made them. One query
    without any."""
    stale = RunItem.objects.filter(run__project=project, state=RunItem.State.DONE)
    kinds = stale.exclude(stale_because="").order_by().values_list("run__kind", flat=True)
    counts = {Kind.CAPTION.value: Outdated(), Kind.REFINE.value: Outdated()}
    for kind in counts.keys() & set(kinds.distinct()):
        captions = outdated_captions(project, kind)
        row = captions.aggregate(number=Count("pk"), why=Max("made_by_items__stale_because"))
        counts[kind] = Outdated(row["number"], words.WHY_STALE.get(row["why"] or "", ""))
    return counts


def _caption_notes(outdated: Outdated, small: int, why: str) -> tuple[str, ...]:
    if not small:
        return outdated.notes(CAPTIONS)
    verb = "is" if small == 1 else "are"
    left_out = f"{words.counted(small, CLIPS)} {verb} left out: {why}."
    return (*outdated.notes(CAPTIONS), left_out)


def _fuse_notes(counts: Mapping[str, int]) -> tuple[str, ...]:
    number = counts["parts_replaced"]
    if not number:
        return ()
    are = "is" if number == 1 else "are"
    return (f"{words.counted(number, CAPTIONS)} {are} out of date: {words.PARTS_REPLACED}.",)


def _counted(project: Project) -> dict[str, int]:
    """Count videos, clips and the results of runs. One query."""
    clips = clips_to_describe(project)
    captions = Caption.objects.filter(clip=OuterRef("pk"), kind=Caption.Kind.GENERAL)
    own = {"project": project}
    imports = ImportItem.objects.filter(
        batch__project=project, state__in=[ImportItem.State.WAITING, ImportItem.State.RUNNING]
    )
    sizes = {
        "importing": number_of(imports, by="batch__project"),
        "kept": number_of(Video.objects.filter(**own, excluded_because="")),
        "uncut": number_of(uncut_videos(project)),
        "segmented": number_of(Segmentation.objects.filter(**own), "video"),
        "cut_out": number_of(videos_left_out_by_cutting(project)),
        "unthemed": number_of(unthemed_videos(project)),
        "captioned": number_of(clips.filter(Exists(captions))),
        "bare": number_of(clips_without_caption(project)),
        "described": number_of(described(clips)),
        "cut": number_of(cut_videos(project)),
        "unfused": number_of(unfused_videos(project)),
        "parts_replaced": number_of(outdated_fusions(project)),
    }
    return in_one(project, sizes)


def _measured(project: Project, scoring: Scoring) -> dict[str, int]:
    """Count the current machine captions of clips, those with a score, those below the threshold,
    and how many of the latter people write by hand; and those that a refine run accepted. One
    query, and one pass over the captions.
    """
    threshold = DEFAULT_THRESHOLD if scoring.threshold is None else scoring.threshold
    by_hand = WorkItem.objects.filter(clip=OuterRef("clip"), kind="hand")
    captions = current_captions_of(project, Caption.Kind.GENERAL).filter(
        source=Caption.Source.MACHINE, word_count__gt=0
    )
    scored = captions.order_by().annotate(
        measured=FilteredRelation(
            "quality_scores", condition=Q(quality_scores__scorer=scoring.scorer)
        ),
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
        refined=Count("pk", filter=Q(given__because=CaptionRank.Because.REFINED) & ~is_below),
    )
    return counts
