"""Access to known answers, pauses and people's own training."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404

from annotate.access import UserRequest, member
from annotate.kinds import Kind, kind_facts
from annotate.models import Assignment, Membership, User
from review.access import admin
from review.quality.grading import GRADERS
from review.quality.models import GivenAnswer, KnownAnswer, Pause
from review.quality.queries import Purpose, finished_sources


def graded_kind(request: UserRequest, slug: str, kind: str) -> tuple[Membership, Kind]:
    """Return the admin's membership and a kind of work that can have known answers."""
    membership = admin(request, slug)
    return membership, _graded(kind)


def source(request: UserRequest, slug: str, source_id: int) -> tuple[Membership, Assignment]:
    """Return finished work whose answer can become a known one."""
    membership = admin(request, slug)
    assignment = get_object_or_404(
        Assignment.objects.select_related("item"), pk=source_id, item__project=membership.project
    )
    kind = _graded(assignment.item.kind)
    sources = finished_sources(membership.project, kind)
    return membership, get_object_or_404(sources, pk=source_id)


def known_answer(request: UserRequest, slug: str, known_id: int) -> tuple[Membership, KnownAnswer]:
    membership = admin(request, slug)
    answers = KnownAnswer.objects.select_related("item__clip", "project")
    return membership, get_object_or_404(answers, pk=known_id, project=membership.project)


def pause(request: UserRequest, slug: str, pause_id: int) -> tuple[Membership, Pause]:
    membership = admin(request, slug)
    pauses = Pause.objects.select_related("project", "person")
    return membership, get_object_or_404(pauses, pk=pause_id, project=membership.project)


def colleague(request: UserRequest, slug: str, person_id: int) -> tuple[Membership, User]:
    """Return the admin's membership and another member."""
    membership = admin(request, slug)
    person = get_object_or_404(
        User,
        pk=person_id,
        memberships__project=membership.project,
        memberships__deactivated_at=None,
    )
    return membership, person


def trainee(request: UserRequest, slug: str, kind: str) -> tuple[Membership, Kind]:
    """Return the membership of a person who can do this kind of work."""
    graded = _graded(kind)
    return member(request, slug, *kind_facts(graded).roles), graded


def own_training_answer(
    request: UserRequest, slug: str, answer_id: int
) -> tuple[Membership, GivenAnswer]:
    """Return the person's own answer in a training. Gold is never shown to those who answer it."""
    membership = member(request, slug)
    answers = GivenAnswer.objects.select_related(
        "known_answer__item__clip__video", "known_answer__source__item", "assignment__item"
    )
    return membership, get_object_or_404(
        answers,
        pk=answer_id,
        person=request.user,
        known_answer__project=membership.project,
        known_answer__item__purpose=Purpose.TRAINING,
    )


def _graded(kind: str) -> Kind:
    if kind not in GRADERS:
        raise Http404("This kind of work has no known answers.")
    return Kind(kind)
