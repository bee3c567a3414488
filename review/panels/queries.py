"""Who joined a panel, and their progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db.models import Count, F, Q, QuerySet, Sum

from annotate.consent.queries import withdrawn_members
from annotate.kinds import Kind, all_kinds, kind_facts
from annotate.models import Assignment, Project, Role, User, WorkItem
from annotate.queue.finished import in_words
from review.panels.models import Panel, Participant
from review.quality.queries import Accuracy
from review.quality.training import has_failed

# A panel only gives the role annotator: other roles can read colleagues' texts.


def panel_kinds() -> list[Kind]:
    """Return the kinds of work that a panel's people can do."""
    return [kind for kind in all_kinds() if Role.ANNOTATOR in kind_facts(kind).roles]


# Training doesn't count, but gold does, because it is handed out among work.
COUNTED = [WorkItem.Purpose.WORK, WorkItem.Purpose.GOLD]
State = Assignment.State
# The assignments of participants, since they joined.
_COUNTED = Q(
    person__assignments__item__project=F("panel__project"),
    person__assignments__item__purpose__in=COUNTED,
)
FINISHED = _COUNTED & Q(
    person__assignments__state=State.SUBMITTED,
    person__assignments__submitted_at__gte=F("joined_at"),
)
# Skipped work that was canceled since is nobody's to do.
SKIPPED = _COUNTED & Q(
    person__assignments__state=State.SKIPPED,
    person__assignments__claimed_at__gte=F("joined_at"),
    person__assignments__item__state__in=[
        *(WorkItem.State.OPEN, WorkItem.State.WAITING, WorkItem.State.DONE),
    ],
)
Outcome = Participant.Outcome
FREES_PLACE = [Outcome.SCREENED_OUT, Outcome.OUT_OF_TIME, Outcome.UNFINISHED]


def participation(project: Project, person: User) -> Participant | None:
    """Return the person's newest place in a panel of the project."""
    places = Participant.objects.filter(panel__project=project, person=person)
    return places.select_related("panel").order_by("-pk").first()


@dataclass(frozen=True)
class Done:
    """What a participant finished since they joined, and skipped and left so."""

    by_kind: Mapping[str, int]
    seconds: int = 0
    skipped_by_kind: Mapping[str, int] = field(default_factory=dict)

    @property
    def items(self) -> int:
        return sum(self.by_kind.values())

    @property
    def skipped(self) -> int:
        return sum(self.skipped_by_kind.values())

    def left(self, panel: Panel) -> list[Kind]:
        """Return the kinds of work with items left for them."""
        return [kind for kind, number in panel.offers if self.by_kind.get(kind, 0) < number]


def done_by(participants: QuerySet[Participant]) -> dict[int, Done]:
    """Return what each participant finished and skipped, by key. One query."""
    rows = (
        participants.filter(FINISHED | SKIPPED)
        .order_by()
        .values_list("pk", "person__assignments__state", "person__assignments__item__kind")
        .annotate(
            items=Count("person__assignments"), active=Sum("person__assignments__active_seconds")
        )
    )
    counts: dict[int, dict[str, dict[str, int]]] = {}
    seconds: dict[int, int] = {}
    for key, state, kind, items, active in rows:
        by_state = counts.setdefault(key, {State.SUBMITTED: {}, State.SKIPPED: {}})
        by_state[state][kind] = items
        if state == State.SUBMITTED:
            seconds[key] = seconds.get(key, 0) + (active or 0)
    return {
        key: Done(by_state[State.SUBMITTED], seconds.get(key, 0), by_state[State.SKIPPED])
        for key, by_state in counts.items()
    }


def done_of(participant: Participant) -> Done:
    rows = done_by(Participant.objects.filter(pk=participant.pk))
    return rows.get(participant.pk, Done({}))


def outcome_of(participant: Participant, done: Done, *, asks_training: bool = True) -> str:
    """Return how the person's part ends now; empty while they can continue.

    A kind whose training they failed for good can't be finished. `asks_training`: without it, the
    trainings are not read.
    """
    if participant.outcome:
        return participant.outcome
    left = done.left(participant.panel)
    if not left:
        return Outcome.COMPLETED
    if asks_training:
        project, person = participant.panel.project, participant.person
        if all(has_failed(project, person, kind) for kind in left):
            return Outcome.UNFINISHED if done.items else Outcome.SCREENED_OUT
    return Outcome.OUT_OF_TIME if participant.is_overdue else ""


