"""Every operation of the API, and who may use it. One that is missing here fails the test."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone

from annotate.models import ApiToken, Project
from tests.addresses import address_of, api_views, arguments_of, in_batches
from tests.api.addresses import OPERATIONS, OWN, SOMETIMES
from tests.api.asking import Program, problem, token_of
from tests.cast import join, make_person, make_project
from tests.one_of_everything import make_world
from tests.shared_world import kept_for_the_module
from tests.test_permissions import EVERY_MEMBER

pytestmark = pytest.mark.django_db

ALL = OPERATIONS | SOMETIMES | OWN
SCOPES = ("read", "work", "admin")


@pytest.fixture(scope="module")
def shared_world(django_db_setup, django_db_blocker):
    with kept_for_the_module(django_db_blocker):
        world = make_world()
        project = Project.objects.get(slug=world["slug"])
        members = {name: world["people"][name] for name in EVERY_MEMBER}
        tokens = {name: token_of(person, project) for name, person in members.items()}
        tokens |= {f"{name} reads": token_of(members[name], project, "read") for name in members}
        scopes = {scope: token_of(members["ada"], project, scope) for scope in SCOPES[:-1]}
        # A member of all roles of another project, who has no token of this one.
        other, olga = make_project("Other"), make_person("Olga")
        join(other, olga, "annotator", "expert", "reviewer", "admin")
        tokens |= scopes | {"olga": token_of(olga, other)}
        # When a token was used is stored every five minutes alone.
        ApiToken.objects.update(last_used_at=timezone.now())
        yield world | {"project": project, "tokens": tokens, "other": other.slug}


@pytest.fixture
def world(shared_world, db):
    return shared_world


def split_name(name: str) -> tuple[str, str]:
    """(name of the address, method): further operations of an address are called `name put`."""
    address, _, method = name.partition(" ")
    return address, method or ALL[name][0]


def ask(world: dict, name: str, who: str | None, **changed: object) -> HttpResponse:
    """Return the answer to an empty request; what it changes is taken back."""
    address, method = split_name(name)
    values = {key: (world | changed)[key] for key in arguments_of(address)}
    program = Program(world["tokens"][who] if who else None, world["project"])
    with transaction.atomic():
        answer = program.ask(method, address_of(address, values), None if method == "get" else {})
        transaction.set_rollback(True)
    return answer


def test_every_operation_is_in_the_table():
    described = {
        (name, method)
        for name, view in api_views().items()
        for method in ("get", "post", "put", "patch", "delete")
        if hasattr(view.cls, method)
    }
    assert {split_name(name) for name in ALL} == described


@in_batches(sorted(OPERATIONS))
def test_the_role_and_the_scope_decide(world, subtests, names):
    for name in names:
        with subtests.test(name):
            check_role_and_scope(world, name)


def check_role_and_scope(world: dict, name: str) -> None:
    _, allowed, scope = OPERATIONS[name]
    codes = {person: ask(world, name, person).status_code for person in EVERY_MEMBER}
    assert {person for person, code in codes.items() if code == 403} == EVERY_MEMBER - allowed
    served = {person: codes[person] for person in allowed}
    assert {p: code for p, code in served.items() if code in {401, 404, 405} or code >= 500} == {}
    if "ada" in allowed:
        # Her own token has the scope `admin`.
        narrower = SCOPES[: SCOPES.index(scope)]
        asked_with = [*narrower, *({scope} - {"admin"})]
        refused = [each for each in asked_with if ask(world, name, each).status_code == 403]
        assert refused == list(narrower)


def test_a_wider_scope_may_what_a_narrower_one_may(world):
    name, (_, _, scope) = "api:labels", OPERATIONS["api:labels"]
    assert scope == "read"
    assert ask(world, name, "work").status_code == 200


def test_only_its_owner_reaches_own_work(world, subtests):
    for name, (_, [owner], _) in OWN.items():
        with subtests.test(name):
            codes = {person: ask(world, name, person).status_code for person in EVERY_MEMBER}
            own = codes.pop(owner)
            assert own not in {401, 403, 404, 405}
            assert own < 500
            assert set(codes.values()) <= {403, 404}
            assert ask(world, name, f"{owner} reads").status_code == 403


@in_batches(sorted(ALL))
def test_it_is_shut_without_a_token_and_to_other_projects(world, subtests, names):
    for name in names:
        with subtests.test(name):
            check_refusals(world, name)


def check_refusals(world: dict, name: str) -> None:
    assert problem(ask(world, name, None)) == (401, "no-token")
    address, _ = split_name(name)
    if "slug" in arguments_of(address):
        assert problem(ask(world, name, "olga")) == (404, "not-found")
        if not set(arguments_of(address)) <= {"slug", "kind", "table", "dataset_file"}:
            # Through one's own project no other's row shows.
            through_own = ask(world, name, "olga", slug=world["other"])
            assert problem(through_own) == (404, "not-found")
