"""Addresses at which a model server reads a clip: signed, for an hour, and telling nothing."""

from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from annotate.corpus.signed_clips import signed_address
from annotate.models import ClipFile
from tests.cast import make_clip


@pytest.fixture(autouse=True)
def site(settings):
    settings.VERICAP_SITE = "http://testserver"


@pytest.fixture
def clip(project, make_playable_clip):
    return make_playable_clip(project)


@pytest.fixture
def data(clip, rendered_media):
    return (rendered_media / "playback.mp4").read_bytes()


def body(response) -> bytes:
    return b"".join(response.streaming_content)


def test_it_gives_the_bytes_to_anybody_and_nothing_else(client, project, clip, data):
    address = signed_address(clip)
    response = client.get(address)
    assert (response.status_code, body(response)) == (200, data)
    assert (response["Content-Type"], response["Cache-Control"]) == ("video/mp4", "no-store")
    assert not response.cookies
    headers = " ".join(f"{name} {value}" for name, value in response.headers.items())
    video = clip.video
    for secret in (project.slug, clip.name, video.original_name, video.sha256, "playback"):
        assert secret not in address
        assert secret not in headers


def test_it_answers_ranges_and_head_and_no_other_verb(client, clip, data):
    address = signed_address(clip)
    part = client.get(address, headers={"Range": "bytes=5-9"})
    assert (part.status_code, body(part)) == (206, data[5:10])
    assert client.head(address)["Content-Length"] == str(len(data))
    assert client.post(address).status_code == 405


def test_a_part_of_a_video_is_read_from_its_own_file(client, clip):
    part = make_clip(clip.project, video=clip.video, start_frame=10, end_frame=20)
    address = signed_address(part)
    assert client.get(address).status_code == 404  # it was never cut
    name = default_storage.save("parts/part.mp4", ContentFile(b"ten frames"))
    ClipFile.objects.create(clip=part, name=name, sha256="", size=10)
    assert body(client.get(address)) == b"ten frames"
    part.delete()
    assert client.get(address).status_code == 404


def test_an_address_that_is_expired_or_not_ours_is_not_found(client, clip, monkeypatch):
    address = signed_address(clip)
    stem = address.removesuffix(".mp4")
    tampered = [f"{stem}x.mp4", address.replace(f"/{clip.pk}:", f"/{clip.pk + 1}:"),
                f"http://testserver/signed/{clip.pk}.mp4"]  # fmt: skip
    assert {client.get(other).status_code for other in tampered} == {404}
    monkeypatch.setattr("annotate.corpus.signed_clips.OPEN_FOR", timedelta(seconds=-1))
    assert client.get(address).status_code == 404


def test_nginx_sends_it_if_there_is_one(client, clip, settings):
    settings.VERICAP_ACCEL_PREFIX = "/protected-media/"
    response = client.get(signed_address(clip))
    assert response["X-Accel-Redirect"] == f"/protected-media/{clip.video.playback_file}"
