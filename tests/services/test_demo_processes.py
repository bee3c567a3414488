"""How `make demo` keeps its processes running, tried with real ones that stand in for them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
PATIENCE = 60.0
# A program that has a child of its own, as the worker has, and notes both.
PROGRAM = """
import os, subprocess, sys, time
child = subprocess.Popen(["sleep", "600"])
print("ready", flush=True)
with open(sys.argv[1], "a") as pids:
    pids.write(f"{os.getpid()} {child.pid}\\n")
time.sleep(600)
"""
# What scripts/demo.py does once the pages answer.
DEMO = """
import signal, sys, time
from pathlib import Path
sys.path.insert(0, {scripts!r})
import processes
from processes import Stop
from supervision import Program, Supervisor
processes.PATIENCE = 1.0  # so long it waits for orphans that nothing reaps
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, Stop.on_signal)
programs = [
    Program(name, (sys.executable, "-c", {program!r}, name + ".pids"), Path(name + ".log"))
    for name in ("web", "worker")
]
programs = [
    Program(p.name, (*p.command[:-1], str(Path(p.command[-1]).resolve())), p.log.resolve())
    for p in programs
]
try:
    with Supervisor(programs, {{}}) as supervisor:
        supervisor.start()
        while True:
            supervisor.restart_dead()
            time.sleep(0.05)
except Stop:
    print("Stopped.", flush=True)
"""


class Demo:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.output = folder / "output"
        code = DEMO.format(scripts=str(SCRIPTS), program=PROGRAM)
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-c", code], cwd=folder, stdout=output, stderr=output
            )

    def pids(self, name: str) -> list[tuple[int, int]]:
        """The process ids of each start of the program, with that of its child."""
        path = self.folder / f"{name}.pids"
        lines = path.read_text().splitlines() if path.exists() else []
        return [(int(pid), int(child)) for pid, child in map(str.split, lines)]

    def wait_for(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, self.output.read_text()
            time.sleep(0.02)

    def wait_for_starts(self, name: str, number: int) -> None:
        self.wait_for(lambda: len(self.pids(name)) == number)


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.fixture
def demo(tmp_path) -> Iterator[Demo]:
    demo = Demo(tmp_path)
    demo.wait_for_starts("web", 1)
    demo.wait_for_starts("worker", 1)
    yield demo
    demo.process.kill()
    demo.process.wait()
    for pid in [pid for name in ("web", "worker") for pair in demo.pids(name) for pid in pair]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def test_a_killed_worker_is_restarted_and_the_web_server_keeps_running(demo):
    ((web, _),) = demo.pids("web")
    ((worker, child),) = demo.pids("worker")
    os.kill(worker, signal.SIGKILL)
    demo.wait_for_starts("worker", 2)
    demo.wait_for(lambda: "restarted" in demo.output.read_text())
    assert re.fullmatch(
        r"\d\d:\d\d:\d\d The worker was ended by signal 9\. It was restarted\. "
        rf"Its log: {re.escape(str(demo.folder / 'worker.log'))}\n",
        demo.output.read_text(),
    )
    assert not is_alive(child)
    assert is_alive(web)
    assert len(demo.pids("web")) == 1
    demo.wait_for(lambda: (demo.folder / "worker.log").read_text() == "ready\nready\n")


def test_a_program_that_keeps_dying_ends_everything_with_its_last_lines(demo):
    for start in range(1, 6):
        demo.wait_for_starts("worker", start)
        os.kill(demo.pids("worker")[-1][0], signal.SIGTERM)
    assert demo.process.wait(PATIENCE) == 1
    assert demo.output.read_text().count("was restarted") == 4
    assert demo.output.read_text().endswith(
        "The worker was ended by signal 15. Its last lines:\n"
        + "ready\n" * 5
        + "It ended 5 times within 60 s, so everything is stopped. "
        f"Its log: {demo.folder / 'worker.log'}\n"
    )
    everybody = [*demo.pids("web"), *demo.pids("worker")]
    assert [pid for pair in everybody for pid in pair if is_alive(pid)] == []


def test_ctrl_c_ends_every_process(demo):
    demo.process.send_signal(signal.SIGINT)
    assert demo.process.wait(PATIENCE) == 0
    assert demo.output.read_text() == "Stopped.\n"
    everybody = [*demo.pids("web"), *demo.pids("worker")]
    assert [pid for pair in everybody for pid in pair if is_alive(pid)] == []
