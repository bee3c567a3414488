"""Label pairs and people's verdicts on them, as tables (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from django.utils import timezone

from annotate.datasets.faults import Faults
from annotate.models import ActionLabel, Project, User, WorkItem
from inference.queries import BATCH_SIZE
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
from review.pairs.decisions import announce
from review.pairs.events import candidate_of
from review.pairs.models import LabelPair, PairVerdict
from review.pairs.services import decide_by_imported
from review.reports.agreement_due import agreement_changed

Kind = LabelPair.Kind
MAX_ENCODER_LENGTH = 200
IMPORTED = "imported"  # the encoder of a pair whose file names none


@dataclass(frozen=True)
class KnownPair:
    key: int
    kind: str


class PairFinder:
    """Finds the labels, and the pair, that a row names."""

    def __init__(self, project: Project, faults: Faults) -> None:
        self.faults = faults
        self.labels = {label.key: label for label in ActionLabel.objects.filter(project=project)}
        rows = LabelPair.objects.filter(project=project).order_by()
        self.pairs = {
            (first, second): KnownPair(key, kind)
            for first, second, key, kind in rows.values_list("first", "second", "pk", "kind")
        }

    def ends(self, where: str, cells: Mapping[str, str]) -> tuple[ActionLabel, ActionLabel] | None:
        """Return the labels of the columns label1 and label2."""
        ends = []
        for column in ("label1", "label2"):
            label = self.labels.get(cells[column])
            if label is None:
                name = repr(cells[column][:100])
                self.faults.add(where, column, f"The project has no label {name}. Import it first.")
            else:
                ends.append(label)
        if len(ends) < 2:
            return None
        if ends[0] == ends[1]:
            self.faults.add(where, "label2", "Both labels are the same. Name another one.")
            return None
        return ends[0], ends[1]

    def pair(self, first: ActionLabel, second: ActionLabel) -> KnownPair | None:
        low, high = sorted((first.pk, second.pk))
        return self.pairs.get((low, high))

    def stored(
        self, where: str, cells: Mapping[str, str]
    ) -> tuple[ActionLabel, ActionLabel, KnownPair] | None:
        """Return the labels and their pair, which must be in the project."""
        ends = self.ends(where, cells)
        if ends is None:
            return None
        pair = self.pair(*ends)
        if pair is None:
            mend = "These labels are not a pair here. Import the pairs, or compare the labels."
            self.faults.add(where, "label2", mend)
            return None
        return *ends, pair


def _pair_rows(project: Project, choices: Choices) -> Iterator[tuple[object, ...]]:
    """Yield the pairs, most similar first; in a row the labels are in the order of their keys."""
    pairs = (
        LabelPair.objects.filter(project=project)
        .order_by()
        .values_list("first__key", "second__key", "similarity", "encoder", "candidate", "kind")
    )
    rows = [
        (min(first, second), max(first, second), similarity, encoder, candidate, kind)
        for first, second, similarity, encoder, candidate, kind in pairs
    ]
    yield from sorted(rows, key=lambda row: (-row[2], row[0], row[1]))


def _plan_pairs(project: Project, rows: Sequence[Row], faults: Faults, choices: Choices) -> Plan:
    finder = PairFinder(project, faults)
    items = WorkItem.objects.filter(project=project, kind="pair")
    judged_here = set(
        items.exclude(state=WorkItem.State.CANCELLED).values_list("subject", flat=True)
    )
    places: dict[tuple[int, int], str] = {}
    new: list[LabelPair] = []
    decisions: dict[int, str] = {}
    left = 0
    for where, cells in rows:
        pair = _read_pair(project, finder, where, cells, places)
        if pair is None:
            continue
        stored_pair = finder.pairs.get((pair.first_id, pair.second_id))
        if stored_pair is None:
            new.append(pair)
        elif pair.kind in ("", stored_pair.kind):
            continue
        elif stored_pair.kind:
            mend = f"The pair is decided as {stored_pair.kind} here. Give that, or leave it empty."
            faults.add(where, "decision", mend)
        elif stored_pair.key in judged_here:
            left += 1
        else:
            decisions[stored_pair.key] = pair.kind

    def store(admin: User | None) -> None:
        created = LabelPair.objects.bulk_create(new, batch_size=BATCH_SIZE)
        for pair in created:
            if pair.kind:
                announce(pair, "")
        for pair in LabelPair.objects.filter(project=project, kind="") if decisions else []:
            if pair.pk in decisions:
                pair.kind, pair.decided_at = decisions[pair.pk], timezone.now()
                pair.save(update_fields=["kind", "decided_at"])
                announce(pair, "")

    decided = sum(bool(pair.kind) for pair in new) + len(decisions)
    sentences = [
        f"{counted(len(new), 'label pair is', 'label pairs are')} added, and "
        f"{counted(decided, 'decision', 'decisions')} stored.",
        *(["Decided changes open the work on their modification texts."] if decided else []),
        *(
            [f"{counted(left, 'pair stays', 'pairs stay')} undecided: people here judge them."]
            if left
            else []
        ),
    ]
    return Plan(len(new) + len(decisions), sentences, store)


def _read_pair(
    project: Project,
    finder: PairFinder,
    where: str,
    cells: Mapping[str, str],
    places: dict[tuple[int, int], str],
) -> LabelPair | None:
    """Return the unsaved pair of a row, or None with its faults."""
    ends = finder.ends(where, cells)
    similarity = _similarity(where, cells.get("similarity", ""), finder.faults)
    encoder = cells.get("encoder", "") or IMPORTED
    if len(encoder) > MAX_ENCODER_LENGTH:
        finder.faults.add(where, "encoder", f"Shorten it to {MAX_ENCODER_LENGTH} characters.")
        return None
    candidate, kind = cells.get("candidate", ""), cells.get("decision", "")
    if candidate not in ("", Kind.TEMPORAL, Kind.EVENT):
        finder.faults.add(where, "candidate", "Give temporal or event, or leave it empty.")
        return None
    if kind not in ("", *Kind.values):
        finder.faults.add(where, "decision", "Give temporal, event or reject, or leave it empty.")
        return None
    if ends is None or similarity is None:
        return None
    first, second = sorted(ends, key=lambda label: label.pk)
    earlier = places.setdefault((first.pk, second.pk), where)
    if earlier != where:
        finder.faults.add(where, "label2", f"This pair is at {earlier} already. Keep one.")
        return None
    return LabelPair(
        project=project,
        first=first,
        second=second,
        similarity=similarity,
        encoder=encoder,
        candidate=candidate or candidate_of(first.event, second.event),
        kind=kind,
        decided_at=timezone.now() if kind else None,
    )


def _similarity(where: str, cell: str, faults: Faults) -> float | None:
    try:
        similarity = float(cell or 0)
    except ValueError:
        similarity = float("nan")
    if isfinite(similarity) and -1.001 <= similarity <= 1.001:
        return similarity
    faults.add(where, "similarity", "Give a number from -1 to 1, or leave it empty.")
    return None


def _verdict_rows(project: Project, choices: Choices) -> Iterator[tuple[object, ...]]:
    """Yield everybody's newest verdict on each pair, with numbers instead of names."""
    verdicts = PairVerdict.objects.filter(pair__project=project).order_by("pk")
    people = verdicts.filter(person__isnull=False).values_list("person", flat=True)
    labels = verdicts.exclude(label="").values_list("label", flat=True)
    numbers = numbers_for(people, labels)
    newest = {}
    for first, second, person, label, kind in verdicts.values_list(
        "pair__first__key", "pair__second__key", "person", "label", "kind"
    ):
        newest[*sorted((first, second)), label or numbers[person]] = kind
    for ends_and_annotator, kind in sorted(newest.items()):
        yield *ends_and_annotator, kind


