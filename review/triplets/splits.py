"""Split the source videos; no triplet may cross splits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from django.db import transaction
from django.db.models import Count

from annotate.audit import record_event
from annotate.corpus.labels import labeled_clips
from annotate.datasets.files import DatasetFile
from annotate.datasets.rows import source_name
from annotate.models import ActionLabel, Project, User, Video
from review.errors import ReviewError
from review.triplets.given_splits import GivenSplits, read_given_splits, refuse_unfit
from review.triplets.models import SplitOrigin, TripletSet
from review.triplets.source import ClipRow
from review.triplets.split_plan import Shares, Source, plan_splits

Split = Video.Split
BATCH_SIZE = 1000


@dataclass(frozen=True)
class SplitCounts:
    split: Split
    sources: int
    clips: int
    labels: int
    share: float  # percent of all clips


@dataclass(frozen=True)
class SplitPreview:
    """`alone` counts labels with clips of only one source video, which can't be in two splits."""

    counts: list[SplitCounts]
    in_both: int
    without_test: list[ActionLabel]
    without_train: list[ActionLabel]
    alone: int


@dataclass(frozen=True)
class CurrentSplit:
    """`unsplit` source videos have labeled clips but no split."""

    counts: list[SplitCounts]
    unsplit: int
    origin: SplitOrigin | None


def current_split(project: Project) -> CurrentSplit | None:
    """Return the stored split; None before the videos are split."""
    videos = Video.objects.filter(project=project).exclude(split="").order_by("pk")
    stored = {
        source_name(cut_from, file): Split(split)
        for cut_from, file, split in videos.values_list("cut_from", "original_name", "split")
    }
    if not stored:
        return None
    sources = _sources(project)
    split = [source for source in sources if source.name in stored]
    return CurrentSplit(
        counts=[_counts(of, split, stored) for of in Split],
        unsplit=len(sources) - len(split),
        origin=SplitOrigin.objects.filter(project=project).select_related("created_by").first(),
    )


def preview_splits(
    *, project: Project, shares: Shares, seed: int, min_sources: int = 1
) -> SplitPreview:
    """Return what `assign_splits` would store. Raises ReviewError for too few source videos."""
    sources = _sources(project)
    return _preview(project, sources, _plan(sources, shares, seed, min_sources))


@transaction.atomic
def assign_splits(
    *, project: Project, admin: User | None, shares: Shares, seed: int, min_sources: int = 1
) -> None:
    """Give every source video with labeled clips its split. Raises ReviewError if there are
    triplets, which keep the split of the time when they were generated.
    """
    project = _locked(project)
    sources = _sources(project)
    plan = _plan(sources, shares, seed, min_sources)
    origin = SplitOrigin(
        train_percent=shares.train,
        validation_percent=shares.validation,
        test_percent=shares.test,
        seed=seed,
        min_sources=min_sources,
    )
    _store(project, sources, plan, admin, origin)


@transaction.atomic
def import_splits(
    *,
    project: Project,
    admin: User | None,
    files: Sequence[tuple[DatasetFile, Split | None]],
    rest_to_train: bool = False,
    min_sources: int = 1,
) -> GivenSplits:
    """Give every source video with labeled clips its split from the files.

    `files`: each with the split that it lists, or None if its rows name their own. `rest_to_train`:
    put source videos that no file names into train; otherwise they are refused. Raises
    DatasetInvalid for the files, and ReviewError as `assign_splits` does.
    """
    project = _locked(project)
    sources = _sources(project)
    clips = {
        name: source_name(cut_from, file)
        for name, cut_from, file in labeled_clips(project).values_list(
            "name", "video__cut_from", "video__original_name"
        )
    }
    splits = read_given_splits(files, clips, {source.name for source in sources})
    refuse_unfit(splits, [file for file, _ in files], allow_missing=rest_to_train)
    plan = dict.fromkeys(splits.missing, Split.TRAIN) | splits.plan
    for split, number in sorted(Counter(plan.values()).items()):
        if number < min_sources:
            raise ReviewError(
                f"The files put {number} source {'video' if number == 1 else 'videos'} in {split}, "
                f"and the minimum is {min_sources}. Add source videos, or lower the minimum."
            )
    names = [file.name for file, _ in files]
    origin = SplitOrigin(files=names, min_sources=min_sources)
    _store(project, sources, plan, admin, origin)
    return splits


def repeat_splits(
    *, project: Project, rows: Iterable[ClipRow], by: str, admin: User | None
) -> None:
    """Give the source videos the splits of a release, if none of them has one. `rows`: its clips.

    Raises ReviewError if the release lacks a source video with labeled clips, or has one in two
    splits.
    """
    if Video.objects.filter(project=project).exclude(split="").exists():
        return
    project = _locked(project)
    sources = _sources(project)
    plan: dict[str, Split] = {}
    for row in rows:
        if row.split not in Split.values:
            raise row.spot.refuse("split must be train, validation or test.")
        if plan.setdefault(row.source, Split(row.split)) != row.split:
            raise row.spot.refuse(f"{row.source} is in {plan[row.source]} too. Give it one split.")
    missing = [source.name for source in sources if source.name not in plan]
    if missing:
        raise ReviewError(
            f"{len(missing):,} source videos with labeled clips are not in the release, such as "
            f"{missing[0]}. Split the videos first."
        )
    _store(project, sources, plan, admin, SplitOrigin(files=[by]))


