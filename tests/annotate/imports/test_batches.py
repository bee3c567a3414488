"""A batch and its rows: what is refused before a byte is sent, cancelled, tried again."""

import pytest

from annotate.errors import AnnotateError
from annotate.imports.services import add_item, append_chunk, cancel_item, retry_item
from annotate.models import AuditEvent, ImportItem


def test_it_numbers_the_rows_and_makes_up_no_license(batch):
    items = [add_item(batch=batch, name=name, size=5) for name in ("a.mp4", "b.mov")]
    assert [(i.position, i.state, i.license) for i in items] == [
        (1, "uploading", ""),
        (2, "uploading", ""),
    ]
    assert AuditEvent.objects.filter(verb="start import", object_id=batch.pk).count() == 1


@pytest.mark.parametrize(
    ("name", "code", "stored_name"),
    [
        ("../a.mp4", "bad_name", "../a.mp4"),
        ("a\0.mp4", "bad_name", "a\ufffd.mp4"),
        ("a\x07.mp4", "bad_name", "a\ufffd.mp4"),
        ("a" * 300 + ".mp4", "bad_name", "a" * 200),
        ("", "bad_name", "(no name)"),
        ("notes.txt", "bad_name", "notes.txt"),
    ],
)
def test_it_keeps_a_row_that_says_why_a_name_is_refused(batch, name, code, stored_name):
    item = add_item(batch=batch, name=name, size=5)
    item.refresh_from_db()
    assert (item.state, item.code, item.name) == ("failed", code, stored_name)
    assert item.reason.endswith(".")


def test_it_refuses_an_empty_and_a_too_large_file_before_any_byte(batch, settings):
    settings.VERICAP_MAX_VIDEO_BYTES = 10 * 2**20
    empty = add_item(batch=batch, name="a.mp4", size=0)
    large = add_item(batch=batch, name="b.mp4", size=10 * 2**20 + 1)
    fits = add_item(batch=batch, name="c.mp4", size=10 * 2**20)
    assert [item.code for item in (empty, large, fits)] == ["empty", "too_large", ""]
    assert "the limit is 10 MiB" in large.reason


def test_a_refused_file_is_dismissed_once(batch):
    item = add_item(batch=batch, name="notes.txt", size=5)
    cancel_item(item=item)
    item.refresh_from_db()
    assert (item.state, item.code) == ("failed", "dismissed")
    assert item.reason, "why it was refused stays"
    with pytest.raises(AnnotateError, match="no longer be canceled"):
        cancel_item(item=item)


def test_cancelling_an_upload_removes_its_bytes(
    batch, stored_files, django_capture_on_commit_callbacks
):
    item = add_item(batch=batch, name="a.mp4", size=5)
    append_chunk(item=item, offset=0, data=b"abc")
    assert len(stored_files()) == 1
    with django_capture_on_commit_callbacks(execute=True):
        cancel_item(item=item)
    item.refresh_from_db()
    assert (item.state, item.code, stored_files()) == ("failed", "cancelled", [])
    with pytest.raises(AnnotateError, match="ended"):
        append_chunk(item=item, offset=3, data=b"de")


def test_only_what_was_our_fault_can_be_tried_again(upload):
    item = upload(b"abc")
    ImportItem.objects.update(state="failed", code="not_a_video", attempts=1)
    with pytest.raises(AnnotateError, match="can't be tried again"):
        retry_item(item=item)
    ImportItem.objects.update(code="disk_full", reason="The server's disk is full.", deaths=2)
    retry_item(item=item)
    item.refresh_from_db()
    assert (item.state, item.code, item.reason, item.deaths) == ("waiting", "", "", 0)


def test_an_imported_file_can_not_be_cancelled(upload):
    item = upload(b"abc")
    ImportItem.objects.update(state="done")
    with pytest.raises(AnnotateError, match="can no longer be canceled"):
        cancel_item(item=item)
