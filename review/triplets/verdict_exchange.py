"""People's verdicts on the composed queries of a set, as a table (docs/formats.md)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotate.datasets.faults import Faults
from annotate.models import Clip, Project, User, Video
from inference.queries import BATCH_SIZE
from review.display.tables import yes
from review.errors import ReviewError
from review.exchange.tables import (
    Choices,
    Plan,
    Row,
    Table,
    counted,
    is_annotator,
    is_storable,
    numbers_for,
)
from review.modifications.queries import word_limits
from review.reports.agreement_due import agreement_changed
from review.triplets.content import ANSWERS, TripletJudgment, problems_of
from review.triplets.models import (
    ComposedQuery,
    TargetVerdict,
    Triplet,
    TripletSet,
    TripletVerdict,
)
from review.triplets.queries import newest_triplets
from review.triplets.verdicts import retrieval_changed, target_verdicts

QUESTIONS = ("right", "enough", "needed")
TARGETS = ("valid", "wrong", "added")


def chosen_set(project: Project, choices: Choices) -> TripletSet:
    """Return the finished set of this number, or the newest. Raises ReviewError."""
    if choices.set_number is None:
        newest = newest_triplets(project)
        if newest is None:
            raise ReviewError("There are no triplets yet. Generate or import a set first.")
        return newest
    numbered = TripletSet.objects.filter(
        project=project, number=choices.set_number, state=TripletSet.State.FINISHED
    ).first()
    if numbered is None:
        raise ReviewError(f"No finished set {choices.set_number}. Choose another one.")
    return numbered


def _rows(project: Project, choices: Choices) -> Iterator[tuple[object, ...]]:
    """Yield the verdicts in the order of queries and annotators, with numbers instead of names."""
    triplets = chosen_set(project, choices)
    everybody = TripletVerdict.objects.filter(query__triplets__project=project).order_by("pk")
    people = everybody.filter(person__isnull=False).values_list("person", flat=True)
    numbers = numbers_for(people, everybody.exclude(label="").values_list("label", flat=True))
    clips: dict[int, dict[str, list[str]]] = defaultdict(lambda: {name: [] for name in TARGETS})
    of_targets = TargetVerdict.objects.filter(verdict__query__triplets=triplets)
    for key, name, is_valid, is_added in of_targets.order_by("clip__name").values_list(
        "verdict", "clip__name", "is_valid", "is_added"
    ):
        kind = "added" if is_added else "valid" if is_valid else "wrong"
        clips[key][kind].append(name)
    verdicts = everybody.filter(query__triplets=triplets).select_related(
        "query__clip", "query__modification__source", "query__modification__target"
    )
    named = [
        (verdict, numbers[verdict.person_id] if verdict.person_id else verdict.label)
        for verdict in verdicts
    ]
    for verdict, annotator in sorted(named, key=_order):
        query = verdict.query
        yield (
            *_key(query),
            query.modification.text,
            annotator,
            *(yes(answer) for answer in (verdict.is_right, verdict.is_enough, verdict.is_needed)),
            *(json.dumps(clips[verdict.pk][name], ensure_ascii=False) for name in TARGETS),
            verdict.corrected,
            verdict.remark,
        )


def _order(named: tuple[TripletVerdict, str]) -> tuple[str, ...]:
    return (*_key(named[0].query), named[1])


def _key(query: ComposedQuery) -> tuple[str, str, str]:
    modification = query.modification
    return query.clip.name, modification.source.key, modification.target.key


@dataclass(frozen=True)
class KnownQuery:
    """`targets`: the keys of the clips, by name."""

    query: ComposedQuery
    targets: Mapping[str, int]


class _Reader:
    """Reads the rows against the queries of a set."""

    def __init__(self, triplets: TripletSet, faults: Faults) -> None:
        self.faults, self.triplets = faults, triplets
        self.limits = word_limits(triplets.project)
        targets: dict[int, dict[str, int]] = defaultdict(dict)
        of_set = Triplet.objects.filter(query__triplets=triplets)
        for query, name, clip in of_set.values_list("query", "target__name", "target"):
            targets[query][name] = clip
        queries = triplets.queries.select_related(
            "clip", "modification__source", "modification__target"
        )
        self.queries = {_key(query): KnownQuery(query, targets[query.pk]) for query in queries}
        clips = Clip.objects.filter(project=triplets.project_id)
        self.clips = {
            name: (key, split)
            for name, key, split in clips.values_list("name", "pk", "video__split")
        }

    def query(self, where: str, cells: Mapping[str, str]) -> KnownQuery | None:
        columns = ("query_video", "label1", "label2")
        clip, source, target = (cells[column] for column in columns)
        listed = self.queries.get((clip, source, target))
        if listed is None:
            mend = f"Set {self.triplets.number} has no such query. Import its triplets first."
            self.faults.add(where, "query_video", mend)
            return None
        text = listed.query.modification.text
        if cells["modification"] != text:
            self.faults.add(
                where, "modification", f"The text of this query is “{text}” here. Use that text."
            )
            return None
        return listed

    def judgment(
        self, where: str, cells: Mapping[str, str], listed: KnownQuery
    ) -> TripletJudgment | None:
        lists = {name: self._names(where, name, cells[name]) for name in TARGETS}
        valid, wrong, added = (lists[name] for name in TARGETS)
        if valid is None or wrong is None or added is None:
            return None
        if sorted([*valid, *wrong]) != sorted(listed.targets):
            mend = f"valid and wrong must list each target once: {', '.join(listed.targets)}."
            self.faults.add(where, "valid", mend)
            return None
        for name in added:
            key, split = self.clips.get(name, (0, ""))
            is_free = key != listed.query.clip_id and name not in listed.targets
            if not (key and split == listed.query.split and is_free):
                mend = f"{name[:100]!r} can't be a target of this query. Remove it."
                self.faults.add(where, "added", mend)
                return None
        return TripletJudgment(
            **{f"is_{name}": ANSWERS.get(cells[name]) for name in QUESTIONS},
            corrected=" ".join(cells.get("corrected", "").split()),
            targets={listed.targets[name]: name in valid for name in [*valid, *wrong]},
            added=tuple(self.clips[name][0] for name in added),
            remark=cells.get("remark", ""),
        )

    def _names(self, where: str, column: str, cell: str) -> list[str] | None:
        try:
            names = json.loads(cell or "[]")
        except (ValueError, RecursionError):
            names = None
        is_list = isinstance(names, list) and all(isinstance(name, str) for name in names)
        if not is_list or len(set(names)) != len(names):
            mend = 'Give a JSON list of different names, such as ["dive-1", "dive-2"].'
            self.faults.add(where, column, mend)
            return None
        return list(names)


def _plan(project: Project, rows: Sequence[Row], faults: Faults, choices: Choices) -> Plan:
    triplets = chosen_set(project, choices)
    reader = _Reader(triplets, faults)
    imported = TripletVerdict.objects.filter(query__triplets=triplets).exclude(label="")
    stored = set(imported.values_list("query", "label"))
    places: dict[tuple[int, str], str] = {}
    new: list[tuple[KnownQuery, str, TripletJudgment]] = []
    present = 0
    for where, cells in rows:
        listed, annotator = reader.query(where, cells), cells["annotator"]
        if not is_annotator(where, annotator, faults) or not is_storable(where, cells, faults):
            continue
        judgment = reader.judgment(where, cells, listed) if listed else None
        if listed is None or judgment is None:
            continue
        key = (listed.query.pk, annotator)
        earlier = places.setdefault(key, where)
        if earlier != where:
            mend = f"{annotator} judges this query at {earlier} already. Keep one."
            faults.add(where, "annotator", mend)
            continue
        problems = problems_of(judgment, listed.query.modification.text, reader.limits)
        for problem in problems:
            faults.add(where, problem.field, problem.message)
        if key in stored:
            present += 1
        elif not problems:
            new.append((listed, annotator, judgment))

    def store(admin: User | None) -> None:
        verdicts = TripletVerdict.objects.bulk_create(
            [
                TripletVerdict(
                    query=listed.query,
                    label=annotator,
                    is_right=bool(judgment.is_right),
                    is_enough=bool(judgment.is_enough),
                    is_needed=bool(judgment.is_needed),
                    corrected=judgment.corrected,
                    remark=judgment.remark,
                )
                for listed, annotator, judgment in new
            ],
            batch_size=BATCH_SIZE,
        )
        TargetVerdict.objects.bulk_create(
            [
                target
                for verdict, (_, _, judgment) in zip(verdicts, new, strict=True)
                for target in target_verdicts(verdict, judgment)
            ],
            batch_size=BATCH_SIZE,
        )
        if any(listed.query.split == Video.Split.TEST for listed, _, _ in new):
            retrieval_changed(project)
        agreement_changed(project.pk)

    people = len({annotator for _, annotator, _ in new})
    sentences = [
        f"{counted(len(new), 'verdict', 'verdicts')} of "
        f"{counted(people, 'annotator', 'annotators')} on queries of set {triplets.number} are "
        "added as imported. They count like those of people here.",
    ]
    if present:
        stay = counted(present, "verdict is here already and stays", "are here already and stay")
        sentences.append(f"{stay} as imported before.")
    return Plan(len(new), sentences, store)


QUERY_VERDICTS = Table(
    key="query-verdicts",
    title="Verdicts on queries",
    about="What each person said about a query of a set, its text and its targets.",
    columns=(
        *("query_video", "label1", "label2", "modification", "annotator"),
        *QUESTIONS,
        *TARGETS,
        *("corrected", "remark"),
    ),
    needed=11,
    empty="Nobody has verified a query of this set yet.",
    rows=_rows,
    plan=_plan,
)
