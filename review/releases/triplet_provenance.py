"""Who or what wrote the texts of a set, and people's verdicts on its queries."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from review.modifications.models import Modification
from review.pairs.models import PairVerdict
from review.releases.pseudonyms import Pseudonyms
from review.releases.triplet_content import TextLine
from review.triplets.models import TargetVerdict, TripletSet, TripletVerdict


def text_lines(triplets: TripletSet, names: Pseudonyms) -> list[TextLine]:
    used = triplets.queries.order_by().values("modification")
    rows = Modification.objects.filter(pk__in=used).select_related(
        "source", "target", "pair", "model", "prompt", "parent__model", "assignment", "imported"
    )
    judged = _pair_verdicts(triplets, names)
    texts = [
        TextLine(
            source=text.source.key,
            target=text.target.key,
            kind=text.pair.kind,
            text=text.text,
            provenance=_made(text, names) | {"pair_verdicts": judged.get(text.pair_id, "")},
        )
        for text in rows
    ]
    return sorted(texts, key=lambda text: (text.source, text.target, text.text))


def _made(text: Modification, names: Pseudonyms) -> dict[str, str]:
    """Return who or what wrote the text, and who accepted it."""
    imported = getattr(text, "imported", None)
    if imported and imported.provenance:
        return names.repeated(imported.provenance)
    person = text.assignment.annotator_id if text.assignment else text.author_id
    made = {
        "made": "imported" if imported else "model" if text.model else "person",
        "decided_by": names.of(person),
    }
    if imported:
        made |= {
            "model": imported.model, "prompt": imported.prompt, "imported_from": imported.source
        }  # fmt: skip
    elif text.model:
        made |= {"model": text.model.name, "prompt": str(text.prompt or "")}
    if text.parent:
        made["edited_from"] = text.parent.model.name if text.parent.model else "a person’s text"
    return made


def _pair_verdicts(triplets: TripletSet, names: Pseudonyms) -> dict[int, str]:
    """Return each person's newest verdict on each pair that the set uses."""
    pairs = triplets.queries.order_by().values("modification__pair")
    rows = PairVerdict.objects.filter(pair__in=pairs).order_by("pk")
    newest: dict[int, dict[str, str]] = defaultdict(dict)
    for pair, person, label, kind in rows.values_list("pair", "person", "label", "kind"):
        newest[pair][names.of(person, label)] = kind
    return {
        pair: "; ".join(f"{who} {kind}" for who, kind in sorted(verdicts.items()))
        for pair, verdicts in newest.items()
    }


def verdict_lines(triplets: TripletSet, names: Pseudonyms) -> dict[int, list[dict[str, Any]]]:
    clips: dict[int, dict[str, list[str]]] = defaultdict(
        lambda: {"valid": [], "wrong": [], "added": []}
    )
    targets = TargetVerdict.objects.filter(verdict__query__triplets=triplets).order_by("pk")
    for verdict, name, is_valid, is_added in targets.values_list(
        "verdict", "clip__name", "is_valid", "is_added"
    ):
        kind = "added" if is_added else "valid" if is_valid else "wrong"
        clips[verdict][kind].append(name)
    verdicts: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in TripletVerdict.objects.filter(query__triplets=triplets).order_by("pk"):
        verdicts[row.query_id].append(
            {
                "by": names.of(row.person_id, row.label),
                "right": row.is_right,
                "enough": row.is_enough,
                "needed": row.is_needed,
                "corrected": row.corrected,
                **clips[row.pk],
            }
        )
    return dict(verdicts)
