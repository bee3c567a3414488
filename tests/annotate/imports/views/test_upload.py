"""What the upload page's script asks for: announce, send, resume, cancel, check a manifest."""

from errno import ENOSPC

import pytest
from django.urls import reverse

from annotate import file_store
from annotate.imports.services import add_item, open_batch
from annotate.models import ImportBatch, ImportItem
from tests.cast import client_of, make_clip


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def client(ada):
    return client_of(ada)


@pytest.fixture
def batch(project, ada):
    return open_batch(project=project, admin=ada)


@pytest.fixture
def item(batch):
    return add_item(batch=batch, name="dive.mp4", size=10)


def address(name, project, *keys) -> str:
    return reverse(f"annotate:{name}", args=[project.slug, *keys])


def put(client, url, data, offset):
    return client.put(
        url,
        data,
        content_type="application/octet-stream",
        headers={"Upload-Offset": str(offset)},
    )


def announce(client, project, batch, **data):
    url = address("add_import_item", project, batch.pk)
    return client.post(url, data, content_type="application/json")


def test_the_page_offers_what_is_already_in_use(client, project):
    make_clip(project, category="Gym", subcategory="Beam", license="CC0")
    response = client.get(address("upload", project))
    assert response.context["in_use"] == {
        "categories": ["Gym"], "subcategories": ["Beam"], "licenses": ["CC0"],
    }  # fmt: skip
    page = response.content.decode()
    assert 'accept=".mp4,.mov' in page
    assert '<option value="CC0">' in page
    assert "Needed before a release." in page


def test_no_file_gets_the_license_of_the_captions(client, project, batch):
    assert project.license not in client.get(address("upload", project)).content.decode()
    announce(client, project, batch, name="dive.mp4", size=5)
    assert ImportItem.objects.get().license == ""


def test_a_batch_is_started(client, project, ada):
    reply = client.post(address("start_import", project))
    batch = ImportBatch.objects.get()
    assert (reply.status_code, reply.json()["id"], batch.created_by) == (201, batch.pk, ada)


def test_a_file_is_announced_and_sent_in_chunks(client, project, batch):
    reply = announce(client, project, batch, name="dive.mp4", size=5, category="Gym")
    assert (reply.status_code, reply.json()["offset"]) == (201, 0)
    chunks = reply.json()["chunks"]
    first = put(client, chunks, b"abc", 0)
    assert (first.status_code, first.json()["offset"], first.json()["state"]) == (
        200, 3, "uploading",
    )  # fmt: skip
    last = put(client, chunks, b"de", 3)
    assert (last.json()["offset"], last.json()["state"]) == (5, "waiting")
    item = ImportItem.objects.get()
    assert item.category == "Gym"
    assert file_store.incoming_file(item.pk).read_bytes() == b"abcde"


def test_the_offset_can_be_asked_for(client, project, item):
    put(client, address("put_chunk", project, item.pk), b"abcd", 0)
    reply = client.get(address("import_item", project, item.pk)).json()
    assert (reply["offset"], reply["size"], reply["state"]) == (4, 10, "uploading")


def test_a_wrong_offset_is_409_with_the_right_one(client, project, item):
    url = address("put_chunk", project, item.pk)
    put(client, url, b"abcd", 0)
    reply = put(client, url, b"abcd", 0)
    assert (reply.status_code, reply.json()["offset"]) == (409, 4)


def test_more_than_announced_is_413(client, project, item):
    reply = put(client, address("put_chunk", project, item.pk), b"x" * 11, 0)
    assert (reply.status_code, reply.json()["code"]) == (413, "too_much")


def test_a_chunk_over_the_limit_is_413(client, project, item, settings):
    settings.VERICAP_CHUNK_BYTES = 4
    assert put(client, address("put_chunk", project, item.pk), b"x" * 5, 0).status_code == 413


def full(*_args):
    raise OSError(ENOSPC, "No space left on device")


def test_a_full_disk_is_507(client, project, item, monkeypatch):
    monkeypatch.setattr(file_store, "write_chunk", full)
    reply = put(client, address("put_chunk", project, item.pk), b"abc", 0)
    sentence = "The server's disk is full. Free some space there, then try again."
    assert (reply.status_code, reply.json()) == (507, {"code": "disk_full", "message": sentence})


def test_a_file_for_a_canceled_import_is_refused(client, project, batch):
    ImportBatch.objects.update(state="cancelled")
    reply = announce(client, project, batch, name="dive.mp4", size=5)
    sentence = "This import was canceled. Start another one."
    assert (reply.status_code, reply.json()["message"]) == (400, sentence)
    assert not ImportItem.objects.exists()


@pytest.mark.parametrize("offset", ["", "-1", "two", "1.5", "²"])
def test_a_chunk_without_a_proper_offset_is_400(client, project, item, offset):
    offset = offset.encode().decode("latin-1")
    assert put(client, address("put_chunk", project, item.pk), b"x", offset).status_code == 400


def test_a_chunk_for_a_file_that_is_no_longer_wanted_is_410(client, project, item):
    client.post(address("cancel_import", project, item.pk))
    assert put(client, address("put_chunk", project, item.pk), b"x", 0).status_code == 410


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"name": "../dive.mp4", "size": 5}, "bad_name"),
        ({"name": "dive\0.mp4", "size": 5}, "bad_name"),
        ({"name": "x" * 300 + ".mp4", "size": 5}, "bad_name"),
        ({"name": "dive.mp4", "size": 0}, "empty"),
        ({"name": "dive.mp4", "size": 2**50}, "too_large"),
    ],
)
def test_a_file_that_can_not_come_in_gets_a_row_with_the_reason(client, project, batch, data, code):
    reply = announce(client, project, batch, **data)
    assert (reply.status_code, reply.json()["state"], reply.json()["code"]) == (
        201,
        "failed",
        code,
    )
    assert reply.json()["reason"].endswith(".")
    assert ImportItem.objects.get().reason == reply.json()["reason"]
    assert put(client, reply.json()["chunks"], b"abcde", 0).status_code == 410


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"size": "many"}, "size"),
        ({"size": -1}, "size"),
        ({"source_url": "javascript:alert(1)"}, "source_url"),
        ({"subcategory": "Beam"}, "category"),
        ({"license": "x" * 121}, "license"),
    ],
)
def test_wrong_facts_are_422_and_name_the_field(client, project, batch, data, field):
    reply = announce(client, project, batch, **{"name": "dive.mp4", "size": 5, **data})
    assert (reply.status_code, reply.json()["message"].split(":")[0]) == (422, field)
    assert ImportItem.objects.count() == 0


def test_a_manifest_is_checked_before_anything_is_sent(client, project):
    url = address("check_manifest", project)
    good = {"text": "file,category\na.mp4,Gym\n", "files": ["a.mp4"]}
    reply = client.post(url, good, content_type="application/json")
    assert reply.json()["facts"]["a.mp4"]["category"] == "Gym"
    bad = {**good, "files": ["b.mp4"]}
    reply = client.post(url, bad, content_type="application/json")
    assert (reply.status_code, len(reply.json()["problems"])) == (200, 2)
    reply = client.post(url, {"text": 5}, content_type="application/json")
    assert reply.status_code == 400
    assert ImportBatch.objects.count() == 0
