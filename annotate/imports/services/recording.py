"""Store an imported file as a video, completely and in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotate import file_store
from annotate.audit import record_event
from annotate.corpus.clip_names import free_names, safe_stem
from annotate.corpus.conversions import CONVERSIONS
from annotate.corpus.services.near_duplicates import record_near_duplicates
from annotate.corpus.services.opening import open_writing
from annotate.imports.services.refusals import FileRefused
from annotate.models import Clip, Project, User, Video
from annotate.models.imports import DUPLICATE
from annotate.queue.kinds import people_needed

if TYPE_CHECKING:
    from annotate.media.normalize import Playback
    from annotate.media.pictures import Filmstrip
    from annotate.media.probe import Probe


@dataclass(frozen=True)
class FinishedFiles:
    """Everything made from one source file; `paths` has the path for each file field of Video."""

    sha256: str
    playback_sha256: str
    playback_size: int
    probe: Probe
    playback: Playback
    conversions: dict[str, str]
    filmstrip: Filmstrip
    shots: list[int]
    frame_hashes: str
    paths: Mapping[str, Path]


@dataclass(frozen=True)
class Origin:
    """Where a file comes from, and its facts. `cut_from`: the name, without suffix, of the long
    video that it is part of.
    """

    project_id: int
    name: str
    category: str
    subcategory: str
    license: str
    source_url: str
    imported_by: User | None
    cut_from: str = ""


def record_video(origin: Origin, files: FinishedFiles) -> Video:
    """Create the video, the clip that spans it, and its first work.

    Call it in the transaction that marks the file as done. Raises FileRefused, with nothing stored.
    """
    # The lock decides between two workers with the same file or the same clip name.
    project = Project.objects.lock(origin.project_id)
    refuse_duplicate(project, files.sha256)

    names = file_store.video_names(project.pk, files.sha256, files.probe.container)
    try:
        file_store.keep_files({names[field]: path for field, path in files.paths.items()})
        video = _create_video(origin, project, files, names)
        clip = Clip.objects.create(
            project=project,
            video=video,
            name=free_clip_name(project, origin.name),
            end_frame=video.frames,
            duration_ms=round(video.duration * 1000),
        )
        record_near_duplicates(video)
        if project.pipeline.opens("write"):
            open_writing(clips=[clip], writers=people_needed(project, "write"))
        record_event(
            actor=origin.imported_by,
            verb="import",
            subject=video,
            project=project,
            after={"name": video.original_name, "clip": clip.name, "sha256": video.sha256},
        )
    except BaseException:
        file_store.remove_files(list(names.values()))
        raise
    return video


def refuse_duplicate(project: Project, sha256: str) -> None:
    """Raise FileRefused, which names the video, if the project already has this file."""
    twin = Video.objects.filter(project=project, sha256=sha256).first()
    if twin is not None:
        raise FileRefused(
            DUPLICATE,
            f"The project already has this file: it was imported as {twin.original_name} "
            f"on {twin.created_at:%-d %B %Y}. Nothing to do.",
        )


def free_clip_name(project: Project, file_name: str) -> str:
    """Return the file's stem as a safe file name that no other clip of the project has."""
    return free_names(project, [safe_stem(file_name)])[0]


def _create_video(
    origin: Origin, project: Project, files: FinishedFiles, names: dict[str, str]
) -> Video:
    playback = files.playback
    return Video.objects.create(
        project=project,
        original_name=origin.name,
        sha256=files.sha256,
        size=files.probe.size,
        probe=_storable(files.probe, files.conversions),
        fps_num=playback.fps.numerator,
        fps_den=playback.fps.denominator,
        frames=playback.frames,
        width=playback.width,
        height=playback.height,
        has_audio=playback.has_audio,
        playback_sha256=files.playback_sha256,
        playback_size=files.playback_size,
        shots=files.shots,
        frame_hashes=files.frame_hashes,
        filmstrip=asdict(files.filmstrip),
        category=origin.category,
        subcategory=origin.subcategory,
        license=origin.license,
        source_url=origin.source_url,
        cut_from=origin.cut_from,
        imported_by=origin.imported_by,
        **names,
    )


def _storable(probe: Probe, conversions: dict[str, str]) -> dict[str, Any]:
    """Return the probe with exact fractions as text, such as 30000/1001, without the frames, and
    with the conversions, if any."""
    facts = {
        name: str(value) if isinstance(value, Fraction) else value
        for name, value in asdict(probe).items()
        if name not in ("places", "moves")
    }
    return {**facts, CONVERSIONS: conversions} if conversions else facts
