"""Joining a panel."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.consent.services import write_consent_text
from annotate.errors import AnnotateError
from annotate.models import AuditEvent, Consent, User
from annotate.projects.services.deactivation import deactivate_member
from review.panels.joining import PanelClosed
from review.panels.models import Panel, Participant
from review.panels.services import close_panel, renew_link
from tests.annotate.queue.test_concurrency import in_threads
from tests.cast import client_of, make_person, make_project
from tests.review.panels.panel import (
    PERSON,
    join,
    link_of,
    member,
    open_panel,
    open_work,
    own_page,
    visit,
    work,
)

pytestmark = pytest.mark.django_db


class TestJoining:
    def test_a_person_joins_without_address_and_password(self, project, ada):
        _, token = open_panel(project, ada)
        page = Client().get(link_of(token))
        assert PERSON in page.text
        client = visit(token)
        person = Participant.objects.get().person
        assert (person.name, person.has_usable_password()) == ("Participant 1", False)
        assert person.email.endswith("@panel.invalid")
        assert member(Participant.objects.get()).roles == ["annotator"]
        assert "0 of 2" in own_page(client, project)
        assert PERSON not in str(AuditEvent.objects.values_list("before", "after"))

    def test_a_place_belongs_to_the_session_that_took_it(self, project, ada):
        """An id is known to others: it opens the place only in the browser that joined, or together
        with the panel's session."""
        panel, token = open_panel(project, ada, places=1)
        first = visit(token)
        close_panel(panel=panel, admin=ada)
        participant = Participant.objects.get()
        strange = [{"session_id": ""}, {"session_id": "another"}]
        for ids in strange:
            refused = Client().post(link_of(token), {"external_id": PERSON, **ids})
            assert refused.status_code == 409
            assert "This ID already takes part" in refused.text
        for client in (first, visit(token)):
            assert "0 of 2" in own_page(client, project)
        first.post(link_of(token), {"external_id": PERSON, **strange[1]})
        assert "0 of 2" in own_page(first, project)
        assert Participant.objects.get().session_id == participant.session_id == "session"
        Participant.objects.update(session_id="")
        with pytest.raises(PanelClosed, match="already takes part"):
            join(token, session_id="")
        with pytest.raises(PanelClosed, match="closed"):
            join(token, "somebody-else")

    def test_one_id_has_one_account_in_all_panels_of_a_project(self, project, ada):
        _, first = open_panel(project, ada)
        _, second = open_panel(project, ada)
        assert join(first).person == join(second).person
        elsewhere = make_project("Elsewhere")
        _, third = open_panel(elsewhere, make_person("Eve", elsewhere, "admin"))
        assert join(third).person != join(first).person

    def test_without_an_id_in_the_link_people_type_it(self, project, ada):
        _, token = open_panel(project, ada)
        client, address = Client(), reverse("review:join_panel", args=[token])
        assert "Your participant ID" in client.get(address).text
        refused = client.post(address, {"external_id": " "})
        assert refused.status_code == 422
        assert "Type the ID that you have on the panel." in refused.text
        assert not Participant.objects.exists()
        assert client.post(address, {"external_id": "W7"}).status_code == 302

    def test_only_signed_links_let_people_in(self, project, ada):
        panel, token = open_panel(project, ada, asks_signature=True)
        client, page = client_of(ada), reverse("review:panel", args=[project.slug, panel.pk])
        assert "only people with a link that you made here" in client.get(page).text
        address = reverse("review:sign_panel_links", args=[project.slug, panel.pk])
        assert client.post(address, {"external_ids": f"{PERSON}\n{'x' * 101}"}).status_code == 422
        lines = client.post(address, {"external_ids": f" {PERSON} \n\nsecond\n{PERSON}"})
        rows = [line.split(",") for line in b"".join(lines).decode().split()]
        assert [row[0] for row in rows] == ["external_id", PERSON, "second"]
        own, second = (row[1].removeprefix("http://testserver") for row in rows[1:])

        forged = second.replace(second.split("/")[2].split(":")[0], own.split("/")[2].split(":")[0])
        for refused in (link_of(token), forged):
            assert Client().post(refused, {"external_id": PERSON}).status_code == 410
        assert not Participant.objects.exists()

        # What the form says about the id does not count, and the person may change the browser.
        for browser in (Client(), Client()):
            assert PERSON in browser.get(own).text
            assert browser.post(own, {"external_id": "invented"}).status_code == 302
        assert Participant.objects.get().external_id == PERSON
        client.post(reverse("review:renew_panel_link", args=[project.slug, panel.pk]))
        assert "panel-link" not in client.get(page).text
        assert Client().get(second).status_code == 410

    def test_places_days_and_links_end(self, project, ada):
        open_work(project)
        panel, token = open_panel(project, ada, places=1)
        work(join(token))
        with pytest.raises(PanelClosed, match="All places"):
            join(token, "b")
        Panel.objects.update(places=2, expires_at=timezone.now())
        with pytest.raises(PanelClosed, match="closed"):
            join(token, "b")
        _, renewed = renew_link(panel=panel, admin=ada)
        assert Client().get(link_of(token)).status_code == 410
        assert Client().get(link_of(renewed)).status_code == 200
        assert join(renewed) == Participant.objects.get()

    def test_somebody_whose_access_ended_does_not_come_back(self, project, ada):
        _, token = open_panel(project, ada)
        participant = join(token)
        deactivate_member(membership=member(participant), admin=ada)
        with pytest.raises(PanelClosed, match="access to this study has ended"):
            join(token)

    def test_members_are_not_signed_in_as_somebody_else(self, project, ada, anna):
        _, token = open_panel(project, ada)
        client = client_of(anna)
        refused = client.post(link_of(token), {"external_id": PERSON})
        assert refused.status_code == 409
        assert "Sign out" in refused.text
        assert not Participant.objects.exists()
        own = client.get(reverse("review:own_panel", args=[project.slug]))
        assert own.status_code == 403

    def test_a_page_that_is_sent_too_late_says_that_all_places_are_taken(self, project, ada):
        open_work(project)
        _, token = open_panel(project, ada, places=1)
        work(join(token))
        late = Client().post(link_of(token, "next"), {"external_id": "next"})
        assert late.status_code == 409
        assert "All places of this study are taken." in late.text
        assert Participant.objects.count() == 1

    def test_the_consent_text_comes_first(self, project, ada):
        write_consent_text(
            project=project, admin=ada, text="We record your votes.", asks_again=True, base_number=0
        )
        _, token = open_panel(project, ada)
        assert "We record your votes." in Client().get(link_of(token)).text
        with pytest.raises(AnnotateError, match="text has changed"):
            join(token)
        old = Client().post(link_of(token), {"external_id": PERSON, "consent_number": 9})
        assert old.status_code == 422
        assert "text has changed" in old.text
        assert not User.objects.filter(name="Participant 1").exists()
        assert visit(token, consent_number=1).get(f"/p/{project.slug}/panel/").status_code == 200
        assert Consent.objects.get().person == Participant.objects.get().person

    def test_joining_is_limited_per_address(self, project, ada):
        cache.clear()
        _, token = open_panel(project, ada)
        client = Client()
        codes = [client.get(link_of("wrong" + token)).status_code for _ in range(31)]
        assert codes == [410] * 30 + [429]
        assert client.post(link_of(token), {"external_id": PERSON}).status_code == 429
        assert not Participant.objects.exists()
        cache.clear()


def test_participants_have_the_pages_of_their_study_alone(project, ada):
    _, token = open_panel(project, ada)
    client = visit(token)
    opened = {
        name: client.get(reverse(name, args=[project.slug])).status_code
        for name in ("annotate:my_work", "review:own_panel", "annotate:consent", "annotate:corpus",
                     "review:releases", "review:find", "annotate:api_tokens", "review:panels")
    }  # fmt: skip
    assert [name for name, code in opened.items() if code != 403] == list(opened)[:3]
    page = own_page(client, project)
    assert "Your study" in page
    assert reverse("annotate:corpus", args=[project.slug]) not in page
    assert client.get("/accounts/password/change/").status_code == 403


@pytest.mark.django_db(transaction=True)
def test_one_id_that_joins_twice_at_once_has_one_place():
    project = make_project(protocol="lovr")
    ada = make_person("Ada", project, "admin")
    _, token = open_panel(project, ada, places=2)

    def try_to_join(external_id):
        return join(token, external_id).pk

    keys = in_threads(try_to_join, ["a", "a", "b", "c", "c", "d"])
    assert Participant.objects.count() == 4
    assert set(keys) == set(Participant.objects.values_list("pk", flat=True))
