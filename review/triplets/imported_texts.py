"""Store the texts of imported triplets, with the decisions about their pairs of labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone

from annotate.models import ActionLabel, Project, User
from review.errors import ReviewError
from review.modifications.models import ImportedText, Modification
from review.pairs.models import LabelPair
from review.triplets.imported_verdicts import store_pair_verdicts

Kind = LabelPair.Kind
State = Modification.State
PAIR_VERDICTS = "pair_verdicts"
# Two keys of labels.
Direction = tuple[str, str]


@dataclass(frozen=True)
class DirectedText:
    """The text from one label to another, by their keys. `origin`: a release's statement about
    it.
    """

    source: str
    target: str
    text: str
    origin: Mapping[str, str] | None


def store_texts(
    project: Project,
    texts: Sequence[DirectedText],
    own_texts: Iterable[tuple[Direction, str]],
    labels: Mapping[str, ActionLabel],
    first_of: Mapping[str, str],
    kinds: Mapping[frozenset[str], str],
    kind: str,
    admin: User | None,
) -> dict[tuple[Direction, str], Modification]:
    """Return the modification of each direction, under "", and those of `own_texts`, which people
    have corrected for a query. Raises ReviewError.

    An existing text is reused. A text of a release has no author here, but keeps the release's
    statement about it. `kinds`: of each pair, `kind` for the others.
    """
    stored: dict[tuple[Direction, str], Modification] = {}
    for text in sorted(texts, key=lambda text: (text.source, text.target)):
        ends = (labels[text.source], labels[text.target])
        first, second = sorted(ends, key=lambda label: label.pk)
        stated_kind = kinds.get(frozenset((first_of[text.source], text.target)), "")
        pair = _decided(project, first, second, stated_kind, stated_kind or kind)
        stored[(text.source, text.target), ""] = _accepted(pair, text, labels, admin)
    for (source, target), own in sorted(own_texts):
        accepted = stored[(source, target), ""]
        values = {"pair": accepted.pair, "source": accepted.source, "text": own}
        edited = Modification.objects.filter(**values, state=State.EDITED).first()
        stored[(source, target), own] = edited or Modification.objects.create(
            **values, state=State.EDITED, target=accepted.target
        )
    return stored


def _decided(
    project: Project, first: ActionLabel, second: ActionLabel, stated_kind: str, kind: str
) -> LabelPair:
    pair, _ = LabelPair.objects.get_or_create(
        first=first,
        second=second,
        defaults={"project": project, "similarity": 0.0, "encoder": "imported"},
    )
    if pair.kind == Kind.REJECT or (pair.kind and stated_kind not in ("", pair.kind)):
        raise ReviewError(f"{pair} is already decided in this project: {pair.kind}.")
    if not pair.kind:
        pair.kind, pair.decided_at = kind, timezone.now()
        pair.save(update_fields=["kind", "decided_at"])
    return pair


def _accepted(
    pair: LabelPair, text: DirectedText, labels: Mapping[str, ActionLabel], admin: User | None
) -> Modification:
    accepted, is_new = Modification.objects.get_or_create(
        pair=pair,
        source=labels[text.source],
        state=State.ACCEPTED,
        defaults={
            "target": labels[text.target],
            "text": text.text,
            "author": None if text.origin is not None else admin,
        },
    )
    if not is_new and accepted.text != text.text:
        raise ReviewError(
            f"From {text.source} to {text.target} the project has “{accepted.text}”, but the files "
            f"have “{text.text}”."
        )
    if is_new and text.origin is not None:
        made = {name: value for name, value in text.origin.items() if name != PAIR_VERDICTS}
        ImportedText.objects.create(
            modification=accepted,
            source=(made.get("imported_from") or "a release")[:200],
            model=made.get("model", "")[:200],
            prompt=made.get("prompt", "")[:200],
            provenance=made,
        )
        store_pair_verdicts(pair, text.origin.get(PAIR_VERDICTS, ""))
    return accepted
