"""Judgments of a release's captions, stored as content.

They are nobody's work in this project and count in no report, gate or queue. The next release
repeats the lines about its captions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from annotate.bulk import in_batches
from annotate.models import Project
from review.captions.predictions import LONGEST_CAPTION
from review.exchange.bundle import Bundle
from review.frozen.records import OF_CAPTIONS, RestoredRecord, map_captions
from review.frozen.scene_names import video_names
from review.restoring.captions import CaptionPlan
from review.restoring.native import MOST_SENTENCES, Name, Number, Record, read_records
from review.triplets.source import Spot
from review.verification.models import TYPE_CODES

File = RestoredRecord.File
Id = Annotated[int, Meta(ge=1)]
# The range of an integer column.
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Reviewer = Annotated[str, Meta(pattern=r"^(imported-)?reviewer-[1-9][0-9]{0,8}$")]
Signer = Annotated[str, Meta(pattern=r"^(imported-)?signer-[1-9][0-9]{0,8}$")]
Short = Annotated[str, Meta(max_length=200)]
Added = Annotated[str, Meta(max_length=LONGEST_CAPTION)]


class Origin(Record):
    caption: Id
    run: Number
    kind: Annotated[str, Meta(min_length=1, max_length=20)]
    model: Short | None
    model_id: Short | None
    revision: Short | None
    recipe_hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Sentence(Record):
    number: Count
    start: Count
    end: Count
    types: Annotated[str, Meta(max_length=7)]
    correction: Added
    is_deleted: bool
    start_frame: Count | None
    end_frame: Count | None


class Missing(Record):
    place: Count
    text: Added
    start_frame: Count
    end_frame: Count


class VerificationLine(Record):
    caption: Id
    by: Reviewer
    corrected: Id | None
    splitter: Annotated[str, Meta(min_length=1, max_length=60)]
    fits_theme: bool
    sentences: Annotated[list[Sentence], Meta(max_length=MOST_SENTENCES)]
    missing: Annotated[list[Missing], Meta(max_length=MOST_SENTENCES)]


class RatingLine(Record):
    caption: Id
    by: Reviewer
    study: Number
    value: Annotated[int, Meta(ge=0, le=5)]


class SignOffLine(Record):
    caption: Id
    spatial_caption: Id
    temporal_caption: Id
    by: Signer
    verdict: Literal["agree", "merge", "split"]


class PickLine(Record):
    caption: Id
    by: Reviewer
    test: Number
    options: Annotated[int, Meta(ge=2, le=100)]
    picked: Id | None


class DynamicsLine(Record):
    video_id: Name
    by: Reviewer
    is_dynamic: bool


LINES: dict[str, type[Record]] = {
    File.ORIGINS.value: Origin,
    File.VERIFICATIONS.value: VerificationLine,
    File.RATINGS.value: RatingLine,
    File.SIGN_OFFS.value: SignOffLine,
    File.PICKS.value: PickLine,
    File.DYNAMICS.value: DynamicsLine,
}


def restore_records(
    project: Project, bundle: Bundle, plan: CaptionPlan, keys: Mapping[int, int], release: str
) -> int:
    """Keep the lines about the captions that were stored, whose keys are given by their numbers,
    and about the project's videos; return how many people made. Raises ReviewError."""
    judgments = 0
    for file, kind in LINES.items():
        if f"{file}.jsonl" in bundle:
            rows = _rows(project, bundle, plan, keys, file, kind)
            for batch in in_batches(rows):
                for row in batch:
                    row.project, row.release = project, release
                RestoredRecord.objects.bulk_create(batch)
                judgments += len(batch) if file != File.ORIGINS else 0
    return judgments


def _rows(
    project: Project,
    bundle: Bundle,
    plan: CaptionPlan,
    keys: Mapping[int, int],
    file: str,
    kind: type[Record],
) -> Iterator[RestoredRecord]:
    videos = _videos(project) if file == File.DYNAMICS else {}
    for spot, line in read_records(bundle, f"{file}.jsonl", kind):
        if isinstance(line, VerificationLine):
            _check_sentences(spot, line)
        values = msgspec.to_builtins(line)
        for name in OF_CAPTIONS.get(file, ()):
            if values[name] is not None and values[name] not in plan.slim:
                raise spot.refuse(f"{name}: there is no caption {values[name]}.")
        mapped = map_captions(file, values, keys.get)
        video = videos.get(values.get("video_id", ""))
        if mapped is not None and (video or file != File.DYNAMICS):
            yield RestoredRecord(
                file=file, caption_id=mapped.get("caption"), video_id=video, values=mapped
            )


def _videos(project: Project) -> dict[str, int]:
    return {name: video for video, name in video_names(project).items()}


def _check_sentences(spot: Spot, line: VerificationLine) -> None:
    for place, sentence in enumerate(line.sentences):
        if sentence.number != place:
            raise spot.refuse(f"sentences: number is {sentence.number}; it must be {place}.")
        if sentence.types not in TYPE_CODES:
            raise spot.refuse(f"sentences: types {sentence.types!r} must be such as A, A#B or ''.")
