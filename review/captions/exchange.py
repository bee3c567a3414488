"""Import the captions that a model, which was run elsewhere, wrote about a project's clips."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import file_digest
from typing import BinaryIO

from django.db import transaction
from django.utils import timezone

from annotate.bulk import insert_rows, new_keys
from annotate.datasets.faults import Fault, Faults, by_row
from annotate.jobs.file_imports import MAX_KEPT, FileInvalid
from annotate.models import Caption, Project, User
from annotate.text.storable import storable
from annotate.text.words import count_words
from inference.planning.typed_options import MAX_PROMPT_LENGTH
from review.captions.clip_names import clip_called, names_of_clips, shared_name_problem
from review.captions.models import CaptionSet
from review.captions.predictions import MAX_FAULTS, Prediction, read_predictions
from review.captions.services import add_set, checked_name
from review.errors import ReviewError
from review.frozen.models import Release, ReleasedClip
from review.frozen.names import (
    scene_clips_by_name,
    triplet_clips_by_name,
    whole_clips_by_name,
)

KINDS = {
    Caption.Kind.GENERAL.value: "Whole captions of clips",
    Caption.Kind.SPATIAL.value: "Spatial captions of clips",
    Caption.Kind.TEMPORAL.value: "Temporal captions of clips",
    Caption.Kind.FULL_VIDEO.value: "Captions of whole videos",
}
MIN_ROW_LENGTH = len('{"vid":"a","cap":"b"}')
MAX_FRAMES = 100


class PredictionsInvalid(FileInvalid, ReviewError):
    """Nothing was stored."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults, self.total = by_row(faults)[:MAX_KEPT], len(faults)
        many = "at least " if self.total >= MAX_FAULTS else ""
        super().__init__(
            f"Nothing was imported: {many}{self.total:,} "
            f"{'problem' if self.total == 1 else 'problems'} in the file. Fix "
            f"{'it' if self.total == 1 else 'them'} and import it again."
        )


def check_predictions(
    *,
    project: Project,
    file: BinaryIO,
    file_name: str,
    kind: str,
    release: Release | None,
    skips_bad: bool = False,
    count: Callable[[int], None],
) -> None:
    """Check every row and store nothing. `count` is called with the number of good rows so far.
    Raises what `import_predictions` raises.
    """
    faults, number = Faults(file_name), 0
    for number, _ in enumerate(_rows(file, _Clips(project, kind, release), faults), 1):
        count(number)
    _refuse(faults, skips_bad and number)


@transaction.atomic
def import_predictions(
    *,
    project: Project,
    file: BinaryIO,
    file_name: str,
    name: str,
    kind: str = Caption.Kind.GENERAL,
    release: Release | None = None,
    prompt: str = "",
    frames: str = "",
    theme: str = "",
    left_out: list[Fault] | None = None,
    admin: User | None,
) -> CaptionSet:
    """Store the captions of a seekable file as those of the model `name`.

    Each is about a clip of the project, or of `release`; full_video captions are about clips that
    span their video. `prompt`, `frames` and `theme` state the model's input, as far as known.
    `left_out` gets the faults of skipped rows; without it, any fault raises PredictionsInvalid,
    with all faults. Raises ReviewError for a file that can't be read or was imported before, and
    for a name that is taken. Nothing is stored then.
    """
    # One import at a time, so that two imports of the same file don't miss each other.
    project = Project.objects.lock(project.pk)
    if kind not in KINDS:
        raise ReviewError(f"“{kind}” is not one of {', '.join(KINDS)}.")
    _refuse_statement(prompt, frames, theme)
    sha256 = refuse_again(project, name, kind, file)
    name = checked_name(project, name)
    faults = Faults(file_name)
    skips_bad = left_out is not None
    captions = _store(project, file, kind, name, release, faults, skips_bad=skips_bad)
    _refuse(faults, skips_bad and len(captions))
    if left_out is not None:
        left_out += by_row(faults.collected)
    return add_set(
        project=project,
        name=name,
        kind=kind,
        captions=captions,
        admin=admin,
        file_name=storable(file_name)[:200],
        sha256=sha256,
        prompt=storable(prompt).strip(),
        frames=storable(" ".join(frames.split())),
        theme=theme,
    )


def refuse_again(project: Project, name: str, kind: str, file: BinaryIO) -> str:
    """Return the hash of the file. Raises ReviewError if it was imported under this name before."""
    sha256 = file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # has readinto
    name = " ".join(name.split())
    same = CaptionSet.objects.filter(project=project, name__iexact=name, sha256=sha256, kind=kind)
    if before := same.first():
        raise ReviewError(
            f"This file was already imported as “{before.name}” on {before.created_at:%d %b %Y}. "
            "Nothing was changed."
        )
    return sha256


