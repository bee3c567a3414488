"""Recall and ReBias of a project of LoVR's size, recomputed by a real Celery worker on PostgreSQL.

    python -m bench.recall_project [--clips 40804] [--dimension 768]

Every clip has a random vector, and so has each of its three captions: general, spatial, temporal.
Peak memory is that of the worker's process as Linux counts it (VmHWM), and seconds are from the
message to the stored report. The page's figures, with both reports, are of Django's test client
in this process; the database's own processor time isn't in them.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bench import server
from bench.timing import machine

if TYPE_CHECKING:
    from annotate.models import Project

# Another benchmark can have its database at the same time.
server.NAME = "vericap_bench_recall"
KINDS = ("general", "spatial", "temporal")
SPACE = "b" * 64
BATCH_SIZE = 2000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clips", type=int, default=40_804, help="LoVR's")
    parser.add_argument("--dimension", type=int, default=768)
    options = parser.parse_args()
    print(machine(), flush=True)
    with server.fresh_environment("postgresql"):
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        started = time.perf_counter()
        project = generate(options.clips, options.dimension)
        print(f"Generated in {time.perf_counter() - started:.0f} s.", flush=True)
        measure(project)
        measure_page(project)


def generate(clips: int, dimension: int) -> Any:
    from django.db import connection

    from annotate.models import Caption, Clip
    from bench.world import make_corpus
    from inference.models import InferenceRun, ModelSpec
    from inference.recipes import Recipe, as_json

    project = make_corpus(clips)
    model = ModelSpec.objects.create(project=project, name="Random", backend="transformers-dual")
    random = np.random.default_rng(0)

    def store(of: str, things: list[int]) -> None:
        run = InferenceRun.objects.create(
            project=project, kind="embed", model=model, queue="gpu", recipe_hash="x",
            recipe=as_json(Recipe("embed", 1, None, {"of": of})), total=len(things),
        )  # fmt: skip
        column = "clip_id" if of == "clips" else "caption_id"
        copy_vectors(run, column, things, random, dimension)

    keys = list(Clip.objects.filter(project=project).order_by("pk").values_list("pk", flat=True))
    store("clips", keys)
    for kind in KINDS:
        captions = Caption.objects.bulk_create(
            [
                Caption(project=project, clip_id=key, kind=kind, source="machine", text="A dive.",
                        word_count=2)
                for key in keys
            ],
            batch_size=BATCH_SIZE,
        )  # fmt: skip
        store(kind, [caption.pk for caption in captions])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return project


def copy_vectors(
    run: Any, column: str, things: list[int], random: np.random.Generator, dimension: int
) -> None:
    """Copy a random unit vector for each, as the item of the run that made it. By COPY, because
    these are hundreds of megabytes."""
    from django.db import connection

    now = datetime.now(UTC)
    sampling = '{"kind": "middle", "count": 32}' if column == "clip_id" else "{}"
    with connection.cursor() as cursor:
        fields = f"run_id, position, {column}, key, state, step, attempts, deaths, code, reason"
        with cursor.copy(
            f"COPY inference_runitem ({fields}, stale_because, note, device) FROM STDIN"
        ) as copy:
            for place, key in enumerate(things):
                item_row = (run.pk, place, key, f"{run.pk}-{place}", "done", "", 1, 0)
                copy.write_row((*item_row, "", "", "", "", ""))
        cursor.execute(
            f"SELECT id, {column} FROM inference_runitem WHERE run_id = %s ORDER BY position",
            [run.pk],
        )
        items = cursor.fetchall()
        fields = f"project_id, item_id, model_id, space, {column}, dimension, vector, sampling"
        with cursor.copy(f"COPY inference_embedding ({fields}, created_at) FROM STDIN") as copy:
            for item, key in items:
                vector = random.standard_normal(dimension, dtype=np.float32)
                unit = (vector / np.linalg.norm(vector)).tobytes()
                made = (run.project_id, item, run.model_id, SPACE, key, dimension)
                copy.write_row((*made, unit, sampling, now))


def measure(project: Project) -> None:
    from annotate.models import User
    from review.reports.models import Report
    from review.reports.services import ask_to_recompute

    print("| report | s, message to report | s without I/O, all directions | worker's peak MB |")
    print("|---|---|---|---|")
    person = User.objects.create(email="ada@example.org", name="Ada", password="!")
    for name in ("recall", "rebias"):
        # Each has its own worker, so that their peaks are separate.
        with running_worker() as pid:
            started = time.perf_counter()
            ask_to_recompute(project=project, name=name, person=person)
            while not (report := Report.objects.filter(project=project, name=name).first()):
                time.sleep(0.2)
            spent = time.perf_counter() - started
            kinds = report.result.get("kinds", {})
            ways = [way for kind in kinds.values() for way in kind.values()]
            bare = sum(way["seconds"]["without_io"] for way in ways)
            computed = f"{bare:.1f}" if ways else ""
            print(f"| {name} | {spent:.1f} | {computed} | {peak_mb(pid):.0f} |", flush=True)
    for report in Report.objects.order_by("pk"):
        print(report.signature)


def measure_page(project: Project) -> None:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from annotate.models import Membership, User

    person = User.objects.create(email="rita@example.org", name="Rita", password="!")
    Membership.objects.create(project=project, user=person, is_reviewer=True)
    client = Client(HTTP_HOST="localhost")
    client.force_login(person)
    for counts in ("counted anew", "kept"):
        query = {} if counts == "kept" else {"count": 1}
        times, busy = [], []
        for _ in range(7):
            with CaptureQueriesContext(connection) as captured:
                started, used = time.perf_counter(), time.process_time()
                response = client.get(f"/p/{project.slug}/recall/", query)
                times.append(time.perf_counter() - started)
                busy.append(time.process_time() - used)
            assert response.status_code == 200, response.status_code
        middle, processor = (statistics.median(seconds) * 1000 for seconds in (times, busy))
        print(
            f"The page Recall, {counts}: {middle:.0f} ms by the clock, {processor:.0f} ms of the "
            f"processor, {len(captured)} statements."
        )


@contextmanager
def running_worker() -> Iterator[int]:
    """Start a worker as in production, with one process for the work; yield that process's id."""
    command = [
        *(sys.executable, "-m", "celery", "-A", "config", "worker", "--queues=cpu"),
        *("--concurrency=1", "--loglevel=ERROR", f"--hostname=bench{os.getpid()}@%h"),
    ]
    worker = subprocess.Popen(command, cwd=server.ROOT, start_new_session=True)
    try:
        yield child_of(worker)
    finally:
        # At once: its report is stored, and its broker is deleted with the folder.
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait(timeout=60)


def child_of(worker: subprocess.Popen[bytes]) -> int:
    children = Path(f"/proc/{worker.pid}/task/{worker.pid}/children")
    while worker.poll() is None:
        if pids := children.read_text().split():
            return int(pids[-1])
        time.sleep(0.2)
    raise RuntimeError("The worker ended before it began.")


def peak_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    [peak] = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    return int(peak) / 1024


if __name__ == "__main__":
    main()
