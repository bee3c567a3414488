"""A release's statements about people's work on its clips: the experts who signed off the texts
(CaReBench, ethical statement), and how often people identified a clip from a text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotate.models import Caption, Project
from annotate.signoff.queries import experts_who_agreed
from review.identification.computing import Pick, Share, shares_of
from review.identification.queries import picks_of
from review.releases.pseudonyms import signer_names
from review.verification.completeness import CompleteClip

SIGNED_OFF_BY = "signed_off_by"
# (full, spatial, temporal): the keys of a clip's captions
Texts = tuple[int, int, int]
IDENTIFIED = "identified"


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
        if len(experts.get(row.texts, [])) < needed and row.caption_id not in published
    ]


def signers_of(project: Project, rows: Sequence[CompleteClip]) -> dict[int, list[str]]:
    """Return, by clip, pseudonyms of the experts who have signed off its texts."""
    names = signer_names(project)
    signers: dict[Texts, list[str]] = defaultdict(list)
    for texts, experts in experts_who_agreed(project).items():
        signers[texts] += map(names.of, experts)
    return {row.clip_id: signers[row.texts] for row in rows if row.texts in signers}


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


def _published(project: Project) -> set[int]:
    published = Caption.objects.filter(project=project, source=Caption.Source.PUBLISHED)
    return set(published.order_by().values_list("pk", flat=True))


def _experts(number: int) -> str:
    return f"{number} expert{'' if number == 1 else 's'}"


def identified_of(
    project: Project, rows: Sequence[CompleteClip]
) -> dict[int, dict[str, dict[str, float]]]:
    """Return, by clip and kind of text, the picks of ended tests for exactly these texts: how many
    were right, how many there are, and how many guessing would get right."""
    captions = {key for row in rows for key in row.texts}
    by_clip: dict[int, list[Pick]] = defaultdict(list)
    for pick in picks_of(project, only_ended=True):
        if pick.caption in captions:
            by_clip[pick.clip].append(pick)
    return {
        clip: {
            share.kind: {
                "right": share.right,
                "picks": share.picks,
                "guessed": round(share.guessed, 6),
            }
            for share in shares_of(picks)
        }
        for clip, picks in by_clip.items()
    }


def add_up(provenances: Iterable[Mapping[str, Any]]) -> list[Share]:
    """Return a share for each kind of text that people were asked about."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0])
    for provenance in provenances:
        for kind, counts in provenance.get(IDENTIFIED, {}).items():
            for place, name in enumerate(("right", "picks", "guessed")):
                sums[kind][place] += counts[name]
    return [
        Share(kind=kind, category="", right=int(right), picks=int(picks), guessed=guessed)
        for kind, (right, picks, guessed) in sorted(sums.items())
    ]


def identification_sentence(shares: Sequence[Share]) -> str:
    """Return a sentence on the questions and the share of right answers; "" if nobody was asked."""
    if not shares:
        return ""
    parts = [
        f"{share.right:,} of {share.picks:,} picks by the {name_of(share.kind)} text alone "
        f"({share.chance:.0f} % by guessing)"
        for share in shares
        if share.chance is not None
    ]
    return (
        "People who had not worked on a clip picked it among similar ones of its subcategory: "
        f"right were {' and '.join(parts)}."
    )


def name_of(kind: str) -> str:
    return "merged" if kind == "general" else kind
