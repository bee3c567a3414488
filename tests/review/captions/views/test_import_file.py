"""Files of model captions: imported by a worker, or refused with every row to fix."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from review.captions.forms import ImportForm
from review.captions.models import CaptionSet
from tests.cast import client_of, make_clip
from tests.review.captions.views.test_caption_sets import imported, send, upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def clip(project):
    return make_clip(project, original_name="dive.mp4")


@pytest.fixture
def url(project):
    return reverse("review:report_page", args=[project.slug, "caption-sets"])


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


def test_a_file_is_imported(project, clip, ada):
    response = send(ada, project, upload({"video": "dive.mp4", "caption": "It dives."}))
    assert response.status_code == 302
    assert imported().job_items.get().note == "1 caption of Heron."
    made = CaptionSet.objects.get()
    assert (made.name, made.file_name, made.created_by) == ("Heron", "heron.jsonl", ada)


def test_every_fault_of_a_file_is_shown_and_escaped(project, clip, ada, url):
    file = upload({"clip": "<i>heron", "caption": "A."}, {"clip": "dive"}, name="<b>.jsonl")
    assert send(ada, project, file, **{"file-prompt": "Describe it."}).status_code == 302
    assert imported().state == "failed"
    text = client_of(ada).get(url).text
    assert "Nothing was imported: 2 problems in the file." in text
    assert "The project has no clip &#x27;&lt;i&gt;heron&#x27;." in text
    assert '<td class="nowrap">line 2</td><td class="nowrap">caption</td>' in text
    assert "<i>heron" not in text
    assert "Describe it.</textarea>" in text
    assert not CaptionSet.objects.exists()


def test_rows_with_an_error_can_be_left_out_and_downloaded(project, clip, ada, url):
    file = upload({"clip": "dive", "caption": "It dives."}, {"clip": "heron", "caption": "A."})
    assert send(ada, project, file, **{"file-skips_bad": "on"}).status_code == 302
    job = imported()
    assert job.job_items.get().note == "1 caption of Heron. 1 row with an error left out."
    faults = reverse("annotate:import_faults", args=[project.slug, job.pk])
    assert faults in client_of(ada).get(url).text
    assert "heron.jsonl,line 2,clip," in client_of(ada).get(faults).text


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"file-file": ""}, "Choose the file with the captions."),
        ({"file-file": SimpleUploadedFile("a.jsonl", b"")}, "The file is empty."),
        ({"file-name": " "}, "This field is required."),
        ({"file-kind": "prediction"}, "Select a valid choice."),
        ({"file-release": "7"}, "Select a valid choice."),
    ],
)
def test_a_wrong_form_is_refused_with_the_reason(project, clip, ada, fields, message):
    response = send(ada, project, upload({"clip": "dive", "caption": "It dives."}), **fields)
    assert response.status_code == 422
    assert message in response.text
    assert not CaptionSet.objects.exists()


def test_a_file_that_is_not_text_and_a_second_file_are_refused(project, clip, ada, url):
    send(ada, project, SimpleUploadedFile("a.jsonl", b"\xff\xfe"))
    second = send(ada, project, upload({"clip": "dive", "caption": "It dives."}))
    assert second.status_code == 422
    assert "Captions are being imported." in second.text
    assert "isn't UTF-8 text" in imported().reason


def test_a_file_that_is_too_large_for_the_page_leads_to_the_command(
    project, clip, ada, monkeypatch
):
    monkeypatch.setattr(ImportForm.base_fields["file"], "most", 10)
    response = send(ada, project, upload({"clip": "dive", "caption": "It dives."}))
    [larger] = response.context["import_form"].errors["file"]
    assert larger.endswith("Import it on the server with manage.py import_predictions.")
    assert response.status_code == 422


def test_a_file_is_read_once_as_it_was_sent(project, clip, ada):
    content = b'{"clip": "dive", "caption": "It dives."}'
    first = send(ada, project, io.BytesIO(content))
    assert first.status_code == 302
    assert imported().state == "done"
    again = send(ada, project, io.BytesIO(content))
    assert "This file was already imported as “Heron”" in again.text
