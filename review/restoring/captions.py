"""Plan what a release of captions in the native format would store in the project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from annotate.bulk import in_batches
from annotate.datasets.faults import Fault, Faults
from annotate.datasets.rows import without_suffix
from annotate.models import Caption, Clip, Project
from inference.planning.options import SegmentOptions
from inference.queries import whole_videos
from review.captions.clip_names import clip_called, names_of_clips
from review.exchange.bundle import Bundle
from review.frozen.scene_names import video_names
from review.proof.verifying.tombstones import TOMBSTONES
from review.published.clip_texts import described_by_people
from review.restoring.native import (
    CAPTIONS,
    CLIPS,
    SCORES,
    VIDEOS,
    CaptionRecord,
    CareBenchClip,
    LovrClip,
    LovrVideo,
    ScoreRecord,
    count_takedowns,
    read_records,
)
from review.triplets.source import Spot

Kind = Caption.Kind
Source = Caption.Source
# The kind of caption that a list of elements belongs to.
PART_OF = {"events": Kind.TEMPORAL.value, "objects": Kind.SPATIAL.value}
VIDEO_FIRST = "Import its video first."


class ReleaseFaults(Faults):
    """The faults of the files of a release: a row of another file than the clips' begins with its
    name."""

    def __init__(self) -> None:
        super().__init__(CLIPS)

    def add(self, row: str, field: str, mend: str) -> None:
        file, _, line = row.rpartition(", ")
        self.collected.append(Fault(file or self.file, line, field, mend))


@dataclass(frozen=True)
class Slim:
    """A caption without its text."""

    spot: Spot
    kind: str
    source: str
    parents: tuple[int, ...]
    is_released: bool
    last_frame: int  # end of the last timed sentence; 0 without one


@dataclass
class ReleasedClipFacts:
    """A clip of the project, with the numbers of its captions by kind, and its other facts."""

    clip: int
    row: str
    name: str
    captions: dict[str, int]
    lists: dict[str, list[str]] = field(default_factory=dict)
    category: str = ""
    subcategory: str = ""


@dataclass(frozen=True)
class CaptionPlan:
    """`clip_of`: the clip of each caption to store, by the caption's number. `homeless`: the number
    of captions of clips that are skipped. `takedowns`: the number made before the release was
    written, so that it lacks what they cover."""

    clips: list[ReleasedClipFacts]
    slim: dict[int, Slim]
    clip_of: dict[int, int]
    homeless: int
    faults: Faults
    takedowns: int = 0


def plan_captions(project: Project, bundle: Bundle, faults: Faults) -> CaptionPlan:
    """Read the release and compare it with the project. A faulty clip's errors go to the faults,
    and the clip is skipped. Raises ReviewError for a file that can't be read."""
    takedowns = count_takedowns(bundle)
    slim = _read_captions(bundle, has_gaps=bool(takedowns))
    clips = (
        _lovr(project, bundle, faults) if VIDEOS in bundle else _carebench(project, bundle, faults)
    )
    clips = _without_twins(clips, faults)
    if takedowns:
        clips = list(filter(None, (_offered(facts, slim) for facts in clips)))
    clips = [facts for facts in clips if _fits(facts, slim, faults)]
    clips = _without_human_work(project, clips, faults)
    clip_of: dict[int, int] = {}
    for facts in clips:
        for number in facts.captions.values():
            if clip_of.setdefault(number, facts.clip) != facts.clip:
                mend = f"Caption {number} also belongs to another clip. Give it one."
                faults.add(facts.row, "caption", mend)
    # A caption is made from captions with smaller numbers, and of its own clip unless it is of a
    # whole video.
    for number in sorted(slim, reverse=True):
        caption = slim[number]
        for parent in caption.parents if number in clip_of else ():
            across = caption.kind == Kind.FULL_VIDEO and slim[parent].kind != Kind.FULL_VIDEO
            if not across:
                clip_of.setdefault(parent, clip_of[number])
    _check_times(slim, clip_of, faults)
    homeless = len(slim) - len(clip_of)
    return CaptionPlan(clips, slim, clip_of, homeless, faults, takedowns)


def _offered(facts: ReleasedClipFacts, slim: Mapping[int, Slim]) -> ReleasedClipFacts | None:
    """Return a clip without the captions that were taken down, None if it has no other."""
    captions = {kind: number for kind, number in facts.captions.items() if number in slim}
    lists = {kind: facts.lists[kind] for kind in facts.lists if PART_OF[kind] in captions}
    return replace(facts, captions=captions, lists=lists) if captions else None


def _read_captions(bundle: Bundle, *, has_gaps: bool) -> dict[int, Slim]:
    slim: dict[int, Slim] = {}
    last = 0
    for spot, caption in read_records(bundle, CAPTIONS, CaptionRecord):
        if caption.id in slim:
            raise spot.refuse(f"id {caption.id} is at line {slim[caption.id].spot.number} already.")
        if has_gaps and caption.id < last:
            raise spot.refuse(f"id is {caption.id}; it must be more than {last}.")
        if not has_gaps and caption.id != last + 1:
            raise spot.refuse(
                f"id is {caption.id}; it must be {last + 1}. Ids count from 1, and only a release "
                f"with a file {TOMBSTONES} lacks some."
            )
        last = caption.id
        for parent in caption.parents:
            if parent not in slim:
                raise spot.refuse(f"parents: caption {parent} must come before this one.")
        if len(set(caption.parents)) < len(caption.parents):
            raise spot.refuse("parents names a caption twice. Keep one.")
        slim[caption.id] = Slim(
            spot,
            caption.kind,
            caption.source,
            tuple(caption.parents),
            caption.is_released,
            max((span.end_frame for span in caption.spans or ()), default=0),
        )
    for spot, score in read_records(bundle, SCORES, ScoreRecord) if SCORES in bundle else ():
        if score.caption not in slim:
            raise spot.refuse(f"caption: there is no caption {score.caption}.")
    return slim


