"""Whatever people, workers and admins do, in turn or at once, the ledger adds up."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotate.models import Assignment
from review.errors import ReviewError
from review.pay import services
from review.pay.models import ApprovedEntry, PayEntry, PayStatement
from review.pay.queries import lines_of, open_entries, people_paid, today
from tests.annotate.queue.test_concurrency import in_threads
from tests.cast import make_person, make_project
from tests.review.pay.test_ledger import approve, finish, record, set_rate, submit

STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "finish",
                "send back",
                "submit again",
                "expire",
                "rate",
                "record",
                "correct",
                "approve",
            ]
        ),
        st.integers(0, 1),
        st.integers(-500, 5000),
    ),
    max_size=30,
)


@pytest.mark.django_db
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS)
def test_statements_always_add_up_to_the_entries(project, anna, ada, steps):
    """Whatever happens in whatever order: nothing earns twice, no entry changes, and the sums of
    statements and of what is open are the sum of the entries, exactly."""
    with transaction.atomic():
        _go_through(project, [anna, ada], ada, steps)
        transaction.set_rollback(True)
    project.refresh_from_db()


def _go_through(project, people, ada, steps):
    set_rate(project, ada, "0.35", "7.77")
    seen: dict[int, tuple] = {}
    for step, place, number in steps:
        person = people[place]
        mine = Assignment.objects.filter(annotator=person, item__project=project).order_by("pk")
        match step:
            case "finish":
                finish(person, project, abs(number))
            case "send back":
                mine.filter(state="submitted").update(state="returned")
            case "submit again":
                for assignment in mine.filter(state__in=["returned", "expired"]):
                    submit(assignment)
            case "expire":
                mine.filter(state="returned").update(state="expired")
            case "rate":
                set_rate(project, ada, f"{Decimal(abs(number)) / 100}", days=0)
            case "record":
                record(project)
            case "correct" if number:
                services.correct_pay(
                    project=project,
                    person=person,
                    amount=Decimal(number) / 100,
                    reason="Checked by hand",
                    admin=ada,
                )
            case "approve" if open_entries(project, person, today()).exists():
                approve(project, person, ada)
        rows = {row[0]: row for row in PayEntry.objects.filter(project=project).values_list()}
        assert seen.items() <= rows.items()
        seen = rows
    entries = list(PayEntry.objects.filter(project=project))
    paid = [entry.assignment_id for entry in entries if entry.assignment_id]
    assert len(paid) == len(set(paid))
    for row in people_paid(project, today()):
        mine = [entry.units for entry in entries if entry.person_id == row.person.pk]
        statements = PayStatement.objects.filter(project=project, person=row.person)
        approved = sum(statement.units for statement in statements)
        still_open = lines_of(open_entries(project, row.person, today()), "EUR")
        listed = sum(line.units for line in still_open.work)
        listed += sum(entry.units for entry in still_open.others)
        assert row.total == sum(mine) == approved + still_open.units
        assert (row.approved, row.due, listed) == (approved, still_open.units, still_open.units)


@pytest.mark.django_db(transaction=True)
def test_workers_and_admins_at_once_pay_and_approve_each_item_once():
    project = make_project(protocol="lovr")
    anna, ada = make_person("Anna", project, "annotator"), make_person("Ada", project, "admin")
    set_rate(project, ada)
    for _ in range(5):
        finish(anna, project)
    assert sorted(in_threads(lambda _: record(project), range(4))) == [0, 0, 0, 5]

    def approve_it(digest):
        try:
            return services.approve_pay(
                project=project, person=anna, until=today(), digest=digest, admin=ada
            ).units
        except ReviewError:
            return 0

    digest = lines_of(open_entries(project, anna, today()), "EUR").digest
    assert sorted(in_threads(approve_it, [digest] * 4)) == [0, 0, 0, 250]
    assert ApprovedEntry.objects.count() == 5
