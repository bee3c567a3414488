"""`make test`: all tests on SQLite, some on PostgreSQL if it answers, beside lint and types.

All run at once, as tests wait more than they compute. The output of the tests on SQLite is shown
while they run; that of the others when they have ended.

The last line is the sum of all runs. REQUIRE_SERVICES=1 refuses to run without the services. A
browser or worker test that fails is run again, alone; if it then passes, it is named.
"""

from __future__ import annotations

import ctypes.util
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import redis

ROOT = Path(__file__).resolve().parent.parent
REDIS_URL = os.environ.get("TEST_REDIS_URL") or "redis://127.0.0.1:6379/0"
# Two clones can be tested at once, so each has its own database.
DATABASE = "vericap_" + hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]
CHROMIUMS = ("chromium-headless-shell", "chromium")  # the first is the faster one
FIREFOX = "firefox-esr"
FIREFOX_DECODER = "ffmpeg"  # Firefox decodes H.264 with its libavcodec
# Programs of the test of docs/deploy.md, each with its package.
DEPLOYMENT = {"nginx": "nginx", "ip": "iproute2", "rsync": "rsync"}
NPM = "npm"  # installs the type checker of static/js; Node.js runs tests/js
# Tests that wait for another process can fail when the machine is busy.
MAY_BE_UNSTEADY = ("tests.browser.", "tests.services.")
# What PostgreSQL runs too: the folders (without their `views`) and modules whose statements, locks,
# triggers or messages depend on the database, and one request to each page.
ON_POSTGRESQL = {
    "tests": """
        test_changed_meanwhile.py test_emptying.py test_environment.py test_migrated_database.py
        test_permissions.py::test_the_role_decides_and_a_nul_character_breaks_nothing upgrades""",
    "tests/services": """
        test_*worker*.py test_*_races.py test_heartbeat.py test_killed_*.py
        test_queue_processes.py""",
    "tests/annotate": """
        test_*.py candidates/test_selection.py choosing consent corpus dynamics examples handwrite
        imports jobs merge notices projects questions queue search signoff split webhooks write""",
    "tests/api": "test_lists.py test_tokens.py",
    "tests/inference": "kinds/test_*_at_once.py runs/test_starting.py runs/test_working.py",
    "tests/review": """
        test_immutable.py audit_log captions/test_*_at_once.py captions/test_prediction_import.py
        comparisons corrections elements modifications panels/test_joining.py pay/test_ledger*.py
        ratings/test_rating_studies.py releases/test_build_release.py releases/test_release_jobs.py
        reports threshold/test_*_at_once.py threshold/test_waves.py triplets
        verification/test_precedence.py verification/test_superseded_work.py
        verification/test_verification_queue.py verification/test_verifying.py""",
}


@dataclass(frozen=True)
class Run:
    """The tests with these marks, on the database that `extra` names; all without `paths`."""

    title: str
    extra: dict[str, str]
    marks: str
    paths: tuple[str, ...] = ()
    # All runs together use more than two cores, because browser and worker tests wait.
    processes: int = 2

    @property
    def environment(self) -> dict[str, str]:
        own = {k: v for k, v in os.environ.items() if k != "TEST_DATABASE_URL"}
        return {**own, "TEST_REDIS_URL": REDIS_URL, **self.extra}


@dataclass
class Outcome:
    """The outcome of one pytest process; `broken` if it ended abnormally without a failed test to
    show.
    """

    passed: int = 0
    failed: list[str] = field(default_factory=list)
    broken: bool = False


