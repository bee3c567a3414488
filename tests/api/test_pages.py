"""What a person can do on a page, a program can do: tests/api/pages.py is complete."""

from __future__ import annotations

from collections.abc import Callable

from django.core.management import get_commands

from tests.addresses import all_views
from tests.api.addresses import OPERATIONS, OWN, SOMETIMES
from tests.api.pages import PAGES

COMMAND = "manage.py "


def methods_of(view: Callable) -> set[str]:
    """The methods that `require_POST` and the like leave of a view."""
    methods: set[str] = set()
    while view is not None:
        code, cells = getattr(view, "__code__", None), getattr(view, "__closure__", None)
        if code and cells and "request_method_list" in code.co_freevars:
            methods |= set(cells[code.co_freevars.index("request_method_list")].cell_contents)
        view = getattr(view, "__wrapped__", None)
    return methods


def test_every_page_that_changes_something_names_its_operation():
    changing = {name for name, view in all_views().items() if methods_of(view) & {"POST", "PUT"}}
    assert len(changing) > 100
    assert changing == PAGES.keys()


def test_every_named_operation_and_command_is_there():
    operations = OPERATIONS.keys() | OWN.keys() | SOMETIMES.keys()
    named_operations = {each for way in PAGES.values() if isinstance(way, tuple) for each in way}
    assert named_operations - operations == set()
    commands = {way for way in PAGES.values() if isinstance(way, str) and way.startswith(COMMAND)}
    assert {way.removeprefix(COMMAND) for way in commands} <= get_commands().keys()


def test_no_operation_changes_more_than_a_program_may_read():
    """What changes something has a scope of its own; what reads has none."""
    every = OPERATIONS | OWN | SOMETIMES
    assert {
        name for name, (how, _, scope) in every.items() if how != "get" and scope == "read"
    } == set()
