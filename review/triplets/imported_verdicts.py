"""Verdicts of a release on its pairs and queries, stored as imported ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotate.text.storable import UNSTORABLE
from inference.queries import BATCH_SIZE
from review.errors import ReviewError
from review.exchange.tables import MAX_NAME_LENGTH
from review.modifications.text import Limits, problem_with
from review.pairs.models import LabelPair, PairVerdict
from review.reports.agreement_due import agreement_changed
from review.triplets.models import TargetVerdict, Triplet, TripletSet, TripletVerdict
from review.triplets.source import VerdictRow
from review.triplets.verdicts import retrieval_changed


def store_pair_verdicts(pair: LabelPair, verdicts_text: str) -> None:
    """Store verdicts such as “person-1 temporal; person-2 event”, unless the pair has them. Raises
    ReviewError."""
    have = set(pair.verdicts.exclude(label="").values_list("label", flat=True))
    rows = []
    for part in filter(None, verdicts_text.split("; ")):
        label, _, kind = part.rpartition(" ")
        if kind not in LabelPair.Kind.values or not 0 < len(label) <= MAX_NAME_LENGTH:
            raise ReviewError(
                f"pair_verdicts {verdicts_text[:100]!r} isn’t such as person-1 temporal."
            )
        if label not in have:
            rows.append(PairVerdict(pair=pair, label=label, kind=kind))
    PairVerdict.objects.bulk_create(rows)


def store_verdicts(
    triplets: TripletSet,
    judged: Mapping[tuple[str, int], Sequence[VerdictRow]],
    clips: Mapping[str, int],
    limits: Limits,
) -> None:
    """Store the verdicts on the queries of a new set, by split and place. Raises ReviewError."""
    verdicts: list[TripletVerdict] = []
    targets: list[TargetVerdict] = []
    for split in {split for split, _ in judged}:
        queries = list(triplets.queries.filter(split=split).order_by("pk"))
        own: dict[int, set[int]] = {query.pk: set() for query in queries}
        rows = Triplet.objects.filter(query__triplets=triplets, query__split=split)
        for key, clip in rows.order_by().values_list("query", "target"):
            own[key].add(clip)
        in_split = set(
            triplets.project.clips.filter(video__split=split).values_list("pk", flat=True)
        )
        for place, query in enumerate(queries):
            people: set[str] = set()
            for row in judged.get((split, place), ()):
                _check(row, own[query.pk], in_split - {query.clip_id}, clips, limits)
                if row.by in people:
                    raise row.spot.refuse(f"{row.by} has another verdict on this query. Keep one.")
                people.add(row.by)
                verdict = TripletVerdict(
                    query=query, label=row.by, is_right=row.right, is_enough=row.enough,
                    is_needed=row.needed, corrected=row.corrected,
                )  # fmt: skip
                verdicts.append(verdict)
                targets += _targets(verdict, row, clips)
    TripletVerdict.objects.bulk_create(verdicts, batch_size=BATCH_SIZE)
    for target in targets:
        target.verdict_id = target.verdict.pk
    TargetVerdict.objects.bulk_create(targets, batch_size=BATCH_SIZE)
    retrieval_changed(triplets.project)
    agreement_changed(triplets.project_id)


def _check(
    row: VerdictRow, own: set[int], free: set[int], clips: Mapping[str, int], limits: Limits
) -> None:
    if not 0 < len(row.by) <= MAX_NAME_LENGTH or UNSTORABLE.search(row.by):
        raise row.spot.refuse(f"by must be a name of 1 to {MAX_NAME_LENGTH} characters.")
    names = [*row.valid, *row.wrong, *row.added]
    if len(set(names)) < len(names):
        raise row.spot.refuse("valid, wrong and added name a clip twice. Keep it in one of them.")
    if {clips.get(name) for name in (*row.valid, *row.wrong)} != own:
        raise row.spot.refuse("valid and wrong must list each target of the query once.")
    for name in row.added:
        if clips.get(name) not in free - own:
            raise row.spot.refuse(
                f"added: {name[:100]!r} can’t be a target of this query. Remove it."
            )
    if row.corrected and (wrong := problem_with(row.corrected, limits)):
        raise row.spot.refuse(f"corrected: {wrong}")
    if UNSTORABLE.search(row.corrected):
        raise row.spot.refuse("corrected contains a character that can’t be stored. Remove it.")


def _targets(
    verdict: TripletVerdict, row: VerdictRow, clips: Mapping[str, int]
) -> list[TargetVerdict]:
    kinds = ((row.valid, True, False), (row.wrong, False, False), (row.added, True, True))
    return [
        TargetVerdict(verdict=verdict, clip_id=clips[name], is_valid=is_valid, is_added=is_added)
        for names, is_valid, is_added in kinds
        for name in names
    ]
