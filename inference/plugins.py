"""Backends that other packages bring, by entry points of the group `vericap.backends`.

An entry point names the backend, its module, and in brackets what its models can do, and `gpu` if
they need one:

    [project.entry-points."vericap.backends"]
    our-captioner = "our_package.backend [captioner, text, gpu]"

Only the package's metadata is read here; workers import the module, whose `load(settings)` returns
the model (inference.backends.protocols).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points

GROUP = "vericap.backends"
ABILITIES = ("captioner", "encoder", "text", "joiner", "judge")
MAX_NAME_LENGTH = 40


@dataclass(frozen=True)
class Plugin:
    """`says`: the summary and the version of its package."""

    name: str
    module: str
    abilities: tuple[str, ...]
    needs_gpu: bool
    says: str


def installed_plugins(taken: Iterable[str]) -> list[Plugin]:
    """Return the installed backends by name. Raises ValueError for one whose name is `taken` or too
    long, or that can do nothing that Vericap knows.
    """
    names = set(taken)
    plugins = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if entry.name in names or len(entry.name) > MAX_NAME_LENGTH:
            raise ValueError(
                f"The backend {entry.name} of {_package(entry)} has a name that is taken or longer "
                f"than {MAX_NAME_LENGTH} characters. Rename its entry point."
            )
        plugins.append(_plugin(entry))
        names.add(entry.name)
    return plugins


def _plugin(entry: EntryPoint) -> Plugin:
    unknown = set(entry.extras) - {*ABILITIES, "gpu"}
    abilities = tuple(ability for ability in ABILITIES if ability in entry.extras)
    if unknown or not abilities:
        raise ValueError(
            f"The backend {entry.name} of {_package(entry)} says that it can "
            f"{', '.join(entry.extras) or 'nothing'}. Name some of {', '.join(ABILITIES)}, and gpu."
        )
    summary = entry.dist.metadata["Summary"] if entry.dist else ""
    says = f"{summary} ({_package(entry)})" if summary else _package(entry)
    return Plugin(entry.name, entry.module, abilities, "gpu" in entry.extras, says)


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.module
