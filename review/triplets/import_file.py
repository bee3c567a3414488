"""Import a triplet set: an exported one, or TF-CoVR's own files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from annotate.audit import record_event
from annotate.corpus.labels import labels_as_one
from annotate.models import ActionLabel, Clip, Project, User, Video
from annotate.text.storable import UNSTORABLE
from review.errors import ReviewError
from review.modifications.models import Modification
from review.modifications.queries import word_limits
from review.modifications.text import Limits, problem_with
from review.pairs.models import LabelPair
from review.studies.models import LARGEST_SEED
from review.triplets.caps import Caps
from review.triplets.exchange import CSV_NAMES, FORMAT, MODIFICATION_COLUMNS
from review.triplets.models import ComposedQuery, TripletSet
from review.triplets.sets import MOST_TARGETS, store_queries
from review.triplets.tfcovr import Line, read_rows, read_test, read_train, refusal

Split = Video.Split
State = TripletSet.State
Kind = LabelPair.Kind


@dataclass(frozen=True)
class KnownClip:
    key: int
    label: str
    split: str


@dataclass(frozen=True)
class About:
    """How a set was made, from set.json."""

    seed: int = 0
    most_targets: int = 10
    other_sources: str = ""
    test_queries: int = 0
    caps: Caps = field(default_factory=Caps)


@dataclass
class Read:
    """The files' content, checked against the project: direction -> text, and per split the targets
    of each query. A direction is two keys of labels; of labels that count as one, a target has the
    first, `first_of` its own key.
    """

    first_of: Mapping[str, str]
    limits: Limits
    texts: dict[tuple[str, str], str] = field(default_factory=dict)
    queries: dict[str, dict[tuple[int, tuple[str, str]], list[int]]] = field(default_factory=dict)


@transaction.atomic
def import_triplets(
    *, project: Project, folder: Path, kind: str = Kind.TEMPORAL, admin: User | None
) -> TripletSet:
    """Store the files of the folder as a new finished set.

    Its clips and labels must be in the project already, in the same splits. `kind` is used for
    label pairs whose kind neither the folder nor the project gives. Raises ReviewError.
    """
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    clips = {
        name: KnownClip(key, label or "", split)
        for name, key, label, split in Clip.objects.filter(project=project).values_list(
            "name", "pk", "label__key", "video__split"
        )
    }
    _check_clips(folder, clips)
    labels = {label.key: label for label in ActionLabel.objects.filter(project=project)}
    _check_labels(folder, labels)
    as_one = labels_as_one(project)
    key_of = {label.pk: label.key for label in labels.values()}
    first_of = {label.key: key_of[as_one[label.pk][0]] for label in labels.values()}
    read = Read(first_of, word_limits(project))
    kinds = _read_kinds(folder, read.first_of)
    about = _read_about(folder)
    for split, name in CSV_NAMES.items():
        lines = (read_train if split == Split.TRAIN else read_test)(name, _lines(folder, name))
        read.queries[split] = _read_split(read, lines, split, clips)
    if not any(read.queries.values()):
        raise ReviewError(f"The files in {folder} have no rows. There is nothing to import.")
    modifications = _store_modifications(project, read, labels, kinds, kind, admin)
    triplets = _new_set(project, about, admin)
    for of_split, queries in read.queries.items():
        rows = (
            (
                ComposedQuery(
                    triplets=triplets,
                    split=of_split,
                    clip_id=clip,
                    modification=modifications[direction],
                ),
                targets,
            )
            for (clip, direction), targets in queries.items()
        )
        triplets.triplet_count += store_queries(rows)
    triplets.save(update_fields=["triplet_count"])
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


def _lines(folder: Path, name: str, *, is_needed: bool = True) -> Iterator[str]:
    try:
        with (folder / name).open(encoding="utf-8-sig", newline="") as file:
            yield from file
    except FileNotFoundError as error:
        if is_needed:
            raise ReviewError(f"{folder / name} is missing.") from error
    except OSError as error:
        raise ReviewError(f"Can't read {folder / name}: {error.strerror or error}.") from error


def _optional_rows(
    folder: Path, name: str, columns: tuple[str, ...]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a file that is absent in TF-CoVR's own folder."""
    if (folder / name).exists():
        yield from read_rows(name, _lines(folder, name), columns)


