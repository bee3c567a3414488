"""A form that is sent in place changes its part of the page, but not what is typed into others,
and a second Enter doesn't act on the next row."""

import pytest
from playwright.sync_api import expect

from annotate.models import Invitation
from annotate.projects.services.members import invite
from review.pay.models import PayRate
from review.pay.terms import set_currency

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# What the second click of a double click does to an element that came to the place of the first.
SECOND_CLICK = """element => element.dispatchEvent(
  new MouseEvent("click", { detail: 2, cancelable: true, bubbles: true }))"""


def test_typed_and_refused_values_stay_while_another_form_is_sent(
    page_of, project, ada, console_errors
):
    console_errors.expect("422")
    set_currency(project=project, currency="EUR", admin=ada)
    page = page_of(ada)
    page.goto("/p/dives/pay/rates/")
    page.get_by_role("link", name="Members").first.evaluate(SECOND_CLICK)
    percent, amount = page.get_by_label("Percent of"), page.get_by_label("Amount")
    amount.fill("0.005")
    percent.fill("20")
    per_item = page.get_by_label("Per item")
    per_item.fill("0.5")
    page.get_by_role("button", name="Save the bonus").click()
    expect(page.get_by_role("alert").filter(has_text="0.005")).to_be_visible()
    expect(per_item).to_have_value("0.5")
    page.get_by_label("From").fill("2026-01-01")
    page.get_by_label("Training earns").check()
    add = page.get_by_role("button", name="Add the rate")
    add.click()
    expect(page.get_by_role("rowheader", name="Write")).to_be_visible()
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    add.evaluate(SECOND_CLICK)
    assert [rate.pays_training for rate in PayRate.objects.all()] == [True]
    expect(per_item).to_have_value("0")  # the sent form begins anew
    expect(page.get_by_label("Training earns")).not_to_be_checked()
    expect(amount).to_have_value("0.005")
    expect(percent).to_have_value("20")
    assert sent == []


def test_a_list_keeps_what_is_typed_beside_it_and_its_heading_takes_the_focus(
    page_of, project, ada, anna, ben
):
    for address in ("cara@example.org", "dora@example.org"):
        invite(project=project, admin=ada, roles=["annotator"], email=address)
    page = page_of(ada)
    page.goto("/p/dives/members/")
    email, expert = page.get_by_label("Email"), page.locator("#invite").get_by_label("Expert")
    email.fill("eva@example.org")
    expert.check()
    page.get_by_role("button", name="Withdraw for cara").press("Enter")
    expect(page.get_by_role("heading", name="Open invitations")).to_be_focused()
    page.keyboard.press("Enter")  # once too often
    expect(page.get_by_role("button", name="Withdraw for dora")).to_be_visible()
    expect(email).to_have_value("eva@example.org")
    expect(expert).to_be_checked()
    expect(page.locator("dialog").get_by_label("Expert").locator(":checked")).to_have_count(0)
    page.get_by_role("button", name="Withdraw for dora").press("Enter")
    expect(page.get_by_role("heading", name="Members")).to_be_focused()
    assert Invitation.objects.filter(withdrawn_at=None).count() == 0
