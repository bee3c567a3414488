"""clients/vericap.py against a live server."""

from __future__ import annotations

import json
from urllib.error import URLError

import pytest
from django.core.cache import cache

from annotate.datasets.importing import IMPORT_DATASET
from annotate.models import ImportItem, Project
from clients.vericap import JobFailed, Problem, Vericap
from tests.api.asking import token_of
from tests.cast import make_clip, make_person, make_project
from tests.import_work import run_file_import
from tests.inference.cast import make_model

pytestmark = pytest.mark.django_db(transaction=True)
LABELS = json.dumps([{"label": "103b", "caption": "Forward", "source": "FineDiving"}]).encode()


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def waits():
    return []


@pytest.fixture
def client(live_server, waits):
    project = make_project("Actions", protocol="tfcovr")
    ida = make_person("Ida", project, "admin")
    return Vericap(live_server.url, project.slug, token_of(ida, project), sleep=waits.append)


def project_of(client):
    return Project.objects.get(slug=client.project)


def test_rows_go_on_over_pages_and_a_problem_names_its_fields(client, tmp_path):
    clips = [make_clip(project_of(client)) for _ in range(3)]
    assert [row["id"] for row in client.rows("clips/", limit=2)] == [clip.pk for clip in clips]
    assert client.get("/token/")["project"]["slug"] == client.project
    with pytest.raises(Problem) as refused:
        client.get("clips/", limit="many")
    assert (refused.value.status, refused.value.name) == (422, "invalid")
    assert [field for field, _ in refused.value.errors] == ["limit"]
    model = make_model(project_of(client))
    assert client.patch(f"models/{model.pk}/", {"family": "Rules"})["family"] == "Rules"
    invited = client.post("invitations/", {"roles": ["expert"]})
    client.delete(f"invitations/{invited['id']}/")
    assert list(client.rows("invitations/")) == []
    written = client.download("clips/", tmp_path / "clips.json", limit=1)
    assert [row["id"] for row in json.loads(written.read_text())["results"]] == [clips[0].pk]


def test_a_file_is_imported_by_a_job_that_is_waited_for(client, waits):
    job = client.post("labels/import/", {"format": "csv"}, files={"labels": ("l.json", LABELS)})
    client._sleep = lambda pause: (waits.append(pause), run_file_import(IMPORT_DATASET))
    assert client.wait(job)["state"] == "done"
    assert waits == [2]
    assert [row["key"] for row in client.rows("labels/")] == ["103b"]
    job = client.post("labels/import/", {}, files={"labels": ("l.json", LABELS)})
    client.post(f"jobs/{job['id']}/cancel/")
    with pytest.raises(JobFailed) as failed:
        client.wait(job)
    assert failed.value.job["id"] == job["id"]


def test_a_video_is_sent_in_pieces_and_continues_after_a_broken_connection(
    client, waits, tmp_path, monkeypatch
):
    video = tmp_path / "dive.mp4"
    video.write_bytes(b"0123456789")
    send, broken = client._json, []

    def breaks_once(method, path, *sent, **query):
        answer = send(method, path, *sent, **query)
        if path.endswith("bytes/") and not broken:
            broken.append(path)
            raise URLError("The answer was lost.")
        return answer

    monkeypatch.setattr(client, "_json", breaks_once)
    file = client.upload(video, piece=4, category="Sports")
    assert (file["state"], file["offset"], file["category"]) == ("waiting", 10, "Sports")
    assert (len(broken), waits) == (1, [2])
    assert ImportItem.objects.get().received == 10


def test_too_many_requests_are_waited_for(client, waits, settings):
    settings.VERICAP_API_REQUESTS_PER_MINUTE = 1
    client.get()
    client._sleep = lambda pause: (waits.append(pause), cache.clear())
    client.get()
    assert len(waits) == 1
    assert 0 < waits[0] <= 60
