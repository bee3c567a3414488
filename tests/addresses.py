"""Every address of the site and of its API, and what it needs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.report_addresses import REPORT_SUBJECTS

API = "api"


def api_views() -> dict[str, Callable]:
    """The resources of the API by name, all but the answer to every other address there."""
    views = all_views(get_resolver().namespace_dict[API][1], f"{API}:")
    return {name: view for name, view in views.items() if name != f"{API}:nothing_there"}


def all_views(resolver: URLResolver | None = None, namespace: str = "") -> dict[str, Callable]:
    views: dict[str, Callable] = {}
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLPattern):
            views[f"{namespace}{entry.name}"] = entry.callback
        elif entry.namespace != API:
            inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
            views |= all_views(entry, inner)
    return views


def address_of(name: str, values: dict[str, object]) -> str:
    """Return the address with these values for its arguments. The name of a report's address is
    followed by the page, the key of the subject, and the file."""
    name, *words = name.split(" ")
    if not words:
        return reverse(name, kwargs=values)
    page, *others = words
    return reverse(name, args=[values["slug"], page, *(values.get(word, word) for word in others)])


def arguments_of(name: str) -> list[str]:
    name, *words = name.split(" ")
    if words:
        return ["slug", *(word for word in words[1:] if word in REPORT_SUBJECTS.values())]
    resolver = get_resolver()
    *namespaces, last = name.split(":")
    for namespace in namespaces:
        resolver = resolver.namespace_dict[namespace][1]
    return resolver.reverse_dict.getlist(last)[0][0][0][1]


def in_batches(names: list[str], size: int = 40) -> pytest.MarkDecorator:
    """Give a test the argument `names`, so many at a time: each name is a subtest, and processes
    that run the tests together share the batches."""
    batches = [names[start : start + size] for start in range(0, len(names), size)]
    return pytest.mark.parametrize("names", batches, ids=[f"from {names[0]}" for names in batches])