def _check_clips(folder: Path, clips: dict[str, KnownClip]) -> None:
    for number, row in _optional_rows(folder, "clips.csv", ("clip", "label", "split")):
        clip = clips.get(row["clip"])
        if clip is None:
            raise refusal("clips.csv", number, _no_clip(row["clip"]))
        if (clip.label, clip.split) != (row["label"], row["split"]):
            here = f"{clip.label or 'no label'}, {clip.split or 'no split'}"
            in_project = f"{row['label']}, {row['split']}"
            reason = f"{row['clip']} is {in_project} in the file, but {here} in this project."
            raise refusal("clips.csv", number, reason)


def _check_labels(folder: Path, labels: dict[str, ActionLabel]) -> None:
    for number, row in _optional_rows(folder, "labels.csv", ("label", "caption", "domain")):
        label = labels.get(row["label"])
        if label is None:
            raise refusal("labels.csv", number, f"the project has no label {row['label']!r}.")
        if (label.caption, label.domain) != (row["caption"], row["domain"]):
            raise refusal(
                "labels.csv", number, f"label {label.key} is “{label.caption}” in this project."
            )


def _read_kinds(folder: Path, first_of: Mapping[str, str]) -> dict[frozenset[str], str]:
    kinds: dict[frozenset[str], str] = {}
    name = "modifications.csv"
    for number, row in _optional_rows(folder, name, MODIFICATION_COLUMNS):
        if row["kind"] not in (Kind.TEMPORAL, Kind.EVENT):
            raise refusal(name, number, "kind must be temporal or event.")
        if not {row["label1"], row["label2"]} <= first_of.keys():
            raise refusal(name, number, "the project lacks one of the two labels.")
        pair = frozenset((first_of[row["label1"]], first_of[row["label2"]]))
        if kinds.setdefault(pair, row["kind"]) != row["kind"]:
            raise refusal(name, number, "another line gives this pair another kind.")
    return kinds


def _read_about(folder: Path) -> About:
    """Read set.json; without it, return what TF-CoVR's loader expects."""
    path = folder / "set.json"
    if not path.exists():
        return About()
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ReviewError("set.json isn't JSON.") from error
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ReviewError(f"set.json must say that its format is {FORMAT!r}.")
    seed, most = about.get("seed"), about.get("most_targets")
    if type(seed) is not int or not 0 <= seed <= LARGEST_SEED:
        raise ReviewError(f"set.json: seed must be a whole number from 0 to {LARGEST_SEED}.")
    if type(most) is not int or not 1 <= most <= MOST_TARGETS:
        raise ReviewError(f"set.json: most_targets must be 1 to {MOST_TARGETS}.")
    apart = about.get("other_sources", "")
    if apart not in TripletSet.OtherSources.values:
        choices = ", ".join(repr(value) for value in TripletSet.OtherSources.values)
        raise ReviewError(f"set.json: other_sources must be one of {choices}.")
    drawn = about.get("test_queries", 0)
    if type(drawn) is not int or not 0 <= drawn <= LARGEST_SEED:
        raise ReviewError("set.json: test_queries must be a whole number, 0 for all.")
    return About(seed, most, apart, drawn, _read_caps(about))


def _read_caps(about: dict[str, Any]) -> Caps:
    numbers = []
    for name in ("most_per_query", "most_per_direction", "train_triplets"):
        number = about.get(name, 0)
        if type(number) is not int or not 0 <= number <= LARGEST_SEED:
            raise ReviewError(f"set.json: {name} must be a whole number, 0 for no limit.")
        numbers.append(number)
    return Caps(*numbers)


