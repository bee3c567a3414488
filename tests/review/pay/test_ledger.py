"""The ledger: what earns, what never earns twice, and what statements hold."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from annotate.models import Assignment, AuditEvent, WorkItem
from annotate.queue.services.submissions import complete
from review.errors import ReviewError
from review.pay import services, terms
from review.pay.models import ApprovedEntry, PayBonus, PayEntry, PayRate, PayStatement
from review.pay.money import amount_of, earned_units, in_words, share_units, units_of
from review.pay.queries import (
    digest_of,
    lines_of,
    open_entries,
    statement_entries,
    today,
    unpaid_checks,
    unrecorded_work,
)
from review.spot_checks.services import draw_spot_check, end_spot_check, judge_item
from tests.cast import make_clip, make_person, make_video
from tests.hand_work import DYNAMIC, hold_check, judge
from tests.work import expire, hold, make_work

KIND = "dynamics"


def set_rate(project, ada, per_item="0.50", per_hour="0", *, kind=KIND, days=-1, **fields):
    if not project.currency:
        terms.set_currency(project=project, currency="EUR", admin=ada)
    return terms.add_rate(
        project=project,
        kind=kind,
        per_item=Decimal(per_item),
        per_hour=Decimal(per_hour),
        pays_training=fields.get("pays_training", False),
        starts_on=today() + timedelta(days=days),
        admin=ada,
    )


def finish(person, project, seconds=0, *, purpose="work"):
    item = make_work(make_clip(project), kind=KIND, needed=1, purpose=purpose)
    assignment = hold(person, item)
    Assignment.objects.filter(pk=assignment.pk).update(active_seconds=seconds)
    return submit(assignment)


def submit(assignment):
    assignment.refresh_from_db()
    complete(assignment, key=uuid4(), content={})
    return assignment


def record(project):
    return services.record_pay(project=project)


def approve(project, person, admin, until=None):
    until = until or today()
    digest = lines_of(open_entries(project, person, until), project.currency).digest
    return services.approve_pay(
        project=project, person=person, until=until, digest=digest, admin=admin
    )


def amounts(project, person):
    entries = PayEntry.objects.filter(project=project, person=person)
    return list(entries.order_by("pk").values_list("units", flat=True))


class TestMoney:
    def test_amounts_are_exact_and_rounded_once_half_to_even(self):
        # 30 s at 3.00 an hour are 2.5 cents, 90 s are 7.5, both halves: to 2 and 8.
        assert [earned_units(0, 300, 30), earned_units(0, 300, 90)] == [2, 8]
        assert earned_units(50, 1200, 600) == 250
        assert share_units(25, 10) == 2
        assert units_of(Decimal("0.1"), "EUR") + units_of(Decimal("0.2"), "EUR") == 30
        assert (units_of(Decimal(5), "JPY"), amount_of(5, "JPY")) == (5, Decimal(5))
        assert in_words(-1234567, "KWD") == "-1,234.567 KWD"
        assert in_words(50, "EUR") == "0.50 EUR"
        for amount, currency in (("0.005", "EUR"), ("0.5", "JPY"), ("1e20", "EUR")):
            with pytest.raises(ValueError, match="not an amount"):
                units_of(Decimal(amount), currency)


@pytest.mark.django_db
class TestRecording:
    def test_submitted_work_earns_by_the_rate_of_its_day_and_never_twice(self, project, anna, ada):
        finish(anna, project, 600)
        assert record(project) == 0
        set_rate(project, ada, "0.50", "12.00")
        assert (record(project), record(project)) == (1, 0)
        assert amounts(project, anna) == [250]
        set_rate(project, ada, "9.00", days=0)
        finish(anna, project)
        assert record(project) == 1
        assert amounts(project, anna) == [250, 900]

    def test_the_newest_rate_of_a_day_holds_and_none_before_the_first(self, project, anna, ada):
        early, late = finish(anna, project), finish(anna, project)
        Assignment.objects.filter(pk=early.pk).update(
            submitted_at=timezone.now() - timedelta(days=3)
        )
        set_rate(project, ada, "1.00")
        set_rate(project, ada, "2.00")
        set_rate(project, ada, "5.00", days=1)
        record(project)
        entry = PayEntry.objects.get()
        assert (entry.assignment_id, entry.units) == (late.pk, 200)
        # A rate that began earlier pays earlier work, which has no entry yet.
        set_rate(project, ada, "3.00", days=-5)
        record(project)
        assert amounts(project, anna) == [200, 300]

    def test_work_between_the_end_of_pay_and_the_next_rate_earns_nothing(self, project, anna, ada):
        def done(days_ago, purpose="work"):
            key = finish(anna, project, purpose=purpose).pk
            moment = timezone.now() - timedelta(days=days_ago)
            Assignment.objects.filter(pk=key).update(submitted_at=moment)
            return key

        set_rate(project, ada, "1.00", days=-9, pays_training=True)
        set_rate(project, ada, "2.00", days=-3)
        ended = terms.end_pay(
            project=project, kind=KIND, starts_on=today() - timedelta(days=6), admin=ada
        )
        assert (ended.per_item, ended.per_hour, ended.pays) == (0, 0, False)
        paid = [done(9), done(7), done(7, "training"), done(3), done(0)]
        for days_ago, purpose in ((10, "work"), (6, "work"), (4, "work"), (2, "training")):
            done(days_ago, purpose)
        assert unrecorded_work(project).count() == record(project) == 5
        entries = PayEntry.objects.order_by("pk")
        assert sorted(entries.values_list("assignment", flat=True)) == paid
        assert amounts(project, anna) == [100, 100, 100, 200, 200]
        assert unrecorded_work(project).count() == record(project) == 0
        with pytest.raises(ReviewError, match="isn't paid on"):
            terms.end_pay(
                project=project, kind=KIND, starts_on=today() - timedelta(days=5), admin=ada
            )
        assert AuditEvent.objects.filter(verb="end pay").count() == 1

    def test_work_that_is_held_expired_or_sent_back_waits(self, project, anna, ada):
        set_rate(project, ada)
        held = hold(anna, make_work(make_clip(project), kind=KIND, needed=1))
        expired = hold(anna, make_work(make_clip(project), kind=KIND, needed=1))
        expire(expired)
        returned, again = finish(anna, project), finish(anna, project)
        Assignment.objects.filter(pk=returned.pk).update(state="returned")
        assert record(project) == 1
        assert PayEntry.objects.get().assignment_id == again.pk
        for assignment in (again, again):
            Assignment.objects.filter(pk=assignment.pk).update(state="returned")
            submit(assignment)
            assert record(project) == 0
        submit(held)
        submit(returned)
        assert record(project) == 2

    def test_gold_earns_like_work_and_training_only_where_a_rate_says_so(self, project, anna, ada):
        set_rate(project, ada)
        for purpose in ("work", "gold", "training"):
            finish(anna, project, 60, purpose=purpose)
        record(project)
        lines = lines_of(open_entries(project, anna, today()), "EUR")
        # One line for the kind and day, in which gold can't be told apart.
        assert [(line.kind, line.items, line.units) for line in lines.work] == [(KIND, 2, 100)]
        set_rate(project, ada, "0.20", days=0, pays_training=True)
        record(project)
        assert amounts(project, anna) == [50, 50, 20]

    def test_the_database_refuses_a_second_entry_and_every_change(self, project, anna, ada):
        set_rate(project, ada)
        finish(anna, project)
        record(project)
        entry = PayEntry.objects.get()
        approve(project, anna, ada)
        terms.set_bonus(project=project, amount=Decimal(1), percent=0, admin=ada)
        entry.pk = None
        with pytest.raises(IntegrityError), transaction.atomic():
            entry.save(force_insert=True)
        for model in (PayRate, PayBonus, PayEntry, PayStatement, ApprovedEntry):
            field = "pk" if model is ApprovedEntry else "project"
            for change in (lambda m=model, f=field: m.objects.update(**_same(m, f)),):
                with pytest.raises(DatabaseError), transaction.atomic():
                    change()
            assert model.objects.count() == 1

    def test_a_correction_needs_a_reason_and_an_amount_of_the_currency(self, project, anna, ada):
        set_rate(project, ada)

        def correct(amount, reason):
            return services.correct_pay(
                project=project, person=anna, amount=Decimal(amount), reason=reason, admin=ada
            )

        for amount, reason, message in (
            ("1", "  ", "Write the reason"),
            ("0", "Nothing", "other than 0"),
            ("0.001", "Tiny", "have 2 decimals: type a multiple of 0.01"),
            ("1", "x" * 501, "has 501 characters"),
        ):
            with pytest.raises(ReviewError, match=message):
                correct(amount, reason)
        assert PayEntry.objects.count() == 0
        correct("-2.50", "Undone by mistake")
        assert amounts(project, anna) == [-250]
        assert AuditEvent.objects.filter(verb="correct pay").count() == 1

    def test_the_currency_stays_once_there_is_a_rate(self, project, ada):
        with pytest.raises(ReviewError, match="Choose the project's currency first"):
            terms.set_bonus(project=project, amount=Decimal(1), percent=0, admin=ada)
        terms.set_currency(project=project, currency="JPY", admin=ada)
        terms.set_currency(project=project, currency="EUR", admin=ada)
        set_rate(project, ada)
        with pytest.raises(ReviewError, match="can't change any more"):
            terms.set_currency(project=project, currency="USD", admin=ada)
        with pytest.raises(ReviewError, match="ISO 4217"):
            terms.set_currency(project=project, currency="XXX", admin=ada)


def _same(model, field):
    """A change that leaves the values as they are, which a trigger refuses all the same."""
    return (
        {"entry": model.objects.get().entry_id}
        if field == "pk"
        else {"project": model.objects.get().project_id}
    )


@pytest.mark.django_db
class TestApproval:
    def test_a_statement_has_what_was_seen_and_later_entries_go_to_the_next(
        self, project, anna, ada
    ):
        set_rate(project, ada)
        finish(anna, project)
        record(project)
        seen = lines_of(open_entries(project, anna, today()), "EUR")
        finish(anna, project)
        record(project)
        with pytest.raises(ReviewError, match="have changed since"):
            services.approve_pay(
                project=project, person=anna, until=today(), digest=seen.digest, admin=ada
            )
        first = approve(project, anna, ada)
        assert (first.units, first.entries) == (100, 2)
        rows = statement_entries(first).order_by("pk").values_list("pk", "units")
        assert first.digest == digest_of("EUR", rows)
        with pytest.raises(ReviewError, match="Nothing is open"):
            approve(project, anna, ada)
        finish(anna, project)
        record(project)
        assert approve(project, anna, ada).units == 50
        assert (first.units, statement_entries(first).count()) == (100, 2)
        with pytest.raises(ReviewError, match="an earlier day"):
            approve(project, anna, ada, today() + timedelta(days=1))


@pytest.mark.django_db
class TestBonus:
    def test_an_ended_check_pays_each_earner_once(self, project, anna, ada, rita):
        ben = make_person("Ben", project, "annotator")
        set_rate(project, ada, "1.00")
        for _ in range(3):
            video = make_video(project)
            for person in (anna, ben):
                judge(hold_check(person, video), DYNAMIC)
        check = draw_spot_check(project=project, kind=KIND, per_person=2, seed=0, admin=ada)
        for item in check.items.select_related("assignment"):
            is_right = item.assignment.annotator_id == anna.pk
            judge_item(item=item, is_right=is_right, remark="", reviewer=rita)
        assert unpaid_checks(project) == []
        with pytest.raises(ReviewError, match="End the spot check first"):
            services.pay_bonus(check=check, admin=ada)
        end_spot_check(check=check, admin=ada)
        assert [row.people for row in unpaid_checks(project)] == [["Anna"]]
        with pytest.raises(ReviewError, match="Set a bonus"):
            services.pay_bonus(check=check, admin=ada)
        terms.set_bonus(project=project, amount=Decimal(5), percent=10, admin=ada)
        assert services.pay_bonus(check=check, admin=ada) == 1
        assert services.pay_bonus(check=check, admin=ada) == 0
        # 5.00 and a tenth of 3.00.
        assert amounts(project, anna)[-1] == 530
        assert amounts(project, ben) == [100, 100, 100]
        assert unpaid_checks(project) == []

    def test_work_counts_for_one_check_alone(self, project, anna, ada, rita):
        set_rate(project, ada, "1.00")
        terms.set_bonus(project=project, amount=Decimal(0), percent=50, admin=ada)
        checks = []
        for _ in range(2):
            judge(hold_check(anna, make_video(project)), DYNAMIC)
            WorkItem.objects.update(state="done")
            checks.append(
                draw_spot_check(project=project, kind=KIND, per_person=9, seed=0, admin=ada)
            )
        for check in checks:
            for item in check.items.all():
                judge_item(item=item, is_right=True, remark="", reviewer=rita)
        end_spot_check(check=checks[1], admin=ada)
        with pytest.raises(ReviewError, match="End the earlier spot checks"):
            services.pay_bonus(check=checks[1], admin=ada)
        end_spot_check(check=checks[0], admin=ada)
        for check in checks:
            services.pay_bonus(check=check, admin=ada)
        assert amounts(project, anna) == [100, 100, 50, 50]
