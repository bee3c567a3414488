"""`make demo`: one web server and one worker on SQLite, until Ctrl-C; nothing stays behind.

One that dies is restarted; one that keeps dying ends the demo, with the last lines of its log.

PORT (8000), RESET (1: start over) and VERICAP_DATA_DIR (var) come from the environment.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import TextIO

from environment import PYTHON, ROOT, check_python, prepare
from processes import Child, Stop
from supervision import Program, Supervisor

HOST = "127.0.0.1"
KNOWN = (
    *("vericap.sqlite3", "vericap.sqlite3-wal", "vericap.sqlite3-shm", "secret_key"),
    *("media", "static", "static.stamp", "cache", "broker", "log", "demo.json"),
)
# Settings of a real installation must not lead the demo to its database or broker.
FOREIGN = ("DATABASE_URL", "BROKER_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS", "MEDIA_ROOT")


def main() -> None:
    check_python()
    port = port_from(os.environ.get("PORT") or "8000")
    refuse_taken(port)
    data = ROOT / Path(os.environ.get("VERICAP_DATA_DIR") or "var").expanduser()
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    with only_one(data):
        if os.environ.get("RESET", "") not in {"", "0"}:
            start_over(data)
        prepare("requirements.txt", "requirements-demo.txt")
        os.umask(0o077)  # only the owner can read the database and the logs
        environment = {k: v for k, v in os.environ.items() if k not in FOREIGN}
        environment["DJANGO_SETTINGS_MODULE"] = "config.settings.embedded"
        environment["VERICAP_DATA_DIR"] = str(data)
        environment["VERICAP_SITE"] = f"http://{HOST}:{port}"
        prepare_data(data, environment)
        serve(data, port, environment)


def port_from(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 65535:
        sys.exit(f"PORT is {text!r}. Set it to a number from 1 to 65535.")
    return int(text)


def refuse_taken(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            sys.exit(
                f"Port {port} can't be used ({error.strerror}). "
                f"Choose another: make demo PORT={port + 1 if port < 65535 else 8000}"
            )


def only_one(data: Path) -> TextIO:
    """Return the locked file of the data folder; the lock lasts while it is open, and the system
    frees it.
    """
    lock = (data / "demo.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"Another demo is running on {data}. Stop it first, or set VERICAP_DATA_DIR.")
    return lock


def start_over(data: Path) -> None:
    for path in (data / name for name in KNOWN):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def prepare_data(data: Path, environment: dict[str, str]) -> None:
    def manage(*arguments: str) -> None:
        child = Child.start([str(PYTHON), "manage.py", *arguments], environment)
        if child.wait() != 0:
            sys.exit(f"manage.py {arguments[0]} failed (see above).")

    collected, fingerprint = data / "static.stamp", static_fingerprint()
    if not collected.exists() or collected.read_text() != fingerprint:
        manage("collectstatic", "--noinput", "--clear", "--verbosity=0")
        collected.write_text(fingerprint)
    if (data / "demo.json").exists():
        manage("migrate", "--verbosity=0")
        # At the start no worker of this installation is alive, so all leases are stale.
        manage("requeue_jobs", "--force")
    else:
        print("Loading the demo, which takes under a minute ...", flush=True)
        manage("load_demo", "--migrate", "--build-later")


def static_fingerprint() -> str:
    """Return a hash that changes whenever collectstatic would collect something else."""
    files = [ROOT / "requirements.txt", *(ROOT / "static").rglob("*")]
    stats = [(str(path), path.stat()) for path in sorted(files) if path.is_file()]
    return "\n".join(f"{path} {stat.st_size} {stat.st_mtime_ns}" for path, stat in stats)


def serve(data: Path, port: int, environment: dict[str, str]) -> None:
    log = data / "log"
    log.mkdir(exist_ok=True)
    # One process: SQLite has one writer anyway, and it saves memory. Threads wait for it.
    server = [
        *(PYTHON, "-m", "gunicorn", "config.wsgi", f"--bind={HOST}:{port}", "--workers=1"),
        *("--worker-class=gthread", "--threads=8", "--graceful-timeout=3", "--timeout=60"),
        "--no-control-socket",  # it would be in the home folder
    ]
    worker = [
        *(PYTHON, "-m", "celery", "-A", "config", "worker", "--queues=media,cpu,gpu"),
        *("--beat", "--scheduler=celery.beat.Scheduler"),
        *("--pool=prefork", "--concurrency=1", "--loglevel=INFO", "--hostname=demo@%h"),
        *("--without-gossip", "--without-mingle", "--without-heartbeat"),
    ]
    programs = [
        Program("web server", tuple(map(str, server)), log / "web.log"),
        Program("worker", tuple(map(str, worker)), log / "worker.log"),
    ]
    with Supervisor(programs, environment) as supervisor:
        supervisor.start()
        wait_until_answering(port, supervisor, log / "web.log")
        greet(data, port)
        while True:
            supervisor.restart_dead()
            time.sleep(0.3)


def wait_until_answering(port: int, supervisor: Supervisor, web_log: Path) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        supervisor.require_running()
        try:
            with urllib.request.urlopen(f"http://{HOST}:{port}/", timeout=5):
                return
        except urllib.error.HTTPError as error:
            sys.exit(f"The web server answers with status {error.code}; see {web_log}.")
        except OSError:
            time.sleep(0.1)
    sys.exit("The web server didn't answer within 60 s.")


def greet(data: Path, port: int) -> None:
    demo = json.loads((data / "demo.json").read_text())
    print(f"\nVericap is at http://{HOST}:{port}/  (Ctrl-C stops it)\n\nWho can sign in:")
    for person in demo["people"]:
        roles = ", ".join(person["roles"])
        print(f"  {person['name']:<18} {person['email']:<18} {person['password']:<13} {roles}")
    print("\nWhat to try:")
    for project in demo["projects"]:
        print(f"  {project['name']:<18} {project['hint']}")
    folder = f"VERICAP_DATA_DIR={data} " if "VERICAP_DATA_DIR" in os.environ else ""
    print("\nA superuser adds model servers. To make one, in another terminal:")
    print(f"  {folder}.venv/bin/python manage.py createsuperuser")
    print(f"\nLogs: {data / 'log'}", flush=True)


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, Stop.on_signal)
    try:
        main()
    except Stop:
        print("\nStopped.", flush=True)
