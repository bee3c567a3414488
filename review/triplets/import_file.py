"""Import a triplet set: an exported one, that of a release, or TF-CoVR's own files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from annotate.audit import record_event
from annotate.corpus.labels import labels_as_one
from annotate.models import ActionLabel, Clip, Project, User, Video
from annotate.text.storable import UNSTORABLE
from review.errors import ReviewError
from review.exchange.bundle import Folder
from review.modifications.queries import word_limits
from review.modifications.text import Limits, problem_with
from review.pairs.models import LabelPair
from review.triplets.folder_source import FolderSource
from review.triplets.imported_texts import DirectedText, Direction, store_texts
from review.triplets.imported_verdicts import store_verdicts
from review.triplets.models import ComposedQuery, TripletSet
from review.triplets.sets import MAX_TARGETS, store_queries
from review.triplets.source import About, TextRow, TripletSource, VerdictRow
from review.triplets.tfcovr import Line

Split = Video.Split
State = TripletSet.State
Kind = LabelPair.Kind


@dataclass(frozen=True)
class KnownClip:
    key: int
    label: str
    split: str


# A clip's key, a direction, and the query's own text if it differs from that of the direction.
Query = tuple[int, Direction, str]


@dataclass
class Read:
    """The files' content, checked against the project: direction -> text, and per split the targets
    of each query. A direction is two keys of labels; for labels that count as one, a target has the
    first, `first_of` its own key. `texts` has a release's statements about each text, and `judged`
    its verdicts on each query, by split and place.
    """

    first_of: Mapping[str, str]
    limits: Limits
    clips: Mapping[str, KnownClip]
    texts: dict[tuple[str, str], str] = field(default_factory=dict)
    origins: dict[tuple[str, str], Mapping[str, str]] = field(default_factory=dict)
    judged: dict[tuple[str, int], list[VerdictRow]] = field(default_factory=dict)
    queries: dict[str, dict[Query, list[int]]] = field(default_factory=dict)


def import_triplets(
    *, project: Project, folder: Path, kind: str = Kind.TEMPORAL, admin: User | None
) -> TripletSet:
    """Store the files of the folder as a new finished set. Raises ReviewError."""
    source = FolderSource(Folder(folder))
    return import_set(project=project, source=source, kind=kind, admin=admin)


@transaction.atomic
def import_set(
    *, project: Project, source: TripletSource, kind: str = Kind.TEMPORAL, admin: User | None
) -> TripletSet:
    """Store the files' content as a new finished set.

    Its clips and labels must be in the project already, in the same splits. `kind` is used for
    label pairs whose kind neither the files nor the project state. Verdicts of a release become
    imported ones, under its pseudonyms. Raises ReviewError.
    """
    project = Project.objects.lock(project.pk)
    clips = {
        name: KnownClip(key, label or "", split)
        for name, key, label, split in Clip.objects.filter(project=project).values_list(
            "name", "pk", "label__key", "video__split"
        )
    }
    _check_clips(source, clips)
    labels = {label.key: label for label in ActionLabel.objects.filter(project=project)}
    as_one = labels_as_one(project)
    key_of = {label.pk: label.key for label in labels.values()}
    first_of = {label.key: key_of[as_one[label.pk][0]] for label in labels.values()}
    _check_labels(source, labels, first_of)
    read = Read(first_of, word_limits(project), clips)
    kinds = _read_texts(source, read)
    for row in source.verdicts():
        read.judged.setdefault((row.split, row.query), []).append(row)
    about = source.about()
    for split in Split.values:
        read.queries[split] = _read_split(read, source, split)
    if not any(read.queries.values()):
        raise ReviewError(f"The files in {source.name} have no rows. There is nothing to import.")
    own_texts = {(way, own) for queries in read.queries.values() for _, way, own in queries if own}
    texts = [DirectedText(*way, text, read.origins.get(way)) for way, text in read.texts.items()]
    modifications = store_texts(project, texts, own_texts, labels, first_of, kinds, kind, admin)
    triplets = _new_set(project, about, admin)
    for of_split, queries in read.queries.items():
        rows = (
            (
                ComposedQuery(
                    triplets=triplets,
                    split=of_split,
                    clip_id=clip,
                    modification=modifications[direction, own],
                ),
                targets,
            )
            for (clip, direction, own), targets in queries.items()
        )
        triplets.triplet_count += store_queries(rows)
    triplets.save(update_fields=["triplet_count"])
    if read.judged:
        keys = {name: clip.key for name, clip in clips.items()}
        store_verdicts(triplets, read.judged, keys, read.limits)
    record_event(
        actor=admin,
        verb="import triplets",
        subject=triplets,
        project=project,
        after={"triplets": triplets.triplet_count},
    )
    return triplets


def _new_set(project: Project, about: About, admin: User | None) -> TripletSet:
    last = TripletSet.objects.filter(project=project).aggregate(last=Max("number"))["last"]
    return TripletSet.objects.create(
        project=project,
        number=(last or 0) + 1,
        seed=about.seed,
        most_targets=about.most_targets,
        other_sources=about.other_sources,
        test_queries=about.test_queries,
        most_per_query=about.caps.per_query,
        most_per_direction=about.caps.per_direction,
        train_triplets=about.caps.triplets,
        state=State.FINISHED,
        created_by=admin,
        finished_at=timezone.now(),
    )


def _check_clips(source: TripletSource, clips: Mapping[str, KnownClip]) -> None:
    for row in source.clips():
        clip = clips.get(row.name)
        if clip is None:
            raise row.spot.refuse(_no_clip(row.name))
        if (clip.label, clip.split) != (row.label, row.split):
            here = f"{clip.label or 'no label'}, {clip.split or 'no split'}"
            in_project = f"{row.label}, {row.split}"
            reason = f"{row.name} is {in_project} in the file, but {here} in this project."
            raise row.spot.refuse(reason)


def _check_labels(
    source: TripletSource, labels: Mapping[str, ActionLabel], first_of: Mapping[str, str]
) -> None:
    for row in source.labels():
        label = labels.get(row.key)
        if label is None:
            raise row.spot.refuse(_no_label(row.key))
        if (label.caption, label.domain) != (row.caption, row.domain):
            ours = f"label {label.key} is “{label.caption}” in this project."
            raise row.spot.refuse(f"{ours} Use its caption and domain.")
        if row.counts_as is not None and (row.counts_as or row.key) != first_of[row.key]:
            counts = f"counts as {row.counts_as}" if row.counts_as else "counts apart"
            raise row.spot.refuse(f"label {row.key} {counts} in the file, but not in this project.")


def _no_label(key: str) -> str:
    return f"the project has no label {key[:100]!r}. Import the labels first."


def _read_texts(source: TripletSource, read: Read) -> dict[frozenset[str], str]:
    """Return the kind of each pair; of a release, read the text of each direction too."""
    kinds: dict[frozenset[str], str] = {}
    for row in source.texts():
        if row.kind not in (Kind.TEMPORAL, Kind.EVENT):
            raise row.spot.refuse("kind must be temporal or event.")
        for key in (row.source, row.target):
            if key not in read.first_of:
                raise row.spot.refuse(_no_label(key))
        pair = frozenset((read.first_of[row.source], read.first_of[row.target]))
        if kinds.setdefault(pair, row.kind) != row.kind:
            raise row.spot.refuse("another line gives this pair another kind. Use one kind.")
        if row.provenance is not None:
            _keep_text(read, row)
    return kinds


def _keep_text(read: Read, row: TextRow) -> None:
    direction = (row.source, read.first_of[row.target])
    if direction in read.texts:
        raise row.spot.refuse(
            f"another line has a text from {row.source} to {row.target}. A direction has one text, "
            "so a release with several can’t be imported."
        )
    if wrong := _problem(row.text, read.limits):
        raise row.spot.refuse(wrong)
    read.texts[direction] = row.text
    read.origins[direction] = row.provenance or {}


def _problem(text: str, limits: Limits) -> str:
    if UNSTORABLE.search(text):
        return "the modification contains a character that can't be stored."
    return problem_with(text, limits)


def _read_split(read: Read, source: TripletSource, split: str) -> dict[Query, list[int]]:
    queries: dict[Query, list[int]] = {}
    places: dict[Query, int] = {}
    for line in source.lines(split):
        clip, *targets = (
            _known(line, name, split, read.clips) for name in (line.clip, *line.targets)
        )
        direction = (clip.label, read.first_of[targets[0].label])
        own = _check_direction(read, line, direction, may_correct=source.may_correct)
        query = (clip.key, direction, own)
        place = places.get((clip.key, direction, ""), len(places))
        if own in {verdict.corrected for verdict in _judged(read, split, place)}:
            query = (clip.key, direction, "")
        places.setdefault(query, len(places))
        keys = [target.key for target in targets]
        if clip.key in keys:
            raise line.refuse(f"{line.clip} can't be its own target. Remove it.")
        query_targets = queries.setdefault(query, [])
        if query_targets and split != Split.TRAIN:
            raise line.refuse("this query is also on an earlier line. Keep one.")
        if keys[0] in query_targets:
            raise line.refuse("this triplet is also on an earlier line. Keep one.")
        if split != Split.TRAIN and len(keys) > MAX_TARGETS:
            raise line.refuse(f"a query may have at most {MAX_TARGETS} targets. Remove some.")
        query_targets += keys
    for query, place in places.items():
        if judged := _judged(read, split, place):
            queries[query] = _as_generated(read, queries[query], judged)
    for (of, place), rows in read.judged.items():
        if of == split and place >= len(places):
            raise rows[0].spot.refuse(f"{split} has no query {place}. Remove the verdict.")
    return queries


def _judged(read: Read, split: str, place: int) -> Sequence[VerdictRow]:
    return read.judged.get((split, place), [])


def _as_generated(read: Read, targets: list[int], judged: Sequence[VerdictRow]) -> list[int]:
    """Return the targets that people judged: the accepted ones, then the rejected ones."""
    first = judged[0]
    names = [*first.valid, *first.wrong]
    own = dict.fromkeys(read.clips[name].key for name in names if name in read.clips)
    return [*(key for key in targets if key in own), *(key for key in own if key not in targets)]


def _known(line: Line, name: str, split: str, clips: Mapping[str, KnownClip]) -> KnownClip:
    clip = clips.get(name)
    if clip is None:
        raise line.refuse(_no_clip(name))
    if clip.split != split:
        here = f"in {clip.split}" if clip.split else "in no split"
        raise line.refuse(f"{name} is {here} in this project. Split its video as in the files.")
    if not clip.label:
        raise line.refuse(f"{name} has no label in this project. Label it first.")
    return clip


def _no_clip(name: str) -> str:
    return f"the project has no clip {name[:100]!r}. Import the labeled clips first."


def _check_direction(read: Read, line: Line, direction: Direction, *, may_correct: bool) -> str:
    """Return the text of the line if it is not that of the direction."""
    source, target = direction
    given = read.first_of.get(line.target, line.target)
    if (line.source or source, given or target) != direction:
        raise line.refuse(f"the clips are labeled {source} and {target} in this project.")
    if read.first_of[source] == target:
        raise line.refuse(
            f"the query and its target are both labeled {source}. Use another target."
        )
    text = read.texts.setdefault(direction, line.text)
    if text != line.text and not may_correct:
        raise line.refuse(f"another line has “{text}” from {source} to {target}. Use one text.")
    if wrong := _problem(line.text, read.limits):
        raise line.refuse(wrong)
    return line.text if text != line.text else ""
