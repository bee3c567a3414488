"""Make `verify.pyz`: the modules that check a release, as one file that Python runs."""

from __future__ import annotations

import ast
import io
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
OWN = ("metrics", "review")
MAIN = "review.proof.verifying.__main__"
SHEBANG = b"#!/usr/bin/env python3\n"
TIMELESS = (1980, 1, 1, 0, 0, 0)


@cache
def verify_pyz() -> bytes:
    """Return the same bytes for the same source: stored, sorted and with one date."""
    buffer = io.BytesIO()
    buffer.write(SHEBANG)
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_STORED) as file:
        sources = {path.relative_to(ROOT).as_posix(): path for path in sources_of(MAIN)}
        main = sources.pop(_source(MAIN).relative_to(ROOT).as_posix())
        for name, path in sorted({"__main__.py": main, **sources}.items()):
            entry = zipfile.ZipInfo(name, TIMELESS)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            file.writestr(entry, path.read_bytes())
    return buffer.getvalue()


def sources_of(module: str) -> set[Path]:
    """Return the files of this module, of all our modules that it imports, and of their
    packages.
    """
    waiting, sources = [module], set[Path]()
    while waiting:
        name = waiting.pop()
        path = _source(name)
        if not path.exists() or path in sources:
            continue  # The imported name isn't a submodule, but defined in the module.
        sources.add(path)
        parts = name.split(".")
        waiting += [".".join(parts[:end]) for end in range(1, len(parts))]
        waiting += [used for used in _imports(path) if used.split(".")[0] in OWN]
    return sources


def _source(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
