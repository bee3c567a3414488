"""The page of the tables: downloads, preview, import."""

from base64 import b64decode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.models import AuditEvent
from review.pairs.models import LabelPair, PairVerdict
from tests.cast import client_of, count_queries
from tests.review.triplets.triplets import make_label, make_pair
from tests.swapped_parts import send_in_place

pytestmark = pytest.mark.django_db


@pytest.fixture
def labels(project):
    return [make_label(project, key) for key in "ab"]


def send(ada, project, text, **fields):
    file = SimpleUploadedFile("pairs.csv", text.encode())
    address = reverse("review:tables", args=[project.slug])
    return client_of(ada).post(address, {"table": "pairs", "file": file, **fields})


def test_a_preview_says_what_is_new_and_stores_nothing(project, labels, ada):
    answer = send(ada, project, "label1,label2\na,b\n", preview="yes")
    assert answer.status_code == 200
    assert answer.context["preview"].sentences == ["1 label pair is added, and 0 decisions stored."]
    assert not LabelPair.objects.exists()


def test_a_preview_offers_the_errors_of_rows_that_are_left_out(project, labels, ada):
    answer = send(ada, project, "label1,label2\na,b\na,x\n", preview="yes", skips_bad="on")
    assert "1 row with an error left out." in answer.text
    link = answer.context["preview"].left_out.as_link
    assert link in answer.text
    assert b64decode(link.partition(",")[2]).decode().splitlines() == [
        "file,row,field,what to fix",
        "pairs.csv,row 3,label2,The project has no label 'x'. Import it first.",
    ]


def test_an_import_stores_the_rows(project, labels, ada):
    answer = send(ada, project, "label1,label2\na,b\n")
    assert answer.url == reverse("review:tables", args=[project.slug])
    assert [str(pair) for pair in LabelPair.objects.all()] == ["a and b"]


def test_a_wrong_row_is_named_and_a_wrong_file_explained(project, labels, ada):
    answer = send(ada, project, "label1,label2\na,x\n")
    assert answer.status_code == 422
    assert [(fault.row, fault.field) for fault in answer.context["invalid"].faults] == [
        ("row 2", "label2")
    ]
    answer = send(ada, project, "label1\na\n")
    assert answer.context["invalid"].faults[0].mend == "This column is missing. Add it."
    answer = send(ada, project, "label1,label2\n")
    assert answer.context["form"].non_field_errors() == [
        "pairs.csv has no row. Nothing was imported."
    ]


def test_a_download_is_the_table_or_says_what_is_missing(project, labels, ada):
    address = reverse("review:download_table", args=[project.slug, "pairs"])
    answer = client_of(ada).get(address, follow=True)
    assert [str(message) for message in answer.context["messages"]] == [
        "There are no label pairs yet. Compare the labels first."
    ]
    make_pair(*labels)
    answer = client_of(ada).get(address)
    assert answer["Content-Disposition"] == f'attachment; filename="{project.slug}-pairs.csv"'
    assert answer.getvalue().decode().splitlines()[1] == "a,b,0.9,lexical,temporal,temporal"
    unknown = address.replace("pairs.csv", "people.csv")
    assert client_of(ada).get(unknown).status_code == 404
    assert client_of(ada).get(address, {"set": "7"}).status_code == 404


def test_imported_verdicts_are_listed_and_removed_by_annotator(project, labels, ada):
    pair = make_pair(*labels, kind="event")
    for name in ("Ann", "Bo"):
        PairVerdict.objects.create(pair=pair, label=name, kind="event")
    client = client_of(ada)
    page = client.get(reverse("review:tables", args=[project.slug]))
    assert [(row.annotator, row.verdicts) for row in page.context["imported"]] == [
        ("Ann", 1),
        ("Bo", 1),
    ]
    address = reverse("review:remove_imported", args=[project.slug])
    fields = {"table": "pair-verdicts", "annotator": "Ann"}
    answer = client.post(address, fields, follow=True)
    assert [str(message) for message in answer.context["messages"]] == [
        "Removed 1 verdict of Ann. Decisions about pairs stay."
    ]
    assert list(PairVerdict.objects.values_list("label", flat=True)) == ["Bo"]
    tables = reverse("review:tables", args=[project.slug])
    send_in_place(client, tables, address, fields | {"annotator": "Bo"})
    assert not PairVerdict.objects.exists()
    assert AuditEvent.objects.earliest("pk").before["annotator"] == "Ann"
    pair.refresh_from_db()
    assert pair.kind == "event"
    for wrong in (fields, {"table": "people", "annotator": "Bo"}):
        answer = client.post(address, wrong, follow=True)
        assert [str(message) for message in answer.context["messages"]] == [
            "There are no such imported verdicts. Nothing was removed."
        ]


def test_the_page_needs_as_many_queries_for_three_annotators_as_for_one(project, labels, ada):
    pair = make_pair(*labels)
    client, counts = client_of(ada), []
    for names in ("A", "BC"):
        for name in names:
            PairVerdict.objects.create(pair=pair, label=name, kind="event")
        client.get(reverse("review:tables", args=[project.slug]))
        with count_queries() as counted:
            client.get(reverse("review:tables", args=[project.slug]))
        counts.append(int(counted))
    assert counts[0] == counts[1]
