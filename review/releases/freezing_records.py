"""Freeze the judgments of a release's captions, and the run that made each caption."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.bulk import in_batches
from annotate.models import Caption, DynamicsVerdict, SignOff
from inference.models import InferenceRun, ModelSpec
from inference.recipes import read_recipe
from review.frozen.models import Release
from review.frozen.records import ReleasedRecord, map_captions
from review.identification.models import TestedText
from review.identification.queries import counted_picks
from review.ratings.models import Rating
from review.releases.model_weights import stated_weights
from review.releases.pseudonyms import Pseudonyms, reviewer_names, signer_names
from review.releases.released_captions import released_captions, with_parents
from review.releases.writers.records import MISSING, SENTENCE
from review.verification.models import MissingSegment, SentenceVerdict, Verification

File = ReleasedRecord.File
Values = dict[str, Any]
# A line about a caption, and the file that it is in.
Line = tuple[str, Values]


@dataclass(frozen=True)
class Names:
    """The pseudonyms of people who judged, and runs and models by their keys."""

    reviewers: Pseudonyms
    signers: Pseudonyms
    runs: Mapping[int, InferenceRun]
    models: Mapping[int, ModelSpec]


def freeze_records(release: Release) -> None:
    """Store the records of a new release, within the transaction of the caller."""
    project = release.project
    runs = InferenceRun.objects.filter(project=project).only("kind", "recipe", "recipe_hash")
    models = ModelSpec.objects.filter(project=project)
    names = Names(reviewer_names(project), signer_names(project), runs.in_bulk(), models.in_bulk())
    keys = sorted(with_parents(released_captions(release)))
    key_of = {key: key for key in keys}.get
    own = (_origins, _verifications, _ratings, _sign_offs, _picks)
    for batch in in_batches(keys):
        lines = [line for read in own for line in read(batch, names)]
        ReleasedRecord.objects.bulk_create(
            ReleasedRecord(release=release, file=file, caption_id=values["caption"], values=values)
            for file, line in sorted(lines, key=lambda line: line[1]["caption"])
            if (values := map_captions(file, line, key_of)) is not None
        )
    _freeze_dynamics(release, names)


def _origins(batch: Sequence[int], names: Names) -> Iterator[Line]:
    """Yield which run made a caption, and with which model, as the run's recipe has it."""
    rows = Caption.objects.filter(pk__in=batch, source=Caption.Source.MACHINE).order_by("pk")
    for caption, provenance in rows.values_list("pk", "provenance"):
        origin = provenance[0] if provenance else {}
        run = names.runs.get(origin.get("run", 0))
        if run is None:
            continue
        models = read_recipe(run.recipe).models  # a refine run has a chain of them
        model = next((m for m in models if m and m.spec == origin.get("spec")), None)
        values = {
            "caption": caption,
            "run": origin["run"],
            "kind": run.kind,
            "model": origin.get("model"),
            "model_id": model.model_id or None if model else None,
            "revision": model.revision or None if model else None,
            "recipe_hash": run.recipe_hash,
            **(stated_weights(names.models.get(model.spec), model) if model else {}),
        }
        yield File.ORIGINS, values


def _verifications(batch: Sequence[int], names: Names) -> Iterator[Line]:
    rows = Verification.objects.filter(caption__in=batch).order_by("pk")
    for row in rows.prefetch_related("verdicts", "missing_segments"):
        values = {
            "caption": row.caption_id,
            "by": names.reviewers.of(row.reviewer_id, row.label),
            "corrected": row.corrected_id,
            "splitter": row.splitter,
            "fits_theme": row.fits_theme,
            "sentences": [_fields(verdict, SENTENCE) for verdict in row.verdicts.all()],
            "missing": [_fields(segment, MISSING) for segment in row.missing_segments.all()],
        }
        yield File.VERIFICATIONS, values


def _fields(row: SentenceVerdict | MissingSegment, names: Sequence[str]) -> Values:
    return {name: getattr(row, name) for name in names}


def _ratings(batch: Sequence[int], names: Names) -> Iterator[Line]:
    rows = Rating.objects.filter(caption__in=batch).order_by("pk")
    for caption, rater, study, value in rows.values_list("caption", "rater", "study", "value"):
        by = names.reviewers.of(rater)
        values = {"caption": caption, "by": by, "study": study, "value": value}
        yield File.RATINGS, values


def _sign_offs(batch: Sequence[int], names: Names) -> Iterator[Line]:
    rows = SignOff.objects.filter(texts__general__in=batch).order_by("pk")
    columns = ("texts__general", "texts__spatial", "texts__temporal", "expert", "verdict")
    for general, spatial, temporal, expert, verdict in rows.values_list(*columns):
        values = {
            "caption": general,
            "spatial_caption": spatial,
            "temporal_caption": temporal,
            "by": names.signers.of(expert),
            "verdict": verdict,
        }
        yield File.SIGN_OFFS, values


def _picks(batch: Sequence[int], names: Names) -> Iterator[Line]:
    """Yield the picks of tests that have ended. A pick names the text of the clip that was picked,
    as the same test has it."""
    rows = list(
        counted_picks()
        .filter(task__text__caption__in=batch, task__text__test__ended_at__isnull=False)
        .order_by("pk")
        .values_list(
            "task__text__caption", "task__text__caption__kind", "task__text__test",
            "task__person", "clip", "task__clips",
        )
    )  # fmt: skip
    texts = _tested_texts({(test, clip) for _, _, test, _, clip, _ in rows})
    for caption, kind, test, person, clip, clips in rows:
        values = {
            "caption": caption,
            "by": names.reviewers.of(person),
            "test": test,
            "options": len(clips),
            "picked": texts.get((test, clip, kind)),
        }
        yield File.PICKS, values


def _tested_texts(pairs: set[tuple[int, int]]) -> dict[tuple[int, int, str], int]:
    """Return the captions by test, clip and kind."""
    tests, clips = {test for test, _ in pairs}, {clip for _, clip in pairs}
    rows = TestedText.objects.filter(test__in=tests, clip__in=clips).order_by()
    return {
        (test, clip, kind): caption
        for test, clip, kind, caption in rows.values_list(
            "test", "clip", "caption__kind", "caption"
        )
    }


def _freeze_dynamics(release: Release, names: Names) -> None:
    """Freeze who found the whole videos dynamic, in the order of the videos."""
    videos = dict(release.videos.order_by("pk").values_list("video", "vid"))
    for batch in in_batches(list(videos)):
        lines: dict[int, list[Values]] = {video: [] for video in batch}
        verdicts = DynamicsVerdict.objects.filter(video__in=batch).order_by("pk")
        columns = ("video", "assignment__annotator", "is_dynamic")
        for video, person, is_dynamic in verdicts.values_list(*columns):
            lines[video].append({"by": names.reviewers.of(person), "is_dynamic": is_dynamic})
        ReleasedRecord.objects.bulk_create(
            ReleasedRecord(
                release=release,
                file=File.DYNAMICS,
                video_id=video,
                values={"video_id": videos[video], **values},
            )
            for video in batch
            for values in lines[video]
        )
