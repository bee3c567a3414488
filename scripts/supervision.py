"""Keeps several processes running: restarts one that dies, and gives up on one that keeps dying."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from processes import Child, Stop, stop_all, told_to_stop

# After so many deaths of one program within so many seconds, restarting won't help.
MAX_DEATHS = 5
WINDOW_SECONDS = 60.0


@dataclass(frozen=True)
class Program:
    name: str
    command: tuple[str, ...]
    log: Path


class Supervisor:
    """Runs programs. Leaving its `with` block ends them and their child processes."""

    def __init__(self, programs: list[Program], environment: dict[str, str]) -> None:
        self._programs = programs
        self._environment = environment
        self._children: dict[str, Child] = {}
        self._deaths: dict[str, list[float]] = defaultdict(list)

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(self, *exception: object) -> None:
        stop_all(list(self._children.values()))

    def start(self) -> None:
        for program in self._programs:
            self._start(program, "w")

    def require_running(self) -> None:
        """Exit with the end of the log if a program has ended. Raises Stop if asked to stop."""
        if told_to_stop():
            raise Stop
        for program in self._programs:
            child = self._children[program.name]
            if child.poll() is not None:
                sys.exit(_obituary(program, child))

    def restart_dead(self) -> None:
        """Restart ended programs and report it; exit if one ends too often. Raises Stop if asked to
        stop.
        """
        if told_to_stop():
            raise Stop
        for program in self._programs:
            child = self._children[program.name]
            if child.poll() is not None:
                self._restart(program, child)

    def _restart(self, program: Program, dead: Child) -> None:
        now = time.monotonic()
        deaths = [at for at in self._deaths[program.name] if now - at < WINDOW_SECONDS]
        self._deaths[program.name] = [*deaths, now]
        stop_all([dead])  # its child processes still run
        if len(deaths) + 1 >= MAX_DEATHS:
            sys.exit(
                f"{_obituary(program, dead)}\nIt ended {len(deaths) + 1} times within "
                f"{WINDOW_SECONDS:.0f} s, so everything is stopped. Its log: {program.log}"
            )
        self._start(program, "a")
        print(
            f"{time.strftime('%H:%M:%S')} The {program.name} {dead.ending()} "
            f"It was restarted. Its log: {program.log}",
            flush=True,
        )

    def _start(self, program: Program, mode: str) -> None:
        self._children[program.name] = Child.start(
            list(program.command), self._environment, program.log, mode
        )


def _obituary(program: Program, child: Child) -> str:
    lines = program.log.read_text(errors="replace").splitlines()[-15:]
    return f"\nThe {program.name} {child.ending()} Its last lines:\n" + "\n".join(lines)
