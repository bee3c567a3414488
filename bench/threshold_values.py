"""The page Threshold and its slider at LoVR's size: how long the server takes for each, by Django's
test client, on both databases.

    python -m bench.threshold_values [--captions 40804] [--rounds 60]

The captions, scores and labels are those of the simulated study, with more captions that nobody has
judged. The processor's time is that of the process that answers; PostgreSQL's own isn't in it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from copy import copy
from importlib import import_module
from random import Random
from typing import Any

from bench import server
from bench.timing import machine

# Another benchmark can have its database at the same time.
server.NAME = "vericap_bench_threshold"
WARM_UP = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--captions", type=int, default=40_804, help="LoVR's")
    parser.add_argument("--rounds", type=int, default=60)
    options = parser.parse_args()
    print(machine())
    print("| database | answer | ms by the clock, median | p95 | ms of the processor | KB |")
    print("|---|---|---|---|---|---|")
    for database in ("sqlite", "postgresql"):
        # Django reads its settings once per process, so each run has its own process.
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            run = process.submit(measure, database, options.captions, options.rounds)
            print(*run.result(), sep="\n", flush=True)


def measure(database: str, captions: int, rounds: int) -> list[str]:
    """Return the table's rows of one database."""
    with server.fresh_environment(database):
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection
        from django.test import Client
        from django.urls import reverse

        from bench.world import session_cookie

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        import_module("config.wsgi")  # sets the garbage collector as for the web server
        admin, scorer = make_study(captions)
        client = Client(headers={"host": "127.0.0.1"})
        client.cookies["sessionid"] = session_cookie(admin)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        tried = f"/p/benchmark/threshold/value/?scorer={scorer}&value="
        rows = [
            time_answer(client, [f"{tried}{n / rounds:.3f}" for n in range(rounds)], "slider"),
            time_answer(
                client,
                [reverse("review:report_page", args=["benchmark", "threshold"])] * rounds,
                "page",
            ),
        ]
        connection.close()
    return [f"| {database} | {row} |" for row in rows]


def make_study(captions: int) -> tuple[Any, str]:
    """Make a project whose study has ended, with `captions` scored captions; return its admin and
    the key of the scorer.
    """
    from annotate.models import Caption, Clip, Membership, User
    from bench.world import make_corpus
    from fixtures.loading.simulated_study import load_simulated_study
    from inference.models import QualityScore, RunItem

    project = make_corpus(1)
    admin = User.objects.create_user("ada@example.org", name="Ada")
    Membership.objects.create(project=project, user=admin, is_admin=True, is_annotator=True)
    load_simulated_study(project=project, admin=admin)
    last = QualityScore.objects.select_related("item", "caption").latest("pk")
    unjudged = captions - QualityScore.objects.count()
    clips = Clip.objects.bulk_create(
        _copied(last.clip, name=f"more-{n}", start_frame=n, end_frame=n + 90)
        for n in range(1000, 1000 + unjudged)
    )
    chance = Random(1)
    texts = Caption.objects.bulk_create(_copied(last.caption, clip=clip) for clip in clips)
    items = RunItem.objects.bulk_create(
        _copied(last.item, caption=text, position=n, key=f"{n}")
        for n, text in enumerate(texts, 10_000)
    )
    QualityScore.objects.bulk_create(
        _copied(last, item=item, caption=text, clip=text.clip, value=chance.random())
        for item, text in zip(items, texts, strict=True)
    )
    return admin, last.scorer


def _copied(row: Any, **changes: Any) -> Any:
    """Return an unsaved copy of a row with some other values."""
    copied = copy(row)
    copied.pk = None
    for name, value in changes.items():
        setattr(copied, name, value)
    return copied


def time_answer(client: Any, addresses: list[str], name: str) -> str:
    """Return the rest of the table's row: each address is asked for once."""
    clock, processor = [], []
    for address in [*addresses[:WARM_UP], *addresses]:
        started, busy = time.perf_counter(), time.process_time()
        answer = client.get(address)
        clock.append((time.perf_counter() - started) * 1000)
        processor.append((time.process_time() - busy) * 1000)
        if answer.status_code != 200:
            raise SystemExit(f"{address} answers {answer.status_code}.")
    clock, processor = clock[WARM_UP:], processor[WARM_UP:]
    return (
        f"{name} | {statistics.median(clock):.1f} | {sorted(clock)[int(len(clock) * 0.95)]:.1f} "
        f"| {statistics.median(processor):.1f} | {len(answer.content) / 1024:.0f}"
    )


if __name__ == "__main__":
    main()
