"""Processes that tests start, stop and kill, forked from one that has loaded the product."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[2]
WORKER = ("-m", "celery", "-A", "config", "worker", "--queues=media,cpu,gpu", "--concurrency=1")
PATIENCE = 90.0  # for a busy machine: nothing waits longer than what it waits for


class Process:
    """A process with as much of subprocess.Popen as tests use.

    It leads a group of its own. What it reads and prints are pipes, unless `output` takes both what
    it prints and its errors.
    """

    def __init__(self, messages: socket.socket, arguments: tuple[str, ...], output: IO | None):
        self.returncode: int | None = None
        self._errors = output or tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed by `close`)
        stdin_reader, stdin_writer = os.pipe()
        report_reader, report_writer = os.pipe()
        stdout_reader, stdout_writer = os.pipe()
        files = [
            stdin_reader,
            output.fileno() if output else stdout_writer,
            self._errors.fileno(),
            report_writer,
        ]
        socket.send_fds(messages, [json.dumps(arguments).encode()], files)
        for handed_over in (stdin_reader, stdout_writer, report_writer):
            os.close(handed_over)
        self.stdin, self.stdout, self._report = (
            os.fdopen(fd, mode)
            for fd, mode in ((stdin_writer, "w"), (stdout_reader, "r"), (report_reader, "r"))
        )
        self.pid = int(self._report.readline())

    @property
    def errors(self) -> str:
        self._errors.seek(0)
        return self._errors.read()

    def poll(self) -> int | None:
        return self._wait(0)

    def wait(self, seconds: float = PATIENCE) -> int:
        if self._wait(seconds) is None:
            raise TimeoutError(f"Process {self.pid} hasn't ended in {seconds:.0f} s.")
        return self.returncode

    def finish(self, seconds: float = PATIENCE) -> str:
        """Wait for the end and return what the process has printed since it was last read."""
        self.stdin.close()
        self.wait(seconds)
        return self.stdout.read()

    def terminate(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        """End the process and its children at once, in the middle of whatever they do."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        self.wait()

    def close(self) -> None:
        self.kill()
        for file in (self.stdin, self.stdout, self._report, self._errors):
            file.close()

    def _wait(self, seconds: float) -> int | None:
        if self.returncode is None and select.select([self._report], [], [], seconds)[0]:
            self.returncode = int(self._report.readline())
        return self.returncode


class LoadedProduct:
    """The process that forks: it loads the product, with this environment, when it is first asked
    for a process."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._started: list[Process] = []
        self._messages, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-m", "tests.services.loaded", str(theirs.fileno())]
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=environment, pass_fds=[theirs.fileno()], start_new_session=True
        )
        theirs.close()

    def start(self, *arguments: str, output: IO | None = None) -> Process:
        process = Process(self._messages, arguments, output)
        self._started.append(process)
        return process

    def end_processes(self) -> None:
        """End all that a test has started."""
        while self._started:
            self._started.pop().close()

    def close(self) -> None:
        self.end_processes()
        self._messages.close()
        self._process.wait(PATIENCE)
