"""Two projects with the same labels, made in another order."""

import pytest

from tests.cast import make_project
from tests.review.tables.tables import labels_of


@pytest.fixture
def labels(project):
    return labels_of(project)


@pytest.fixture
def fresh(db):
    other = make_project("Elsewhere")
    other.labels_here = labels_of(other, "cab")
    return other
