"""Annotators without think time: claim, work page, two draft saves, submit, over HTTP, on both
databases.

    python -m bench.work_queue [--seconds 30] [--people 50] [--databases sqlite,postgresql]

The load client runs on the same machine as the server, so the figures are a lower bound; the
processor time of a request, which other programs on the machine change less, is given apart for
server, database and client. At the end the database is asked whether any slot was held twice.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import os
import platform
import statistics
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing.queues import Queue
from typing import Any

from bench.server import (
    database_seconds,
    fresh_environment,
    running_server,
    server_seconds,
)

# The times of each request, the errors, and the processor seconds of the client.
Answer = tuple[dict[str, list[float]], list[str], float]

REQUESTS = ("claim", "page", "save", "submit")
TOKEN = "0123456789abcdef0123456789abcdef"
WORDS = ["the", "person", "takes", "a", "red", "cup", "off", "the", "table", "slowly"]


def text_of(words: int) -> str:
    return " ".join(WORDS[n % len(WORDS)] for n in range(words)).capitalize() + "."


CONTENT = {
    "overview": text_of(15),
    "objects": text_of(100),
    "actions": text_of(100),
    "misc": f"{text_of(12)} {text_of(12)}",
}


class Annotator(threading.Thread):
    """One person in a loop over one kept-alive connection; `times` has seconds by request."""

    def __init__(self, port: int, cookie: str, slug: str, deadline: float) -> None:
        super().__init__()
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.headers = {
            "Cookie": f"sessionid={cookie}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
            "Accept": "application/json",
            "Content-Type": "application/json",
        }
        self.slug, self.deadline = slug, deadline
        self.times: dict[str, list[float]] = {name: [] for name in REQUESTS}
        self.errors: list[str] = []

    def run(self) -> None:
        while time.monotonic() < self.deadline:
            location = self.post("claim", f"/p/{self.slug}/claim/write/", None, 302)
            if not location or not location.startswith("/assignments/"):
                return
            self.send("GET", "page", location, None, 200)
            for version in (0, 1):
                draft = {"base_version": version, "content": CONTENT}
                self.post("save", f"{location}draft/", draft, 200)
            key = f"{time.time_ns():032x}"[-32:]
            self.post(
                "submit",
                f"{location}submit/",
                {"key": key, "base_version": 2, "content": CONTENT},
                200,
            )

    def post(self, name: str, path: str, data: dict[str, Any] | None, expected: int) -> str | None:
        return self.send("POST", name, path, data, expected)

    def send(
        self, method: str, name: str, path: str, data: dict[str, Any] | None, expected: int
    ) -> str | None:
        body = b"" if data is None else json.dumps(data).encode()
        started = time.perf_counter()
        self.connection.request(method, path, body, self.headers)
        response = self.connection.getresponse()
        answer = response.read()
        self.times[name].append(time.perf_counter() - started)
        if response.status != expected:
            self.errors.append(f"{name}: {response.status} {answer[:200]!r}")
        return response.headers.get("Location")


def client_process(
    port: int, cookies: list[str], slug: str, seconds: float, results: Queue[Answer]
) -> None:
    began = time.process_time()
    deadline = time.monotonic() + seconds
    people = [Annotator(port, cookie, slug, deadline) for cookie in cookies]
    for person in people:
        person.start()
    for person in people:
        person.join()
    merged = {name: [t for person in people for t in person.times[name]] for name in REQUESTS}
    errors = [error for person in people for error in person.errors]
    results.put((merged, errors, time.process_time() - began))


def measure(database: str, people: int, seconds: float, clips: int) -> list[str]:
    """Run once on a fresh database; return the rows of figures."""
    with fresh_environment(database):
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connections

        from bench.world import make_world, session_cookie

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        project, users = make_world(clips=clips, people=people)
        cookies = [session_cookie(user) for user in users]

        rows = []
        with running_server(workers=2, threads=4) as (port, pid):
            run_clients(port, cookies, project.slug, 2)  # warm up
            # The database does so by itself within a minute; before that it has no statistics on
            # assignments.
            with connections["default"].cursor() as cursor:
                cursor.execute("ANALYZE")
            before = server_seconds(pid), database_seconds(connections["default"])
            started = time.perf_counter()
            times, errors, client = run_clients(port, cookies, project.slug, seconds)
            wall = time.perf_counter() - started
            server = server_seconds(pid) - before[0]
            in_database = database_seconds(connections["default"]) - before[1]
            for name, values in times.items():
                values.sort()
                rows.append(
                    f"| {database} | {people} | {name} | {statistics.median(values) * 1000:.1f} "
                    f"| {values[int(len(values) * 0.95)] * 1000:.1f} | {len(values)} |"
                )
            total = sum(map(len, times.values()))
            rows.append(f"| {database} | {people} | all | | | {total / wall:.0f} requests/s |")
            rows.append(
                f"| {database} | {people} | processor ms a request: server, database, client "
                f"| {server / total * 1000:.2f} | {in_database / total * 1000:.2f} "
                f"| {client / total * 1000:.2f} |"
            )
        doubles = _double_holds()
        rows.append(
            f"| {database} | {people} | double holds | {doubles} | errors | {len(errors)} |"
        )
        for error in errors[:5]:
            print(error, file=sys.stderr)
        connections.close_all()
    return rows


def run_clients(port: int, cookies: list[str], slug: str, seconds: float) -> Answer:
    results: Queue[Answer] = multiprocessing.get_context("spawn").Queue()
    client = multiprocessing.get_context("spawn").Process(
        target=client_process, args=(port, cookies, slug, seconds, results)
    )
    client.start()
    answer = results.get()
    client.join()
    return answer


def core_speed() -> float:
    """Return the seconds for ten million additions, which show how fast the cores were."""
    started, total = time.perf_counter(), 0
    for number in range(10_000_000):
        total += number
    return time.perf_counter() - started


def _double_holds() -> int:
    """Count items held or finished by more people than they need."""
    from django.db.models import Count, F

    from annotate.models import Assignment

    taken = Assignment.objects.filter(state__in=["held", "submitted"])
    per_item = taken.values("item", "item__needed").annotate(n=Count("pk"))
    return per_item.filter(n__gt=F("item__needed")).count()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--clips", type=int, default=40_804)
    parser.add_argument("--databases", default="sqlite,postgresql")
    options = parser.parse_args()

    print(f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, {platform.processor() or 'CPU'},")
    print(f"Python {platform.python_version()}, {options.clips:,} clips, two writers each;")
    print(f"ten million additions in Python took {core_speed():.2f} s\n")
    print("| database | annotators | request | p50 ms | p95 ms | count |")
    print("|---|---|---|---|---|---|")
    for database in options.databases.split(","):
        for people in sorted({1, options.people}):
            # Django reads its settings once per process, so each run has its own process.
            with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
                run = process.submit(measure, database, people, options.seconds, options.clips)
                print("\n".join(run.result()), flush=True)


if __name__ == "__main__":
    main()
