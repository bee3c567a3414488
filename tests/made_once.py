"""Files that take long to make, made by the first process of a run that needs them."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder of this run that `make` fills; the other processes of the run wait for it.

    A test must not change what is in it.
    """
    base = factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    unfinished = shared.with_suffix(".part")
    with shared.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not shared.exists():
            shutil.rmtree(unfinished, ignore_errors=True)  # of a process that failed to make it
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(shared)
    return shared
