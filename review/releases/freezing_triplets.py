"""Freezing the newest set of triplets, for TF-CoVR's form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace

from annotate.bulk import in_batches
from annotate.models import Project
from annotate.programs import programs_of
from inference.models import ModelSpec
from review.errors import ReviewError
from review.exchange.files import measured_file
from review.frozen.models import Release, ReleasedLabel, ReleasedTripletClip
from review.frozen.query_models import ReleasedModification, ReleasedQuery
from review.releases.content import content_hash
from review.releases.freezing import (
    BATCH_SIZE,
    Build,
    MadeFile,
    files_of_clips,
    hashed_videos,
)
from review.releases.gates.findings import refuse_blocked
from review.releases.gates.triplets import Triplets
from review.releases.model_weights import stated_weights
from review.releases.pseudonyms import pseudonyms_of
from review.releases.triplet_content import SPLITS, JudgedQuery, content_chunks
from review.releases.triplet_plan import PlannedClip, TripletPlan, plan_triplets
from review.releases.triplet_tally import NO_SET, Tally, TripletFacts, facts_of, tally_queries
from review.releases.writers.tfcovr import video_path


def freeze_triplets(build: Build) -> Release:
    """Store a release of the newest set of triplets, within the transaction of the caller, who has
    locked the project. Queries are read and written in batches.

    Raises ReviewError without a finished set, when a check blocks, and when a release already has
    exactly this content.
    """
    project, choice = build.project, build.choice
    plan = plan_triplets(project, has_vectors=choice.vectors)
    if plan is None:
        raise ReviewError(NO_SET)
    tally = tally_queries(plan)
    refuse_blocked(Triplets(project, plan, tally, choice))
    clips = [(clip.key, clip.video, clip.spans_its_video) for clip in plan.clips]
    files = files_of_clips(clips, hashed_videos(video for _, video, spans in clips if spans))
    contents = [measured_file(*file) for file in content_chunks(plan.content()).items()]
    hashes = [(file.path, file.sha256) for file in contents]
    hashes += [(video_path(clip.name), files[clip.key].sha256) for clip in plan.clips]
    content = content_hash(hashes)
    _refuse_twin(project, content)
    release = build.store(
        Release.Format.TFCOVR,
        clip_count=len(plan.clips),
        content_hash=content,
        video_size=sum(file.size for file in files.values()),
        files=contents,
        names=[(clip.key, clip.name) for clip in plan.clips],
        not_counted=_programs(project),
        triplet_facts=asdict(_facts(plan, tally)),
    )
    _freeze_rows(release, plan, files)
    return release


def _facts(plan: TripletPlan, tally: Tally) -> TripletFacts:
    facts = facts_of(plan, tally)
    if facts.vectors is None:
        return facts
    encoder = ModelSpec.objects.filter(project=plan.triplets.project, name=facts.vectors.model)
    return replace(facts, weights=stated_weights(encoder.first()) or None)


def _programs(project: Project) -> list[str]:
    """Return the programs whose verdicts the files have and no report counts, as they name them."""
    names = pseudonyms_of(project)
    programs = [] if project.counts_programs else programs_of(project)
    return sorted(names.of(user) for user in programs if user in names.people)


def _refuse_twin(project: Project, content: str) -> None:
    twin = project.releases.filter(content_hash=content).first()
    if twin is not None:
        raise ReviewError(
            f"Release {twin.version} already has exactly this content. Change something first, or "
            f"use {twin.version}."
        )


def _freeze_rows(release: Release, plan: TripletPlan, files: Mapping[int, MadeFile]) -> None:
    labels = {
        label.key: ReleasedLabel(
            release=release,
            **vars(label),
        )
        for label in plan.labels
    }
    # This also sets the rows' keys on SQLite.
    ReleasedLabel.objects.bulk_create(labels.values(), batch_size=BATCH_SIZE)
    clips = _freeze_clips(release, plan, files, labels)
    texts = {
        (text.source, text.target, text.text): ReleasedModification(
            release=release,
            source=labels[text.source],
            target=labels[text.target],
            kind=text.kind,
            text=text.text,
            provenance=dict(text.provenance),
        )
        for text in plan.texts
    }
    ReleasedModification.objects.bulk_create(texts.values(), batch_size=BATCH_SIZE)
    keys = {name: text.pk for name, text in texts.items()}
    for split in SPLITS:
        # A query has the text of its direction, which people can have corrected for the query.
        rows = (
            _query(release, query, generated.text, clips, keys)
            for generated, query in plan.judged(split)
            if query
        )
        for batch in in_batches(rows):
            ReleasedQuery.objects.bulk_create(batch)


def _freeze_clips(
    release: Release,
    plan: TripletPlan,
    files: Mapping[int, MadeFile],
    labels: Mapping[str, ReleasedLabel],
) -> dict[str, tuple[int, int]]:
    """Return the key and the number of each clip by name."""
    places: dict[str, tuple[int, int]] = {}
    for batch in _batches(plan):
        rows = [
            ReleasedTripletClip(
                release=release,
                clip_id=clip.key,
                number=len(places) + place,
                name=clip.name,
                label=labels.get(clip.line.label),
                split=clip.line.split,
                is_in_gallery=clip.line.is_in_gallery,
                source_video=clip.line.source_video,
                video_sha256=files[clip.key].sha256,
                video_size=files[clip.key].size,
                provenance=dict(clip.line.provenance),
                vector=vector,
            )
            for place, (clip, vector) in enumerate(batch)
        ]
        ReleasedTripletClip.objects.bulk_create(rows)
        places |= {row.name: (row.pk, row.number) for row in rows}
    return places


def _batches(plan: TripletPlan) -> Iterator[Sequence[tuple[PlannedClip, bytes | None]]]:
    if plan.vector_choice:
        yield from plan.vector_batches()
        return
    for batch in in_batches(plan.clips):
        yield [(clip, None) for clip in batch]


def _query(
    release: Release,
    query: JudgedQuery,
    own_text: str,
    clips: Mapping[str, tuple[int, int]],
    texts: Mapping[tuple[str, str, str], int],
) -> ReleasedQuery:
    row = query.row
    return ReleasedQuery(
        release=release,
        split=query.split,
        number=query.number,
        clip_id=clips[row.clip][0],
        modification_id=texts[row.source, row.target, own_text],
        text=row.text,
        targets=[clips[target][1] for target in row.targets],
        target_count=len(row.targets),
        verdicts=list(query.verdicts),
        is_verified=bool(query.verdicts),
    )