def _plan_verdicts(project: Project, rows: Sequence[Row], faults: Faults, choices: Choices) -> Plan:
    finder = PairFinder(project, faults)
    imported = PairVerdict.objects.filter(pair__project=project).exclude(label="")
    stored = {
        (pair, label): kind for pair, label, kind in imported.values_list("pair", "label", "kind")
    }
    places: dict[tuple[int, str], str] = {}
    new: list[PairVerdict] = []
    for where, cells in rows:
        ends = finder.stored(where, cells)
        annotator, kind = cells["annotator"], cells["verdict"]
        if kind not in Kind.values:
            faults.add(where, "verdict", "Give temporal, event or reject.")
            continue
        is_named = is_annotator(where, annotator, faults) and is_storable(where, cells, faults)
        if ends is None or not is_named:
            continue
        key = (ends[2].key, annotator)
        earlier = places.setdefault(key, where)
        if earlier != where:
            mend = f"{annotator} judges this pair at {earlier} already. Keep one."
            faults.add(where, "annotator", mend)
        elif stored.get(key, kind) != kind:
            mend = f"{annotator} is imported with the verdict {stored[key]}. Use another name."
            faults.add(where, "annotator", mend)
        elif key not in stored:
            new.append(PairVerdict(pair_id=ends[2].key, label=annotator, kind=kind))

    def store(admin: User | None) -> None:
        PairVerdict.objects.bulk_create(new, batch_size=BATCH_SIZE)
        judged = {verdict.pair_id for verdict in new}
        for pair in LabelPair.objects.filter(project=project, kind=""):
            if pair.pk in judged:
                decide_by_imported(pair)
        agreement_changed(project.pk)

    people = len({verdict.label for verdict in new})
    sentences = [
        f"{counted(len(new), 'verdict', 'verdicts')} of "
        f"{counted(people, 'annotator', 'annotators')} are added as imported.",
        "An undecided pair that nobody here judges is decided by the majority of its verdicts.",
    ]
    return Plan(len(new), sentences, store)


PAIRS = Table(
    key="pairs",
    title="Label pairs",
    about="Two labels, their similarity, and what was decided: temporal, event or reject.",
    columns=("label1", "label2", "similarity", "encoder", "candidate", "decision"),
    needed=2,
    empty="There are no label pairs yet. Compare the labels first.",
    rows=_pair_rows,
    plan=_plan_pairs,
)
PAIR_VERDICTS = Table(
    key="pair-verdicts",
    title="Verdicts on label pairs",
    about="What each person said about a pair. People are numbers; imported ones keep their name.",
    columns=("label1", "label2", "annotator", "verdict"),
    needed=4,
    empty="Nobody has judged a label pair yet.",
    rows=_verdict_rows,
    plan=_plan_verdicts,
)
