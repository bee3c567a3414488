"""Rows of a vector file with an error, which an import may leave out."""

from __future__ import annotations

import numpy as np
import pytest

from annotate.datasets.faults import Fault
from annotate.models import AuditEvent
from review.retrieval.models import ImportedVector, VectorSet
from review.retrieval.row_faults import VectorsInvalid
from tests.review.retrieval.vector_files import EXPECTED, npz, stored, take, two_clips

pytestmark = pytest.mark.django_db


@pytest.fixture
def clips(project):
    return two_clips(project)


def test_rows_with_an_error_are_left_out_if_the_admin_chose_so(project, clips):
    rows = {
        "clips": np.array(["a", "x", "a", "b"]),
        "clip_vectors": np.array([[3, 4], [1, 0], [1, 1], [np.inf, 1]]),
        "general": np.array(["a", "b"]),
    }
    with pytest.raises(VectorsInvalid) as error:
        take(project, npz(**rows))
    assert error.value.lines == [
        "clips, row 2: the project has no clip 'x'. Give the clip's name.",
        "clip_vectors, row 4: it contains NaN or an infinite number. Embed this item again.",
    ]
    assert error.value.total == 3
    assert not ImportedVector.objects.exists()
    left_out: list[Fault] = []
    made = take(project, npz(**rows), left_out=left_out)
    assert stored(made) == [row for row in EXPECTED if row[:2] != ("b", None)]
    assert [(fault.row, fault.field) for fault in left_out] == [
        ("row 2 of clips", "clips"),
        ("row 3 of clips", "clips"),
        ("row 4 of clips", "clip_vectors"),
    ]
    event = AuditEvent.objects.get(verb="import vectors")
    assert (event.after["clips"], event.after["faults left out"]) == (1, 3)


def test_each_array_keeps_a_row(project, clips):
    with pytest.raises(VectorsInvalid, match="2 problems"):
        take(project, npz(clips=np.array(["x", "y"])), left_out=[])
    assert not VectorSet.objects.exists()
