"""The page on which a caption is written, as the server makes it: by Django's test client, with all
of its middleware and without a connection, on both databases.

    python -m bench.work_page [--clips 40804] [--rounds 300]

`bench.work_queue` asks for the same page over HTTP. The processor's time is that of the process
that answers; PostgreSQL's own isn't in it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module

from bench import server
from bench.timing import machine

# Another benchmark can have its database at the same time.
server.NAME = "vericap_bench_page"
WARM_UP = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=int, default=40_804, help="LoVR's")
    parser.add_argument("--rounds", type=int, default=300)
    options = parser.parse_args()
    print(machine())
    print("| database | ms by the clock, median | p95 | ms of the processor | KB |")
    print("|---|---|---|---|---|")
    for database in ("sqlite", "postgresql"):
        # Django reads its settings once per process, so each run has its own process.
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            run = process.submit(measure, database, options.clips, options.rounds)
            print(run.result(), flush=True)


def measure(database: str, clips: int, rounds: int) -> str:
    """Return the table's row of one database."""
    with server.fresh_environment(database):
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection
        from django.test import Client

        from bench.world import make_world, session_cookie

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        import_module("config.wsgi")  # sets the garbage collector as for the web server
        project, [person] = make_world(clips=clips, people=1)
        client = Client(headers={"host": "127.0.0.1"})
        client.cookies["sessionid"] = session_cookie(person)
        page = client.post(f"/p/{project.slug}/claim/write/").headers["Location"]
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        for _ in range(WARM_UP):
            client.get(page)
        clock, processor = [], []
        for _ in range(rounds):
            started, busy = time.perf_counter(), time.process_time()
            answer = client.get(page)
            clock.append((time.perf_counter() - started) * 1000)
            processor.append((time.process_time() - busy) * 1000)
            if answer.status_code != 200:
                raise SystemExit(f"{page} answers {answer.status_code}.")
        connection.close()
    return (
        f"| {database} | {statistics.median(clock):.1f} | {sorted(clock)[int(rounds * 0.95)]:.1f} "
        f"| {statistics.median(processor):.1f} | {len(answer.content) / 1024:.0f} |"
    )


if __name__ == "__main__":
    main()
