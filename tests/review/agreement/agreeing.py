"""Labels that several people give the same things, for tests."""

from __future__ import annotations

from collections.abc import Sequence

from annotate.models import Assignment, Caption, Clip, DynamicsVerdict, Project, User, WorkItem
from review.captions.models import CaptionSet
from review.comparisons.models import (
    CaptionPair,
    Round,
    System,
    SystemCaption,
    SystemPair,
    Vote,
)
from review.pairs.models import LabelPair, PairVerdict
from review.ratings.models import Rating
from review.studies.models import Study
from review.triplets.models import ComposedQuery, TargetVerdict, TripletVerdict
from review.verification.judgment import Judgment, Missing, Verdict
from review.verification.models import Verification
from review.verification.recording import record_verification
from tests.cast import make_clip
from tests.hand_work import machine_caption

THREE = "A man opens a door. He wears a red cap. A dog barks."


def task_of(person: User, clip: Clip, kind: str, subject: int = 0) -> Assignment:
    item, _ = WorkItem.objects.get_or_create(
        project=clip.project, clip=clip, kind=kind, subject=subject
    )
    return Assignment.objects.create(
        item=item, annotator=person, state="submitted", lease_expires_at="2026-01-01T00:00:00Z"
    )


def label_sentences(
    caption: Caption,
    by: User | str,
    *types: str,
    missing: Sequence[int] = (),
    fits: bool = True,
) -> Verification:
    """Store the types that `by`, a person or an imported label, gives each sentence."""
    judgment = Judgment(
        tuple(
            Verdict(frozenset(letters) - {"#"}, "Better." if letters.strip("C#") else "")
            for letters in types
        ),
        tuple(Missing(place, "He climbs a rope.", 0, 100) for place in missing),
        fits,
    )
    who = {"label": by} if isinstance(by, str) else {"reviewer": by}
    return record_verification(caption=caption, judgment=judgment, **who)


def rate_all(project: Project, people: Sequence[User], rows: Sequence[Sequence[int | None]]):
    """Store ratings: a row per caption with a value per person, None where there is no rating."""
    study = Study.objects.create(project=project, kind="rating", people=2, per_rater=99)
    for values in rows:
        caption = machine_caption(make_clip(project), THREE)
        for person, value in zip(people, values, strict=True):
            if value is not None:
                Rating.objects.create(
                    caption=caption,
                    study=study,
                    rater=person,
                    assignment=task_of(person, caption.clip, "rate", caption.pk),
                    value=value,
                )


def call_dynamic(clip: Clip, person: User, is_dynamic: bool) -> DynamicsVerdict:
    return DynamicsVerdict.objects.create(
        video=clip.video,
        assignment=task_of(person, clip, "dynamics", clip.pk),
        is_dynamic=is_dynamic,
    )


def call_pair(pair: LabelPair, clip: Clip, person: User, kind: str) -> PairVerdict:
    assignment = task_of(person, clip, "pair", pair.pk)
    return PairVerdict.objects.create(pair=pair, person=person, assignment=assignment, kind=kind)


def call_targets(
    query: ComposedQuery,
    person: User,
    *valid: bool,
    right: bool = True,
    added: Clip | None = None,
) -> TripletVerdict:
    """Store the person's verdict on each target, in order; the text is enough and needed."""
    verdict = TripletVerdict.objects.create(
        query=query,
        person=person,
        assignment=task_of(person, query.clip, "triplet", query.pk),
        is_right=right,
        is_enough=True,
        is_needed=True,
    )
    for triplet, is_valid in zip(query.targets.all(), valid, strict=True):
        TargetVerdict.objects.create(verdict=verdict, clip=triplet.target, is_valid=is_valid)
    if added is not None:
        TargetVerdict.objects.create(verdict=verdict, clip=added, is_valid=True, is_added=True)
    return verdict


def open_round(project: Project, clips: int) -> SystemPair:
    """Store an ended round of two models, each with a caption of every new clip."""
    number = Round.objects.filter(project=project).count()
    ended = {"ended_at": "2026-01-01T00:00:00Z"}
    ended_round = Round.objects.create(project=project, kind="general", votes_per_pair=9, **ended)
    systems = [
        System.objects.create(
            round=ended_round,
            name=name,
            caption_set=CaptionSet.objects.create(
                project=project, name=f"{name} {number}", kind="general"
            ),
        )
        for name in ("Model A", "Model B")
    ]
    for _ in range(clips):
        clip = make_clip(project)
        for system in systems:
            SystemCaption.objects.create(
                system=system, clip=clip, caption=machine_caption(clip, f"{THREE} {system.name}")
            )
    return SystemPair.objects.create(
        round=ended_round, first=systems[0], second=systems[1], clips=clips
    )


def vote(
    pair: SystemPair,
    place: int,
    by: User | str,
    outcome: str,
    *,
    first_left: bool = True,
    repeat_of: Vote | None = None,
) -> Vote:
    """Store a vote by `by` on the clip in this place."""
    captions = [
        SystemCaption.objects.filter(system=system).order_by("clip")[place]
        for system in (pair.first, pair.second)
    ]
    left, right = captions if first_left else reversed(captions)
    caption_pair = CaptionPair.objects.create(
        round=pair.round,
        pair=pair,
        clip=left.clip,
        left=left,
        right=right,
        repeat_of=repeat_of.caption_pair if repeat_of else None,
        **({"label": by} if isinstance(by, str) else {"reviewer": by}),
    )
    return Vote.objects.create(caption_pair=caption_pair, outcome=outcome)


def correct(before: Vote, outcome: str) -> Vote:
    return Vote.objects.create(caption_pair=before.caption_pair, outcome=outcome, corrects=before)
