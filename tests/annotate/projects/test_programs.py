"""An admin declares a member as a program, with its model."""

import pytest

from annotate.errors import AnnotateError
from annotate.models import AuditEvent
from annotate.projects.services.members import remove_member
from tests.api.asking import program_of
from tests.cast import client_of, make_clip
from tests.work import make_work, submit_write_up

pytestmark = pytest.mark.django_db
MARK = '<span class="badge plain" dir="auto">program · Judge &lt;7B&gt;</span>'


def test_a_declaration_covers_earlier_work_and_is_in_the_audit_log(project, ada, anna):
    submit_write_up(anna, make_work(make_clip(project)))
    membership = project.memberships.get(user=anna)
    admin, address = client_of(ada), f"/p/dives/members/{membership.pk}/program/"
    refused = admin.post(address, {"program": "\u200b"})
    assert refused.status_code == 422
    assert not AuditEvent.objects.filter(verb="declare").exists()

    page = admin.post(address, {"program": " Judge <7B> "}, follow=True).text
    assert "Anna is a program in this project." in page
    assert MARK in page
    event = AuditEvent.objects.get(verb="declare")
    assert (event.actor, event.before) == (ada, {"program": ""})
    assert event.after == {"program": "Judge <7B>", "submitted": 1}

    membership.refresh_from_db()
    with pytest.raises(AnnotateError, match="Deactivate it instead"):
        remove_member(membership=membership, admin=ada)
    by_api = program_of(ada, project, scope="admin")
    row = by_api.ask("put", f"members/{membership.pk}/program/", {"program": ""}).json()
    assert (row["name"], row["program"]) == ("Anna", "")
    assert MARK not in admin.get("/p/dives/members/").text
    membership.refresh_from_db()
    remove_member(membership=membership, admin=ada)
