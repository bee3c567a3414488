"""What each step cost and will cost: the ledger, today's rates, the times of finished work."""

from datetime import timedelta
from decimal import Decimal
from math import sqrt

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.models import Assignment, Project
from metrics.forecast import forecast_time
from review.overview.facts import Money
from review.overview.money import Cost, CostWords, cost_to_finish, step_cost, total_cost
from review.overview.steps import CLIPS, PEOPLE, Step
from review.pay.queries import today
from review.pay.services import correct_pay, record_pay
from review.pay.terms import add_rate, set_currency
from tests.cast import client_of, count_queries, make_clip
from tests.hand_work import hold_check

# Ten submissions of 60 to 150 seconds: mean 105, squares 118,500.
TIMES = (10, 1050, 118_500)
DONE = Step("merge", "Merge", PEOPLE, CLIPS, done=4, work="merge")


def step(kind="write", places=20, **fields) -> Step:
    return Step(kind, kind.title(), PEOPLE, CLIPS, waiting=10, work=kind, places=places, **fields)


def test_pay_per_item_is_known_exactly():
    money = Money("EUR", paid={"write": 1250}, rates={"write": (125, 0)})
    assert cost_to_finish(step(), money) == Cost(2500, 2500)
    assert step_cost(step(), money) == CostWords("12.50 EUR so far", "25.00 EUR to finish")


def test_pay_per_hour_is_predicted_from_the_times_of_finished_work():
    """20 more take 20 * 105 s, which at 12 EUR an hour is 7 EUR. The variance of a time is
    (118,500 - 10 * 105^2) / 9 = 916.67, of the prediction 916.67 * (20 + 400 / 10) = 55,000, and
    Student's 0.9 quantile for 9 degrees of freedom 1.3830: 324.3 s are 1.081 EUR."""
    money = Money("EUR", rates={"write": (5, 1200)}, times={"write": TIMES})
    cost = cost_to_finish(step(), money)
    assert (cost.expected, cost.sure) == (800, 100)
    assert cost.error == pytest.approx(1.3830 * sqrt(55_000) / 3)
    assert step_cost(step(), money) == CostWords("", "about 8.00 EUR to finish", "6.91 to 9.09 EUR")


def test_it_says_when_it_does_not_know_and_is_silent_where_nothing_is_paid():
    few = Money("JPY", rates={"write": (0, 1500)}, times={"write": (4, 400, 40_000)})
    assert step_cost(step(), few) == CostWords(
        "", "No forecast yet", "Only 4 finished items with a time; 5 are needed."
    )
    assert step_cost(step("merge"), few) is None
    assert step_cost(step(), None) is total_cost([step()], None) is None
    assert step_cost(DONE, Money("JPY", paid={"merge": 4000})) == CostWords("4,000 JPY so far")


def test_the_errors_of_steps_add_up_as_squares_and_corrections_are_in_the_sum():
    money = Money(
        "EUR",
        paid={"write": 1000, "": -150},
        rates={"write": (5, 1200), "split": (5, 1200), "merge": (10, 0)},
        times=dict.fromkeys(("write", "split"), TIMES),
    )
    steps = [step(), step("split"), step("merge"), step("verify"), step("rate", is_optional=True)]
    error = sqrt(2) * 1.3830 * sqrt(55_000) / 3
    assert total_cost(steps, money) == CostWords(
        "8.50 EUR so far",
        "about 18.00 EUR to finish",
        f"{(1800 - error) // 1 / 100:.2f} to {-(-(1800 + error) // 1) / 100:.2f} EUR",
        "Verify",
    )
    assert total_cost([DONE], money).to_finish == "nothing left"
    assert total_cost([step("verify")], money).to_finish == "what is left isn’t known (Verify)"


def test_the_forecast_of_time_beyond_the_table_and_at_its_edges():
    """A&S table 26.10: the 0.9 quantile for 20 degrees of freedom is 1.325."""
    many = forecast_time(1, 21, 2100, 21 * 10_000 + 20 * 100)
    assert many.expected == 100
    assert many.error == pytest.approx(1.3253 * 10 * sqrt(1 + 1 / 21), rel=1e-4)
    assert (forecast_time(0, 0, 0, 0).expected, forecast_time(7, 5, 50, 500).error) == (0, 0)
    for sums in ((-1, 5, 50, 500), (1, 5, 50, 499), (1, 0, 1, 1)):
        with pytest.raises(ValueError, match="No times have these sums"):
            forecast_time(*sums)


@pytest.mark.django_db
def test_admins_see_it_where_the_project_pays(project, anna, rita, ada):
    Project.objects.update(protocol="lovr")
    project.refresh_from_db()
    for _ in range(5):
        held = hold_check(anna, make_clip(project).video)
        Assignment.objects.filter(pk=held.pk).update(
            state="submitted", submitted_at=timezone.now(), active_seconds=50_000
        )
    make_clip(project)
    page = reverse("review:overview", args=[project.slug])
    client = client_of(ada)
    with count_queries() as unpaid:
        assert "to finish" not in client.get(page).text
    set_currency(project=project, currency="EUR", admin=ada)
    add_rate(
        project=project,
        kind="dynamics",
        per_item=Decimal("0.25"),
        per_hour=Decimal("18"),
        pays_training=False,
        starts_on=today() - timedelta(days=1),
        admin=ada,
    )
    record_pay(project=project)
    correct_pay(project=project, person=anna, amount=Decimal("1.01"), reason="Late.", admin=ada)
    with count_queries() as paid:
        answer = client.get(page)
    assert int(paid) == int(unpaid) + 2
    rows = {row.step.key: row for lane in answer.context["lanes"] for row in lane.rows}
    assert rows["dynamics"].cost.so_far == "1,251.25 EUR so far"
    assert rows["dynamics"].cost.to_finish == "1,251.25 EUR to finish"
    assert answer.context["cost"].so_far == "1,252.26 EUR so far"
    assert "EUR" not in client_of(rita).get(page).text
