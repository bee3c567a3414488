"""What all tables share: the preview, empty ones, the commands."""

import pytest
from django.core.management import CommandError, call_command

from annotate.datasets.files import DatasetFile
from annotate.models import AuditEvent
from review.errors import ReviewError
from review.exchange.tables import Choices
from review.pairs.models import LabelPair
from review.tables.kinds import TABLES
from review.tables.services import preview_table
from tests.review.tables.tables import exported
from tests.review.triplets.triplets import make_pair

pytestmark = pytest.mark.django_db


def test_a_preview_stores_nothing(project, labels):
    sentences = preview_table(
        project=project,
        table=TABLES["pairs"],
        file=DatasetFile("table.csv", b"label1,label2,decision\na,b,event\n"),
        choices=Choices(),
    )
    assert sentences == [
        "1 label pair is added, and 1 decision stored.",
        "Decided changes open the work on their modification texts.",
    ]
    assert not LabelPair.objects.exists()
    assert not AuditEvent.objects.exists()


@pytest.mark.parametrize("table", TABLES)
def test_an_empty_one_says_what_is_missing(project, table):
    with pytest.raises(ReviewError):
        exported(project, table)


def test_the_commands_write_check_and_read(project, labels, fresh, tmp_path, capsys):
    make_pair(labels["a"], labels["b"])
    path = tmp_path / "pairs.csv"
    call_command("export_table", project.slug, "pairs", out=path)
    call_command("import_table", fresh.slug, "pairs", path, check=True)
    assert not LabelPair.objects.filter(project=fresh).exists()
    call_command("import_table", fresh.slug, "pairs", path)
    assert exported(fresh, "pairs") == path.read_text()
    path.write_text("label1,label2\na,x\n")
    with pytest.raises(CommandError, match=r"pairs.csv, row 2, label2: The project has no"):
        call_command("import_table", fresh.slug, "pairs", path)
    with pytest.raises(CommandError, match="judged a label pair"):
        call_command("export_table", fresh.slug, "pair-verdicts", out=path)
