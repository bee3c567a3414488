"""The plan of a release in TF-CoVR's form: the newest finished set of triplets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet

from annotate.bulk import in_batches
from annotate.datasets.rows import source_name
from annotate.datasets.writing import place_in_source
from annotate.models import ActionLabel, Clip, Project
from inference.models import Embedding, ModelSpec
from review.frozen.takedowns import withdrawn_of
from review.releases.freezing import provenance_of
from review.releases.pseudonyms import pseudonyms_of
from review.releases.triplet_content import (
    SPLITS,
    ClipLine,
    JudgedQuery,
    LabelLine,
    Split,
    TextLine,
    TripletContent,
    Vectors,
    without_clips,
)
from review.releases.triplet_provenance import text_lines, verdict_lines
from review.retrieval.queries import clip_vectors, fresh_vectors
from review.triplets.models import TargetVerdict, Triplet, TripletSet
from review.triplets.queries import newest_triplets, test_clips
from review.triplets.rows import (
    ComposedRow,
    Verified,
    added_names,
    as_judged,
    composed_batches,
    verified_queries,
)


@dataclass(frozen=True)
class PlannedClip:
    """A clip and its file: that of its video if it spans it, else its own."""

    key: int
    video: int
    spans_its_video: bool
    line: ClipLine

    @property
    def name(self) -> str:
        return self.line.name

    @property
    def license(self) -> str:
        return str(self.line.provenance["licence"])


@dataclass(frozen=True)
class TripletPlan:
    """`clips` are in the order of their names, `labels` of their ids. `verified`: the majority
    verdict, and `verdicts`: people's, by query key. Queries stay in the database. `withdrawn`:
    names of clips that were taken down and are left out."""

    triplets: TripletSet
    clips: Sequence[PlannedClip]
    labels: Sequence[LabelLine]
    texts: Sequence[TextLine]
    verified: Mapping[int, Verified]
    verdicts: Mapping[int, Sequence[Mapping[str, Any]]]
    vector_choice: VectorChoice | None
    withdrawn: frozenset[str] = frozenset()

    def judged(self, split: str) -> Iterator[tuple[ComposedRow, JudgedQuery | None]]:
        """Yield each query of the split as generated and as people judged it, None without a
        target. Reads in batches."""
        most = None if split == Split.TRAIN else self.triplets.most_targets
        names = added_names(self.verified)
        number = 0
        for rows, targets in composed_batches(self.triplets, split):
            for row in rows:
                verdict = self.verified.get(row.key)
                kept: ComposedRow | None = row if row.targets else None
                if verdict:
                    kept = as_judged(row, verdict, targets[row.key], names, most)
                query: JudgedQuery | None = None
                if kept:
                    judged = JudgedQuery(split, number, kept, self.verdicts.get(row.key, ()))
                    query = without_clips(judged, self.withdrawn)
                if query or row.clip not in self.withdrawn:
                    yield row, query
                number += query is not None

    def queries(self, split: str) -> Iterator[JudgedQuery]:
        return (query for _, query in self.judged(split) if query)

    def content(self) -> TripletContent:
        queries = self.triplets.queries.filter(pk__in=self.verified)
        judged = set(queries.order_by().values_list("split", flat=True))
        return TripletContent(
            labels=self.labels,
            clips=[clip.line for clip in self.clips],
            texts=self.texts,
            queries=self.queries,
            judged_splits=[split for split in SPLITS if split in judged],
            vectors=self._vectors if self.vector_choice else None,
        )

    def _vectors(self) -> Vectors:
        for batch in self.vector_batches():
            yield [(clip.name, vector) for clip, vector in batch]

    def vector_batches(self) -> Iterator[list[tuple[PlannedClip, bytes]]]:
        """Yield the clips in their order with their vectors, some at a time."""
        assert self.vector_choice is not None
        rows = vectors_of(self.triplets.project, self.vector_choice)
        for batch in in_batches(self.clips):
            vectors = clip_vectors(rows.filter(clip__in=[clip.key for clip in batch]))
            yield [(clip, vectors[clip.key].tobytes()) for clip in batch]


def plan_triplets(project: Project, *, has_vectors: bool = True) -> TripletPlan | None:
    """Return what a build would freeze, in a constant number of statements; None without a finished
    set. Only queries and vectors are read later."""
    triplets = newest_triplets(project)
    if triplets is None:
        return None
    verified = verified_queries(triplets.queries.order_by().values("pk"))
    clips = _clips(triplets, verified)
    names = pseudonyms_of(project)
    texts = text_lines(triplets, names)
    withdrawn = withdrawn_of(project.pk).clips
    gone = frozenset(clip.name for clip in clips if clip.key in withdrawn)
    clips = [clip for clip in clips if clip.key not in withdrawn] if gone else clips
    return TripletPlan(
        triplets=triplets,
        clips=_numbered(clips),
        labels=_labels(project, clips, texts),
        texts=texts,
        verified=verified,
        verdicts=verdict_lines(triplets, names),
        vector_choice=choose_vectors(project, [clip.key for clip in clips])
        if has_vectors
        else None,
        withdrawn=gone,
    )


def released_clips(triplets: TripletSet) -> QuerySet[Clip]:
    """Return the labeled clips of the splits, and others that a query or a verdict names."""
    queries = triplets.queries.order_by()
    targets = Triplet.objects.filter(query__triplets=triplets).order_by()
    judged = TargetVerdict.objects.filter(verdict__query__triplets=triplets).order_by()
    return Clip.objects.filter(
        Q(label__isnull=False, video__split__in=Split.values)
        | Q(pk__in=queries.values("clip"))
        | Q(pk__in=targets.values("target"))
        | Q(pk__in=judged.values("clip")),
        project=triplets.project_id,
    )


def whole_clips(clips: QuerySet[Clip]) -> QuerySet[Clip]:
    return clips.filter(start_frame=0, end_frame=F("video__frames"))


def _clips(triplets: TripletSet, verified: Mapping[int, Verified]) -> list[PlannedClip]:
    of_test = set(triplets.queries.filter(split=Split.TEST).values_list("pk", flat=True))
    gallery = set(test_clips(triplets.project_id).values_list("pk", flat=True))
    gallery |= set(triplets.queries.filter(split=Split.TEST).values_list("clip", flat=True))
    for key in verified.keys() & of_test:
        gallery.update(verified[key].added)
    rows = released_clips(triplets).select_related("video", "label")
    rows = rows.defer("video__shots", "video__filmstrip").order_by()
    planned = [
        PlannedClip(clip.pk, clip.video_id, clip.spans_its_video, _line(clip, clip.pk in gallery))
        for clip in rows.iterator(chunk_size=500)
    ]
    # Sorted here, because the database's order depends on its collation.
    return sorted(planned, key=lambda clip: clip.name)


def _numbered(clips: Sequence[PlannedClip]) -> list[PlannedClip]:
    return [
        replace(clip, line=replace(clip.line, number=number)) for number, clip in enumerate(clips)
    ]


def _line(clip: Clip, is_in_gallery: bool) -> ClipLine:
    video = clip.video
    return ClipLine(
        name=clip.name,
        label=clip.label.key if clip.label else "",
        split=video.split,
        is_in_gallery=is_in_gallery,
        source_video=source_name(video.cut_from, video.original_name),
        provenance=provenance_of(video, clip.frames) | {"place": place_in_source(clip)},
    )


def _labels(
    project: Project, clips: Sequence[PlannedClip], texts: Sequence[TextLine]
) -> list[LabelLine]:
    used = {clip.line.label for clip in clips}
    used |= {key for text in texts for key in (text.source, text.target)}
    rows = ActionLabel.objects.filter(project=project).order_by().values_list(
        "key", "caption", "event", "domain", "counts_as__key"
    )  # fmt: skip
    return sorted(
        (
            LabelLine(key, caption, event, domain, counts_as or "")
            for key, caption, event, domain, counts_as in rows
            if key in used
        ),
        key=lambda label: label.key,
    )


@dataclass(frozen=True)
class VectorChoice:
    """Vectors of one encoder and sampling of frames that all clips have."""

    model: str
    model_id: str
    revision: str
    space: str
    sampling: Mapping[str, Any]
    dimension: int


def choose_vectors(project: Project, clips: Collection[int]) -> VectorChoice | None:
    """Return the newest vectors that all clips have, if there are any."""
    counted = (
        fresh_vectors(project)
        .filter(clip__isnull=False)
        .order_by()
        .values("space", "sampling", "dimension", "model")
        .annotate(n=Count("clip", distinct=True), last=Max("pk"))
    )
    for row in sorted(counted, key=lambda row: -row["last"]):
        if row["n"] >= len(clips):
            model = ModelSpec.objects.get(pk=row["model"])
            choice = VectorChoice(
                model=model.name,
                model_id=model.model_id,
                revision=model.revision,
                space=row["space"],
                sampling=row["sampling"],
                dimension=row["dimension"],
            )
            of_clips = vectors_of(project, choice).order_by().values_list("clip", flat=True)
            if set(clips) <= set(of_clips):
                return choice
    return None


def vectors_of(project: Project, choice: VectorChoice) -> QuerySet[Embedding]:
    return fresh_vectors(project).filter(space=choice.space, sampling=choice.sampling)
