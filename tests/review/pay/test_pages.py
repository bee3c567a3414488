"""The pages and the API of pay: who reads what, and what they change."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from review.pay.models import PayEntry, PayRate, PayStatement
from review.pay.queries import today
from tests.cast import client_of, make_person
from tests.review.pay.test_ledger import KIND, approve, finish, record, set_rate
from tests.swapped_parts import send_in_place

pytestmark = pytest.mark.django_db


def url(name, project, *args):
    return reverse(f"review:{name}", args=[project.slug, *args])


def download(client, project):
    return client.get(url("download_pay", project)).getvalue().decode()


def query_count(client, address):
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
        assert b"".join(answer)
    return len(queries)


def test_pay_is_hidden_until_an_admin_sets_currency_rate_and_bonus(project, anna, ada):
    mine, admin = client_of(anna), client_of(ada)
    assert url("pay", project) not in mine.get(url("pay", project).replace("pay/", "")).text
    assert "no rates of pay" in mine.get(url("pay", project)).text
    assert "choose a currency first" in admin.get(url("pay_rates", project)).text
    refused = admin.post(url("set_currency", project), {"currency": "XXX"})
    assert refused.status_code == 422
    admin.post(url("set_currency", project), {"currency": "EUR"})
    assert url("pay", project) in mine.get(url("pay", project)).text
    # The browser's control for a day reads this form alone.
    assert f'value="{today():%Y-%m-%d}"' in admin.get(url("pay_rates", project)).text
    rate = {"kind": KIND, "per_item": "0.505", "per_hour": "12", "starts_on": str(today())}
    refused = admin.post(url("add_pay_rate", project), rate)
    assert refused.status_code == 422
    assert "type a multiple of 0.01" in refused.text
    assert 'value="0.505"' in refused.text
    nothing = admin.post(url("add_pay_rate", project), rate | {"per_item": "0", "per_hour": "0"})
    assert nothing.status_code == 422
    assert "Both rates are 0. Type an amount per item, per hour, or both." in nothing.text
    assert "End the pay" not in admin.get(url("pay_rates", project)).text
    rate |= {"per_item": "0.5"}
    page = send_in_place(admin, url("pay_rates", project), url("add_pay_rate", project), rate)
    assert "0.50 EUR" in page.text
    assert f"rate from {today().day} {today():%b %Y} added." in page.text
    page = admin.post(url("add_pay_rate", project), rate | {"kind": "split"}, follow=True)
    assert 'value="split" selected' in page.text  # the next rate is often of the same kind
    assert admin.post(url("set_pay_bonus", project), {"amount": "-1"}).status_code == 422
    page = admin.post(url("set_pay_bonus", project), {"amount": "5", "percent": 10}, follow=True)
    assert "5.00 EUR and 10 %" in page.text
    assert 'name="amount" value="5.00"' in page.text
    assert PayRate.objects.first().per_hour == 1200
    end = {"kind": KIND, "starts_on": str(today() - timedelta(days=1))}
    refused = admin.post(url("end_pay", project), end)
    assert refused.status_code == 422
    assert "isn&#x27;t paid on" in refused.text
    end["starts_on"] = str(today() + timedelta(days=9))
    admin.post(url("end_pay", project), end)
    end["starts_on"] = str(today())  # earlier than was planned
    page = send_in_place(admin, url("pay_rates", project), url("end_pay", project), end)
    assert f"not paid from {today().day} {today():%b %Y}." in page.text
    assert page.text.count(">Not paid<") == 4
    kinds = [kind for kind, _ in page.context["end_form"].fields["kind"].choices]
    assert kinds == ["split"]  # the others have ended


def test_an_admin_checks_corrects_and_approves_and_the_person_reads_it(project, anna, ada, rita):
    admin, mine = client_of(ada), client_of(anna)
    set_rate(project, ada)
    assert "Nobody has earned anything" in admin.get(url("pay_people", project)).text
    finish(anna, project, 90)
    assert "1 finished item has no entry yet" in admin.get(url("pay_people", project)).text
    everybody = url("pay_people", project)
    assert "1 new entry." in send_in_place(admin, everybody, url("record_pay", project)).text
    mark = "=HYPERLINK(1)<b>"
    reason = "Pay is usually approved by month"
    assert reason in admin.get(everybody).text
    assert reason not in admin.get(f"{everybody}?until={today()}").text
    wrong = admin.post(
        url("correct_pay", project, anna.pk) + f"?until={today()}", {"amount": "", "reason": mark}
    )
    assert wrong.status_code == 422
    assert "=HYPERLINK(1)&lt;b&gt;" in wrong.text
    correct = f"{url('correct_pay', project, anna.pk)}?until={today()}"
    corrected = admin.post(correct, {"amount": "-0.20", "reason": mark})
    assert corrected.url.endswith(f"?until={today()}")
    page = admin.get(url("person_pay", project, anna.pk) + f"?until={today()}")
    assert "Approve 0.30 EUR" in page.text
    send = {"until": str(today()), "digest": page.context["lines"].digest}
    finish(anna, project)
    record(project)
    for changes in ({}, {"digest": "x"}, {"until": ""}):
        refused = admin.post(url("approve_pay", project, anna.pk), send | changes)
        assert refused.status_code == 422
        assert "Nothing was approved." in refused.text
    assert "have changed since" in admin.post(url("approve_pay", project, anna.pk), send).text
    assert PayStatement.objects.count() == 0
    page = admin.get(url("person_pay", project, anna.pk) + f"?until={today()}")
    send["digest"] = page.context["lines"].digest
    send_in_place(
        admin,
        url("person_pay", project, anna.pk) + f"?until={today()}",
        url("approve_pay", project, anna.pk),
        send,
    )
    statement = PayStatement.objects.get()
    assert (statement.units, statement.entries) == (80, 3)
    own = mine.get(url("pay", project))
    assert "Nothing is open" in own.text
    assert "0.80 EUR" in own.text
    assert "1 min" in mine.get(url("pay_statement", project, statement.pk)).text
    assert client_of(rita).get(url("pay_statement", project, statement.pk)).status_code == 403
    [*rows] = csv.DictReader(io.StringIO(download(admin, project)))
    assert [row["amount"] for row in rows] == ["0.50", "-0.20", "0.50"]
    assert rows[1]["reason"] == "'" + mark
    assert {row["statement_sha256"] for row in rows} == {statement.digest}


def test_pages_take_the_same_queries_with_more_people_and_entries(project, anna, ada):
    set_rate(project, ada)
    admin = client_of(ada)
    counts = []
    people = [anna]
    for more in (1, 2):
        for _ in range(more):
            people.append(make_person(f"Writer {len(people)}", project, "annotator"))
            for person in people:
                finish(person, project)
        record(project)
        approve(project, anna, ada)
        finish(anna, project)
        record(project)
        pages = [
            url("pay_people", project),
            url("person_pay", project, anna.pk) + f"?until={today()}",
            url("pay_statement", project, PayStatement.objects.latest("pk").pk),
            url("download_pay", project),
        ]
        counts.append([query_count(admin, page) for page in pages])
    assert PayEntry.objects.count() > 8
    assert counts[0] == counts[1]
