"""Shared by the benchmarks of metrics: ways that take turns, and the machine they ran on."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TypeVar

import numpy as np

Answer = TypeVar("Answer")


def machine() -> str:
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, numpy {np.__version__}, "
        f"load {os.getloadavg()[0]:.1f} before the start"
    )


def take_turns(
    ways: Mapping[str, Callable[[], Answer]], rounds: int
) -> dict[str, tuple[float, float, Answer]]:
    """Return the median seconds, the median of the processor's seconds, which other work on the
    machine hardly touches, and the answer of each way. They take turns, so that a slow minute
    hits all."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    answers: dict[str, Answer] = {}
    for _ in range(rounds):
        for name, way in ways.items():
            started, busy = time.perf_counter(), time.process_time()
            answers[name] = way()
            taken[name].append((time.perf_counter() - started, time.process_time() - busy))
    return {
        name: (
            statistics.median(seconds for seconds, _ in times),
            statistics.median(busy for _, busy in times),
            answers[name],
        )
        for name, times in taken.items()
    }


def print_rows(
    work: str, results: Mapping[str, tuple[float, float, tuple[float | None, ...]]], ours: str
) -> None:
    """Print one row per way; `ratio` is its processor time over that of `ours`."""
    for name, (seconds, busy, answer) in results.items():
        ratio = busy / results[ours][1]
        values = ", ".join("none" if value is None else f"{value:.4f}" for value in answer)
        print(
            f"| {work} | {name} | {seconds:.2f} | {busy:.2f} | {ratio:.1f} | {values} |", flush=True
        )


HEADER = "| work | way | s | CPU s | ratio | value, low, high |\n|---|---|---|---|---|---|"
