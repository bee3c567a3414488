"""Check that what the protocols name by a key exists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.core.checks import CheckMessage, Error, register

from annotate.models import Caption, Role
from annotate.protocols import Protocol, registered_protocols
from inference.errors import InferenceError
from inference.planning.options import OPTIONS
from review.frozen.models import Release
from review.navigation.project_pages import GROUPS
from review.overview.lanes import can_count
from review.releases.choice import Choice
from review.releases.gates.findings import GATES
from review.releases.services import FREEZE
from review.statistics.columns import COLUMNS


@register()
def protocols_name_what_exists(**kwargs: Any) -> list[CheckMessage]:
    """Return an error for each key or value of a protocol that nothing has."""
    return [
        Error(
            f"The protocol {protocol.key} names {problem}, which doesn't exist.", id="review.E001"
        )
        for protocol in registered_protocols()
        for problem in _problems(protocol)
    ]


def _problems(protocol: Protocol) -> Iterator[str]:
    release = protocol.release
    pages = {page.key for group in GROUPS for page in group.pages}
    yield from _unknown("role", Role.values, protocol.roles)
    yield from _unknown("page", pages, protocol.pages)
    yield from _unknown("column", COLUMNS, protocol.columns)
    yield from _unknown("format", Release.Format.values, [release.format])
    yield from _unknown("content", FREEZE, [release.content])
    yield from _unknown("gate", GATES.get(release.content, {}), release.gates)
    yield from _unknown("choice", Choice().as_json(), release.choices)
    before: set[str] = set()
    for step in protocol.steps:
        yield from _unknown("step", before, step.needs)
        before.add(step.key)
        if not can_count(step):
            yield f"the step {step.key!r}"
    yield from _unknown("step", before, filter(None, [release.check]))
    for text in protocol.texts:
        yield from _unknown("kind of text", Caption.Kind.values, [text.kind])
        yield from _unknown("source", Caption.Source.values, text.sources)
    for preset in protocol.presets:
        try:
            OPTIONS[preset.run].parse(preset.settings)
        except (KeyError, InferenceError) as error:
            yield f"a preset of {preset.run!r} ({error})"


def _unknown(what: str, existing: Iterable[str], keys: Iterable[str]) -> Iterator[str]:
    return (f"the {what} {key!r}" for key in keys if key not in {*existing})
