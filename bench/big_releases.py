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
from hashlib import sha256
from pathlib import Path
from typing import Any

from bench.released_triplets import give_memory_back
from bench.server import fresh_environment, running_server
from bench.timing import machine
from bench.triplets import forget_peak, peak_megabytes

LIMIT_MB = 300
VIDEOS = 467
WORDS = 1_394
HALF = 120  # words of a spatial and of a temporal caption
FILM = b"0" * 2_000
AT_ONCE = 500
VOCABULARY = [f"word{place * 17 % 997}" for place in range(997)]
PAGES = ("", "corpus/", "releases/")
HEADER = (
    "| release | step | s | CPU s | peak MB | above idle MB |\n|---|---|---|---|---|---|"
)  # fmt: skip
Measured = Callable[[], object]


def text(number: int, words: int = WORDS) -> str:
    """Return this many words, in another order than for the next numbers."""
    start = number * 31 % len(VOCABULARY)
    return " ".join((VOCABULARY * 3)[start : start + words])


def make_lovr(clips: int, sentences: int) -> Any:
    """Return a project of VIDEOS cut videos with a caption of each clip and of each video, each
    verified sentence by sentence if there are any."""
    from annotate.models import Clip, Project

    project = Project.objects.create(name="Long", slug="long", protocol="lovr", license="CC BY 4.0")
    numbers = [clips * (place + 1) // VIDEOS - clips * place // VIDEOS for place in range(VIDEOS)]
    videos = store_videos(project, [250 * number for number in numbers])
    Clip.objects.bulk_create(
        (
            Clip(
                project=project,
                video=video,
                name=f"{video.original_name[:-4]}-Scene-{place + 1:03}",
                start_frame=250 * place,
                end_frame=250 * (place + 1),
                duration_ms=10_000,
            )
            for video, number in zip(videos, numbers, strict=True)
            for place in range(number)
        ),
        batch_size=AT_ONCE,
    )
    parts = Clip.objects.filter(project=project, name__contains="-Scene-").order_by("pk")
    wholes = Clip.objects.filter(project=project).exclude(name__contains="-Scene-").order_by("pk")
    store_captions(project, parts, "general", "machine", WORDS)
    store_captions(project, wholes, "full_video", "machine", WORDS)
    if sentences:
        verify_captions(project, sentences)
    return project


def verify_captions(project: Any, sentences: int) -> None:
    """Store a verification of each caption, with a verdict on each of its sentences."""
    from annotate.models import Caption
    from review.verification.models import SentenceVerdict, Verification

    keys = Caption.objects.filter(project=project).order_by("pk").values_list("pk", flat=True)
    verifications = Verification.objects.bulk_create(
        (
            Verification(
                project=project, caption_id=key, label="A", splitter="lines", fits_theme=True,
                sentences=sentences, errors_a=0, errors_b=0, errors_c=0, content_errors=0,
                content_error_sentences=0, topic_errors=0,
            )
            for key in keys
        ),
        batch_size=AT_ONCE,
    )  # fmt: skip
    SentenceVerdict.objects.bulk_create(
        (
            SentenceVerdict(verification=verification, number=number, start=number, end=number + 1)
            for verification in verifications
            for number in range(sentences)
        ),
        batch_size=2_000,
    )


def make_carebench(clips: int) -> Any:
    """Return a project whose clips have the three human captions of a published data set."""
    from annotate.models import Caption, Clip, Project

    project = Project.objects.create(name="Short", slug="short", license="CC BY 4.0")
    store_videos(project, [250] * clips)
    rows = Clip.objects.filter(project=project).order_by("pk")
    store_captions(project, rows, "general", "published", WORDS)
    general = dict(
        Caption.objects.filter(project=project, kind="general").values_list("clip", "pk")
    )
    for kind in ("spatial", "temporal"):
        store_captions(project, rows, kind, "published", HALF)
        Parent = Caption.parents.through
        halves = Caption.objects.filter(project=project, kind=kind).values_list("pk", "clip")
        Parent.objects.bulk_create(
            (
                Parent(from_caption_id=key, to_caption_id=general[clip])
                for key, clip in halves.iterator()
            ),
            batch_size=2_000,
        )
    return project


def store_videos(project: Any, frames: list[int]) -> list[Any]:
    """Store videos of these lengths, which share a file, each with its whole clip."""
    from annotate.models import Clip, Video

    facts = {"playback_size": len(FILM), "playback_sha256": sha256(FILM).hexdigest()}
    videos = Video.objects.bulk_create(
        (
            Video(
                project=project, original_name=f"video-{place:06}.mp4", sha256=f"{place:064x}",
                size=len(FILM), fps_num=25, fps_den=1, frames=number, width=1280, height=720,
                source_file="film", playback_file="film", poster_file="o", filmstrip_file="f",
                category=f"category {place % 4}", subcategory=f"subcategory {place % 106}",
                license="CC BY 4.0", **facts,
            )
            for place, number in enumerate(frames)
        ),
        batch_size=AT_ONCE,
    )  # fmt: skip
    Clip.objects.bulk_create(
        (
            Clip(
                project=project, video=video, name=video.original_name.removesuffix(".mp4"),
                end_frame=video.frames, duration_ms=video.frames * 40,
            )
            for video in videos
        ),
        batch_size=AT_ONCE,
    )  # fmt: skip
    return videos


def store_captions(project: Any, clips: Any, kind: str, source: str, words: int) -> None:
    from annotate.models import Caption

    if source == "published":
        made_by: list[dict[str, Any]] = [{"data_set": "Benchmark"}]
    else:
        made_by = [{"model": "A", "spec": 0, "run": make_run(project).pk}]
    Caption.objects.bulk_create(
        (
            Caption(
                project=project, clip_id=clip, kind=kind, source=source, text=text(clip, words),
                word_count=words, provenance=made_by,
            )
            for clip in clips.values_list("pk", flat=True)
        ),
        batch_size=AT_ONCE,
    )  # fmt: skip


def make_run(project: Any) -> Any:
    from inference.models import InferenceRun

    return InferenceRun.objects.create(
        project=project, kind="caption", recipe={"model": {"spec": 0, "model_id": "A"}},
        recipe_hash="0" * 64, queue="cpu", state="done",
    )  # fmt: skip


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
    from review.studio.comparing import check, comparison_of, newest_changes

    kept = len(pickle.dumps(check(comparison_of(project), is_kept=True)))
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
    """Read the pages meanwhile, and print how long each took."""
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
        project = make_lovr(clips, sentences) if protocol == "lovr" else make_carebench(clips)
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
    # A process has one peak of memory and one set of settings: each run gets a process.
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
