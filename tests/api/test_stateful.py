"""Sequences of requests, in which one uses what another has made: no 500, no other answer than
described."""

from __future__ import annotations

import hypothesis
import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase

from tests.api.test_schema import CHECKS, open_connection, world  # noqa: F401 (fixtures)

pytestmark = pytest.mark.django_db
SEQUENCES, STEPS = 8, 8
MADE_AND_USED = r"/(invitations|imports|models|videos|clips)/"


def test_what_one_request_makes_another_uses(world, open_connection, settings):  # noqa: F811
    settings.VERICAP_API_REQUESTS_PER_MINUTE = 10**6
    values, schema, headers = world
    linked = []

    # Of all 100 operations, hardly any would be followed by one that takes what it made.
    makers = schema.include(path_regex=MADE_AND_USED)

    class Program(makers.as_state_machine()):
        def setup(self) -> None:
            self.before = transaction.savepoint()

        def teardown(self) -> None:
            transaction.savepoint_rollback(self.before)

        def step(self, input):
            from_links = {name for _, name in input.applied_parameters} - {"slug"}
            linked.extend(from_links)
            for name in input.case.path_parameters or {}:
                if name not in from_links:
                    input.case.path_parameters[name] = values[name]
            return super().step(input)

        def get_call_kwargs(self, case):
            return {"headers": headers["ada"]}

        def validate_response(self, response, case, **options):
            case.validate_response(response, checks=CHECKS, headers=headers["ada"])

    Program.run(
        settings=hypothesis.settings(
            max_examples=SEQUENCES,
            stateful_step_count=STEPS,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
    )
    assert linked  # keys that came from an earlier answer
