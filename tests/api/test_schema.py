"""Requests made from the description of the API: no answer breaks it, and none is a 500."""

from __future__ import annotations

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.urls import resolve
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as how
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from annotate.api.schema import api_schema
from annotate.models import Project
from tests.addresses import in_batches
from tests.api.asking import token_of
from tests.api.test_permissions import ALL, EVERY_MEMBER
from tests.one_of_everything import make_world
from tests.shared_world import kept_for_the_module

pytestmark = pytest.mark.django_db

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
OPERATIONS = [
    f"{path} {method}" for path, methods in api_schema()["paths"].items() for method in methods
]


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    with kept_for_the_module(django_db_blocker):
        world = make_world()
        project = Project.objects.get(slug=world["slug"])
        schema = schemathesis.openapi.from_dict(api_schema())
        # To find the constants of the whole product, and draw one now and then, takes as long as
        # the requests of forty operations.
        schema.config.analysis.constants.enabled = False
        schema.app = get_wsgi_application()
        tokens = {name: token_of(world["people"][name], project) for name in EVERY_MEMBER}
        yield world, schema, {name: {"Authorization": f"Bearer {tokens[name]}"} for name in tokens}


@pytest.fixture
def open_connection(db):
    """The connection of the test's transaction, which a request would close."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@in_batches(OPERATIONS)
def test_every_answer_is_as_described(world, open_connection, settings, subtests, names):
    settings.VERICAP_API_REQUESTS_PER_MINUTE = 10**6
    values, schema, headers = world
    for name in names:
        path, method = name.split(" ")
        with subtests.test(name):
            check_operation(schema[path][method], values, headers[who_may(path, method, values)])


def who_may(path, method, values):
    """Ada, or else somebody who may: most work is Anna's, votes are Rita's."""
    name = resolve(path.format(**values)).view_name
    _, allowed, _ = ALL.get(f"{name} {method}") or ALL[name]
    return "ada" if "ada" in allowed else min(allowed)


def check_operation(operation, values, headers):
    # Random keys would nearly all be answered by 404, and a random token by 401. Where nothing else
    # can be drawn, one request is all.
    keys = {parameter.name: values[parameter.name] for parameter in operation.path_parameters}

    @how(
        max_examples=3,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(path_parameters=keys, headers=headers))
    def check(case):
        case.call_and_validate(checks=CHECKS)

    check()
