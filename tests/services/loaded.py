"""A process that loads the product once, and forks for each process that a test starts.

python -m tests.services.loaded SOCKET

Loading takes a second of the processor, and a fork next to nothing. Each message to the socket is
what follows "python" in a command line, as JSON, with four files: standard input, output and
errors, and where to write the id of the process and, once it has ended, its exit status.
"""

from __future__ import annotations

import json
import os
import runpy
import select
import signal
import socket
import sys

import django


def main(messages: socket.socket) -> None:
    load()
    run(*wait_for_arguments(messages))


def load() -> None:
    from config.celery import app

    django.setup()
    app.loader.import_default_modules()


def wait_for_arguments(messages: socket.socket) -> list[str]:
    """Fork for each message; return in the new process, with its arguments."""
    ended, waker = socket.socketpair()
    waker.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker.fileno())
    reports: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([messages, ended], [], [])
        if ended in ready:
            ended.recv(4096)
            report_ended(reports)
        if messages in ready:
            message, files, _, _ = socket.recv_fds(messages, 1 << 16, 4)
            if not message:
                sys.exit(0)  # the tests have ended
            *streams, report = files
            child = os.fork()
            os.setpgid(child, child or os.getpid())  # by the first of the two to come here
            if child == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for number, stream in enumerate(streams):
                    os.dup2(stream, number)
                for opened in (messages, ended, waker):
                    opened.close()
                for opened in (*files, *reports.values()):
                    os.close(opened)
                return json.loads(message)
            reports[child] = report
            os.write(report, f"{child}\n".encode())
            for stream in streams:
                os.close(stream)


def report_ended(reports: dict[int, int]) -> None:
    for process in list(reports):
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            report = reports.pop(process)
            os.write(report, f"{os.waitstatus_to_exitcode(status)}\n".encode())
            os.close(report)


def run(first: str, *others: str) -> None:
    """Do what Python does with these arguments."""
    if first == "-m":
        sys.argv = [*others]
        runpy.run_module(others[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        sys.argv = ["-c", *others[1:]]
        exec(others[0], {"__name__": "__main__"})
    else:
        sys.argv = [first, *others]
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
