"""The page of the dynamics check, and that of the videos about which people disagree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.paginator import Paginator
from django.db.models import F

from annotate.dynamics.forms import DecisionForm, ThirdPersonForm
from annotate.dynamics.queries import Disputed, disputed_videos, undecided_videos
from annotate.dynamics.services import MAX_REMARK_LENGTH
from annotate.models import (
    Assignment,
    DynamicsDecision,
    DynamicsVerdict,
    Membership,
    User,
    Video,
    WorkItem,
)
from annotate.queue.content import Content
from annotate.queue.queries import members_for
from annotate.queue.services.watching import watched_percent

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

ENOUGH_PERCENT = 50  # percent of the video watched, below which submitting needs a confirmation

PAGE_LENGTH = 20


def dynamics_context(assignment: Assignment, content: Content) -> dict[str, Any]:
    return {
        "looked": content.get("looked", ""),
        "asks_looked": watched_percent(assignment) < ENOUGH_PERCENT,
        "enough_percent": ENOUGH_PERCENT,
        "verdict": content.get("verdict", ""),
        "remark": content.get("remark", ""),
        "longest_remark": MAX_REMARK_LENGTH,
    }


@dataclass(frozen=True)
class DisputedVideo:
    """A video about which people disagree. `remarks` are (found it dynamic, remark), hidden from
    the person asked for a third opinion; `asked` is that person's name, and `asked_state` what they
    have done.
    """

    video: WithAnnotations[Video, Disputed]
    whole: int
    remarks: list[tuple[bool, str]]
    asked: str
    asked_state: str
    decision: DynamicsDecision | None
    third_form: ThirdPersonForm | None
    decision_form: DecisionForm


def disputed_context(
    membership: Membership, page: str | None, refused: forms.Form | None = None, video: int = 0
) -> dict[str, Any]:
    """Return the page's context. `refused`: an invalid form about `video`, shown again."""
    project = membership.project
    videos = disputed_videos(project).order_by(F("decided").asc(nulls_first=True), "pk")
    rows = videos.defer("probe", "shots", "filmstrip")
    listed = Paginator(rows, PAGE_LENGTH).get_page(page)
    undecided = undecided_videos(project).count()
    return {
        "membership": membership,
        "project": project,
        "page": listed,
        "undecided": undecided,
        "disputed": _disputed(membership, list(listed.object_list), refused, video),
    }


def people_to_ask(membership: Membership, video: Video) -> list[User]:
    """Return who may be asked for a third opinion: judges who haven't judged the video. The admin
    who asks has read the remarks, so not themselves.
    """
    verdicts = DynamicsVerdict.objects.filter(video=video)
    judged = set(verdicts.values_list("assignment__annotator", flat=True))
    return [person for person in _people(membership) if person.pk not in judged]


def _people(membership: Membership) -> list[User]:
    judges = members_for(membership.project, "dynamics").select_related("user")
    others = judges.exclude(user=membership.user).order_by("user__name", "pk")
    return [judge.user for judge in others]


def _disputed(
    membership: Membership,
    videos: Sequence[WithAnnotations[Video, Disputed]],
    refused: forms.Form | None,
    refused_video: int,
) -> list[DisputedVideo]:
    verdicts: dict[int, list[DynamicsVerdict]] = defaultdict(list)
    rows = DynamicsVerdict.objects.filter(video__in=videos).select_related("assignment")
    for verdict in rows.order_by("pk"):
        verdicts[verdict.video_id].append(verdict)
    checks = {
        item.clip.video_id: item
        for item in WorkItem.objects.filter(clip__video__in=videos, kind="dynamics")
        .select_related("clip", "reserved_for")
        .prefetch_related("assignments")
    }
    decisions = {
        decision.video_id: decision
        for decision in DynamicsDecision.objects.filter(video__in=videos)
        .select_related("decided_by")
        .order_by("pk")
    }
    people = _people(membership)
    listed = []
    for video in videos:
        judged = {verdict.assignment.annotator_id for verdict in verdicts[video.pk]}
        others = [person for person in people if person.pk not in judged]
        third_form = ThirdPersonForm(people=others, auto_id=f"third-{video.pk}-%s")
        decision_form = DecisionForm(decided=video.decided, auto_id=f"decision-{video.pk}-%s")
        if refused is not None and video.pk == refused_video:
            if isinstance(refused, ThirdPersonForm):
                third_form = refused
            elif isinstance(refused, DecisionForm):
                decision_form = refused
        item = checks[video.pk]
        is_asked = item.reserved_for_id == membership.user.pk
        listed.append(
            DisputedVideo(
                video=video,
                whole=item.clip_id,
                remarks=[]
                if is_asked
                else [(v.is_dynamic, v.remark) for v in verdicts[video.pk] if v.remark],
                asked=item.reserved_for.name if item.reserved_for else "",
                asked_state=_state_of(item),
                decision=decisions.get(video.pk),
                third_form=third_form
                if third_form.is_bound or (others and video.decided is None)
                else None,
                decision_form=decision_form,
            )
        )
    return listed


def _state_of(item: WorkItem) -> str:
    """Return what the person asked for a third opinion has done."""
    holds = [hold for hold in item.assignments.all() if hold.annotator_id == item.reserved_for_id]
    match holds[0].state if holds else "":
        case Assignment.State.HELD:
            return "is judging it now"
        case Assignment.State.SKIPPED:
            return f"skipped it: {holds[0].skip_reason}"
    return "has not judged it yet"
