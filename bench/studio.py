"""The page of the next release at CaReBench's form and LoVR's size, and at TF-CoVR's form with a
release to compare with: what each request and the worker's comparison take of the processor, and
how many statements they send.

    python -m bench.studio [--databases sqlite,postgresql] [--clips 40804] [--rounds 20]
                           [--modifications 3850]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from bench.server import fresh_environment
from bench.timing import machine

HEADER = "| database | what | p50 ms | p95 ms | statements |\n|---|---|---|---|---|"
KINDS = ("general", "spatial", "temporal")


def make_complete(project: Any) -> None:
    """Give each clip the three captions of a published data set, which make it complete."""
    from annotate.models import Caption, Clip

    clips = Clip.objects.filter(project=project).order_by("pk")
    for kind in KINDS:
        Caption.objects.bulk_create(
            (
                Caption(
                    project=project,
                    clip=clip,
                    kind=kind,
                    source="published",
                    text=f"Words of the {kind} caption of clip {clip.pk}.",
                    word_count=8,
                    provenance=[{"data_set": "Benchmark"}],
                )
                for clip in clips.iterator(chunk_size=2000)
            ),
            batch_size=2000,
        )


def measure(database: str, clips: int, rounds: int) -> None:
    with fresh_environment(database):
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from bench.world import make_corpus

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        project = make_corpus(clips)
        make_complete(project)
        measure_pages(f"{database}, {clips:,} clips", project, rounds)
        connection.close()


def measure_triplets(database: str, modifications: int, rounds: int) -> None:
    with fresh_environment(database):
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from bench.released_triplets import build, cut_all
        from bench.triplets import make_world
        from review.triplets.sets import generate, start_triplet_set

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        project = make_world(modifications)
        cut_all(project)
        generate(triplets=start_triplet_set(project=project, seed=0, most_targets=10, admin=None))
        triplets = build(project, "0.1.0")
        rename_some(project)
        measure_pages(f"{database}, {triplets:,} triplets", project, rounds)
        connection.close()


def rename_some(project: Any) -> None:
    """Give every tenth clip another name, so that its queries differ from the release."""
    from annotate.models import Clip

    for clip in list(Clip.objects.filter(project=project).order_by("pk"))[::10]:
        Clip.objects.filter(pk=clip.pk).update(name=f"{clip.name}-renamed")


def measure_pages(where: str, project: Any, rounds: int) -> None:
    from django.db import connection
    from django.test import Client
    from django.urls import reverse

    from annotate.jobs.services.working import work_on
    from annotate.models import Membership, User
    from annotate.models.jobs import Job

    ada = User.objects.create(email="ada@example.org", name="Ada")
    Membership.objects.create(project=project, user=ada, is_admin=True)
    if connection.vendor == "postgresql":
        connection.cursor().execute("ANALYZE")
    client = Client(SERVER_NAME="localhost")
    client.force_login(ada)
    studio, checks, changes = (
        reverse(f"review:release_{name}", args=[project.slug])
        for name in ("studio", "checks", "changes")
    )

    def request(url: str) -> None:
        assert client.get(url).status_code == 200

    timed(where, "the page", lambda: request(studio), rounds)
    timed(where, "the checks, while a worker compares", lambda: request(checks), rounds)
    job = Job.objects.get(kind="compare-release")
    timed(where, "the comparison, by a worker", lambda: work_on(job_id=job.pk), 0)
    job.refresh_from_db()
    assert job.state == "done", job.reason
    kept = f"{checks}?since={job.created_at:%Y-%m-%dT%H:%M:%SZ}"
    timed(where, "the checks, once compared", lambda: request(kept), rounds)
    timed(where, "the changes", lambda: request(changes), rounds)
    timed(where, "the changes, filtered by name", lambda: request(f"{changes}?name=12"), rounds)


def timed(where: str, what: str, work: Callable[[], object], rounds: int) -> None:
    """Print a row. The first of several rounds loads templates and isn't counted."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    taken = []
    for _ in range(rounds + 1):
        started = time.process_time()
        with CaptureQueriesContext(connection) as captured:
            work()
        taken.append((time.process_time() - started) * 1000)
    taken = sorted(taken[1:] or taken)
    p95 = taken[min(len(taken) - 1, round(0.95 * len(taken)))]
    row = (where, what, f"{taken[len(taken) // 2]:.0f}", f"{p95:.0f}", len(captured))
    print("|", " | ".join(map(str, row)), "|", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--clips", type=int, default=40_804)
    parser.add_argument("--modifications", type=int, default=3850)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    databases = options.databases.split(",")
    sizes = [size for size in ((options.clips, 0), (0, options.modifications)) if any(size)]
    # A process has one set of settings, so each run gets its own process.
    if len(databases) * len(sizes) > 1:
        print(machine(), HEADER, sep="\n\n", flush=True)
        for database in databases:
            for clips, modifications in sizes:
                arguments = [
                    *("--databases", database, "--rounds", str(options.rounds)),
                    *("--clips", str(clips), "--modifications", str(modifications)),
                ]
                subprocess.run([sys.executable, "-m", "bench.studio", *arguments], check=True)
    elif options.clips:
        measure(databases[0], options.clips, options.rounds)
    else:
        measure_triplets(databases[0], options.modifications, options.rounds)


if __name__ == "__main__":
    main()
