"""What admins do with panels: make, change, close, decide, export; and that ids stay theirs."""

from __future__ import annotations

import csv
import io

import pytest
from django.urls import reverse

from annotate.consent.services import withdraw_consent, write_consent_text
from annotate.models import AuditEvent
from review.errors import ReviewError
from review.panels.joining import settle
from review.panels.models import Panel, Participant
from review.panels.pages import full_link
from review.panels.queries import counted_panels, rows_of
from review.panels.services import decide, delete_external_ids
from tests.cast import client_of, count_queries, make_project
from tests.review.panels.panel import PERSON, VALUES, join, open_panel, open_work, overdue, work
from tests.swapped_parts import send_in_place

pytestmark = pytest.mark.django_db
SENT = {name: value for name, value in VALUES.items() if name not in ("items", "expires_at")} | {
    "items_dynamics": 2
}


def url(name, project, *args):
    return reverse(f"review:{name}", args=[project.slug, *args])


@pytest.fixture
def project(db):
    return make_project(protocol="lovr")


@pytest.fixture
def ended(project, ada):
    """A participant who ran out of time after one item."""
    open_work(project)
    _, token = open_panel(project, ada)
    participant = join(token)
    work(participant)
    overdue(participant)
    return settle(participant=participant)


def test_an_admin_makes_a_panel_and_sees_its_link_once(project, ada):
    client = client_of(ada)
    assert "No panels yet" in client.get(url("panels", project)).text
    answered = client.post(url("new_panel", project), SENT)
    panel = Panel.objects.get()
    assert answered.url == url("panel", project, panel.pk)
    made = client.get(answered.url)
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in made.text
    assert panel.items == {"dynamics": 2}
    assert panel.token_hash not in made.text
    page = client.get(url("panel", project, panel.pk)).text
    assert "panel-link" not in page
    assert "https://app.prolific.com/submissions/complete?cc={code}" in page
    form = client.get(url("change_panel", project, panel.pk))
    assert 'value="DONE1"' in form.text
    changed = client.post(url("change_panel", project, panel.pk), SENT | {"places": 9})
    assert changed.status_code == 302
    panel.refresh_from_db()
    assert panel.places == 9


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"items_dynamics": ""}, "at least one kind of work"),
        ({"return_address": "http://example.org/"}, "beginning with https://"),
        ({"return_address": "//example.org/"}, "beginning with https://"),
        ({"return_address": "javascript:alert(1)"}, "beginning with https://"),
        ({"return_address": "https://a@example.org/"}, "Take them out"),
        ({"return_address": "https://example.org/a b"}, "has a space"),
        ({"return_address": "https://[example.org/"}, "be read. Write https://host/path."),
        ({"return_address": "https://{code}.example.org/"}, "be in the host"),
        ({"completed_code": ""}, "needs a code"),
        ({"completed_code": "", "return_address": ""}, "Give this code or a return address"),
        ({"completed_code": "A&B"}, "letters, digits"),
        ({"id_parameter": "1 x"}, "Begin with a letter"),
        ({"places": 0}, "greater than or equal to 1"),
    ],
)
def test_bad_values_are_refused_and_kept_on_the_page(project, ada, values, error):
    refused = client_of(ada).post(url("new_panel", project), SENT | values)
    assert refused.status_code == 422
    assert error in refused.text
    assert "Videos that move" in refused.text
    assert not Panel.objects.exists()


def test_an_admin_approves_or_rejects_with_a_reason(project, ada, ended):
    client, address = client_of(ada), url("decide_participant", project, ended.pk)
    refused = client.post(address, {"decision": "rejected", "reason": " "})
    assert refused.status_code == 422
    assert "Say why you reject it" in refused.text
    client.post(address, {"decision": "rejected", "reason": "=Too few items"})
    text = b"".join(client.get(url("download_panel", project, ended.panel_id))).decode()
    [row] = csv.DictReader(io.StringIO(text))
    assert row["external_id"] == PERSON
    assert (row["outcome"], row["code"], row["items"]) == ("out_of_time", "LATE3", "1")
    assert (row["decision"], row["reason"]) == ("rejected", "'=Too few items")
    send_in_place(client, url("panel", project, ended.panel_id), address, {"decision": "approved"})
    ended.refresh_from_db()
    assert (ended.decision, ended.reason, ended.decided_by) == ("approved", "", ada)
    assert "Approved" in client.get(url("panel", project, ended.panel_id)).text
    assert AuditEvent.objects.filter(verb="decide about participant").count() == 2


