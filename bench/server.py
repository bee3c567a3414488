"""The real web server on a database of its own, for as long as a benchmark needs it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

ROOT = Path(__file__).resolve().parent.parent
POSTGRES = os.environ.get("BENCH_DATABASE_SERVER", "postgres://postgres@127.0.0.1:5432")
NAME = "vericap_bench"


@contextmanager
def fresh_environment(database: str) -> Iterator[None]:
    """Points this process and its children at an empty database ("sqlite" or "postgresql")."""
    with tempfile.TemporaryDirectory(prefix="vericap-bench-") as folder:
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.embedded"
        os.environ["VERICAP_DATA_DIR"] = folder
        if database == "postgresql":
            _recreate_postgres()
            os.environ["DATABASE_URL"] = f"{POSTGRES}/{NAME}"
        yield
        if database == "postgresql":
            with psycopg.connect(f"{POSTGRES}/postgres", autocommit=True) as admin:
                admin.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


def _recreate_postgres() -> None:
    with psycopg.connect(f"{POSTGRES}/postgres", autocommit=True) as admin:
        admin.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
        admin.execute(f"CREATE DATABASE {NAME}")


@contextmanager
def running_server(*, workers: int, threads: int) -> Iterator[int]:
    """Gunicorn as in production; gives its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        *(sys.executable, "-m", "gunicorn", "config.wsgi:application"),
        *("--worker-class", "gthread", "--workers", str(workers), "--threads", str(threads)),
        *("--bind", f"127.0.0.1:{port}", "--keep-alive", "30", "--log-level", "error"),
    ]
    server = subprocess.Popen(command, cwd=ROOT)
    try:
        _wait_for(port, server)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=20)


def _wait_for(port: int, server: subprocess.Popen) -> None:
    for _ in range(200):
        if server.poll() is not None:
            raise SystemExit("The web server did not start; see its message above.")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit("The web server did not answer within 20 seconds.")


def idle_memory_mb(parent_pid: int) -> float:
    """Proportional memory (PSS) of a process and its children, in MB."""
    pids = [str(parent_pid)]
    children = Path(f"/proc/{parent_pid}/task/{parent_pid}/children")
    pids += children.read_text().split()
    total = 0
    for pid in pids:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1])
    return total / 1024
