"""The life of a token."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.models import ApiToken, AuditEvent, Membership
from annotate.tokens.queries import hash_token
from annotate.tokens.services import MAX_TOKENS
from tests.api.asking import Program, problem, program_of, token_of
from tests.cast import client_of, join, make_project

pytestmark = pytest.mark.django_db

PAGE = "/p/dives/settings/api/"


def make(person, **changed):
    fields = {"name": "Export", "scope": "read", "days": "30"} | changed
    return client_of(person).post(f"{PAGE}make/", fields)


def test_a_token_is_shown_once_and_only_its_hash_is_stored(anna, project):
    answer = make(anna)
    text = answer.context["text"]
    assert f'value="{text}"' in answer.text
    assert "no-store" in answer.headers["Cache-Control"]
    token = ApiToken.objects.get()
    stored = {str(value) for value in vars(token).values()}
    assert text not in stored
    assert token.token_hash == hash_token(text)
    assert text.startswith(token.beginning)
    assert text not in client_of(anna).get(PAGE).text
    assert Program(text, project).get("").status_code == 200
    [event] = AuditEvent.objects.filter(verb="make token")
    assert text not in str(event.after)
    token.refresh_from_db()
    assert token.last_used_at is not None


def test_a_token_ends_when_it_is_revoked_expires_or_its_person_leaves(anna, ben, ada, project):
    programs = {person: program_of(person, project) for person in (anna, ben, ada)}
    token = ApiToken.objects.get(membership__user=anna)
    assert client_of(anna).post(f"{PAGE}{token.pk}/revoke/").status_code == 302
    assert client_of(anna).post(f"{PAGE}{token.pk}/revoke/").status_code == 302
    assert AuditEvent.objects.filter(verb="revoke token").count() == 1
    ApiToken.objects.filter(membership__user=ben).update(
        expires_at=timezone.now() - timedelta(seconds=1)
    )
    Membership.objects.get(user=ada).delete()
    for program in programs.values():
        assert problem(program.get("")) == (401, "no-token")


def test_a_person_who_may_not_sign_in_has_no_token_that_works(anna, project):
    program = program_of(anna, project)
    anna.is_active = False
    anna.save()
    assert problem(program.get("")) == (401, "no-token")


def test_a_token_is_of_one_project(ada, project):
    other = make_project("Other")
    join(other, ada, "admin")
    program = Program(token_of(ada, project), other)
    assert problem(program.get("")) == (404, "not-found")
    assert problem(program.get("clips/")) == (404, "not-found")


def test_a_role_that_is_taken_counts_at_once(ada, project):
    program = program_of(ada, project)
    assert program.get("members/").status_code == 200
    Membership.objects.filter(user=ada).update(is_admin=False, is_annotator=True)
    assert problem(program.get("members/")) == (403, "forbidden")


def test_only_an_admin_makes_a_token_that_administers(anna, ada, project):
    assert make(anna, scope="admin").status_code == 422
    assert make(ada, scope="admin").status_code == 200


def test_a_token_has_a_name_and_ends(anna, project):
    for changed in ({"name": ""}, {"name": "a\u202eb"}, {"days": "4000"}, {"scope": "all"}):
        assert make(anna, **changed).status_code == 422
    assert not ApiToken.objects.exists()


def test_a_person_has_a_limited_number_of_tokens(anna, project):
    for _ in range(MAX_TOKENS):
        token_of(anna, project)
    refused = make(anna)
    assert refused.status_code == 422
    assert "Revoke one first" in refused.text


def test_a_token_says_whose_it_is(anna, project):
    token = program_of(anna, project).get("/api/v1/token/").json()
    assert (token["person"], token["roles"], token["scope"]) == ("Anna", ["annotator"], "work")
    assert token["project"]["slug"] == "dives"
