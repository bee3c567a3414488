"""The pages that ask who may read a caption, at LoVR's size, while people judge without each other.

    python -m bench.visible_captions [--databases sqlite,postgresql] [--clips 40804] [--folder DIR]

Half of the clips have an open verification, a sixth a finished one with its correction, an eighth
a write-up that waits for its merge; two sets of predictions of every clip are compared in a round
with votes, and a study of ratings runs. Each person opens each page in turn, as the test client
does: in the process, without the web server. `--folder` keeps the databases, so that two checkouts
can be measured on the same rows.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench import server
from bench.timing import machine

server.NAME = "vericap_bench_visible"
PAGES = ("", "&page=60")
HEADER = (
    "| database | page | person | median ms | p95 ms | mean CPU ms | statements | SQL ms |\n"
    "|---|---|---|---|---|---|---|---|"
)


def pages() -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield (page, people, addresses): the addresses take turns, so that no row stays in a
    cache.
    """
    from django.urls import reverse

    from annotate.models import Clip
    from bench.blind_world import ROLES
    from review.captions.models import CaptionSet
    from review.verification.models import Verification

    everyone = list(ROLES)
    readers = ["Rita", "Emil", "Ada", "Ari"]
    admins = ["Ada", "Ari"]
    clips = list(Clip.objects.order_by("pk"))
    step = max(1, len(clips) // 60)
    sampled = clips[:: step | 1]

    def address(name: str, **keys: Any) -> str:
        return reverse(name, kwargs={"slug": "benchmark", **keys})

    corpus = address("annotate:corpus")
    yield "clips of a category", everyone, [f"{corpus}?category=category 2{p}" for p in PAGES]
    yield "clips by category", everyone, [f"{corpus}?sort=category{page}" for page in PAGES]
    yield "clip", everyone, [address("annotate:clip", clip_id=c.pk) for c in sampled]
    scores = [address("inference:clip_scores", clip_id=c.pk) for c in sampled]
    yield "scores of a clip", readers, scores
    videos = [address("inference:video", video_id=c.video_id) for c in sampled]
    yield "video", readers, videos
    examples = address("review:rating_examples")
    yield "training examples", admins, [f"{examples}?page={n}" for n in (1, 2, 900)]
    for order in ("lowest", "errors"):
        yield f"training examples, {order}", admins, [f"{examples}?order={order}"]
    verifications = address("review:verifications")
    yield "verifications", readers, [verifications, f"{verifications}?page=40"]
    keys = Verification.objects.order_by("pk").values_list("pk", flat=True)[::997]
    opened = [address("review:verification", verification_id=key) for key in keys]
    yield "a verification", ["Rita", "Ari"], opened
    sets = [
        address("review:caption_set", set_id=caption_set.pk)
        for caption_set in CaptionSet.objects.all()
    ]
    yield "predictions of a set", admins, sets


def time_page(
    client: Any, addresses: list[str], rounds: int
) -> tuple[list[float], float, int, float]:
    """Return the milliseconds of each answer, their mean of the processor with the database's, and
    the statements of the first and their milliseconds."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        answer = client.get(addresses[0])
    if answer.status_code not in (200, 404):  # 404: a hidden verification
        raise SystemExit(f"{addresses[0]} answered {answer.status_code}.")
    statements, in_sql = (
        len(queries),
        sum(float(query["time"]) for query in queries.captured_queries),
    )
    taken = []
    busy = time.process_time() + server.database_seconds(connection)
    for number in range(rounds):
        started = time.perf_counter()
        client.get(addresses[number % len(addresses)])
        taken.append(1000 * (time.perf_counter() - started))
    busy = time.process_time() + server.database_seconds(connection) - busy
    return taken, 1000 * busy / rounds, statements, 1000 * in_sql


def measure(database: str, rounds: int, only: str) -> None:
    from django.test import Client

    from annotate.models import User

    for page, people, addresses in pages():
        if only not in page:
            continue
        for person in people:
            client = Client(SERVER_NAME="localhost")
            client.force_login(User.objects.get(name=person))
            taken, busy, statements, in_sql = time_page(client, addresses, rounds)
            middle = statistics.median(taken)
            slow = sorted(taken)[int(len(taken) * 0.95)]
            print(
                f"| {database} | {page} | {person} | {middle:.0f} | {slow:.0f} | {busy:.0f} "
                f"| {statements} | {in_sql:.0f} |",
                flush=True,
            )


@contextmanager
def _kept_environment(database: str, folder: Path) -> Iterator[None]:
    """Use the databases of an earlier run with the same folder, else empty ones."""
    is_new = not (folder / database).exists()
    (folder / database).mkdir(parents=True, exist_ok=True)
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.embedded"
    os.environ["VERICAP_DATA_DIR"] = str(folder / database)
    if database == "postgresql":
        if is_new:
            server.recreate_postgres()
        os.environ["DATABASE_URL"] = f"{server.POSTGRES}/{server.NAME}"
    yield


def run(database: str, options: argparse.Namespace) -> None:
    folder: Callable[[], Any] = (
        (lambda: _kept_environment(database, Path(options.folder)))
        if options.folder
        else (lambda: server.fresh_environment(database))
    )
    with folder():
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from annotate.models import Project
        from bench.blind_world import build

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        if not Project.objects.exists():
            build(options.clips)
        measure(database, options.rounds, options.only)
        connection.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--clips", type=int, default=40_804, help="LoVR's")
    parser.add_argument("--rounds", type=int, default=20, help="answers of each page")
    parser.add_argument("--only", default="", help="pages whose name contains this")
    parser.add_argument("--folder", default="", help="where the databases are kept")
    options = parser.parse_args()
    databases = options.databases.split(",")
    if len(databases) == 1:
        run(databases[0], options)
        return
    # A process has one set of settings, so each database gets its own process.
    print(machine(), HEADER, sep="\n\n", flush=True)
    for database in databases:
        arguments = ["--clips", str(options.clips), "--rounds", str(options.rounds)]
        arguments += [
            "--only",
            options.only,
            *(["--folder", options.folder] * bool(options.folder)),
        ]
        arguments += ["--databases", database]
        subprocess.run([sys.executable, "-m", "bench.visible_captions", *arguments], check=True)


if __name__ == "__main__":
    main()