def _carebench(project: Project, bundle: Bundle, faults: Faults) -> list[ReleasedClipFacts]:
    by_name, *_ = names_of_clips(project)
    clips = []
    for spot, record in read_records(bundle, CLIPS, CareBenchClip):
        row = f"line {spot.number}"
        name = without_suffix(record.file_name.removeprefix("videos/"))
        clip = clip_called(name, by_name)
        if clip is None:
            mend = f"The project has no clip {name[:100]!r}. {VIDEO_FIRST}"
            faults.add(row, "file_name", mend)
            continue
        lists = {"events": record.events, "objects": record.objects}
        clips.append(
            ReleasedClipFacts(
                clip,
                row,
                name,
                {
                    Kind.GENERAL.value: record.caption,
                    Kind.SPATIAL.value: record.spatial_caption,
                    Kind.TEMPORAL.value: record.temporal_caption,
                },
                {kind: elements for kind, elements in lists.items() if elements is not None},
                record.category,
                record.subcategory,
            )
        )
    return clips


def _lovr(project: Project, bundle: Bundle, faults: Faults) -> list[ReleasedClipFacts]:
    videos = {name: video for video, name in video_names(project).items()}
    wholes = dict(whole_videos(project).order_by().values_list("video_id", "pk"))
    places = {
        (video, start, end): clip
        for clip, video, start, end in Clip.objects.filter(project=project)
        .order_by()
        .values_list("pk", "video_id", "start_frame", "end_frame")
        .iterator()
    }
    clips = []
    settings: dict[str, str] = {}
    for spot, video in read_records(bundle, VIDEOS, LovrVideo):
        row, name = f"{VIDEOS}, line {spot.number}", video.video_id
        settings[name] = _segment_settings(video.provenance)
        if name not in videos:
            mend = f"The project has no video {name[:100]!r}. {VIDEO_FIRST}"
            faults.add(row, "video_id", mend)
        elif video.caption is not None and videos[name] in wholes:
            captions = {Kind.FULL_VIDEO.value: video.caption}
            clips.append(ReleasedClipFacts(wholes[videos[name]], row, name, captions))
    for spot, record in read_records(bundle, CLIPS, LovrClip):
        row = f"line {spot.number}"
        if record.video_id not in videos:
            continue  # The video is already named above.
        frames = (record.start_frame, record.end_frame)
        clip = places.get((videos[record.video_id], *frames))
        if clip is None:
            faults.add(
                row,
                "start_frame",
                f"{record.video_id} has no clip of the frames {frames[0]:,} to {frames[1]:,} here. "
                f"Segment the video with {settings.get(record.video_id) or 'the same settings'}.",
            )
            continue
        captions = {Kind.GENERAL.value: record.caption}
        clips.append(ReleasedClipFacts(clip, row, record.clip_id, captions))
    return clips


def _segment_settings(provenance: Mapping[str, Any]) -> str:
    """Return how the video was segmented, in the words of a segment run; empty if the release
    doesn't say."""
    given = provenance.get("segmented_with")
    if not isinstance(given, dict):
        return ""
    numbers = {name: given.get(name) for name in SegmentOptions.BOUNDS}
    settings = [
        f"{name}={number:g}" for name, number in numbers.items() if isinstance(number, int | float)
    ]
    return ", ".join(settings)


def _without_twins(clips: Iterable[ReleasedClipFacts], faults: Faults) -> list[ReleasedClipFacts]:
    first: dict[tuple[int, str], ReleasedClipFacts] = {}
    kept = []
    for facts in clips:
        keys = [(facts.clip, kind) for kind in facts.captions]
        twin = next((first[key] for key in keys if key in first), None)
        if twin is not None:
            faults.add(facts.row, "clip", f"{facts.name} is at {twin.row} already. Keep one.")
            continue
        first |= dict.fromkeys(keys, facts)
        kept.append(facts)
    return kept


def _fits(facts: ReleasedClipFacts, slim: dict[int, Slim], faults: Faults) -> bool:
    for kind, number in facts.captions.items():
        caption = slim.get(number)
        if caption is None or caption.kind != kind or not caption.is_released:
            mend = f"Caption {number} isn’t a released {kind.replace('_', '-')} caption."
            faults.add(facts.row, f"{kind} caption", f"{mend} Export the release again.")
            return False
    return True


def _check_times(slim: dict[int, Slim], clip_of: dict[int, int], faults: Faults) -> None:
    for batch in in_batches(number for number in clip_of if slim[number].last_frame):
        clips = Clip.objects.in_bulk({clip_of[number] for number in batch})
        for number in batch:
            caption, frames = slim[number], clips[clip_of[number]].frames
            if caption.last_frame > frames:
                faults.add(
                    f"{CAPTIONS}, line {caption.spot.number}",
                    "spans",
                    f"end_frame is {caption.last_frame:,}, but the clip has {frames:,} frames.",
                )


def _without_human_work(
    project: Project, clips: list[ReleasedClipFacts], faults: Faults
) -> list[ReleasedClipFacts]:
    """Leave out clips that people have described here, so that their texts stay current."""
    described = described_by_people(project, (facts.clip for facts in clips))
    kept = []
    for facts in clips:
        if any((facts.clip, kind) in described for kind in facts.captions):
            mend = f"{facts.name} has human captions here already. Leave such clips out, or import "
            faults.add(facts.row, "clip", f"{mend}the release into another project.")
        else:
            kept.append(facts)
    return kept
