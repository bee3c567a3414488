"""A video's files: to members only, in byte ranges."""

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import reverse

from annotate import file_store
from annotate.models import Membership
from tests.cast import client_of, count_queries, make_clip, make_project, make_video
from tests.media import PLAYABLE


@pytest.fixture
def video(project, make_playable_clip):
    return make_playable_clip(project).video


@pytest.fixture
def data(video, rendered_media):
    return (rendered_media / "playback.mp4").read_bytes()


@pytest.fixture
def url(project, video):
    return reverse("annotate:media_playback", args=[project.slug, video.pk])


@pytest.fixture
def client(anna):
    return client_of(anna)


def body(response) -> bytes:
    return b"".join(response.streaming_content)


def test_it_sends_the_whole_file(client, url, data):
    response = client.get(url)
    assert (response.status_code, body(response)) == (200, data)
    assert response["Content-Type"] == "video/mp4"
    assert response["Content-Length"] == str(len(data))
    assert response["Accept-Ranges"] == "bytes"
    assert response["Cache-Control"] == "private, max-age=3600"


@pytest.mark.parametrize(
    ("header", "start", "stop"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=0-99", 0, 100),
        ("bytes=100-", 100, None),
        ("bytes=-50", -50, None),
        ("bytes=10-99999999999", 10, None),
        ("bytes=-99999999999", 0, None),
        ("Bytes = 5-9", 5, 10),
    ],
)
def test_it_sends_the_range_that_is_asked_for(client, url, data, header, start, stop):
    response = client.get(url, headers={"Range": header})
    expected = data[start:stop]
    first = start % len(data) if start < 0 else start
    assert (response.status_code, body(response)) == (206, expected)
    assert response["Content-Length"] == str(len(expected))
    last = first + len(expected) - 1
    assert response["Content-Range"] == f"bytes {first}-{last}/{len(data)}"


@pytest.mark.parametrize("header", ["bytes=99999999-", "bytes=-0"])
def test_a_range_beyond_the_end_is_416(client, url, data, header):
    response = client.get(url, headers={"Range": header})
    assert (response.status_code, response["Content-Range"]) == (416, f"bytes */{len(data)}")
    assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "header",
    ["bytes=0-1,5-6", "bytes=9-5", "bytes=-", "bytes=a-b", "lines=0-1", "bytes=٣-٥", "bytes=0-1x"],
)
def test_anything_but_a_single_range_gets_the_whole_file(client, url, data, header):
    header = header.encode().decode("latin-1")
    response = client.get(url, headers={"Range": header})
    assert (response.status_code, body(response)) == (200, data)


def test_head_answers_the_same_without_the_bytes(client, url, data):
    response = client.head(url, headers={"Range": "bytes=0-9"})
    assert (response.status_code, response["Content-Length"]) == (206, "10")
    response = client.head(url)
    assert (response.status_code, response["Content-Length"]) == (200, str(len(data)))


def test_a_range_of_a_file_that_has_changed_gets_the_whole_new_file(client, url, data):
    etag = client.head(url)["ETag"]
    same = client.get(url, headers={"Range": "bytes=0-9", "If-Range": etag})
    other = client.get(url, headers={"Range": "bytes=0-9", "If-Range": '"other"'})
    assert (same.status_code, len(body(same))) == (206, 10)
    assert (other.status_code, body(other)) == (200, data)


def test_an_unchanged_file_is_not_sent_again(client, url):
    response = client.get(url, headers={"If-None-Match": client.head(url)["ETag"]})
    assert (response.status_code, response.content) == (304, b"")


@pytest.mark.parametrize("name", ["media_playback", "media_poster", "media_filmstrip"])
def test_only_members_of_its_project_get_it(project, video, anna, ada, olaf, name):
    key = video.clips.get().pk if name == "media_poster" else video.pk
    url = reverse(f"annotate:{name}", args=[project.slug, key])
    for person, status in ((anna, 200), (ada, 200), (olaf, 404), (None, 302)):
        assert client_of(person).get(url).status_code == status
    Membership.objects.filter(user=anna).delete()
    assert client_of(anna).get(url).status_code == 404


def test_a_video_of_another_project_is_not_found_under_the_address_of_this_one(project, client):
    other = make_video(make_project("Other"))
    url = reverse("annotate:media_playback", args=[project.slug, other.pk])
    assert client.get(url).status_code == 404


def test_a_file_that_is_gone_is_404(project, client):
    clip = make_clip(project, **{**PLAYABLE, "playback_file": "nowhere/playback.mp4"})
    url = reverse("annotate:media_playback", args=[project.slug, clip.video_id])
    assert client.get(url).status_code == 404


def test_a_clip_has_a_picture_of_its_own_and_its_videos_until_then(project, video, client):
    whole = video.clips.get()
    part = make_clip(project, video=video, start_frame=10, end_frame=20)

    def poster(clip):
        return client.get(reverse("annotate:media_poster", args=[project.slug, clip.pk]))

    of_video, before = poster(whole), poster(part)
    assert body(before) == body(of_video)
    name = file_store.clip_poster_name(video, 10, 20)
    default_storage.save(name, ContentFile(b"a frame of the part"))
    after = poster(part)
    default_storage.delete(name)
    assert body(after) == b"a frame of the part"
    assert (before["ETag"] == of_video["ETag"], after["ETag"] == of_video["ETag"]) == (True, False)


def test_nginx_is_told_where_the_file_is(client, url, video, settings):
    settings.VERICAP_ACCEL_PREFIX = "/protected-media/"
    response = client.get(url, headers={"Range": "bytes=0-1"})
    assert (response.status_code, response.content) == (200, b"")
    assert response["X-Accel-Redirect"] == f"/protected-media/{video.playback_file}"
    assert response["Content-Type"] == "video/mp4"


def test_a_range_costs_few_queries(client, url):
    client.get(url)
    with count_queries() as count:
        client.get(url, headers={"Range": "bytes=0-9"})
    assert count <= 3


def test_post_is_405(client, url):
    assert client.post(url).status_code == 405
