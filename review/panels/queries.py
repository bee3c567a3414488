"""Who joined a panel, and their progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet, Sum

from annotate.access import ROLES_FOR_KIND
from annotate.consent.queries import withdrawn_members
from annotate.models import Assignment, Project, Role, User, WorkItem
from annotate.queue.finished import in_words
from review.panels.models import Panel, Participant
from review.quality.queries import Accuracy
from review.quality.training import has_failed

# A panel only gives the role annotator: other roles can read colleagues' texts.
PANEL_KINDS = [kind for kind in WorkItem.Kind if Role.ANNOTATOR in ROLES_FOR_KIND[kind]]
# Training doesn't count, but gold does, because it is handed out among work.
COUNTED = [WorkItem.Purpose.WORK, WorkItem.Purpose.GOLD]
Outcome = Participant.Outcome


def participation(project: Project, person: User) -> Participant | None:
    """Return the person's newest place in a panel of the project."""
    places = Participant.objects.filter(panel__project=project, person=person)
    return places.select_related("panel").order_by("-pk").first()


@dataclass(frozen=True)
class Done:
    """What a participant finished since they joined."""

    by_kind: Mapping[str, int]
    seconds: int = 0

    @property
    def items(self) -> int:
        return sum(self.by_kind.values())

    def left(self, panel: Panel) -> list[WorkItem.Kind]:
        """Return the kinds of work with items left for them."""
        return [kind for kind, number in panel.offers if self.by_kind.get(kind, 0) < number]


def done_by(participants: QuerySet[Participant]) -> dict[int, Done]:
    """Return what each participant finished, by key. One query."""
    rows = (
        participants.filter(
            person__assignments__item__project=F("panel__project"),
            person__assignments__item__purpose__in=COUNTED,
            person__assignments__state=Assignment.State.SUBMITTED,
            person__assignments__submitted_at__gte=F("joined_at"),
        )
        .order_by()
        .values_list("pk", "person__assignments__item__kind")
        .annotate(
            items=Count("person__assignments"), active=Sum("person__assignments__active_seconds")
        )
    )
    counts: dict[int, dict[str, int]] = {}
    seconds: dict[int, int] = {}
    for key, kind, items, active in rows:
        counts.setdefault(key, {})[kind] = items
        seconds[key] = seconds.get(key, 0) + (active or 0)
    return {key: Done(of_kind, seconds[key]) for key, of_kind in counts.items()}


def with_finished(participants: QuerySet[Participant]) -> QuerySet[Participant]:
    """Set each participant's `finished`, the number of items since they joined."""
    own = "person__assignments__"
    counted = Q(
        **{
            f"{own}item__project": F("panel__project"),
            f"{own}item__purpose__in": COUNTED,
            f"{own}state": Assignment.State.SUBMITTED,
            f"{own}submitted_at__gte": F("joined_at"),
        }
    )
    return participants.annotate(finished=Count("person__assignments", filter=counted))


def done_of(participant: Participant) -> Done:
    rows = done_by(Participant.objects.filter(pk=participant.pk))
    return rows.get(participant.pk, Done({}))


def outcome_of(participant: Participant, done: Done, *, asks_training: bool = True) -> str:
    """Return how the person's part ends now; empty while they can continue.

    A kind whose training they failed for good is left out. `asks_training`: without it, the
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
            return Outcome.COMPLETED if done.items else Outcome.SCREENED_OUT
    return Outcome.OUT_OF_TIME if participant.is_overdue else ""


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
    """Return the number of taken places. People who were screened out or ran out of time free
    theirs; overdue people count until `settle_overdue` has stored their outcome."""
    left = [Outcome.SCREENED_OUT, Outcome.OUT_OF_TIME]
    return Participant.objects.filter(panel=panel).exclude(outcome__in=left).count()


@dataclass(frozen=True)
class Counted:
    """A panel with how many joined, completed and wait for a decision after they completed."""

    panel: Panel
    joined: int
    completed: int
    undecided: int


def counted_panels(project: Project) -> list[Counted]:
    """Return the panels, newest first. Who has completed follows from `rows_of`, even before their
    end is stored. Three queries."""
    ended = Q(participants__outcome=Outcome.COMPLETED)
    panels = Panel.objects.filter(project=project).annotate(
        joined=Count("participants"),
        completed=Count("participants", filter=ended),
        undecided=Count("participants", filter=ended & Q(participants__decision="")),
    )
    working = Participant.objects.filter(panel__project=project, outcome="")
    done, none = done_by(working), Done({})
    now = Counter(
        participant.panel_id
        for participant in working.select_related("panel")
        if outcome_of(participant, done.get(participant.pk, none), asks_training=False)
        == Outcome.COMPLETED
    )
    return [
        Counted(
            panel, panel.joined, panel.completed + now[panel.pk], panel.undecided + now[panel.pk]
        )
        for panel in panels.order_by("-pk")
    ]