def _locked(project: Project) -> Project:
    # This stronger lock also blocks the start of a triplet set.
    project = Project.objects.select_for_update().get(pk=project.pk)
    refuse_change(project)
    return project


def _store(
    project: Project,
    sources: Sequence[Source],
    plan: Mapping[str, Split],
    admin: User | None,
    origin: SplitOrigin,
) -> None:
    Video.objects.filter(project=project).exclude(split="").update(split="")
    for split in Split:
        videos = [pk for source in sources if plan[source.name] == split for pk in source.videos]
        for start in range(0, len(videos), BATCH_SIZE):
            Video.objects.filter(pk__in=videos[start : start + BATCH_SIZE]).update(split=split)
    origin.project, origin.created_by = project, admin
    origin.save()
    record_event(
        actor=admin,
        verb="split videos",
        subject=project,
        project=project,
        after={**_how(origin), "sources": dict(Counter(split.value for split in plan.values()))},
    )


def _how(origin: SplitOrigin) -> dict[str, object]:
    """Return the origin as the audit log shows it."""
    if origin.files:
        return {"files": origin.files, "min_sources": origin.min_sources}
    shares = {
        "train": origin.train_percent,
        "validation": origin.validation_percent,
        "test": origin.test_percent,
    }
    return {"shares": shares, "seed": origin.seed, "min_sources": origin.min_sources}


def refuse_change(project: Project) -> None:
    """Raise ReviewError if the split can no longer be changed."""
    made = TripletSet.objects.filter(project=project).order_by("number").first()
    if made is not None:
        raise ReviewError(
            "The split can't be changed: triplets were made from it on "
            f"{made.created_at:%-d %B %Y}, as set {made.number}."
        )


def _sources(project: Project) -> list[Source]:
    """Return the long videos with labeled clips, by name."""
    rows = (
        labeled_clips(project)
        .order_by()
        .values_list("video_id", "video__original_name", "video__cut_from", "label_id")
        .annotate(clips=Count("pk"))
    )
    videos: dict[str, set[int]] = defaultdict(set)
    labels: dict[str, Counter[int]] = defaultdict(Counter)
    for video, file, cut_from, label, clips in rows:
        name = source_name(cut_from, file)
        videos[name].add(video)
        labels[name][label] += clips
    return [Source(name, tuple(sorted(videos[name])), labels[name]) for name in sorted(videos)]


def _plan(
    sources: Sequence[Source], shares: Shares, seed: int, min_sources: int
) -> dict[str, Split]:
    splits = sum(share > 0 for share in asdict(shares).values())
    needed = splits * min_sources
    if len(sources) < needed:
        lower = ", or lower the minimum per split" if min_sources > 1 else ""
        raise ReviewError(
            f"Source videos with labeled clips: {len(sources)}. {splits} splits need at least "
            f"{needed}. Import more, or set a split to 0 %{lower}."
        )
    return plan_splits(sources, shares, seed, min_sources)


def _preview(
    project: Project, sources: Sequence[Source], plan: Mapping[str, Split]
) -> SplitPreview:
    labels = {split: _labels_in(split, sources, plan) for split in Split}
    of = {label.pk: label for label in ActionLabel.objects.filter(project=project)}
    sources_of = Counter(label for source in sources for label in source.labels)
    names = sorted(sources_of)
    return SplitPreview(
        counts=[_counts(split, sources, plan) for split in Split],
        in_both=len(labels[Split.TRAIN] & labels[Split.TEST]),
        without_test=[of[pk] for pk in names if pk not in labels[Split.TEST]],
        without_train=[of[pk] for pk in names if pk not in labels[Split.TRAIN]],
        alone=sum(number == 1 for number in sources_of.values()),
    )


def _counts(split: Split, sources: Sequence[Source], plan: Mapping[str, Split]) -> SplitCounts:
    chosen = [source for source in sources if plan[source.name] == split]
    clips = sum(source.clips for source in chosen)
    return SplitCounts(
        split=split,
        sources=len(chosen),
        clips=clips,
        labels=len(_labels_in(split, sources, plan)),
        share=_share(clips, sum(source.clips for source in sources)),
    )


def _labels_in(split: Split, sources: Sequence[Source], plan: Mapping[str, Split]) -> set[int]:
    return {label for source in sources if plan[source.name] == split for label in source.labels}


def _share(clips: int, total: int) -> float:
    return 100 * clips / total if total else 0.0
