"""The page of the next release at CaReBench's form and LoVR's size: what it takes of the processor,
and how many statements it sends, with and without the checks.

    python -m bench.studio [--databases sqlite,postgresql] [--clips 40804] [--rounds 20]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from typing import Any

from bench.server import fresh_environment
from bench.timing import machine

HEADER = "| database | page | clips | p50 ms | p95 ms | statements |\n|---|---|---|---|---|---|"
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
        from django.test import Client
        from django.test.utils import CaptureQueriesContext
        from django.urls import reverse

        from annotate.models import Membership, User
        from bench.world import make_corpus

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        project = make_corpus(clips)
        make_complete(project)
        ada = User.objects.create(email="ada@example.org", name="Ada")
        Membership.objects.create(project=project, user=ada, is_admin=True)
        if connection.vendor == "postgresql":
            connection.cursor().execute("ANALYZE")
        client = Client(SERVER_NAME="localhost")
        client.force_login(ada)
        for name, times in (("release_studio", rounds), ("release_checks", 3)):
            url = reverse(f"review:{name}", args=[project.slug])
            taken = []
            for _ in range(times + 1):
                started = time.process_time()
                with CaptureQueriesContext(connection) as captured:
                    assert client.get(url).status_code == 200
                taken.append((time.process_time() - started) * 1000)
            taken = sorted(taken[1:])  # The first loads templates.
            p95 = taken[min(len(taken) - 1, round(0.95 * len(taken)))]
            row = (name, f"{clips:,}", f"{taken[len(taken) // 2]:.0f}", f"{p95:.0f}", len(captured))
            print("|", database, "|", " | ".join(map(str, row)), "|", flush=True)
        connection.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--clips", type=int, default=40_804)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    databases = options.databases.split(",")
    if len(databases) > 1:
        print(machine(), HEADER, sep="\n\n", flush=True)
        for database in databases:
            arguments = [
                *("--databases", database, "--clips", str(options.clips)),
                *("--rounds", str(options.rounds)),
            ]
            subprocess.run([sys.executable, "-m", "bench.studio", *arguments], check=True)
    else:
        measure(databases[0], options.clips, options.rounds)


if __name__ == "__main__":
    main()
