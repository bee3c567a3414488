"""Store the segments of an annotation file as candidates, completely or not at all."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction

from django.db import transaction
from django.db.models import Exists, OuterRef

from annotate.audit import record_event
from annotate.candidates.segments import Annotations, Segment
from annotate.corpus.services.exclusion import exclude_video
from annotate.datasets.places import counted
from annotate.datasets.rows import without_suffix
from annotate.errors import AnnotateError
from annotate.models import Assignment, Candidate, Caption, Project, User, Video

BATCH_SIZE = 1000
NAMED = 5
# A video whose length differs by more is another version of it.
TOLERANCE_SECONDS, TOLERANCE_SHARE = Fraction(1), Fraction(1, 100)
SOURCE_BECAUSE = "Its segments are candidates: selected ones become clips of their own."


@dataclass(frozen=True)
class Imported:
    """`unchanged` candidates were there before. `no_video` segments are of videos that the project
    doesn't have, `empty` ones have no frame of their video, and `other_length` names videos whose
    length isn't the file's. `sources` videos are left out now, because their segments are
    candidates; `begun` ones stay in, because people work on them.
    """

    candidates: int
    unchanged: int
    no_video: int
    empty: int
    other_length: list[str]
    sources: int
    begun: list[str]

    def __str__(self) -> str:
        parts = [f"{counted(self.candidates, 'new candidate')}."]
        if self.unchanged:
            parts.append(f"{counted(self.unchanged, 'candidate')} existed already.")
        if self.no_video:
            parts.append(f"{counted(self.no_video, 'segment')} of videos not in the project.")
        if self.empty:
            parts.append(f"{counted(self.empty, 'segment')} without a frame of the video.")
        if self.other_length:
            parts.append(f"Left out, of another length than stated: {_names(self.other_length)}.")
        if self.begun:
            parts.append(f"Still clips themselves, as people work on them: {_names(self.begun)}.")
        return " ".join(parts)[:300]


@transaction.atomic
def import_candidates(
    *, project: Project, admin: User | None, annotations: Annotations, file_name: str
) -> Imported:
    """Store new candidates; existing ones don't change. Videos are matched by their file names
    without suffix, and are excluded from the benchmark unless people already work on them.

    A segment has the frames that begin in it. Raises AnnotateError and then stores nothing.
    """
    project = Project.objects.lock(project.pk)
    refuse_other_protocol(project)
    videos = _videos(project)
    by_video: dict[int, list[Segment]] = defaultdict(list)
    no_video = 0
    other_length = set()
    for segment in annotations.segments:
        video = videos.get(segment.source)
        if video is None:
            no_video += 1
        elif _is_other(video, annotations.seconds.get(segment.source)):
            other_length.add(segment.source)
        else:
            by_video[video.pk].append(segment)
    if not by_video and not other_length:
        raise AnnotateError(
            "No segment belongs to a video of the project. Import the videos first, under the "
            "names that the file has for them."
        )
    by_key = {video.pk: video for video in videos.values()}
    new, unchanged, empty = _new_candidates(by_key, by_video)
    Candidate.objects.bulk_create(new, batch_size=BATCH_SIZE)
    sources, begun = _leave_out_sources([by_key[key] for key in by_video], admin)
    imported = Imported(
        len(new), unchanged, no_video, empty, sorted(other_length), sources, sorted(begun)
    )
    record_event(
        actor=admin,
        verb="import candidates",
        subject=project,
        project=project,
        after={**asdict(imported), "file": file_name},
    )
    return imported


def refuse_other_protocol(project: Project) -> None:
    if "candidates" not in project.pipeline.keys:
        raise AnnotateError("Only a project with the protocol CaReBench selects candidates.")


def _videos(project: Project) -> dict[str, Video]:
    """Return the project's videos by name, without files that were cut from others."""
    videos = Video.objects.filter(project=project, cut_from="").order_by("-pk")
    return {without_suffix(v.original_name): v for v in videos.defer("probe", "shots", "filmstrip")}


def _is_other(video: Video, seconds: Fraction | None) -> bool:
    if seconds is None:
        return False
    allowed = max(TOLERANCE_SECONDS, TOLERANCE_SHARE * seconds)
    return abs(video.duration - seconds) > allowed


def _new_candidates(
    videos: dict[int, Video], by_video: dict[int, list[Segment]]
) -> tuple[list[Candidate], int, int]:
    """Return the new candidates, and how many segments existed and had no frame."""
    existing = set(
        Candidate.objects.filter(video__in=list(by_video))
        .order_by()
        .values_list("video", "start_frame", "end_frame", "subcategory")
    )
    new, unchanged, empty = [], 0, 0
    for key, segments in by_video.items():
        video = videos[key]
        for segment in segments:
            start = math.ceil(segment.start * video.fps)
            end = min(video.frames, math.ceil(segment.end * video.fps))
            place = (key, start, end, segment.label)
            if start >= end:
                empty += 1
            elif place in existing:
                unchanged += 1
            else:
                existing.add(place)
                new.append(
                    Candidate(
                        project_id=video.project_id,
                        video=video,
                        number=segment.number,
                        start_frame=start,
                        end_frame=end,
                        category=segment.category or video.category,
                        subcategory=segment.label,
                    )
                )
    return new, unchanged, empty


def _leave_out_sources(videos: Sequence[Video], admin: User | None) -> tuple[int, list[str]]:
    """Exclude the videos that nobody works on; return their number, and the names of the others."""
    left_out, begun = 0, []
    worked_on = set(_worked_on([video.pk for video in videos]))
    for video in videos:
        if video.excluded_because:
            continue
        if video.pk in worked_on:
            begun.append(video.original_name)
            continue
        exclude_video(video=video, because=SOURCE_BECAUSE, actor=admin)
        left_out += 1
    return left_out, begun


def _worked_on(keys: list[int]) -> list[int]:
    assignments = Assignment.objects.filter(item__clip__video=OuterRef("pk"))
    captions = Caption.objects.filter(clip__video=OuterRef("pk"))
    busy = Video.objects.filter(Exists(assignments) | Exists(captions))
    worked_on: list[int] = []
    for start in range(0, len(keys), BATCH_SIZE):
        worked_on += busy.filter(pk__in=keys[start : start + BATCH_SIZE]).values_list(
            "pk", flat=True
        )
    return worked_on


def _names(names: Sequence[str]) -> str:
    rest = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + rest
