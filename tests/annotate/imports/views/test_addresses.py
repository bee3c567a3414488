"""The page that imports videos from addresses."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotate.models import ImportBatch, ImportItem
from tests.cast import client_of

pytestmark = pytest.mark.django_db

PAGE = "/p/dives/videos/addresses/"
HOST = "https://videos.example.org"


def start(person, **fields):
    return client_of(person).post(f"{PAGE}import/", fields)


def table(text: str) -> SimpleUploadedFile:
    return SimpleUploadedFile("videos.csv", text.encode())


def test_lines_become_an_import_with_shared_facts(project, ada):
    answer = start(ada, addresses=f"{HOST}/a.mp4\n{HOST}/b.mp4", category="Sports")
    batch = ImportBatch.objects.get()
    assert answer.headers["Location"] == f"/p/dives/imports/{batch.pk}/"
    assert (batch.total, batch.title, batch.created_by) == (2, "2 addresses", ada)
    assert list(batch.items.values_list("name", "state", "address", "category")) == [
        (f"{name}.mp4", "waiting", f"{HOST}/{name}.mp4", "Sports") for name in "ab"
    ]
    rows = client_of(ada).get(answer.headers["Location"]).text
    assert "Waiting for a worker" in rows
    assert f"{HOST}/a.mp4" in rows


def test_a_table_becomes_an_import_with_its_own_facts(project, ada):
    start(ada, table=table(f"url,category\n{HOST}/a.mp4,Sports\n"), category="Ignored")
    assert list(ImportItem.objects.values_list("address", "category")) == [
        (f"{HOST}/a.mp4", "Sports")
    ]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "Enter the addresses of the videos, or choose a CSV file."),
        ({"addresses": HOST, "table": "url\n"}, "not both"),
        ({"addresses": f"{HOST}/a.mp4\nhttp://b/<b>"}, "Line 2: The address must begin with"),
        ({"table": "url\nftp://a/\n"}, "Row 2, url: Write the whole address"),
        ({"table": ""}, "It is empty. Its first line must name the columns"),
        ({"addresses": HOST, "source_url": "nowhere at all"}, "Give a whole address"),
        ({"addresses": HOST, "subcategory": "Diving"}, "A subcategory needs its category."),
    ],
)
def test_one_mistake_imports_nothing_and_keeps_what_was_typed(project, ada, fields, words):
    typed = {name: table(value) if name == "table" else value for name, value in fields.items()}
    answer = start(ada, **typed)
    assert answer.status_code == 422
    assert words in answer.text
    assert "<b>" not in answer.text
    if "addresses" in fields:
        assert f"{HOST}" in answer.text
    assert not ImportBatch.objects.exists()