def _refuse_statement(prompt: str, frames: str, theme: str) -> None:
    if len(prompt) > MAX_PROMPT_LENGTH:
        raise ReviewError(
            f"The prompt has {len(prompt):,} characters. Shorten it to {MAX_PROMPT_LENGTH:,}."
        )
    if len(frames) > MAX_FRAMES:
        raise ReviewError(f"Describe the frames in at most {MAX_FRAMES} characters.")
    if theme not in CaptionSet.Theme.values:
        raise ReviewError("Set the theme to “told”, “not_told” or “no_model”, or leave it out.")


def _refuse(faults: Faults, good: int) -> None:
    """Raise PredictionsInvalid if there are faults, unless `good` rows are imported without them. A
    file with MAX_FAULTS was not read to its end."""
    if faults.collected and (not good or len(faults.collected) >= MAX_FAULTS):
        raise PredictionsInvalid(faults.collected)


class _Clips:
    """The clips that a file can be about, by the names it can use."""

    def __init__(self, project: Project, kind: str, release: Release | None) -> None:
        self.release = release
        self.released = set(
            ReleasedClip.objects.filter(release=release).values_list("clip", flat=True)
        )
        self.is_of_videos = kind == Caption.Kind.FULL_VIDEO
        self.by_name, self.wholes, self.shared = names_of_clips(project)
        if release is not None and release.format == Release.Format.LOVR:
            # The release's names take precedence: the project can use one of them for another clip.
            wholes = whole_clips_by_name(release)
            released = wholes if self.is_of_videos else scene_clips_by_name(release)
            self.by_name |= released
            self.released = set(released.values())
        if release is not None and release.format == Release.Format.TFCOVR:
            released = triplet_clips_by_name(release)
            self.by_name |= released
            self.released = set(released.values())

    def find(self, prediction: Prediction) -> int | str:
        """Return the clip's key, or a sentence that says how to fix the row."""
        clip = clip_called(prediction.clip, self.by_name)
        quoted = repr(prediction.clip[:100])
        # The files of a release have the names of its clips.
        if self.release is None and (
            problem := shared_name_problem(prediction.clip, self.by_name, self.shared)
        ):
            return problem
        if clip is None:
            return f"The project has no clip {quoted}. Correct its name, or import its video first."
        if self.is_of_videos and clip not in self.wholes:
            return (
                f"{quoted} is only a part of a video. Name a clip that spans its video, or choose "
                "another kind."
            )
        if self.release is not None and clip not in self.released:
            return f"Release {self.release.version} does not contain {quoted}. Remove the row."
        return clip


def _rows(file: BinaryIO, clips: _Clips, faults: Faults) -> Iterator[tuple[int, str]]:
    file.seek(0)
    return _valid_rows(read_predictions(file, _size(file), faults), clips, faults)


def _size(file: BinaryIO) -> int:
    place = file.tell()
    size = file.seek(0, os.SEEK_END)
    file.seek(place)
    return size


def _valid_rows(
    predictions: Iterable[Prediction], clips: _Clips, faults: Faults
) -> Iterator[tuple[int, str]]:
    """Yield (clip, text) of each row with a known clip that no earlier row has."""
    first_row: dict[int, str] = {}
    for prediction in predictions:
        clip = clips.find(prediction)
        if isinstance(clip, str):
            faults.add(prediction.row, prediction.field, clip)
        elif clip in first_row:
            mend = f"{prediction.clip[:100]!r} already has a caption, at {first_row[clip]}. "
            faults.add(prediction.row, prediction.field, mend + "Keep one.")
        else:
            first_row[clip] = prediction.row
            yield clip, prediction.text


def _store(
    project: Project,
    file: BinaryIO,
    kind: str,
    name: str,
    release: Release | None,
    faults: Faults,
    *,
    skips_bad: bool,
) -> dict[int, int]:
    """Store the captions and return clip -> caption. Rows are stored while the file is read, so the
    whole file is never in memory. Unless the import `skips_bad` rows, the first fault stops
    storing, and the transaction is rolled back."""
    clips = _Clips(project, kind, release)
    most = min(len(set(clips.by_name.values())), _size(file) // MIN_ROW_LENGTH + 1)
    keys = iter(new_keys(Caption, most))
    stored: dict[int, int] = {}

    def rows() -> Iterator[tuple[int, int, str, int]]:
        for clip, text in _rows(file, clips, faults):
            if skips_bad or not faults.collected:
                stored[clip] = next(keys)
                yield stored[clip], clip, text, count_words(text)

    same = {
        "project_id": project.pk,
        "kind": Caption.Kind.PREDICTION,
        "source": Caption.Source.IMPORTED,
        "provenance": [{"model": name} | ({"release": release.version} if release else {})],
        "created_at": timezone.now(),
    }
    insert_rows(Caption, ("id", "clip_id", "text", "word_count"), rows(), same)
    return stored
