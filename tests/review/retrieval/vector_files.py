"""Files of vectors of two clips, right and wrong, for the tests of their import."""

from __future__ import annotations

import io
import json
import struct

import numpy as np
import pytest

from annotate.models import Clip, Project
from review.retrieval.exchange import import_vectors
from review.retrieval.models import ImportedVector
from tests.cast import make_clip
from tests.review.retrieval.vectors import write


def two_clips(project: Project) -> list[Clip]:
    """a and b, each with a general and a spatial caption."""
    made = [make_clip(project, original_name=f"{name}.mp4") for name in "ab"]
    for clip in made:
        clip.project = project
        for kind in ("general", "spatial"):
            write(clip, f"{kind} of {clip}", kind)
    return made


def good(**changes):
    arrays = {
        "clips": np.array(["a", "b"]),
        "clip_vectors": np.array([[3, 4], [0, 2]], dtype="f4"),
        "general": np.array(["a", "b"]),
        "general_vectors": np.array([[1, 0], [0, 1]], dtype="f4"),
        **changes,
    }
    return {name: array for name, array in arrays.items() if array is not None}


def npz(save=np.savez, **changes) -> io.BytesIO:
    file = io.BytesIO()
    save(file, **good(**changes))
    file.seek(0)
    return file


def safetensors(ids=None, tensors=None, header=None, tail=b"") -> io.BytesIO:
    """Return a file as the library writes it, with these entries added to its header."""
    data, entries = b"", {}
    names = {np.dtype("<f2"): "F16", np.dtype("<f4"): "F32", np.dtype("<f8"): "F64"}
    for name, array in (tensors or {k: v for k, v in good().items() if "vectors" in k}).items():
        entries[name] = {
            "dtype": names[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [len(data), len(data) + array.nbytes],
        }
        data += array.tobytes()
    ids = {"clips": ["a", "b"], "general": ["a", "b"]} if ids is None else ids
    entries["__metadata__"] = {name: json.dumps(keys) for name, keys in ids.items()}
    text = json.dumps(entries | (header or {})).encode()
    return io.BytesIO(struct.pack("<Q", len(text)) + text + data + tail)


def take(project, file, name="Elsewhere", file_name="care.npz", **fields):
    return import_vectors(
        project=project, file=file, file_name=file_name, name=name, admin=None, **fields
    )


def stored(of_set):
    rows = ImportedVector.objects.filter(vector_set=of_set).order_by("pk")
    return [
        (row.clip.name, row.caption and row.caption.kind, np.frombuffer(row.vector, "<f4").tolist())
        for row in rows
    ]


EXPECTED = [
    ("a", None, pytest.approx([0.6, 0.8])),
    ("b", None, [0, 1]),
    ("a", "general", [1, 0]),
    ("b", "general", [0, 1]),
]
