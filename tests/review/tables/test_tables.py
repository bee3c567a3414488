"""What all tables share: the preview, empty ones, the commands."""

import pytest
from django.core.management import CommandError, call_command

from annotate.datasets.faults import DatasetInvalid
from annotate.datasets.files import DatasetFile
from annotate.models import AuditEvent
from review.errors import ReviewError
from review.exchange.tables import Choices
from review.pairs.models import LabelPair
from review.tables.kinds import TABLES
from review.tables.services import preview_table
from tests.review.tables.tables import exported, imported
from tests.review.triplets.triplets import make_pair

pytestmark = pytest.mark.django_db


def test_a_preview_stores_nothing(project, labels):
    sentences = preview_table(
        project=project,
        table=TABLES["pairs"],
        file=DatasetFile("table.csv", b"label1,label2,decision\na,b,event\n"),
        choices=Choices(),
    ).sentences
    assert sentences == [
        "1 label pair is added, and 1 decision stored.",
        "Decided changes open the work on their modification texts.",
    ]
    assert not LabelPair.objects.exists()
    assert not AuditEvent.objects.exists()


def test_rows_with_an_error_are_left_out_if_the_admin_chooses_so(project, labels):
    """A row that repeats one with an error is the only one left."""
    file = "label1,label2,decision\na,b,maybe\nb,a,event\na,x,\nonly\nb,c,\n"
    with pytest.raises(DatasetInvalid):
        imported(project, "pairs", file)
    plan = imported(project, "pairs", file, skips_bad=True)
    assert sorted(map(str, LabelPair.objects.all())) == ["a and b", "b and c"]
    assert [fault.row for fault in plan.left_out.faults] == ["row 2", "row 4", "row 5"]
    assert plan.sentences[-1] == "3 rows with an error left out."
    assert AuditEvent.objects.get(verb="import table").after["faults left out"] == 3


def test_a_file_whose_rows_all_have_an_error_stores_nothing(project, labels):
    with pytest.raises(DatasetInvalid, match="2 things have to be fixed"):
        imported(project, "pairs", "label1,label2\na,x\na,a\n", skips_bad=True)
    assert not LabelPair.objects.exists()


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
