"""Choose when a study, a round or a spot check is precise enough."""

from __future__ import annotations

from django.db import transaction

from annotate.models import Project, User
from review.errors import ReviewError
from review.precision.queries import Judging, has_begun, report_name
from review.reports.services import recompute_later
from review.spot_checks.models import SpotCheck
from review.spot_checks.services import end_spot_check
from review.spot_checks.stopping import stop_if_precise
from review.studies.models import Study
from review.studies.stopping import set_stopping_rule


@transaction.atomic
def choose_stopping_rule(
    *, project: Project, judging: Judging, width: float | None, action: str, admin: User
) -> None:
    """Stop the judging, or ask, once its interval is at most `width` wide; None removes the rule.
    Raises ReviewError if it has ended, or is a threshold study whose scorer already has verified
    captions.
    """
    if not judging.is_open:
        raise ReviewError(f"{judging.title} has ended, so nothing is left to stop.")
    subject = judging.subject
    if isinstance(subject, Study) and subject.kind == Study.Kind.THRESHOLD and has_begun(subject):
        raise ReviewError(
            "A threshold counts all studies of its scorer, and people have verified captions of "
            "them. Looks must be planned before that: set a width right after you start the first "
            "study of a scorer."
        )
    set_stopping_rule(subject=subject, project=project, width=width, action=action, admin=admin)
    if name := report_name(judging):
        recompute_later(project.pk, name)
    elif isinstance(subject, SpotCheck) and stop_if_precise(subject):
        end_spot_check(check=subject, admin=None)
