"""A release of a set of triplets: time and memory of the build, the page of the next release, and
every file but the videos of both formats.

    python -m bench.released_triplets [--databases sqlite,postgresql] [--modifications 430,3850]

430 modifications make about 20,000 triplets, 3,850 about 180,000 as TF-CoVR has. The clips count
as cut already, since cutting them takes as long as they last. Fails if the build takes more than
LIMIT_MB above the idle process.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.server import fresh_environment
from bench.timing import machine
from bench.triplets import HEADER, forget_peak, make_world, peak_megabytes, timed

LIMIT_MB = 150


def cut_all(project: Any) -> None:
    """Store a file of each clip, as if a worker had cut it."""
    from annotate.models import Clip, ClipFile

    ClipFile.objects.bulk_create(
        ClipFile(clip=clip, name=f"clips/{clip.pk}.mp4", sha256=f"{clip.pk:064x}", size=100_000)
        for clip in Clip.objects.filter(project=project)
    )


def build(project: Any, version: str) -> int:
    from review.releases.services import build_release

    release = build_release(project=project, version=version, admin=None)
    facts = release.triplet_facts or {}
    return sum(facts["triplets"].values())


def read_next(project: Any) -> int:
    from review.releases.gates.triplets import Triplets
    from review.releases.queries import latest_release, next_release

    following = next_release(project, latest_release(project))
    assert not following.difference
    assert isinstance(following.content, Triplets)
    return following.content.tally.triplets.total()


def read_page(project: Any) -> int:
    """Count and list everything that the page of the release does."""
    from annotate.models import Membership, User
    from review.releases.pages import release_context

    release = project.releases.get()
    ada = User.objects.create_user("ada@vericap.example", None, name="Ada")
    membership = Membership.objects.create(project=project, user=ada, is_admin=True)
    context = release_context(membership, release, None)
    return sum(count.targets for count in context["query_counts"])


def write_files(project: Any, format_name: str) -> int:
    from review.releases.formats import FORMATS

    release = project.releases.get()
    for file in FORMATS[format_name].files(release, Path()):
        if not file.path.endswith(".mp4"):
            for _ in file.checked():
                pass
    facts = release.triplet_facts or {}
    return sum(facts["triplets"].values())


def give_memory_back() -> None:
    """Hand back to the system what generating has freed, so that the build asks for its own."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)


def measure(database: str, modifications: int) -> None:
    with fresh_environment(database):
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from review.triplets.sets import generate, start_triplet_set

        call_command("migrate", verbosity=0)
        project = make_world(modifications)
        cut_all(project)
        generate(triplets=start_triplet_set(project=project, seed=0, most_targets=10, admin=None))
        give_memory_back()
        forget_peak()
        idle = peak_megabytes()
        timed(database, "`build_release`", lambda: build(project, "0.1.0"))
        above = peak_megabytes() - idle
        timed(database, "the next release and its difference", lambda: read_next(project))
        timed(database, "the page of the release", lambda: read_page(project))
        for name in ("tfcovr", "circo"):
            timed(database, f"the files of `{name}`", lambda name=name: write_files(project, name))
        connection.close()
        if above > LIMIT_MB:
            sys.exit(f"The build took {above:.0f} MB above idle; at most {LIMIT_MB} are allowed.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--modifications", default="430,3850")
    options = parser.parse_args()
    databases, sizes = options.databases.split(","), options.modifications.split(",")
    # A process has one peak of memory and one set of settings, so each run gets its own process.
    if len(databases) * len(sizes) > 1:
        print(machine(), HEADER, sep="\n\n", flush=True)
        for database in databases:
            for size in sizes:
                arguments = ["--databases", database, "--modifications", size]
                command = [sys.executable, "-m", "bench.released_triplets", *arguments]
                subprocess.run(command, check=True)
    else:
        measure(databases[0], int(sizes[0]))


if __name__ == "__main__":
    main()
