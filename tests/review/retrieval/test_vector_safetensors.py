"""Vectors from .safetensors: what is taken, and that hostile or wrong files change nothing."""

import io
import json
import struct
from types import SimpleNamespace

import pytest

from review.errors import ReviewError
from review.retrieval.models import VectorSet
from review.retrieval.rows import ModelRow, VectorInfo
from review.retrieval.sections import _captions_from
from tests.review.retrieval.vector_files import EXPECTED, good, safetensors, stored, take, two_clips

pytestmark = pytest.mark.django_db


DAMAGED = "is not in the safetensors format"


@pytest.fixture
def clips(project):
    return two_clips(project)


def test_a_safetensors_is_stored_alike(project, clips):
    assert stored(take(project, safetensors(), file_name="care.safetensors")) == EXPECTED


def test_the_safetensors_of_the_library_is_read(project, clips):
    library = pytest.importorskip("safetensors.numpy")
    arrays = {name: array for name, array in good().items() if "vectors" in name}
    ids = {name: json.dumps(["a", "b"]) for name in ("clips", "general")}
    file = io.BytesIO(library.save(arrays, metadata=ids))
    assert stored(take(project, file, file_name="care.safetensors")) == EXPECTED


BAD_HEADERS = {
    "too short": (io.BytesIO(b"abc"), DAMAGED),
    "endless header": (io.BytesIO(struct.pack("<Q", 2**60) + b"{}"), DAMAGED,),
    "no JSON": (io.BytesIO(struct.pack("<Q", 4) + b"junk"), DAMAGED),
    "deep JSON": (io.BytesIO(struct.pack("<Q", 10**5) + b"[" * 10**5), DAMAGED,),
    "a list": (io.BytesIO(struct.pack("<Q", 2) + b"[]"), DAMAGED),
    "a name twice": (
        io.BytesIO(struct.pack("<Q", 27) + b'{"clips":1,"x":2,"clips":1}'), DAMAGED,
    ),
    "bfloat16": (
        safetensors(header={"clip_vectors": {"dtype": "BF16", "shape": [2, 2],
                                             "data_offsets": [0, 8]}}),
        "clip_vectors has the type BF16. Save it as F16, F32 or F64",
    ),
    "a type that is none": (
        safetensors(header={"clip_vectors": {"dtype": [], "shape": [2, 2],
                                             "data_offsets": [0, 16]}}),
        r"clip_vectors has the type \[\]\. Save it as F16, F32 or F64",
    ),
    "ids as a tensor": (
        safetensors(header={"clips": {"dtype": "I64", "shape": [2], "data_offsets": [0, 16]}}),
        "The file has a tensor 'clips', which isn't known",
    ),
    "strange metadata": (
        safetensors(ids={"clips": ["a", "b"], "general": ["a", "b"], "model": "CARE"}),
        "The file has metadata 'model', which isn't known. Remove it. Known are: clips,",
    ),
    "beyond the end": (
        safetensors(header={"clip_vectors": {"dtype": "F32", "shape": [2, 2],
                                             "data_offsets": [10**6, 10**6 + 16]}}),
        "clip_vectors is incomplete",
    ),
    "negative": (
        safetensors(header={"clip_vectors": {"dtype": "F32", "shape": [2, 2],
                                             "data_offsets": [-16, 0]}}),
        DAMAGED,
    ),
    "backwards": (
        safetensors(header={"clip_vectors": {"dtype": "F32", "shape": [2, 2],
                                             "data_offsets": [16, 0]}}),
        "clip_vectors is incomplete",
    ),
    "another size": (
        safetensors(header={"clip_vectors": {"dtype": "F32", "shape": [3, 2],
                                             "data_offsets": [0, 16]}}),
        "The size of clip_vectors does not match its shape",
    ),
    "ids that are no list": (
        safetensors(ids={"clips": {"a": 1}, "general": ["a", "b"]}),
        "'clips' is not a list of names",
    ),
    "ids of two kinds": (
        safetensors(ids={"clips": ["a", 1], "general": ["a", "b"]}),
        "'clips' is not a list of names",
    ),
    "metadata that is no object": (safetensors(header={"__metadata__": ["clips"]}), DAMAGED),
    "no ids": (safetensors(ids={}), "The file needs clips with clip_vectors"),
    "metadata of no use": (
        safetensors(header={"__metadata__": {"clips": "["}}), "'clips' isn't JSON"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(BAD_HEADERS))
def test_a_wrong_safetensors_changes_nothing(project, clips, name):
    file, message = BAD_HEADERS[name]
    file.seek(0)
    with pytest.raises(ReviewError, match=message):
        take(project, file, file_name="care.safetensors")
    assert not VectorSet.objects.exists()


def test_a_file_above_the_limit_is_refused(project, clips, monkeypatch):
    monkeypatch.setattr("review.retrieval.vector_safetensors.MAX_BYTES", 9)
    with pytest.raises(ReviewError) as refused:
        take(project, safetensors(ids={"clips": ["a"]}), file_name="care.safetensors")
    assert str(refused.value) == (
        "The file is larger than 0 GB. Save the vectors as F16, or import fewer clips."
    )
    assert not VectorSet.objects.exists()


@pytest.mark.parametrize(
    ("captions", "notes"),
    [
        (["all", "all"], ["The current caption of each clip counts, written by a person or a "
                          "model."]),
        (["human", "human"], ["Only human captions count."]),
        (["human", "human spatial, all temporal"],
         ["Some rows count human captions only and others all of them, so don’t compare them. "
          "Recompute them."]),
        (["human spatial, all temporal"],
         ["Spatial captions: Only human captions count.",
          "Temporal captions: The current caption of each clip counts, written by a person or a "
          "model."]),
        (["human spatial"],
         ["Spatial captions: Only human captions count.",
          "Temporal captions: The current caption of each clip counts, written by a person or a "
          "model."]),
    ],
)  # fmt: skip
def test_a_table_says_whose_captions_count(captions, notes):
    reports = [SimpleNamespace(parameters=SimpleNamespace(captions=each)) for each in captions]
    assert list(_captions_from(reports, ["spatial", "temporal"])) == notes


@pytest.mark.parametrize(
    ("sampling", "words"),
    [
        ({"kind": "middle", "count": 32}, "32"),
        ({"kind": "every", "step": 4}, "1 in 4"),
        ({"kind": "pairs", "count": 8, "step": 2}, "8 pairs"),
        ({"kind": "seconds", "low": 8, "high": 64}, "8–64"),
        ({}, "vectors from a file"),
    ],
)
def test_a_row_names_its_frames_in_a_word_or_two(sampling, words):
    vectors = VectorInfo(sampling=sampling)
    row = ModelRow("1", "CARE", "vectors from a file", None, None, is_old=False, vectors=vectors)
    assert row.short_frames == words
