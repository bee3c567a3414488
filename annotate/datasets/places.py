"""Find the frames of a video that each labeled clip has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotate.datasets.faults import Faults
from annotate.datasets.rows import Frames, LabeledClip, Seconds, frames_at, without_suffix
from annotate.models import Project, Video


@dataclass(frozen=True)
class Place:
    """The frames of the playback file for a row."""

    clip: LabeledClip
    video: Video
    start: int
    end: int

    @property
    def row(self) -> str:
        return self.clip.row

    @property
    def key(self) -> tuple[int, int, int]:
        return self.video.pk, self.start, self.end


def find_places(project: Project, clips: Sequence[LabeledClip], faults: Faults) -> list[Place]:
    """Return the places of the clips; one without a place is added to `faults`."""
    videos = _videos_by_name(project)
    missing: dict[str, list[str]] = defaultdict(list)
    places: list[Place] = []
    for clip in clips:
        source = videos.get(clip.source, []) if clip.span else []
        matches = source or videos.get(clip.name, [])
        if not matches:
            missing[clip.source if clip.span else clip.name].append(clip.row)
        elif len(matches) > 1:
            faults.add(
                clip.row,
                "",
                f"{len(matches)} videos are called {matches[0]}. Delete one; if you need it, "
                "import it again under another name.",
            )
        elif source and clip.span:
            places += _place_in(clip, matches[0], clip.span, faults)
        else:
            places.append(Place(clip, matches[0], 0, matches[0].frames))
    for name, rows in missing.items():
        faults.add_to_all(
            rows,
            "",
            f"The video {name} is not in the project ({counted(len(rows), 'clip')}). "
            f"Import it first, on a page or by manage.py import_videos {project.slug} FOLDER.",
        )
    _refuse_duplicates(places, faults)
    return places


def _videos_by_name(project: Project) -> dict[str, list[Video]]:
    """Return the project's videos by name without suffix."""
    videos: dict[str, list[Video]] = defaultdict(list)
    for video in Video.objects.filter(project=project).only(
        "original_name", "frames", "fps_num", "fps_den", "probe"
    ):
        videos[without_suffix(video.original_name)].append(video)
    return videos


def _place_in(
    clip: LabeledClip, video: Video, span: Frames | Seconds, faults: Faults
) -> Iterator[Place]:
    if isinstance(span, Seconds):
        frames = frames_at(span, video.fps)
        start, end = frames.first, frames.end
    elif video.probe.get("variable_frame_rate"):
        faults.add(
            clip.row,
            "first_frame",
            f"The frame rate of {video} varies, so its frames differ from the player's. "
            "Give start and end in seconds.",
        )
        return
    else:
        start, end = span.first, span.end
    if end > video.frames:
        seconds = f"{float(video.duration):.2f}"
        faults.add(
            clip.row,
            "end" if isinstance(span, Seconds) else "end_frame",
            f"The clip ends at frame {end:,}, but {video} ends at {video.frames:,} ({seconds} s).",
        )
        return
    yield Place(clip, video, start, end)


def _refuse_duplicates(places: Sequence[Place], faults: Faults) -> None:
    first: dict[tuple[int, int, int], LabeledClip] = {}
    for place in places:
        clip = first.setdefault(place.key, place.clip)
        if clip is not place.clip:
            mend = f"{place.clip.name} has the same frames as {clip.name}, {clip.row}. Keep one."
            faults.add(place.clip.row, "", mend)


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
