"""A release's statement about the experts who signed off its texts (CaReBench, ethical
statement).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.models import Caption, Project, SignOff
from annotate.signoff.queries import experts_who_agreed
from review.frozen.records import RestoredRecord
from review.releases.pseudonyms import signer_names
from review.verification.completeness import CompleteClip

SIGNED_OFF_BY = "signed_off_by"
# (full, spatial, temporal): the keys of a clip's captions
Texts = tuple[int, int, int]


def without_sign_offs(
    project: Project, rows: Sequence[CompleteClip], *, at_least: int | None = None
) -> list[CompleteClip]:
    """Return the clips that lack sign-offs, as many as the project asks for, but `at_least`. Clips
    with the human captions of a published data set need none."""
    needed = max(project.sign_offs, at_least or 0)
    experts = experts_who_agreed(project)
    published = _published(project)
    return [
        row
        for row in rows
        if len(experts.get(_texts(row), [])) < needed and row.caption_id not in published
    ]


def signers_of(project: Project, rows: Sequence[CompleteClip]) -> dict[int, list[str]]:
    """Return, by clip, pseudonyms of the experts who have signed off its texts, in the project or
    in an imported release."""
    names = signer_names(project)
    signers: dict[Texts, list[str]] = defaultdict(list)
    for texts, label in _restored(project):
        signers[texts].append(names.of(None, label))
    for texts, experts in experts_who_agreed(project).items():
        signers[texts] += map(names.of, experts)
    return {row.clip_id: signers[_texts(row)] for row in rows if _texts(row) in signers}


def _restored(project: Project) -> Iterator[tuple[Texts, str]]:
    """Yield the texts and the expert of each sign-off of imported releases."""
    rows = RestoredRecord.objects.filter(project=project, file=RestoredRecord.File.SIGN_OFFS)
    agreed = rows.filter(values__verdict=SignOff.Verdict.AGREE).order_by("pk")
    for values in agreed.values_list("values", flat=True).iterator():
        texts = (values["caption"], values["spatial_caption"], values["temporal_caption"])
        yield texts, values["by"]


@dataclass(frozen=True)
class SignedOff:
    """`by_experts`: number of experts -> clips that so many have signed off. `experts`: their total
    number.
    """

    clips: int
    by_experts: tuple[tuple[int, int], ...]
    experts: int

    @property
    def signed(self) -> int:
        return sum(clips for _, clips in self.by_experts)

    @property
    def sentence(self) -> str:
        """Return a sentence on the sign-offs; "" without any."""
        if not self.signed:
            return ""
        counts = ", ".join(f"{clips:,} by {_experts(number)}" for number, clips in self.by_experts)
        clips = f"{self.clips:,} clip{'' if self.clips == 1 else 's'}"
        return (
            f"Experts signed off all three texts of {self.signed:,} of {clips}: {counts}; "
            f"{_experts(self.experts)} in all. "
            "Nobody signed off a clip whose texts they had worked on."
        )


def count_signed(provenances: Iterable[Mapping[str, Any]]) -> SignedOff:
    signers: list[list[str]] = [provenance.get(SIGNED_OFF_BY, []) for provenance in provenances]
    by_experts = Counter(len(of_clip) for of_clip in signers if of_clip)
    return SignedOff(
        clips=len(signers),
        by_experts=tuple(sorted(by_experts.items(), reverse=True)),
        experts=len({signer for of_clip in signers for signer in of_clip}),
    )


def who_made(provenances: Iterable[Mapping[str, Any]]) -> str:
    """Return one sentence on where the captions come from."""
    sources = Counter(provenance.get("captions_from", "") for provenance in provenances)
    by_people = sources.pop("", 0)
    parts = [f"taken from {name}" for name in sorted(sources)]
    if not by_people or not sources:
        made = ["written, merged and split by people"] if by_people else []
        return f"The captions were {' and '.join([*made, *parts])}."
    counted = [f"{sources[name]:,} taken from {name}" for name in sorted(sources)]
    made = [f"{by_people:,} written, merged and split by people", *counted]
    return f"By clips, the captions were {', '.join(made)}."


def _texts(row: CompleteClip) -> Texts:
    return row.caption_id, row.spatial_id, row.temporal_id


def _published(project: Project) -> set[int]:
    published = Caption.objects.filter(project=project, source=Caption.Source.PUBLISHED)
    return set(published.order_by().values_list("pk", flat=True))


def _experts(number: int) -> str:
    return f"{number} expert{'' if number == 1 else 's'}"
