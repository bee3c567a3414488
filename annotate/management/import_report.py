"""The output of commands that import videos."""

from __future__ import annotations

from collections.abc import Callable

from django.core.management.base import CommandError, OutputWrapper

from annotate.models import ImportBatch, ImportItem

State = ImportItem.State
WORDS: dict[str, str] = {State.WAITING: "queued", State.FAILED: "refused"}


def report_import(batch: ImportBatch, output: OutputWrapper) -> None:
    """Print each file with its state. Raises CommandError if one was refused."""
    items = list(batch.items.select_related("video"))
    width = max(len(item.name) for item in items)
    for item in items:
        state = WORDS.get(item.state, item.state)
        line = f"{item.position:>5}  {item.name:<{width}}  {state:<9}  {item.reason}"
        output.write(line.rstrip())
    refused = sum(item.state == State.FAILED for item in items)
    if refused:
        raise CommandError(f"{refused} of {len(items)} files were refused.")


def follow_steps(output: OutputWrapper, name: str = "") -> Callable[[str, int], None]:
    """Return a function that prints each step, after the name of the file if there is one."""
    before = f"{name}: " if name else ""
    return lambda step, percent: output.write(f"{before}{step} {percent} %")
