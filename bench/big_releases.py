"""Releases of 40,804 clips with captions of 1,394 words, in LoVR's and in CaReBench's form.

    python -m bench.big_releases [--databases postgresql] [--clips 40804]
        [--protocols lovr,carebench] [--formats native] [--sentences 10]

Time and memory of the build, of what the page of the next release compares and keeps, and of each
format, or of those named; and how long the pages take while it is built. In LoVR's form each
caption has a verification with so many sentences, none with 0. Every video has one small file, so
that the figures are those of the captions. Fails if anything takes more than LIMIT_MB above the
idle process.
"""

from __future__ import annotations

import argparse
import pickle
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from bench.big_releases_world import FILM, make_carebench, make_lovr
from bench.released_triplets import give_memory_back
from bench.server import fresh_environment, running_server
from bench.timing import machine
from bench.triplets import forget_peak, peak_megabytes

LIMIT_MB = 300
PAGES = ("", "corpus/", "releases/")
HEADER = (
    "| release | step | s | CPU s | peak MB | above idle MB |\n|---|---|---|---|---|---|"
)  # fmt: skip
Measured = Callable[[], object]


def timed(release: str, step: str, action: Measured) -> None:
    """Run the step and print its row; end if it takes more than LIMIT_MB."""
    give_memory_back()
    forget_peak()
    idle = peak_megabytes()
    started, busy = time.perf_counter(), time.process_time()
    action()
    seconds, used = time.perf_counter() - started, time.process_time() - busy
    peak = peak_megabytes()
    print(
        f"| {release} | {step} | {seconds:.1f} | {used:.1f} | {peak:.0f} | {peak - idle:.0f} |",
        flush=True,
    )
    if peak - idle > LIMIT_MB:
        sys.exit(f"{step} took {peak - idle:.0f} MB above idle; at most {LIMIT_MB} are allowed.")


def build(project: Any) -> None:
    from review.releases.services import build_release

    build_release(project=project, version="0.1.0", admin=None)


def read_next(project: Any) -> None:
    from review.releases.queries import latest_release, next_release

    assert not next_release(project, latest_release(project)).difference


def compare(project: Any) -> None:
    """Do what a worker does for the page of the next release, and print how much it keeps."""
    from django.core.cache import cache

    from review.studio.comparing import check, comparison_of, keep, newest_changes

    comparison = comparison_of(project)
    keep(comparison, check(comparison, is_kept=True))
    kept = len(pickle.dumps(cache.get(comparison.key)))
    started = time.perf_counter()
    newest_changes(project)
    seconds = time.perf_counter() - started
    print(
        f"Kept: {kept:,} bytes. Asked whether it is current in {1000 * seconds:.1f} ms.", flush=True
    )


def write_files(project: Any, format_name: str) -> None:
    """Write every file of a format as an export does, to nowhere."""
    from review.releases.formats import files_of

    with tempfile.TemporaryDirectory() as folder:
        for file in files_of(project.releases.get(), format_name, Path(folder)):
            for _ in file.checked():
                pass


class Reader(threading.Thread):
    """Opens the pages of a project in turn until it is stopped; `times` are by page."""

    def __init__(self, port: int, slug: str, cookie: str) -> None:
        super().__init__(daemon=True)
        self.base = f"http://127.0.0.1:{port}/p/{slug}/"
        self.cookie = f"sessionid={cookie}"
        self.times: dict[str, list[float]] = {page: [] for page in PAGES}
        self.is_stopped = threading.Event()

    def warm_up(self) -> None:
        """Wait for a server that is still loading."""
        for _ in range(60):
            try:
                self.read(PAGES[0])
            except OSError:
                time.sleep(1)
            else:
                return

    def read(self, page: str) -> float:
        started = time.perf_counter()
        request = urllib.request.Request(self.base + page, headers={"Cookie": self.cookie})
        with urllib.request.urlopen(request, timeout=60) as response:
            response.read()
        return time.perf_counter() - started

    def run(self) -> None:
        while not self.is_stopped.is_set():
            for page, times in self.times.items():
                times.append(self.read(page))
            self.is_stopped.wait(0.1)


@contextmanager
def reading(port: int, slug: str, cookie: str, when: str) -> Iterator[None]:
    """Read the pages at the same time, and print how long each took."""
    reader = Reader(port, slug, cookie)
    reader.warm_up()
    reader.start()
    try:
        yield
    finally:
        reader.is_stopped.set()
        reader.join(timeout=60)
    for page, times in reader.times.items():
        if not times:
            raise SystemExit(f"The page {page} didn't answer.")
        worst = sorted(times)[int(0.95 * (len(times) - 1))]
        middle = statistics.median(times)
        print(
            f"| {slug}/{page} | {when} | {len(times)} | {1000 * middle:.0f} | {1000 * worst:.0f} |",
            flush=True,
        )


def measure(
    database: str, protocol: str, clips: int, formats: Sequence[str], sentences: int
) -> None:
    with fresh_environment(database):
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command
        from django.db import connection

        from annotate.models import Membership, User
        from bench.world import session_cookie
        from review.releases.formats import formats_of

        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        Path(settings.MEDIA_ROOT).mkdir(parents=True, exist_ok=True)
        (Path(settings.MEDIA_ROOT) / "film").write_bytes(FILM)
        makers: dict[str, Callable[[int], Any]] = {
            "lovr": partial(make_lovr, sentences=sentences),
            "carebench": make_carebench,
        }
        project = makers[protocol](clips)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        ada = User.objects.create_user("ada@vericap.example", None, name="Ada")
        Membership.objects.create(project=project, user=ada, is_admin=True)
        cookie = session_cookie(ada)
        with running_server(workers=1, threads=4) as (port, _):
            with reading(port, project.slug, cookie, "alone"):
                time.sleep(10)
            with reading(port, project.slug, cookie, "while it is built"):
                timed(protocol, "build", lambda: build(project))
        timed(protocol, "next release and its difference", lambda: read_next(project))
        timed(protocol, "the comparison that pages keep", lambda: compare(project))
        offered = [entry.name for entry in formats_of(project.releases.get())]
        for name in (name for name in offered if not formats or name in formats):
            timed(protocol, f"files of `{name}`", partial(write_files, project, name))
        connection.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", default="postgresql")
    parser.add_argument("--protocols", default="lovr,carebench")
    parser.add_argument("--clips", type=int, default=40_804)
    parser.add_argument("--formats", default="")
    parser.add_argument("--sentences", type=int, default=10)
    options = parser.parse_args()
    databases, protocols = options.databases.split(","), options.protocols.split(",")
    formats = [name for name in options.formats.split(",") if name]
    # A process has one peak of memory and one set of settings, so each run gets its own process.
    if len(databases) * len(protocols) > 1:
        print(machine(), HEADER, sep="\n\n", flush=True)
        for database in databases:
            for protocol in protocols:
                arguments = [
                    *("--databases", database, "--protocols", protocol),
                    *("--clips", str(options.clips)),
                    *("--formats", options.formats),
                    *("--sentences", str(options.sentences)),
                ]
                subprocess.run([sys.executable, "-m", "bench.big_releases", *arguments], check=True)
    else:
        measure(databases[0], protocols[0], options.clips, formats, options.sentences)


if __name__ == "__main__":
    main()
