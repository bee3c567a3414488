"""Every reader of files that people bring reads hostile bytes, or refuses them with a sentence: the
errors of libraries reach nobody.
"""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from annotate.candidates.segments import read_annotations
from annotate.datasets.faults import Faults
from annotate.datasets.files import DatasetFile
from annotate.datasets.finediving import read_finediving
from annotate.datasets.finegym import read_finegym
from annotate.datasets.label_files import read_labels
from annotate.datasets.plain import read_plain
from annotate.errors import Refused
from annotate.imports.addresses import read_lines, read_table
from annotate.imports.manifest import read_manifest
from annotate.jobs.file_imports import FileInvalid
from annotate.models import Project
from annotate.projects.invited import read_people
from annotate.text.storable import is_storable
from review.annotation_table.csv_format import read_groups
from review.capst.loaded_prompts import parse_prompts
from review.captions.predictions import read_predictions
from review.composed.ranking_files import ExportedIds, read_rankings
from review.elsewhere.rows import read_rows
from review.exchange.bundle import open_bundle
from review.exchange.strict_json import read_json, read_json_lines
from review.modifications.example_sources import pasted_examples
from review.modifications.text import Limits
from review.published.rows import read_published
from review.retrieval.vector_files import open_vectors
from review.statistics.services import read_rows as read_benchmarks
from review.triplets.given_splits import read_given_splits
from review.triplets.tfcovr import read_test, read_train
from tests.hostile_files import hostile

Reader = Callable[[bytes, str], object]
ANY = ("a.bin",)
"""The names under which a reader gets the bytes, where the name decides nothing."""


def pasted(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def lines(data: bytes) -> io.StringIO:
    return io.StringIO(pasted(data), newline="")


def captions(data: bytes, name: str) -> None:
    faults = Faults(name)
    list(read_published(data, name, faults))
    faults.raise_any()


def results(data: bytes, name: str) -> None:
    faults = Faults(name)
    for has_scores in (True, False):
        list(read_rows(io.BytesIO(data), name, faults, has_scores=has_scores))
    faults.raise_any()


def predictions(data: bytes, name: str) -> None:
    faults = Faults(name)
    list(read_predictions(io.BytesIO(data), len(data), faults))
    faults.raise_any()


def splits(data: bytes, name: str) -> object:
    file = DatasetFile(name, data)
    return read_given_splits([(file, None)], {}, {"a"})


def in_bundle(data: bytes, name: str) -> None:
    with open_bundle(io.BytesIO(data), name) as bundle:
        for member in bundle.names:
            bundle.read(member)
            list(bundle.lines(member))
            with bundle.open(member) as file:
                list(read_json_lines(file, member))


EXPORTED = ExportedIds({"0": (1, 1)}, {"a": 1}, frozenset({1}))
READERS: dict[str, tuple[Reader, tuple[str, ...]]] = {
    "captions": (
        captions,
        (
            "a.json",
            "a.jsonl",
            "a.csv",
            "a.tsv",
            "a.txt",
            "a.vtt",
            "a.srt",
            "a.parquet",
            "a.zip",
            "a",
        ),
    ),
    "results": (results, ("a.csv", "a.json")),
    "predictions": (predictions, ANY),
    "vectors": (
        lambda data, name: open_vectors(io.BytesIO(data), name),
        ("a.npz", "a.safetensors"),
    ),
    "rankings": (
        lambda data, name: read_rankings(name, data, EXPORTED),
        ("a.json", "a.npz", "a.safetensors"),
    ),
    "plain": (lambda data, name: read_plain(DatasetFile(name, data)), ANY),
    "finegym": (
        lambda data, name: read_finegym(
            DatasetFile(name, b"a_E_1_2_A_3_4 5"), DatasetFile(name, data)
        ),
        ANY,
    ),
    "finediving": (lambda data, name: read_finediving(DatasetFile(name, data)), ANY),
    "labels": (lambda data, name: read_labels(DatasetFile(name, data)), ANY),
    "candidates": (
        lambda data, name: read_annotations(DatasetFile(name, data)),
        ("a.json", "a.zip"),
    ),
    "manifest": (lambda data, name: read_manifest(data, ["a.mp4"]), ANY),
    "addresses": (lambda data, name: read_table(data), ANY),
    "listed addresses": (lambda data, name: read_lines(pasted(data), {}), ANY),
    "people": (lambda data, name: read_people(pasted(data), members=(), invited=()), ANY),
    "benchmarks": (
        lambda data, name: read_benchmarks(Project(protocol="carebench"), pasted(data)),
        ANY,
    ),
    "examples": (lambda data, name: pasted_examples(pasted(data), Limits(1, 99)), ANY),
    "annotation table": (lambda data, name: list(read_groups(lines(data), [])), ANY),
    "triplets": (
        lambda data, name: [list(read(name, lines(data))) for read in (read_train, read_test)],
        ANY,
    ),
    "splits": (splits, ANY),
    "prompts": (lambda data, name: parse_prompts(data), ANY),
    "release": (in_bundle, ("a.zip",)),
    "manifest of a release": (lambda data, name: read_json(data, name), ANY),
}


@pytest.fixture(scope="module")
def files() -> list[bytes]:
    return hostile()


@pytest.mark.parametrize("reader", READERS)
def test_a_file_is_read_or_refused_with_a_sentence(reader, files):
    read, names = READERS[reader]
    for data in files:
        for name in names:
            try:
                read(data, name)
            except Refused as error:
                sentence, cells = str(error), []
                if isinstance(error, FileInvalid):
                    cells = [cell for row in error.rows() for cell in map(str, row.values())]
            except Exception as error:
                pytest.fail(f"{name}, {data[:80]!r}: {error!r}")
            else:
                continue
            assert sentence.endswith((".", ")", "”")), (name, data[:80])
            assert all(map(is_storable, [sentence, *cells])), (name, data[:80])
