"""Processes that end with the one that started them, however it ends."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from environment import ROOT

PATIENCE = 5.0  # seconds that a process may take to finish its work
_prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def _catches_interrupt(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:  # not Linux, or just gone
        return False
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1)


_parent = os.getppid()
_caught_interrupt = _catches_interrupt(_parent)


class Stop(BaseException):
    """Raised when the program has to end: Ctrl-C, SIGTERM, a closed terminal or a dead parent."""

    @staticmethod
    def on_signal(number: int, frame: object) -> None:
        # A second Ctrl-C must not interrupt the cleanup that the first one started.
        for later in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(later, signal.SIG_IGN)
        raise Stop


def told_to_stop() -> bool:
    """Return whether the parent has gone or waits for us to end.

    A make that alone gets SIGINT waits for its recipe without passing the signal on; while it
    waits, it no longer catches SIGINT.
    """
    return os.getppid() != _parent or (_caught_interrupt and not _catches_interrupt(_parent))


@dataclass
class Child:
    """A process in its own session, so that all its descendants can be ended together."""

    process: subprocess.Popen[bytes]

    @classmethod
    def start(
        cls,
        command: list[str],
        environment: dict[str, str],
        log: Path | None = None,
        mode: str = "w",
    ) -> Child:
        """Start `command`. `mode` "a" keeps the log's contents."""
        output = log.open(mode) if log else None
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=_end_with_parent,
        )
        if output:
            output.close()
        return cls(process)

    def poll(self) -> int | None:
        return self.process.poll()

    def wait(self) -> int:
        try:
            return self.process.wait()
        finally:
            if self.process.poll() is None:
                stop_all([self])

    def ending(self) -> str:
        code = self.process.returncode
        return f"was ended by signal {-code}." if code < 0 else f"stopped with exit status {code}."

    def signal_family(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def has_family(self) -> bool:
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return False
        return True


def stop_all(children: list[Child]) -> None:
    """Ask every child to finish, and kill the rest of their sessions after PATIENCE."""
    for child in children:
        if child.poll() is None:
            child.process.terminate()
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and any(child.poll() is None for child in children):
        time.sleep(0.05)
    for child in children:
        child.signal_family(signal.SIGKILL)
        child.process.wait()
    # Where nothing reaps orphans, as in some containers, killed processes never disappear
    # completely.
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and any(child.has_family() for child in children):
        time.sleep(0.02)


def _end_with_parent() -> None:
    """Called in the child: terminate it when the parent dies without stopping it."""
    if _prctl is not None:
        _prctl(1, signal.SIGTERM)  # 1: PR_SET_PDEATHSIG
