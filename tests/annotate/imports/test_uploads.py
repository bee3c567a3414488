"""The bytes of a file: in order, no more than announced, and safe against two at once."""

import errno
import threading

import pytest
from django.db import connection

from annotate import file_store
from annotate.imports.services import (
    OffsetMismatch,
    StorageFailed,
    TooManyBytes,
    add_item,
    append_chunk,
    copy_file,
)
from annotate.models import ImportItem


@pytest.fixture
def item(batch):
    return add_item(batch=batch, name="a.mp4", size=10)


def received(item) -> bytes:
    return file_store.incoming_file(item.pk).read_bytes()


def test_chunks_follow_each_other_and_the_last_one_queues_the_import(
    item, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks() as early:
        item = append_chunk(item=item, offset=0, data=b"abcdef")
    assert (item.state, item.received, early) == ("uploading", 6, [])
    with django_capture_on_commit_callbacks() as queued:
        item = append_chunk(item=item, offset=6, data=b"ghij")
    assert (item.state, item.received, received(item)) == ("waiting", 10, b"abcdefghij")
    assert [callback.args[0].pk for callback in queued] == [item.batch_id]


@pytest.mark.parametrize("offset", [0, 2, 4, 9])
def test_a_chunk_elsewhere_is_answered_with_the_right_offset_and_changes_nothing(item, offset):
    append_chunk(item=item, offset=0, data=b"abc")
    with pytest.raises(OffsetMismatch) as error:
        append_chunk(item=item, offset=offset, data=b"xyz")
    assert (error.value.offset, received(item)) == (3, b"abc")


def test_more_than_announced_is_refused(item):
    append_chunk(item=item, offset=0, data=b"abcdef")
    with pytest.raises(TooManyBytes, match="10 bytes that were announced"):
        append_chunk(item=item, offset=6, data=b"ghijk")
    assert received(item) == b"abcdef"


def test_a_chunk_has_a_limit(item, settings):
    settings.VERICAP_CHUNK_BYTES = 4
    with pytest.raises(TooManyBytes, match="at most 4 bytes"):
        append_chunk(item=item, offset=0, data=b"abcde")


def test_bytes_that_were_never_recorded_are_written_over(item):
    append_chunk(item=item, offset=0, data=b"abc")
    with file_store.incoming_file(item.pk).open("ab") as file:
        file.write(b"from a crash")
    append_chunk(item=item, offset=3, data=b"d")
    assert received(item) == b"abcd"


def test_lost_bytes_are_asked_for_again(item):
    append_chunk(item=item, offset=0, data=b"abcdef")
    file_store.incoming_file(item.pk).write_bytes(b"ab")
    with pytest.raises(OffsetMismatch) as error:
        append_chunk(item=item, offset=6, data=b"ghij")
    assert error.value.offset == 2
    append_chunk(item=item, offset=2, data=b"cdefghij")
    assert received(item) == b"abcdefghij"


def test_a_full_disk_is_reported_and_the_upload_can_continue(item, monkeypatch):
    def full(*_args):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(file_store, "write_chunk", full)
        with pytest.raises(StorageFailed, match="disk is full") as error:
            append_chunk(item=item, offset=0, data=b"abc")
    assert error.value.code == "disk_full"
    assert append_chunk(item=item, offset=0, data=b"abc").received == 3


@pytest.mark.django_db(transaction=True)
def test_of_the_same_chunk_sent_twice_at_once_one_is_taken(item):
    outcomes = []

    def send():
        try:
            append_chunk(item=item, offset=0, data=b"abcde")
            outcomes.append("taken")
        except OffsetMismatch as error:
            outcomes.append(error.offset)
        finally:
            connection.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes, key=str) == [5, 5, 5, "taken"]
    assert received(item) == b"abcde"


def test_a_local_file_is_copied_and_left_where_it_is(batch, tmp_path):
    source = tmp_path / "a.mp4"
    source.write_bytes(b"abc")
    item = add_item(batch=batch, name="a.mp4", size=3)
    item = copy_file(item=item, source=source, queue=False)
    assert (item.state, received(item), source.read_bytes()) == ("waiting", b"abc", b"abc")


def test_a_local_file_that_can_not_be_read_is_refused(batch, tmp_path, stored_files):
    item = add_item(batch=batch, name="a.mp4", size=3)
    item = copy_file(item=item, source=tmp_path / "gone.mp4", queue=False)
    assert (item.state, item.code, stored_files()) == ("failed", "not_copied", [])
    assert ImportItem.objects.get(pk=item.pk).reason == item.reason
