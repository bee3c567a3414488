"""The demo's training answer, spot check and pay."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from annotate.models import Membership, Project, User, WorkItem
from review.management.past import DAYS, days_ago
from review.pay.queries import digest_of, open_entries, today
from review.pay.services import approve_pay, correct_pay, record_pay
from review.pay.terms import add_rate, set_bonus, set_currency
from review.quality.queries import finished_sources, known_answers
from review.quality.services import add_known_answer
from review.spot_checks.queries import items_for
from review.spot_checks.services import draw_spot_check, judge_item

Kind = WorkItem.Kind
SEED = 7
UNJUDGED = 2  # left for the demo's reviewer to try
PER_ITEM = {Kind.WRITE: "2.50", Kind.MERGE: "1.80", Kind.SPLIT: "1.20"}
PER_HOUR = Decimal("6.00")
EXPLANATION = (
    "The objects come with colors and places, the actions in their order, and nothing is said "
    "that the clip doesn’t show."
)


def check_and_pay(*, project: Project, admin: User) -> None:
    """Add a training answer, judge most of a spot check, and approve one person's pay, unless that
    is done. Raises ReviewError."""
    if not known_answers(project, Kind.WRITE, WorkItem.Purpose.TRAINING).exists():
        _explain_an_answer(project, admin)
    if not project.spot_checks.exists():
        _check(project, admin)
    if not project.currency:
        _pay(project, admin)


def _explain_an_answer(project: Project, admin: User) -> None:
    source = finished_sources(project, Kind.WRITE).first()
    if source:
        add_known_answer(
            project=project,
            kind=Kind.WRITE,
            source_id=source.pk,
            purpose=WorkItem.Purpose.TRAINING,
            explanation=EXPLANATION,
            admin=admin,
        )


def _check(project: Project, admin: User) -> None:
    reviewer = Membership.objects.filter(project=project, is_reviewer=True).earliest("pk").user
    with days_ago(0.3):
        check = draw_spot_check(
            project=project, kind=Kind.WRITE, per_person=30, seed=SEED, admin=admin
        )
        items = list(items_for(check, reviewer).order_by("place"))
        for number, item in enumerate(items[:-UNJUDGED]):
            is_right = number != 1
            remark = "" if is_right else "The second person isn’t mentioned."
            judge_item(item=item, is_right=is_right, remark=remark, reviewer=reviewer)


def _pay(project: Project, admin: User) -> None:
    with days_ago(DAYS):
        set_currency(project=project, currency="EUR", admin=admin)
        for kind, per_item in PER_ITEM.items():
            add_rate(
                project=project,
                kind=kind,
                per_item=Decimal(per_item),
                per_hour=PER_HOUR,
                pays_training=False,
                starts_on=today(),
                admin=admin,
            )
        set_bonus(project=project, amount=Decimal("5.00"), percent=10, admin=admin)
    record_pay(project=project)
    paid = Membership.objects.filter(project=project, is_annotator=True).earliest("pk").user
    correct_pay(
        project=project,
        person=paid,
        amount=Decimal("1.50"),
        reason="The first clip was imported again and watched twice.",
        admin=admin,
    )
    until = today() - timedelta(days=DAYS // 2)
    if entries := list(open_entries(project, paid, until).values_list("pk", "units")):
        digest = digest_of(project.currency, entries)
        approve_pay(project=project, person=paid, until=until, digest=digest, admin=admin)
