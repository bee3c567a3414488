"""Files from addresses: what a worker makes of what hosts send."""

from __future__ import annotations

import pytest

from annotate import file_store
from annotate.imports.addresses import AddressRow
from annotate.imports.services import downloading, import_addresses, retry_item
from annotate.jobs.services.control import cancel_job
from annotate.models import ImportItem, Video
from tests.import_work import run_import, run_imports
from tests.site import LOOPBACK, NOTHING, never_ends, redirects, sends, serving

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def server():
    with serving() as site:
        yield site


@pytest.fixture
def site(server, settings, real_bytes):
    """A host with a video at /dive.mp4."""
    settings.VERICAP_OUTGOING_ALLOWED = LOOPBACK
    server.received.clear()
    server.answers.clear()
    server.answers["/dive.mp4"] = sends(real_bytes, "Content-Type: video/mp4")
    return server


@pytest.fixture
def item(site, project, ada):
    """A function: the item of an import from one address."""

    def start(path="/dive.mp4", **facts) -> ImportItem:
        row = AddressRow(f"{site.url}{path}", **facts)
        return import_addresses(project=project, admin=ada, rows=[row]).items.get()

    return start


def run(item: ImportItem) -> ImportItem:
    run_import(item_id=item.pk)
    item.refresh_from_db()
    return item


def breaking_off(site, data: bytes, at: int, *headers: str, tag: str = '"v1"'):
    """Answers of a host that hangs up after `at` bytes, and sends the rest when asked for it."""

    def answer(out):
        range_header = site.received[-1].headers.get("range")
        if range_header and site.received[-1].headers.get("if-range") == tag:
            start = int(range_header.removeprefix("bytes=").removesuffix("-"))
            place = f"Content-Range: bytes {start}-{len(data) - 1}/{len(data)}"
            sends(data[start:], place, f"ETag: {tag}", status=206)(out)
        else:
            sends(data[:at], f"ETag: {tag}", *headers, length=len(data))(out)

    return answer


def test_an_address_becomes_a_video_with_its_facts(item, site, real_bytes, stored_files):
    started = item(
        category="Sports", subcategory="Diving", license="CC0", source_url="https://a.b/"
    )
    assert (started.state, started.name, started.size) == ("waiting", "dive.mp4", 0)
    done = run(started)
    assert (done.state, done.reason, done.size) == ("done", "", len(real_bytes))
    video = Video.objects.get()
    assert done.video == video
    assert (video.original_name, video.category, video.subcategory, video.license) == (
        *("dive.mp4", "Sports", "Diving", "CC0"),
    )
    assert video.source_url == "https://a.b/"
    assert not [name for name in stored_files() if name.startswith("incoming")]


def test_one_refused_address_does_not_hold_up_the_others(site, project, ada):
    rows = [AddressRow(f"{site.url}/{name}") for name in ("gone.mp4", "dive.mp4")]
    batch = import_addresses(project=project, admin=ada, rows=rows)
    run_imports()
    batch.refresh_from_db()
    assert batch.state == "done"
    assert [(row.state, row.code) for row in batch.items.all()] == [
        ("failed", "download"),
        ("done", ""),
    ]


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        (sends(b"", status=404), "download", "Nothing is there (404). Check the address."),
        (sends(b"", status=403), "download", "The host refuses access (403)."),
        (sends(b"", status=503), "download", "The host answered 503. Try again later."),
        (sends(b"", status=304), "download", "The host answered 304."),
        (sends(b"<html>", "Content-Type: text/html; charset=utf-8"), "not_a_video", "sent a page"),
        (sends(b"just words"), "not_a_video", ""),
        (sends(b""), "empty", "The host sent an empty file."),
        (sends(b"x" * 10, length=99), "download", "broke off"),
        (sends(b"x" * 2000), "too_large", "more than the limit"),
        (sends(b"x", length=2**40), "too_large", "more than the limit"),
        (sends(b"x", "Content-Encoding: gzip"), "download", "compressed"),
        (redirects("http://169.254.169.254/a.mp4"), "address", "not a public host"),
        (redirects("/dive.mp4?again"), "download", "Nothing is there (404)"),
    ],
)
def test_what_is_no_video_of_ours_is_refused_in_words(item, site, settings, answer, code, words):
    settings.VERICAP_MAX_VIDEO_BYTES = 1000
    site.answers["/dive.mp4"] = answer
    refused = run(item())
    assert (refused.state, refused.code) == ("failed", code)
    assert words in refused.reason
    assert not Video.objects.exists()


def test_an_endless_file_ends_at_the_limit(item, site, settings, stored_files):
    settings.VERICAP_MAX_VIDEO_BYTES = 100_000
    site.answers["/dive.mp4"] = never_ends(site, b"x" * 10_000)
    assert run(item()).code == "too_large"
    assert stored_files() == []


