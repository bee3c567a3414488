"""Importing captions and vectors of models that were run elsewhere, at LoVR's size.

    python -m bench.imports [--databases sqlite,postgresql] [--clips 40804] [--words 230,1394]

One caption a clip as JSONL, of CaReBench's and of LoVR's mean length, and one vector of 768 numbers
a clip and a caption as .npz. Processor's seconds are of this process and of PostgreSQL's backend.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench import server
from bench.timing import machine
from bench.triplets import forget_peak, peak_megabytes

# Another benchmark can have its database at the same time.
server.NAME = "vericap_bench_imports"
VOCABULARY = 8000
DIMENSION = 768
HEADER = (
    "| database | what | rows | MB | s | CPU s | PostgreSQL's CPU s | rows/s | rows per CPU s "
    "| above idle MB |\n|---|---|---|---|---|---|---|---|---|---|"
)


def write_captions(path: Path, clips: int, n_words: int) -> None:
    """Write words by Zipf's law, in sentences of twelve."""
    random = np.random.default_rng(0)
    chances = 1 / np.arange(1, VOCABULARY + 1)
    chances /= chances.sum()
    # Drawn once, and cut at another place for each clip.
    drawn = random.choice(VOCABULARY, 50_000 + n_words, p=chances)
    words = [f"word{number}{'.' * (place % 12 == 11)}" for place, number in enumerate(drawn)]
    with path.open("w") as file:
        for clip in range(clips):
            start = clip * 7919 % 50_000
            text = " ".join(words[start : start + n_words])
            file.write(json.dumps({"path": f"video-{clip:06}.mp4", "cap": text}) + "\n")


def write_vectors(path: Path, clips: int) -> None:
    random = np.random.default_rng(0)
    names = np.array([f"video-{clip:06}" for clip in range(clips)])
    vectors = random.standard_normal((clips, DIMENSION), dtype=np.float32)
    np.savez(path, clips=names, clip_vectors=vectors, general=names, general_vectors=vectors)


def timed(database: str, what: str, file: Path, way: Any) -> None:
    from django.db import connection

    forget_peak()
    idle = peak_megabytes()
    served = server.database_seconds(connection)
    started, busy = time.perf_counter(), time.process_time()
    rows = way()
    seconds, busy = time.perf_counter() - started, time.process_time() - busy
    served = server.database_seconds(connection) - served
    print(
        f"| {database} | {what} | {rows:,} | {file.stat().st_size / 2**20:.0f} | {seconds:.2f} "
        f"| {busy:.2f} | {served:.2f} | {rows / seconds:,.0f} | {rows / (busy + served):,.0f} "
        f"| {peak_megabytes() - idle:.0f} |",
        flush=True,
    )


def measure(database: str, clips: int, lengths: list[int]) -> None:
    with server.fresh_environment(database), tempfile.TemporaryDirectory() as folder:
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from annotate.models import Caption, Clip
        from bench.world import make_corpus
        from review.captions.exchange import import_predictions
        from review.published.plan import Options
        from review.published.services import check_file, import_checked, remove_import
        from review.retrieval.exchange import import_vectors

        def captions(path: Path, name: str) -> int:
            with path.open("rb") as file:
                made = import_predictions(
                    project=project, file=file, file_name=path.name, name=name, admin=None
                )
            return made.captions.count()

        def human(path: Path, name: str) -> None:
            """Time only the import, which checks every row again; a person waits for both."""
            checked = check_file(
                project=project,
                name=name,
                data=path.read_bytes(),
                file_name=path.name,
                options=Options(),
                admin=None,
            )

            def run() -> int:
                return import_checked(human_import=checked, admin=None).captions.count()

            timed(database, name, path, run)
            remove_import(human_import=checked, admin=None)

        def vectors(path: Path) -> int:
            with path.open("rb") as file:
                made = import_vectors(
                    project=project, file=file, file_name=path.name, name="Heron", admin=None
                )
            return made.vectors.count()

        call_command("migrate", verbosity=0)
        project = make_corpus(clips)
        for n_words in lengths:
            path = Path(folder) / f"{n_words}.jsonl"
            write_captions(path, clips, n_words)
            name = f"captions of {n_words:,} words"
            timed(database, name, path, lambda path=path, name=name: captions(path, name))
            name = f"human {name}"
            human(path, name)
        Caption.objects.bulk_create(
            Caption(
                project=project, clip=clip, kind="general", source="human", text="A.", word_count=1
            )
            for clip in Clip.objects.filter(project=project)
        )
        path = Path(folder) / "vectors.npz"
        write_vectors(path, clips)
        timed(database, f"vectors of {DIMENSION} numbers", path, lambda: vectors(path))
        connection.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--databases", default="sqlite,postgresql")
    parser.add_argument("--clips", type=int, default=40_804, help="LoVR's")
    parser.add_argument("--words", default="230,1394")
    options = parser.parse_args()
    # A process has one peak of memory and one set of settings, so each database gets its own
    # process.
    databases = options.databases.split(",")
    if len(databases) > 1:
        print(machine(), HEADER, sep="\n\n", flush=True)
        for database in databases:
            arguments = ["--databases", database, "--clips", str(options.clips)]
            arguments += ["--words", options.words]
            subprocess.run([sys.executable, "-m", "bench.imports", *arguments], check=True)
    else:
        measure(databases[0], options.clips, [int(n) for n in options.words.split(",")])


if __name__ == "__main__":
    main()