def _read_split(
    read: Read, lines: Iterable[Line], split: str, clips: dict[str, KnownClip]
) -> dict[tuple[int, tuple[str, str]], list[int]]:
    queries: dict[tuple[int, tuple[str, str]], list[int]] = {}
    for line in lines:
        clip, *targets = (_known(line, name, split, clips) for name in (line.clip, *line.targets))
        direction = (clip.label, read.first_of[targets[0].label])
        _check_direction(read, line, direction)
        keys = [target.key for target in targets]
        if clip.key in keys:
            raise line.refuse(f"{line.clip} can't be its own target.")
        known = queries.setdefault((clip.key, direction), [])
        if known and split != Split.TRAIN:
            raise line.refuse("this query is also on an earlier line.")
        if keys[0] in known:
            raise line.refuse("this triplet is also on an earlier line.")
        if split != Split.TRAIN and len(keys) > MOST_TARGETS:
            raise line.refuse(f"a query may have at most {MOST_TARGETS} targets.")
        known += keys
    return queries


def _known(line: Line, name: str, split: str, clips: dict[str, KnownClip]) -> KnownClip:
    clip = clips.get(name)
    if clip is None:
        raise line.refuse(_no_clip(name))
    if clip.split != split:
        here = f"in {clip.split}" if clip.split else "in no split"
        raise line.refuse(f"{name} is {here} in this project. Split its video as in the files.")
    if not clip.label:
        raise line.refuse(f"{name} has no label in this project.")
    return clip


def _no_clip(name: str) -> str:
    return f"the project has no clip {name[:100]!r}. Import the labeled clips first."


def _check_direction(read: Read, line: Line, direction: tuple[str, str]) -> None:
    source, target = direction
    given = read.first_of.get(line.target, line.target)
    if (line.source or source, given or target) != direction:
        raise line.refuse(f"the clips are labeled {source} and {target} in this project.")
    if read.first_of[source] == target:
        raise line.refuse(f"the query and its target are both labeled {source}.")
    text = read.texts.get(direction)
    if text is None:
        if wrong := problem_with(line.text, read.limits):
            raise line.refuse(wrong)
        if UNSTORABLE.search(line.text):
            raise line.refuse("the modification contains a character that can't be stored.")
        read.texts[direction] = line.text
    elif text != line.text:
        raise line.refuse(f"another line has “{text}” from {source} to {target}. Use one text.")


def _store_modifications(
    project: Project,
    read: Read,
    labels: dict[str, ActionLabel],
    kinds: dict[frozenset[str], str],
    kind: str,
    admin: User | None,
) -> dict[tuple[str, str], Modification]:
    """Return the accepted modification of each direction, the project's own if it has the same
    text.
    """
    stored: dict[tuple[str, str], Modification] = {}
    for (source, target), text in sorted(read.texts.items()):
        first, second = sorted((labels[source], labels[target]), key=lambda label: label.pk)
        said = kinds.get(frozenset((read.first_of[source], target)), "")
        pair, _ = LabelPair.objects.get_or_create(
            first=first,
            second=second,
            defaults={"project": project, "similarity": 0.0, "encoder": "imported"},
        )
        if pair.kind == Kind.REJECT or (pair.kind and said not in ("", pair.kind)):
            raise ReviewError(f"{pair} is already decided in this project: {pair.kind}.")
        if not pair.kind:
            pair.kind, pair.decided_at = said or kind, timezone.now()
            pair.save(update_fields=["kind", "decided_at"])
        accepted, is_new = Modification.objects.get_or_create(
            pair=pair,
            source=labels[source],
            state=Modification.State.ACCEPTED,
            defaults={"target": labels[target], "text": text, "author": admin},
        )
        if not is_new and accepted.text != text:
            raise ReviewError(
                f"From {source} to {target} the project has “{accepted.text}”, but the files have "
                f"“{text}”."
            )
        stored[source, target] = accepted
    return stored