def test_a_host_that_is_no_longer_allowed_is_refused_when_it_is_opened(item, site, settings):
    started = item()
    settings.VERICAP_OUTGOING_ALLOWED = NOTHING
    assert run(started).code == "address"
    assert site.received == []


def test_a_broken_download_continues_where_it_stopped(item, site, real_bytes):
    site.answers["/dive.mp4"] = breaking_off(site, real_bytes, 1000)
    assert run(item()).state == "done"
    assert [each.headers.get("range") for each in site.received] == [None, "bytes=1000-"]


def test_what_a_killed_worker_had_is_not_fetched_again(item, site, real_bytes):
    started = item()
    path = file_store.incoming_file(started.pk)
    path.parent.mkdir(parents=True)
    path.write_bytes(real_bytes[:1000])
    ImportItem.objects.update(etag='"v1"', received=500)
    site.answers["/dive.mp4"] = breaking_off(site, real_bytes, 1000)
    assert run(started).state == "done"
    assert [each.headers.get("range") for each in site.received] == ["bytes=1000-"]


def test_a_file_that_has_changed_meanwhile_is_fetched_from_its_beginning(item, site, real_bytes):
    started = item()
    path = file_store.incoming_file(started.pk)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"of an earlier version" * 99_999)
    ImportItem.objects.update(etag='"v0"')
    site.answers["/dive.mp4"] = sends(real_bytes, 'ETag: "v1"')
    assert run(started).state == "done"
    assert site.received[0].headers["if-range"] == '"v0"'


def test_a_range_that_was_not_asked_for_is_refused(item, site, real_bytes):
    site.answers["/dive.mp4"] = sends(real_bytes, "Content-Range: bytes 5-9/10", status=206)
    assert run(item()).code == "download"


def test_a_host_that_sends_nothing_new_is_given_up(item, site):
    site.answers["/dive.mp4"] = sends(b"x", 'ETag: "v1"', length=9)
    assert run(item()).code == "download"
    assert len(site.received) <= downloading.TRIES


def test_a_refused_download_can_be_tried_again(item, site, real_bytes):
    host = site.answers.pop("/dive.mp4")
    refused = run(item())
    site.answers["/dive.mp4"] = host
    retry_item(item=refused)
    assert run(refused).state == "done"


def test_bytes_that_have_arrived_are_not_fetched_again(item, site, rendered_media):
    started = item()
    file_store.copy_in(started.pk, rendered_media / "playback.mp4")
    ImportItem.objects.update(stored_file=file_store.incoming_name(started.pk))
    assert run(started).state == "done"
    assert site.received == []


def test_a_canceled_import_stops_in_the_middle(item, site, ada, monkeypatch, stored_files):
    site.answers["/dive.mp4"] = never_ends(site, b"x" * 1000)
    monkeypatch.setattr("annotate.imports.services.running.WRITE_SECONDS", 0)
    started = item()
    write = downloading._write

    def cancel_then_write(*arguments):
        cancel_job(job=started.batch, admin=ada)
        return write(*arguments)

    monkeypatch.setattr(downloading, "_write", cancel_then_write)
    assert run(started).state == "cancelled"
    assert stored_files() == []


@pytest.mark.parametrize(
    ("path", "headers", "name"),
    [
        ("/get", ['Content-Disposition: attachment; filename="a dive.mov"'], "a dive.mov"),
        ("/get", ["Content-Disposition: attachment; filename*=UTF-8''d%C3%AFve.mp4"], "dïve.mp4"),
        ("/get", ["Content-Disposition: attachment; filename=../../x.mp4"], "x.mp4"),
        ("/get", ["Content-Type: video/webm"], "get.webm"),
        ("/get.php", ["Content-Type: video/mp4"], "get.php.mp4"),
    ],
)
def test_a_file_is_named_by_its_host_where_the_address_names_none(
    item, site, real_bytes, path, headers, name
):
    site.answers[path] = sends(real_bytes, *headers)
    done = run(item(path))
    assert (done.state, done.name) == ("done", name)


def test_a_redirect_names_the_file_and_a_given_name_comes_first(item, site, real_bytes):
    site.answers["/v"] = redirects("/dive.mp4")
    assert run(item("/v")).name == "dive.mp4"
    site.answers["/w"] = sends(real_bytes + b"\0" * 8, "Content-Type: video/mp4")
    assert run(item("/w", file="mine.mp4")).name == "mine.mp4"


def test_what_nobody_names_as_a_video_is_refused(item, site, real_bytes):
    site.answers["/get"] = sends(real_bytes, "Content-Type: application/octet-stream")
    assert run(item("/get")).code == "bad_name"