def outcome_without_work(participant: Participant, done: Done) -> str:
    """Return how the person's part ends if the project has no work left for them: unfinished only
    if they skipped some of it, or failed the training of some."""
    left = done.left(participant.panel)
    if any(done.skipped_by_kind.get(kind) for kind in left):
        return Outcome.UNFINISHED
    project, person = participant.panel.project, participant.person
    if any(has_failed(project, person, kind) for kind in left):
        return Outcome.UNFINISHED if done.items else Outcome.SCREENED_OUT
    return Outcome.NO_WORK


@dataclass(frozen=True)
class Row:
    """A participant as admins see them; `outcome` is what their part comes to now."""

    participant: Participant
    done: Done
    outcome: str
    gold: Accuracy
    units: int
    has_withdrawn: bool

    @property
    def active_time(self) -> str:
        return in_words(self.done.seconds)

    @property
    def outcome_label(self) -> str:
        return Outcome(self.outcome).label if self.outcome else "Working"


def rows_of(participants: QuerySet[Participant], project: Project) -> list[Row]:
    """Return the participants of a panel of the project with their finished work. Five queries, for
    any number."""
    withdrawn = set(withdrawn_members(project).order_by().values_list("person", flat=True))
    done = done_by(participants)
    gold = {
        key: Accuracy(right, answered)
        for key, answered, right in participants.filter(
            person__given_answers__known_answer__project=F("panel__project"),
            person__given_answers__known_answer__item__purpose=WorkItem.Purpose.GOLD,
            person__given_answers__created_at__gte=F("joined_at"),
        )
        .order_by()
        .values_list("pk")
        .annotate(
            answered=Count("person__given_answers"),
            right=Count("person__given_answers", filter=Q(person__given_answers__is_right=True)),
        )
    }
    earned = dict(
        participants.filter(
            person__pay_entries__project=F("panel__project"),
            person__pay_entries__earned_at__gte=F("joined_at"),
        )
        .order_by()
        .values_list("pk")
        .annotate(units=Sum("person__pay_entries__units"))
    )
    none = Done({})
    return [
        Row(
            participant=participant,
            done=done.get(participant.pk, none),
            outcome=outcome_of(participant, done.get(participant.pk, none), asks_training=False),
            gold=gold.get(participant.pk, Accuracy(0, 0)),
            units=earned.get(participant.pk, 0),
            has_withdrawn=participant.person_id in withdrawn,
        )
        for participant in participants.select_related("panel", "person", "decided_by")
    ]


def places_taken(panel: Panel) -> int:
    """Return the number of taken places; overdue people count until `settle_overdue` has stored
    their outcome."""
    return with_place(Participant.objects.filter(panel=panel)).count()


def with_place(participants: QuerySet[Participant]) -> QuerySet[Participant]:
    """Return those who take a place: from their first finished item on, so that invented ids fill
    none. People who were screened out, ran out of time or left their part unfinished free theirs.
    """
    return participants.filter(FINISHED).exclude(outcome__in=FREES_PLACE).order_by().distinct()


def is_at_work(participant: Participant) -> bool:
    """Return whether the person has finished an item of the panel, or holds one."""
    if done_of(participant).items:
        return True
    held = Assignment.objects.filter(annotator=participant.person, state=State.HELD)
    return held.filter(item__project=participant.panel.project).exists()


@dataclass(frozen=True)
class Counted:
    """A panel with how many joined, took a place, completed, and wait for a decision after their
    work has ended."""

    panel: Panel
    joined: int
    taken: int
    completed: int
    undecided: int


def counted_panels(project: Project) -> list[Counted]:
    """Return the panels, newest first. Who has completed follows from `rows_of`, even before their
    end is stored. Four queries."""
    ended = Q(participants__outcome=Outcome.COMPLETED)
    worked = Q(participants__outcome__in=[Outcome.COMPLETED, Outcome.UNFINISHED, Outcome.NO_WORK])
    panels = Panel.objects.filter(project=project).annotate(
        joined=Count("participants"),
        completed=Count("participants", filter=ended),
        undecided=Count("participants", filter=worked & Q(participants__decision="")),
    )
    participants = Participant.objects.filter(panel__project=project)
    working = participants.filter(outcome="")
    done, none = done_by(working), Done({})
    now = Counter(
        participant.panel_id
        for participant in working.select_related("panel")
        if outcome_of(participant, done.get(participant.pk, none), asks_training=False)
        == Outcome.COMPLETED
    )
    taken = Counter(with_place(participants).values_list("panel", flat=True))
    return [
        Counted(
            panel,
            panel.joined,
            taken[panel.pk],
            panel.completed + now[panel.pk],
            panel.undecided + now[panel.pk],
        )
        for panel in panels.order_by("-pk")
    ]
