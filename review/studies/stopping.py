"""Rules by which studies, rounds and spot checks stop once they are precise enough."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from annotate.audit import record_event
from annotate.models import Project, User
from review.errors import ReviewError
from review.studies.models import StoppingRule
from review.studies.precision import FIXED, Course

# The field of a rule, by the name of the model that it is about.
FIELDS = {"study": "study", "round": "round", "spotcheck": "spot_check"}


def stated(rule: StoppingRule | None, method: str) -> str:
    """Return a signature's statement of when asking ends."""
    return FIXED if rule is None else f"{method}, width {rule.width:g}, {rule.action}"


@transaction.atomic
def set_stopping_rule(
    *, subject: Model, project: Project, width: float | None, action: str, admin: User | None
) -> None:
    """Set, change or, with no `width`, remove the rule of a study, a round or a spot check. Raises
    ReviewError once the rule is reached: its numbers depend on it.
    """
    of = {FIELDS[str(subject._meta.model_name)]: subject}
    before = StoppingRule.objects.select_for_update(of=("self",)).filter(**of).first()
    if before and before.reached_at:
        raise ReviewError(
            f"This was precise enough after {before.reached_n:,}, and its numbers depend on that, "
            f"so the rule can’t change any more."
        )
    if before:
        before.delete()
    if width is not None:
        StoppingRule.objects.create(
            project=project, width=width, action=action, created_by=admin, **of
        )
    record_event(
        actor=admin,
        verb="set stopping rule",
        subject=subject,
        project=project,
        before={"width": before.width, "action": before.action} if before else None,
        after=None if width is None else {"width": width, "action": action},
    )


@transaction.atomic
def note_reached(rule: StoppingRule, courses: list[Course]) -> bool:
    """Store that the rule is reached if all of these intervals are narrow enough; return whether
    asking should stop now.
    """
    widths = [course.width for course in courses]
    narrow = [width for width in widths if width is not None and width <= rule.width]
    if not courses or len(narrow) < len(courses):
        return False
    n = sum(course.last.n for course in courses if course.last)
    reached = StoppingRule.objects.filter(pk=rule.pk, reached_at=None)
    is_new = reached.update(reached_at=timezone.now(), reached_n=n)
    subject = rule.study or rule.round or rule.spot_check
    if is_new and subject:
        record_event(
            actor=None,
            verb="reach stopping rule",
            subject=subject,
            project=rule.project,
            after={"width": max(narrow), "n": n},
        )
    return bool(is_new) and rule.action == StoppingRule.Action.STOP
