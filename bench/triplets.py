"""Generating 180,000 triplets, beside a plain loop of single inserts, on both databases.

    python -m bench.triplets [--databases sqlite,postgresql] [--modifications 3850]

A project of TF-CoVR's size: 306 labels, 2,600 clips of 650 source videos. The loop stores a part of
the same triplets one row at a time in one transaction, with the same constraints and triggers.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import count
from pathlib import Path
from typing import Any

from bench.server import fresh_environment
from bench.timing import machine

LABELS, CLIPS, VIDEOS = 306, 2_600, 650
TRAIN_SHARE = 0.8
PLAIN_ROWS = 10_000
STATUS = Path("/proc/self/status")
HEADER = (
    "| database | way | triplets | s | CPU s | rows/s | peak MB | above idle MB |\n"
    "|---|---|---|---|---|---|---|---|"
)


def peak_megabytes() -> float:
    """Return the peak memory of this process since the last `forget_peak`."""
    [line] = [line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024


def forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def make_world(modifications: int) -> Any:
    """Make a project whose accepted modifications make about 180,000 triplets, without a set
    yet.
    """
    from annotate.models import ActionLabel, Clip, Project, Video
    from review.modifications.models import Modification
    from review.pairs.models import LabelPair

    project = Project.objects.create(name="Triplets", slug="triplets", protocol="tfcovr")
    labels = ActionLabel.objects.bulk_create(
        ActionLabel(project=project, key=str(n), caption=f"Dive {n}", domain="diving")
        for n in range(LABELS)
    )
    videos = Video.objects.bulk_create(
        Video(
            project=project,
            original_name=f"source-{n}.mp4",
            sha256=f"{n:064x}",
            size=1,
            fps_num=25,
            fps_den=1,
            frames=1000,
            width=256,
            height=192,
            source_file="s",
            playback_file="p",
            poster_file="o",
            filmstrip_file="f",
            split="train" if n < TRAIN_SHARE * VIDEOS else "test" if n % 2 else "validation",
        )
        for n in range(VIDEOS)
    )
    # A label's clips are in many videos, and so in every split.
    Clip.objects.bulk_create(
        Clip(
            project=project,
            video=videos[n % VIDEOS],
            name=f"clip-{n}",
            start_frame=40 * (n // VIDEOS),
            end_frame=40 * (n // VIDEOS) + 40,
            duration_ms=1600,
            label=labels[(n * 7) % LABELS],
        )
        for n in range(CLIPS)
    )
    made = count()
    for distance in range(1, LABELS):
        pairs = LabelPair.objects.bulk_create(
            LabelPair(
                project=project,
                first=labels[n],
                second=labels[n + distance],
                similarity=1 - distance / LABELS,
                encoder="bench",
                kind="temporal",
            )
            for n in range(LABELS - distance)
        )
        texts = [
            Modification(
                pair=pair,
                source_id=source,
                target_id=target,
                text=f"show with {target} turns",
                state="accepted",
            )
            for pair in pairs
            for source, target in (
                (pair.first_id, pair.second_id),
                (pair.second_id, pair.first_id),
            )
            if next(made) < modifications
        ]
        if not texts:
            break
        Modification.objects.bulk_create(texts)
    return project


def timed(database: str, name: str, way: Any) -> None:
    forget_peak()
    idle = peak_megabytes()
    started, busy = time.perf_counter(), time.process_time()
    rows = way()
    seconds, busy = time.perf_counter() - started, time.process_time() - busy
    peak = peak_megabytes()
    print(
        f"| {database} | {name} | {rows:,} | {seconds:.1f} | {busy:.1f} | {rows / seconds:,.0f} "
        f"| {peak:.0f} | {peak - idle:.0f} |",
        flush=True,
    )


def one_by_one(project: Any) -> int:
    """Store the first triplets of the set again, as a script would."""
    from django.db import transaction

    from review.triplets.models import ComposedQuery, Triplet, TripletSet

    plain = TripletSet.objects.create(project=project, number=99, state="finished")
    rows = 0
    first = TripletSet.objects.get(project=project, number=1)
    with transaction.atomic():
        for query in first.queries.order_by("pk")[: PLAIN_ROWS // 4]:
            again = ComposedQuery.objects.create(
                triplets=plain,
                split=query.split,
                clip_id=query.clip_id,
                modification_id=query.modification_id,
            )
            for place, row in enumerate(query.targets.all()):
                Triplet.objects.create(query=again, target_id=row.target_id, place=place)
                rows += 1
            if rows >= PLAIN_ROWS:
                break
    return rows


def export_and_measure(project: Any) -> int:
    from review.triplets.exchange import triplet_files
    from review.triplets.models import TripletSet

    triplets = TripletSet.objects.get(project=project, number=1)
    for file in triplet_files(triplets):
        for _ in file.chunks():
            pass
    return triplets.triplet_count


def look_at(project: Any) -> int:
    from review.triplets.models import TripletSet
    from review.triplets.queries import listed_sets, statistics_of

    listed_sets(project)
    triplets = TripletSet.objects.get(project=project, number=1)
    assert statistics_of(triplets).leaking == 0
    return triplets.triplet_count


def measure(database: str, modifications: int) -> None:
    with fresh_environment(database):
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from review.triplets.sets import generate, start_triplet_set

        call_command("migrate", verbosity=0)
        project = make_world(modifications)
        triplets = start_triplet_set(project=project, seed=0, most_targets=10, admin=None)
        timed(database, "`generate`", lambda: generate(triplets=triplets).triplet_count)
        timed(database, "one insert a row", lambda: one_by_one(project))
        timed(database, "every file of the export", lambda: export_and_measure(project))
        timed(database, "the numbers of the set's page", lambda: look_at(project))
        connection.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--modifications", type=int, default=3_850)
    options = parser.parse_args()
    # A process has one peak of memory and one set of settings, so each database gets its own
    # process.
    databases = options.databases.split(",")
    if len(databases) > 1:
        import subprocess

        print(machine(), HEADER, sep="\n\n", flush=True)
        for database in databases:
            arguments = ["--databases", database, "--modifications", str(options.modifications)]
            subprocess.run([sys.executable, "-m", "bench.triplets", *arguments], check=True)
    else:
        measure(databases[0], options.modifications)


if __name__ == "__main__":
    main()
