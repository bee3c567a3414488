"""Opens and ends rounds of blind comparisons (CaReBench, appendix C)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from annotate.audit import record_event
from annotate.jobs.parameters import read_parameters
from annotate.jobs.services.starting import start_job
from annotate.models import Assignment, Project, User, WorkItem
from annotate.models.jobs import Job
from annotate.stored_json import as_json
from inference.queries import BATCH_SIZE
from review.captions.models import CaptionSet
from review.comparisons.models import (
    CaptionPair,
    Round,
    RoundClip,
    System,
    SystemCaption,
    SystemPair,
)
from review.errors import ReviewError
from review.rounds.entries import (
    Entries,
    comparable_clips,
    drawn_clips,
    entries_of,
    refuse_too_many,
)
from review.studies.models import MAX_SEED

# CaReBench, Table 13. The standard deviation has no effect, but the table has it.
TABLE_13 = {"initial": 1000, "initial_sd": 300, "base": 10, "scale": 400, "k": 32, "floor": 700}
MAX_SYSTEMS = 40
OPEN_ROUND = "round"
MAX_VOTES = 1_000_000


@dataclass(frozen=True)
class RoundParameters:
    """The arguments of `open_round`, with the keys of `sets`."""

    sets: Sequence[int]
    votes_per_pair: int
    clips: int | None
    repeat_percent: int
    shared_percent: int
    names_shown: str
    both_bad_is_tie: bool
    seed: int


@transaction.atomic
def open_round(
    *,
    project: Project,
    admin: User | None,
    sets: Sequence[CaptionSet],
    votes_per_pair: int,
    clips: int | None = None,
    repeat_percent: int = 5,
    shared_percent: int = 10,
    names_shown: str = Round.NamesShown.AFTER_VOTE,
    both_bad_is_tie: bool = True,
    seed: int = 0,
) -> Round:
    """Have reviewers compare the sets' captions over `clips` clips drawn by `seed` (None: all).

    A clip takes part if at least two of the sets have a caption that can be shown. A caption that
    names its model is stored with the round but never shown. Raises ReviewError, with what to fix.
    Reads every caption, so pages let a worker do it with `start_round`.
    """
    # One at a time, so that two admins don't open two rounds.
    project = Project.objects.lock(project.pk)
    check_asked(project, sets, votes_per_pair, repeat_percent, shared_percent, seed)
    entries = entries_of(sets)
    drawn = drawn_clips(entries, clips, seed)
    opened = Round.objects.create(
        project=project,
        kind=sets[0].kind,
        seed=seed,
        votes_per_pair=votes_per_pair,
        repeat_percent=repeat_percent,
        shared_percent=shared_percent,
        names_shown=names_shown,
        elo=TABLE_13,
        both_bad_is_tie=both_bad_is_tie,
        created_by=admin,
    )
    RoundClip.objects.bulk_create(
        [RoundClip(round=opened, clip_id=clip, place=place) for place, clip in enumerate(drawn)],
        batch_size=BATCH_SIZE,
    )
    systems = [_enter(opened, caption_set, entries[caption_set.pk], drawn) for caption_set in sets]
    _pair_up(opened, systems, [entries[caption_set.pk] for caption_set in sets], drawn)
    record_event(
        actor=admin,
        verb="open comparison round",
        subject=opened,
        project=project,
        after={
            "models": [caption_set.name for caption_set in sets],
            "clips": len(drawn),
            "votes_per_pair": votes_per_pair,
            "seed": seed,
        },
    )
    return opened


@transaction.atomic
def start_round(
    *,
    project: Project,
    admin: User | None,
    sets: Sequence[CaptionSet],
    votes_per_pair: int,
    clips: int | None = None,
    repeat_percent: int = 5,
    shared_percent: int = 10,
    names_shown: str = Round.NamesShown.AFTER_VOTE,
    both_bad_is_tie: bool = True,
    seed: int = 0,
) -> Job:
    """Have a worker open the round. Raises ReviewError with what to fix, as far as known without
    reading the captions, and JobInProgress while another round is being opened.
    """
    check_asked(project, sets, votes_per_pair, repeat_percent, shared_percent, seed)
    refuse_too_many(sets, clips)
    return start_job(
        Job(
            project=project,
            kind=OPEN_ROUND,
            lane="all",
            title=", ".join(caption_set.name for caption_set in sets)[:200],
            parameters=as_json(
                RoundParameters(
                    sets=[caption_set.pk for caption_set in sets],
                    votes_per_pair=votes_per_pair,
                    clips=clips,
                    repeat_percent=repeat_percent,
                    shared_percent=shared_percent,
                    names_shown=names_shown,
                    both_bad_is_tie=both_bad_is_tie,
                    seed=seed,
                )
            ),
            created_by=admin,
        )
    )


def open_started_round(job: Job) -> Round:
    """Open the round of a job from `start_round`. Raises ReviewError."""
    parameters = read_parameters(job, RoundParameters)
    sets = CaptionSet.objects.filter(project=job.project_id).select_related("run__model")
    by_key = sets.in_bulk(parameters.sets)
    if len(by_key) < len(parameters.sets):
        raise ReviewError("A model of this round is gone. Choose the models again.")
    return open_round(
        project=job.project,
        admin=job.created_by,
        **vars(parameters) | {"sets": [by_key[key] for key in parameters.sets]},
    )


@transaction.atomic
def end_round(*, round: Round, admin: User | None) -> Round:
    """End the round and take back open pairs; drafts stay, and the votes count.

    A vote that is being stored at the same moment is stored before the end, or refused. Raises
    ReviewError if the round has already ended.
    """
    round = Round.objects.select_for_update(of=("self",)).get(pk=round.pk)
    if round.ended_at:
        raise ReviewError("This round has already ended.")
    # Includes gold that was opened for people; the known pairs themselves stay for later rounds.
    waiting = WorkItem.with_known_answers.filter(
        project=round.project_id,
        kind="compare",
        state=WorkItem.State.OPEN,
        reserved_for__isnull=False,
        subject__in=CaptionPair.with_known_answers.filter(round=round).values("pk"),
    )
    # Assignments are locked before items, as everywhere. One that is claimed in between stays, and
    # its vote is refused, because `submit_vote` locks the item first.
    held = Assignment.objects.filter(item__in=waiting, state=Assignment.State.HELD)
    holds = list(held.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
    Assignment.objects.filter(pk__in=holds).update(state=Assignment.State.EXPIRED)
    keys = list(waiting.select_for_update().order_by("pk").values_list("pk", flat=True))
    WorkItem.with_known_answers.filter(pk__in=keys).update(
        needed=F("needed") - F("open_slots"), open_slots=0, state=WorkItem.State.CANCELLED
    )
    round.ended_at = timezone.now()
    round.save(update_fields=["ended_at"])
    record_event(actor=admin, verb="end comparison round", subject=round, project=round.project)
    return round


def check_asked(
    project: Project,
    sets: Sequence[CaptionSet],
    votes_per_pair: int,
    repeat_percent: int,
    shared_percent: int,
    seed: int,
) -> None:
    """Raises ReviewError with what to fix in the settings of a round."""
    if len({caption_set.pk for caption_set in sets}) != len(sets) or len(sets) < 2:
        raise ReviewError("Choose at least two models.")
    if len(sets) > MAX_SYSTEMS:
        raise ReviewError(f"Choose at most {MAX_SYSTEMS} models.")
    if any(caption_set.project_id != project.pk for caption_set in sets):
        raise ReviewError("Choose models of this project.")
    if len({caption_set.kind for caption_set in sets}) > 1:
        raise ReviewError("Choose captions of one kind: general ones, or those of whole videos.")
    if not 1 <= votes_per_pair <= MAX_VOTES:
        raise ReviewError(f"Ask for 1 to {MAX_VOTES:,} votes for each pair of models.")
    if not 0 <= repeat_percent <= 50:
        raise ReviewError("Let 0 to 50 % of the votes be repeats.")
    if not 0 <= shared_percent <= 100:
        raise ReviewError("Let 0 to 100 % of the votes be shared.")
    if not 0 <= seed <= MAX_SEED:
        raise ReviewError(f"Choose a seed from 0 to {MAX_SEED}.")
    if Round.objects.filter(project=project, ended_at=None).exists():
        raise ReviewError("A round is running. Let people finish it, or end it first.")


def _enter(opened: Round, caption_set: CaptionSet, by_clip: Entries, drawn: list[int]) -> System:
    system = System.objects.create(round=opened, caption_set=caption_set, name=caption_set.name)
    SystemCaption.objects.bulk_create(
        [
            SystemCaption(
                system=system,
                clip_id=clip,
                caption_id=by_clip[clip].caption,
                names_its_model=by_clip[clip].naming,
            )
            for clip in drawn
            if clip in by_clip
        ],
        batch_size=BATCH_SIZE,
    )
    return system


def _pair_up(
    opened: Round,
    systems: Sequence[System],
    entries: Sequence[Entries],
    drawn: Sequence[int],
) -> None:
    SystemPair.objects.bulk_create(
        [
            SystemPair(
                round=opened,
                first=systems[first],
                second=systems[second],
                clips=len(comparable_clips(entries[first], entries[second]).intersection(drawn)),
            )
            for first, second in combinations(range(len(systems)), 2)
        ]
    )
