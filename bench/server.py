"""The real web server on its own database, for the duration of a benchmark."""

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
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

ROOT = Path(__file__).resolve().parent.parent
POSTGRES = os.environ.get("BENCH_DATABASE_SERVER", "postgres://postgres@127.0.0.1:5432")
NAME = os.environ.get("BENCH_DATABASE", "vericap_bench")


@contextmanager
def fresh_environment(database: str) -> Iterator[None]:
    """Point this process and its children at an empty database ("sqlite" or "postgresql")."""
    with tempfile.TemporaryDirectory(prefix="vericap-bench-") as folder:
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.embedded"
        os.environ["VERICAP_DATA_DIR"] = folder
        if database == "postgresql":
            recreate_postgres()
            os.environ["DATABASE_URL"] = f"{POSTGRES}/{NAME}"
        yield
        if database == "postgresql":
            with psycopg.connect(f"{POSTGRES}/postgres", autocommit=True) as admin:
                admin.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


def recreate_postgres() -> None:
    with psycopg.connect(f"{POSTGRES}/postgres", autocommit=True) as admin:
        admin.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
        admin.execute(f"CREATE DATABASE {NAME}")


@contextmanager
def running_server(*, workers: int, threads: int) -> Iterator[tuple[int, int]]:
    """Run Gunicorn as in production; yield its port and its first process's id."""
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
        yield port, server.pid
    finally:
        server.terminate()
        server.wait(timeout=20)


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        if server.poll() is not None:
            raise SystemExit("The web server did not start; see its message above.")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit("The web server did not answer within 20 seconds.")


def server_seconds(parent_pid: int) -> float:
    """Return the processor time of the web server's processes so far."""
    return sum(map(_processor_seconds, [parent_pid, *_children(parent_pid)]))


def database_seconds(connection: BaseDatabaseWrapper) -> float:
    """Return the processor time of the PostgreSQL processes connected to this database; 0 for
    SQLite, whose work the web server does itself."""
    if connection.vendor != "postgresql":
        return 0.0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
        return sum(_processor_seconds(pid) for (pid,) in cursor.fetchall())


def _processor_seconds(pid: int) -> float:
    # The name before the closing bracket can contain spaces; user and system time come 12th and
    # 13th.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[int]:
    return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
