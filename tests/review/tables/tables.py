"""Tables out of a project and into one, for tests."""

import csv
import io

import pytest

from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.files import DatasetFile
from review.exchange.tables import Choices
from review.tables.kinds import TABLES
from review.tables.services import import_table, table_lines
from tests.review.triplets.triplets import make_label

CAPTIONS = {"a": "Forward, 2.5 somersaults", "b": "Forward, 3.5 somersaults", "c": "=HYPERLINK()"}


def labels_of(project, keys="abc"):
    return {key: make_label(project, key, CAPTIONS[key]) for key in keys}


def exported(project, table, **choices) -> str:
    return "".join(table_lines(project, TABLES[table], Choices(**choices)))


def imported(project, table, text, **choices):
    return import_table(
        project=project,
        table=TABLES[table],
        file=DatasetFile("table.csv", text.encode()),
        choices=Choices(**choices),
        admin=None,
    )


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def faults_of(project, table, text, **choices) -> list[tuple[str, str, str]]:
    with pytest.raises(DatasetInvalid) as error:
        imported(project, table, text, **choices)
    return [(fault.row, fault.field, fault.mend) for fault in error.value.faults]
