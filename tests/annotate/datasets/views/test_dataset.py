"""Bringing in labeled clips from a page."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.datasets import forms as datasets
from annotate.jobs.services.working import work_on
from annotate.models import ActionLabel, AuditEvent, Clip, Job
from tests.cast import client_of, make_project, make_video

LABELS = json.dumps([{"label": "103b", "caption": "Forward", "source": "FineDiving"}])
ROWS = "source_video,clip,label,first_frame,end_frame\nriga.mp4,riga_1.mp4,103b,0,50\n"


@pytest.fixture
def project(db):
    project = make_project(protocol="tfcovr")
    make_video(project, original_name="riga.mp4")
    return project


@pytest.fixture
def url(project):
    return reverse("annotate:dataset", args=[project.slug])


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


def work_on_it() -> Job:
    """What a worker does."""
    job = Job.objects.get(kind="dataset")
    work_on(job_id=job.pk)
    job.refresh_from_db()
    return job


def upload(name: str, text: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text.encode())


def test_both_files_are_stored_and_the_labels_shown(project, ada, url):
    response = client_of(ada).post(
        url,
        {
            "format": "csv",
            "annotations": upload("dives.csv", ROWS),
            "labels": upload("labels.json", LABELS),
        },
        follow=True,
    )
    assert response.redirect_chain == [(url, 302)]
    assert "dives.csv, labels.json</span> has been importing since" in response.text
    live = reverse("annotate:import_state", args=[project.slug, Job.objects.get().pk])
    assert 'hx-trigger="every 2s"' in client_of(ada).get(live).text
    work_on_it()
    ended = client_of(ada).get(live).text
    assert ("every 2s" in ended, 'hx-select-oob="#imported"' in ended) == (False, True)
    assert "1 new clip and 1 new label." in client_of(ada).get(url).text
    assert Clip.objects.get(name="riga_1").label.key == "103b"
    assert AuditEvent.objects.get(verb="import dataset").actor == ada


def test_faults_are_listed_in_a_table_and_nothing_is_stored(ada, url):
    rows = ROWS + "riga.mp4,<b>,103b,5,2\n"
    response = client_of(ada).post(url, {"format": "csv", "annotations": upload("dives.csv", rows)})
    assert response.status_code == 422
    assert "2 things have to be fixed" in response.text
    for cell in ("dives.csv", "row 3", "clip", "end_frame"):
        assert f">{cell}</td>" in response.text
    assert "&lt;b&gt;" in response.text
    assert not ActionLabel.objects.exists()


def test_what_does_not_fit_the_project_is_reported_once_a_worker_has_compared_it(ada, url):
    labels = upload("labels.json", LABELS)
    rows = ROWS.replace("0,50", "0,5000") + "<b>.mp4,oslo_1.mp4,103b,0,50\n"
    files = {"annotations": upload("dives.csv", rows), "labels": labels}
    assert client_of(ada).post(url, {"format": "csv", **files}).status_code == 302
    assert work_on_it().state == "failed"
    page = client_of(ada).get(url).text
    assert "Nothing was imported: 2 things have to be fixed first." in page
    for cell in ("row 2", "end_frame"):
        assert f">{cell}</td>" in page
    assert "The video &lt;b&gt; is not in the project" in page
    assert not ActionLabel.objects.exists()


def test_rows_with_an_error_can_be_left_out_and_downloaded(project, ada, url):
    rows = ROWS + "riga.mp4,riga_2.mp4,,0,25\nriga.mp4,riga_3.mp4,9,0,25\n"
    files = {"annotations": upload("dives.csv", rows), "labels": upload("labels.json", LABELS)}
    chosen = {"format": "csv", "skips_bad": "on"}
    assert client_of(ada).post(url, chosen | files).status_code == 302
    job = work_on_it()
    assert job.job_items.get().note == (
        "1 new clip and 1 new label. 2 rows with an error left out."
    )
    faults = reverse("annotate:import_faults", args=[project.slug, job.pk])
    assert faults in client_of(ada).get(url).text
    assert "dives.csv,row 4,label,Label '9' is unknown" in client_of(ada).get(faults).text


def test_without_a_file_it_asks_for_one(ada, url):
    response = client_of(ada).post(url, {"format": "csv"})
    assert response.status_code == 422
    assert "Choose the clips, the labels, or both." in response.text


def test_too_much_for_a_page_is_sent_to_the_command(ada, url, monkeypatch):
    monkeypatch.setattr(datasets, "MAX_UPLOADED", 10)
    response = client_of(ada).post(url, {"format": "csv", "labels": upload("l.json", LABELS)})
    assert response.status_code == 422
    assert "manage.py import_dataset" in response.text


def test_a_pickle_is_refused(ada, url):
    response = client_of(ada).post(
        url, {"format": "finediving", "annotations": upload("dives.pkl", "(dp0")}
    )
    assert response.status_code == 422
    assert "It is a pickle" in response.text


def test_another_protocol_is_refused_with_the_reason(ada, project, url):
    project.protocol = "lovr"
    project.save()
    response = client_of(ada).post(url, {"format": "csv", "labels": upload("l.json", LABELS)})
    assert response.status_code == 422
    assert "Only a project with the protocol TF-CoVR" in response.text