def test_a_closed_panel_stays_as_it_is(project, ada):
    panel, _ = open_panel(project, ada)
    client = client_of(ada)
    for _ in range(2):
        client.post(url("close_panel", project, panel.pk))
    assert AuditEvent.objects.filter(verb="close panel").count() == 1
    changed = client.post(url("change_panel", project, panel.pk), SENT | {"places": 9})
    assert changed.status_code == 422
    assert "This panel is closed. Make a new one." in changed.text
    renewed = client.post(url("renew_panel_link", project, panel.pk), follow=True)
    assert "This panel is closed, so it has no link. Make a new one." in renewed.text
    panel.refresh_from_db()
    assert panel.places == 3


def test_a_decision_approves_or_rejects(ended, ada):
    with pytest.raises(ReviewError) as refused:
        decide(participant=ended, decision="maybe", reason="", admin=ada)
    assert str(refused.value) == "Choose: approve or reject."


def test_ids_are_deleted_once(ended, ada):
    for _ in range(2):
        delete_external_ids(participant=ended, admin=ada)
    assert AuditEvent.objects.filter(verb="delete external id").count() == 1


def test_the_link_of_another_panel_has_no_placeholders(project, ada):
    panel, _ = open_panel(project, ada, id_parameter="worker")
    assert full_link(panel, "https://a.org/x") == "https://a.org/x"


def test_nobody_is_decided_about_while_they_work(project, ada):
    _, token = open_panel(project, ada)
    participant = join(token)
    with pytest.raises(ReviewError, match="still working"):
        decide(participant=participant, decision="approved", reason="", admin=ada)
    with pytest.raises(ReviewError, match="still working"):
        delete_external_ids(participant=participant, admin=ada)


def test_the_id_of_somebody_who_withdrew_can_be_deleted_at_once(project, ada):
    write_consent_text(
        project=project, admin=ada, text="We keep votes.", asks_again=True, base_number=0
    )
    panel, token = open_panel(project, ada)
    participant = join(token, consent_number=1)
    withdraw_consent(project=project, person=participant.person)
    client = client_of(ada)
    page = client.get(url("panel", project, panel.pk)).text
    assert "Withdrew consent" in page
    client.post(url("delete_external_id", project, participant.pk))
    participant.refresh_from_db()
    assert (participant.external_id, participant.study_id, participant.session_id) == ("", "", "")


def test_the_external_id_is_on_admin_pages_alone_and_can_be_deleted(project, ada, rita, ended):
    pages = ["panel", "people", "pay_people", "audit_log", "activity"]
    addresses = [
        url(name, project, *([ended.panel_id] if name == "panel" else [])) for name in pages
    ]
    addresses.append(reverse("annotate:members", args=[project.slug]))
    admin = client_of(ada)
    assert [PERSON in admin.get(address).text for address in addresses] == [True] + [False] * 5
    assert client_of(rita).get(addresses[0]).status_code == 403
    send_in_place(admin, addresses[0], url("delete_external_id", project, ended.pk))
    assert "deleted" in admin.get(addresses[0]).text
    text = b"".join(admin.get(url("download_panel", project, ended.panel_id))).decode()
    assert PERSON not in text
    assert not Participant.objects.filter(external_id=PERSON).exists()


def test_a_new_link_is_shown_once_after_a_redirect(project, ada):
    panel, _ = open_panel(project, ada)
    client = client_of(ada)
    answered = client.post(url("renew_panel_link", project, panel.pk))
    pages = [client.get(answered.url).text for _ in range(2)]
    assert ["panel-link" in page for page in pages] == [True, False]


def test_the_list_and_the_page_agree_before_the_end_is_stored(project, ada):
    open_work(project)
    panel, token = open_panel(project, ada, items={"dynamics": 1})
    participant = join(token)
    join(token, "second")
    work(participant)
    assert not Participant.objects.exclude(outcome="").exists()
    for stored, decision in [("", ""), ("completed", ""), ("completed", "approved")]:
        if stored:
            settle(participant=participant)
        if decision:
            decide(participant=participant, decision=decision, reason="", admin=ada)
        (row,) = counted_panels(project)
        assert (row.joined, row.completed, row.undecided) == (2, 1, 0 if decision else 1)
    outcomes = [row.outcome for row in rows_of(Participant.objects.filter(panel=panel), project)]
    assert outcomes == ["completed", ""]


def test_pages_take_the_same_queries_with_more_people(project, ada):
    panel, token = open_panel(project, ada)
    client, counts = client_of(ada), {}
    for number in range(3):
        join(token, f"person-{number}")
        if number != 1:
            for address in (url("panels", project), url("panel", project, panel.pk)):
                client.get(address)
                with count_queries() as count:
                    client.get(address)
                counts.setdefault(address, set()).add(int(count))
    assert [len(numbers) for numbers in counts.values()] == [1, 1]
