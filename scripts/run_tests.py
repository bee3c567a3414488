"""`make test`: lint and types, then every test on SQLite and, where it answers, on PostgreSQL.

The last line is the sum of all runs. REQUIRE_SERVICES=1 refuses to go on without the services.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import redis

ROOT = Path(__file__).resolve().parent.parent
REDIS_URL = os.environ.get("TEST_REDIS_URL") or "redis://127.0.0.1:6379/0"
# Two clones may be tested at once, so each has a database of its own.
DATABASE = "vericap_" + hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]
INSTALL_CHROMIUM = "apt-get install -y --no-install-recommends chromium"


def main() -> int:
    ensure_chromium()
    postgres, with_redis = postgres_url(), redis_answers()
    skipped = []
    if postgres is None:
        skipped.append("PostgreSQL doesn't answer: nothing was tested on it.")
    if not with_redis:
        skipped.append("Redis doesn't answer: no worker was tested on it.")
    if skipped and os.environ.get("REQUIRE_SERVICES", "") not in {"", "0"}:
        print(*skipped, "REQUIRE_SERVICES is set, so this is a failure.", sep="\n")
        print("0 passed, 1 failed")
        return 1

    services = "" if with_redis else "not redis"
    passed, failed = 0, run_check()
    runs = [("SQLite", {}, services)]
    if postgres is not None:
        # What a page looks like doesn't hang on the database: one run in the browser is enough.
        once = "database and (not browser or both_databases)"
        marks = f"{once} and {services}" if services else once
        runs.append(("PostgreSQL", {"TEST_DATABASE_URL": postgres}, marks))
    for title, environment, marks in runs:
        more_passed, more_failed = run_pytest(title, environment, marks)
        passed, failed = passed + more_passed, failed + more_failed

    for line in skipped:
        print(f"\n!!! SKIPPED: {line}")
    print(f"\n{passed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


def ensure_chromium() -> None:
    if shutil.which("chromium"):
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        sys.exit(f"Chromium is missing. Install it and run this again: sudo {INSTALL_CHROMIUM}")
    heading("Installing Chromium")
    subprocess.run(["apt-get", "update", "-qq"], check=False)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    if subprocess.run([*INSTALL_CHROMIUM.split(), "-qq"], env=environment).returncode != 0:
        sys.exit(f"Installing Chromium failed. Try it by hand: {INSTALL_CHROMIUM}")


def postgres_url() -> str | None:
    """Where the tests may make their database, or None if nobody answers there."""
    given = os.environ.get("TEST_DATABASE_URL")
    users = ("postgres", os.environ.get("USER") or "root")
    here = [f"postgres://{user}@127.0.0.1:5432/{DATABASE}" for user in users]
    for url in [given] if given else here:
        try:
            server = urlsplit(url)._replace(path="/postgres").geturl()
            psycopg.connect(server, connect_timeout=3).close()
        except psycopg.OperationalError as error:
            print(f"{url}: {str(error).strip().splitlines()[0]}")
        else:
            return url
    return None


def redis_answers() -> bool:
    try:
        return bool(redis.Redis.from_url(REDIS_URL, socket_connect_timeout=3).ping())
    except redis.RedisError as error:
        print(f"{REDIS_URL}: {error}")
        return False


def run_check() -> int:
    """1 if lint or types found something, otherwise 0."""
    heading("Lint, types, migrations, settings")
    command = ["make", "--no-print-directory", "check"]
    return 1 if subprocess.run(command, cwd=ROOT).returncode else 0


def run_pytest(title: str, extra: dict[str, str], marks: str) -> tuple[int, int]:
    """How many passed and how many failed; a run that broke down is one more failure."""
    heading(f"Tests on {title}")
    environment = {k: v for k, v in os.environ.items() if k != "TEST_DATABASE_URL"}
    environment |= {"TEST_REDIS_URL": REDIS_URL, **extra}
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "junit.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-n",
            "2",
            "--dist=worksteal",
            "-m",
            marks,
            f"--junitxml={report}",
        ]
        code = subprocess.run(command, cwd=ROOT, env=environment).returncode
        suite = ET.parse(report).getroot().find("testsuite") if report.exists() else None
    print(f"({title}: {time.monotonic() - started:.0f} s)")
    if suite is None:
        return 0, 1
    total, *bad = (int(suite.get(name, 0)) for name in ("tests", "failures", "errors"))
    skipped = int(suite.get("skipped", 0))
    passed, failed = max(0, total - sum(bad) - skipped), sum(bad)
    return passed, failed or int(code != 0)


def heading(text: str) -> None:
    print(f"\n=== {text} ===", flush=True)


if __name__ == "__main__":
    sys.exit(main())