def main() -> int:
    # Each test process would compile every module again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    ensure_programs()
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
    runs = [Run("SQLite", {}, services, processes=3)]  # the browser's tests are here
    if postgres is not None:
        address = {"TEST_DATABASE_URL": postgres}
        runs.append(Run("PostgreSQL", address, services, paths_on_postgresql(), processes=1))
    failed, outcomes = run_beside_each_other(runs)
    passed, unsteady = 0, []
    for run, first in zip(runs, outcomes, strict=True):
        outcome, took_second_chance = give_second_chance(run, first)
        passed += outcome.passed
        failed += len(outcome.failed) + outcome.broken
        unsteady += [f"{name} ({run.title})" for name in took_second_chance]

    for line in skipped:
        print(f"\n!!! SKIPPED: {line}")
    for name in unsteady:
        print(f"\n!!! UNSTEADY: {name} failed, and passed when run once more alone.")
    print(f"\n{passed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


def ensure_programs() -> None:
    """Install missing programs, such as browsers and nginx, or exit with the command to run."""
    missing = missing_packages()
    if not missing:
        return
    install = f"apt-get install -y --no-install-recommends {' '.join(missing)}"
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        sys.exit(f"The tests need more. Install it and run this again: sudo {install}")
    heading(f"Installing {', '.join(missing)}")
    subprocess.run(["apt-get", "update", "-qq"], check=False)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    if subprocess.run([*install.split(), "-qq"], env=environment).returncode != 0:
        sys.exit(f"The installation failed. Try it by hand: {install}")


def missing_packages() -> list[str]:
    """Return the Debian packages that the tests need and that aren't installed."""
    missing = [] if any(map(shutil.which, CHROMIUMS)) else [CHROMIUMS[0]]
    missing += [] if shutil.which(FIREFOX) else [FIREFOX]
    # A test runs the commands of docs/deploy.md with these; Debian installs some of them where only
    # root's PATH looks.
    path = f"{os.environ['PATH']}:/usr/sbin"
    missing += [DEPLOYMENT[name] for name in DEPLOYMENT if not shutil.which(name, path=path)]
    missing += [] if shutil.which(NPM) else [NPM]
    return missing + ([] if ctypes.util.find_library("avcodec") else [FIREFOX_DECODER])


def postgres_url() -> str | None:
    """Return where the tests can make their database; None if no server answers there."""
    url_given = os.environ.get("TEST_DATABASE_URL")
    users = ("postgres", os.environ.get("USER") or "root")
    here = [f"postgres://{user}@127.0.0.1:5432/{DATABASE}" for user in users]
    for url in [url_given] if url_given else here:
        try:
            server = urlsplit(url)._replace(path="/postgres").geturl()
            psycopg.connect(server, connect_timeout=3).close()
        except psycopg.OperationalError as error:
            print(f"{url}: {str(error).strip().splitlines()[0]}")
        else:
            return url
    return None


def paths_on_postgresql() -> tuple[str, ...]:
    """Return the folders and modules of ON_POSTGRESQL. Raises ValueError for one that is gone."""
    paths: list[str] = []
    for top, names in ON_POSTGRESQL.items():
        for name in names.split():
            pattern, separator, test = name.partition("::")
            matches = sorted(path.relative_to(ROOT) for path in ROOT.glob(f"{top}/{pattern}"))
            if not matches:
                raise ValueError(f"ON_POSTGRESQL names {top}/{pattern}, which is gone.")
            paths += [f"{path}{separator}{test}" for path in matches]
    return tuple(paths)


def redis_answers() -> bool:
    try:
        return bool(redis.Redis.from_url(REDIS_URL, socket_connect_timeout=3).ping())
    except redis.RedisError as error:
        print(f"{REDIS_URL}: {error}")
        return False


def run_beside_each_other(runs: list[Run]) -> tuple[int, list[Outcome]]:
    """Do lint, types and all runs once. Return whether lint or types failed, and the outcomes."""
    first, *others = runs
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor() as beside:
        outputs = {name: Path(folder) / name for name in ("check", *(run.title for run in others))}
        check = beside.submit(run_check, outputs["check"])
        compile_tests()
        waiting = [beside.submit(run_tests, run, outputs[run.title]) for run in others]
        outcomes = [run_tests(first), *(other.result() for other in waiting)]
        failed = check.result()
        for name, text in outputs.items():
            heading("Lint, types, migrations, settings" if name == "check" else f"Tests on {name}")
            print(text.read_text(errors="replace"), flush=True)
    return failed, outcomes


def run_check(output_file: Path) -> int:
    """Return 1 if lint or types found something, otherwise 0."""
    command = ["make", "--no-print-directory", "check"]
    with output_file.open("w") as output:
        return (
            1 if subprocess.run(command, cwd=ROOT, stdout=output, stderr=output).returncode else 0
        )


def compile_tests() -> None:
    """Compile the tests and their imports in a new clone; otherwise each process would."""
    if not any(ROOT.glob("tests/__pycache__/*-pytest-*.pyc")):
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q"]
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run_tests(run: Run, output_file: Path | None = None) -> Outcome:
    """Run the tests and return the first outcome; their output goes to `output_file`, if given."""
    if output_file is None:
        heading(f"Tests on {run.title}")
    started = time.monotonic()
    # The coverage plugin takes long to load in each process.
    arguments = ["-n", str(run.processes), "--dist=worksteal", "-p", "no:cov", "-m", run.marks]
    if run.paths:
        arguments += ["--ignore-glob=*/views", *run.paths]
    outcome = run_pytest(arguments, run.environment, output_file)
    print(f"({run.title}: {time.monotonic() - started:.0f} s)", flush=True)
    return outcome


def give_second_chance(run: Run, first: Outcome) -> tuple[Outcome, list[str]]:
    """Run failed browser and worker tests again, alone. Return the final outcome, and the tests
    that passed only then.
    """
    unsteady = []
    for name in [name for name in first.failed if name.startswith(MAY_BE_UNSTEADY)]:
        heading(f"Once more, alone: {name}")
        again = run_pytest([node_id(name), "-m", run.marks], run.environment)
        if again.passed == 1 and not again.failed and not again.broken:
            unsteady.append(name)
    failed = [name for name in first.failed if name not in unsteady]
    return Outcome(first.passed + len(unsteady), failed, first.broken), unsteady


def run_pytest(
    arguments: list[str], environment: dict[str, str], output_file: Path | None = None
) -> Outcome:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as files:
        report = Path(folder) / "junit.xml"
        output = files.enter_context(output_file.open("w")) if output_file else None
        command = [sys.executable, "-m", "pytest", *arguments, f"--junitxml={report}"]
        code = subprocess.run(
            command, cwd=ROOT, env=environment, stdout=output, stderr=output
        ).returncode
        return read_report(report, code)


def read_report(report: Path, code: int) -> Outcome:
    """Count a test as one failure if its teardown fails too, which pytest reports twice."""
    if not report.exists():
        return Outcome(broken=True)
    passed: dict[str, bool] = {}
    for case in ET.parse(report).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        bad = case.find("failure") is not None or case.find("error") is not None
        if bad or case.find("skipped") is None:
            passed[name] = passed.get(name, True) and not bad
    failed = [name for name, well in passed.items() if not well]
    return Outcome(
        len(passed) - len(failed), failed, broken=code not in {0, 1} or (code == 1 and not failed)
    )


def node_id(name: str) -> str:
    """Return the address for pytest of a name such as tests.browser.test_merge::test_keys[1]."""
    module, _, test = name.partition("::")
    return f"{module.replace('.', '/')}.py::{test}"


def heading(text: str) -> None:
    print(f"\n=== {text} ===", flush=True)


if __name__ == "__main__":
    sys.exit(main())
