"""The page previews a file of results, and imports it."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from inference.models import InferenceRun
from review.elsewhere.jobs import IMPORT_RESULTS
from tests.cast import client_of
from tests.import_work import run_file_import
from tests.inference.scored import make_clips

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def post(project, ada):
    def send(*rows, **fields):
        data = "\n".join(json.dumps(row) for row in rows).encode()
        form = {"kind": "caption", "model": "Qwen 72B", "file": SimpleUploadedFile("a.jsonl", data)}
        url = reverse("review:import_results", args=[project.slug])
        return client_of(ada).post(url, form | fields)

    return send


@pytest.fixture
def row(project):
    return {"clip": make_clips(project, 1)[0].name, "caption": "A diver."}


def test_the_preview_stores_nothing(post, row):
    answer = post(row, preview="yes")
    assert answer.status_code == 200
    assert "1 caption by Qwen 72B is imported as a finished caption run" in answer.text
    assert not InferenceRun.objects.exists()


def test_an_import_opens_its_run_which_says_where_it_was_made(post, row, project, ada):
    answer = post(row, made_on="2026-03-01", prompt="Describe it.")
    assert "a.jsonl</span> has been importing" in client_of(ada).get(answer.url).text
    assert run_file_import(IMPORT_RESULTS).state == "done"
    run = InferenceRun.objects.get()
    url = reverse("inference:run", args=[project.slug, run.pk])
    assert f'<a href="{url}">See the run</a>' in client_of(ada).get(answer.url).text
    page = client_of(ada).get(url).text
    assert "Made elsewhere" in page
    assert "2026-03-01" in page
    assert "Describe it." in page
    assert "Made elsewhere" in client_of(ada).get(reverse("inference:runs", args=["dives"])).text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"frames": "now"}, "does not say which frames"),
        ({"model": ""}, "This field is required."),
        ({"file": ""}, "Choose the file with the results."),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(post, row, fields, words):
    answer = post(row, **{"prompt": "My own prompt."} | fields)
    assert answer.status_code == 422
    assert words in answer.text
    assert "My own prompt." in answer.text
    assert not InferenceRun.objects.exists()


def test_a_refused_file_stores_nothing_and_what_was_typed_stays(post, row, project, ada):
    answer = post(row, {"clip": "nowhere", "caption": "A."}, prompt="My own prompt.")
    assert run_file_import(IMPORT_RESULTS).state == "failed"
    page = client_of(ada).get(answer.url).text
    assert '<td class="nowrap">line 2</td>' in page
    assert "My own prompt.</textarea>" in page
    assert not InferenceRun.objects.exists()


def test_wrong_rows_are_listed(post, row):
    answer = post(row, {"clip": "nowhere", "caption": "A."}, preview="yes")
    assert answer.status_code == 422
    assert "line 2" in answer.text
    assert "The project has no clip" in answer.text


def test_wrong_rows_are_left_out_if_the_admin_chose_so(post, row):
    rows = [row, {"clip": "nowhere", "caption": "A."}]
    answer = post(*rows, preview="yes")
    assert 'href="data:text/csv;charset=utf-8;base64,' in answer.text
    assert answer.text.index("Errors as CSV") < answer.text.index('id="id_kind"')
    assert "1 row with an error left out." in post(*rows, preview="yes", skips_bad="on").text
    post(*rows, skips_bad="on")
    assert run_file_import(IMPORT_RESULTS).state == "done"
    assert InferenceRun.objects.get().total == 1
