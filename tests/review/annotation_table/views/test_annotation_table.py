"""LoVR's annotation table on its page: downloaded, uploaded, and refused with its faults."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.forms import MAX_UPLOADED
from annotate.jobs import file_imports
from annotate.jobs.services.control import cancel_job
from annotate.models import AuditEvent, Caption, Job
from review.annotation_table import jobs as table_jobs
from review.annotation_table.exchange import store_annotations
from review.annotation_table.jobs import IMPORT_TABLE
from review.verification.models import Verification
from tests.cast import client_of, join, make_clip, make_project
from tests.import_work import run_file_import
from tests.review.annotation_table.test_lovr_annotations import HEADER, OFF
from tests.review.verification.verifying import ALL_OK, verified

MARKS = {"before": "<<", "behind": ">>", "missing": "<MISSING>"}
BAD = "gate,1,general,One.,,,,,ok,,,\n"


def page_of(person, project):
    return client_of(person).get(reverse("review:annotation_table", args=[project.slug]))


def download(person, project, **marks):
    address = reverse("review:download_annotations", args=[project.slug])
    return client_of(person).get(address, MARKS | marks)


def upload(person, project, table, **marks):
    address = reverse("review:upload_annotations", args=[project.slug])
    content = table if isinstance(table, bytes) else table.encode()
    file = SimpleUploadedFile("table.csv", content, "text/csv")
    return client_of(person).post(address, {"table": file, **MARKS, **marks})


def imported() -> Job:
    return run_file_import(IMPORT_TABLE)


def refused(person, project, table):
    """Return the page once a worker has refused the table."""
    assert upload(person, project, table).status_code == 302
    assert imported().state == "failed"
    return page_of(person, project).content.decode()


def clips_of(project):
    return [make_clip(project, original_name=f"{name}.mp4") for name in ("door", "rope", "film")]


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def annotated(project, anna, rita):
    door, rope, film = clips_of(project)
    verified(rita, door)
    verified(anna, rope, ALL_OK)
    verified(anna, film, OFF, text='=1+1 הוא, "הולך".\r\n<b>@He</b> runs 😀! First\u200b. A; dog.')
    return project


@pytest.fixture
def elsewhere(ada):
    other = make_project("Elsewhere")
    join(other, ada, "admin")
    clips_of(other)
    return other


@pytest.mark.parametrize("marks", [{}, {"before": "⟦ ", "behind": " ⟧", "missing": "=?"}])
def test_an_uploaded_table_is_downloaded_byte_for_byte(annotated, elsewhere, ada, marks):
    before = download(ada, annotated, **marks)
    table = before.getvalue()
    assert before["Content-Type"] == "text/csv"
    assert before["Content-Disposition"] == 'attachment; filename="dives-annotations.csv"'
    assert before["Content-Length"] == str(len(table))
    response = upload(ada, elsewhere, table, **marks)
    assert response["Location"] == reverse("review:annotation_table", args=["elsewhere"])
    assert imported().state == "done"
    assert AuditEvent.objects.get(verb="import_annotations").actor == ada
    assert download(ada, elsewhere, **marks).getvalue() == table


def test_the_form_begins_with_the_marks_of_the_commands(annotated, ada):
    page = page_of(ada, annotated).content.decode()
    for mark in ("&lt;&lt;", "&gt;&gt;", "&lt;MISSING&gt;"):
        assert page.count(f'value="{mark}"') == 2


def test_only_an_admin_is_offered_the_upload(annotated, emil, ada):
    assert "Upload table" not in page_of(emil, annotated).content.decode()
    assert "Upload table" in page_of(ada, annotated).content.decode()


def test_a_caption_that_contains_a_mark_is_named_before_the_download(project, rita, ada):
    verified(rita, clips_of(project)[0], ALL_OK, text="One << two. Two. Three. Four.")
    response = download(ada, project)
    assert response.status_code == 422
    page = response.content.decode()
    assert "The caption of door can&#x27;t be exported: its text contains &lt;&lt;" in page
    assert b"One << two." in download(ada, project, before="[", behind="]").getvalue()


@pytest.mark.parametrize("send", [download, lambda *a, **k: upload(*a, HEADER, **k)])
def test_equal_marks_are_refused(annotated, ada, send):
    response = send(ada, annotated, before=">>")
    assert response.status_code == 422
    assert "Choose three different marks" in response.content.decode()


def test_faults_are_listed_row_by_row_and_nothing_is_stored(elsewhere, ada):
    good = "rope,1,general,One.,,,,,ok,,,\n"
    page = refused(ada, elsewhere, HEADER + good + BAD)
    assert "Nothing was stored: 1 error to fix. The header is row 1." in page
    assert '<td class="nowrap">3</td><td class="nowrap">Clip</td>' in page
    assert "The project has no clip “gate”. Import its video first." in page
    assert not Caption.objects.exists()
    assert not Verification.objects.exists()


def test_the_first_fifty_of_many_faults_are_shown(elsewhere, ada):
    differing = "".join(BAD.replace(",ok,", f",o{number},") for number in range(120))
    page = refused(ada, elsewhere, HEADER + differing.replace("gate", "door"))
    assert "120 errors to fix" in page
    assert "Showing the first 50." in page


def test_the_table_of_another_project_has_one_fault(elsewhere, ada):
    lacking = "".join(BAD.replace("gate", f"gate-{number}") for number in range(500))
    page = refused(ada, elsewhere, HEADER + lacking)
    assert (
        "500 verifications are for unknown clips. Is this the right project? "
        "The first: the project has no clip “gate-0”. Import its video first."
    ) in page
    assert "2, 3, 4, 5, 6 and 495 more" in page
    assert "Nothing was stored: 1 error to fix" in page


def test_a_table_that_was_uploaded_before_has_one_fault(elsewhere, ada):
    table = HEADER + "".join(f"door,{number},general,One.,,,,,ok,,,\n" for number in range(6))
    upload(ada, elsewhere, table)
    assert imported().state == "done"
    assert (
        "6 verifications by the same people are already stored. Is this the same file? "
        "The first: 0 has verified this caption already."
    ) in refused(ada, elsewhere, table)
    assert Verification.objects.count() == 6


def test_what_was_stored_since_the_check_is_refused(elsewhere, ada, monkeypatch):
    table = f"{HEADER}door,1,general,One.,,,,,ok,,,\n"
    read = table_jobs.read_annotations

    def stored_meanwhile(**arguments):
        annotations = read(**arguments)
        store_annotations(project=elsewhere, annotations=annotations, actor=None)
        return annotations

    monkeypatch.setattr(table_jobs, "read_annotations", stored_meanwhile)
    assert "1 has verified this caption already" in refused(ada, elsewhere, table)
    assert Verification.objects.count() == 1


def test_a_canceled_import_stores_nothing_and_the_marks_stay_in_the_form(
    elsewhere, ada, monkeypatch
):
    monkeypatch.setattr(file_imports, "STEP_EVERY", 1)
    monkeypatch.setattr(table_jobs, "read_annotations", canceling(table_jobs.read_annotations))
    upload(ada, elsewhere, f"{HEADER}door,1,general,One.,,,,,ok,,,\n", before="[[")
    assert imported().state == "cancelled"
    assert not Verification.objects.exists()
    assert 'name="before" value="[["' in page_of(ada, elsewhere).content.decode()


def canceling(read):
    """Read as usual, but cancel the job first."""

    def cancel_and_read(**arguments):
        cancel_job(job=Job.objects.get(kind=IMPORT_TABLE), admin=None)
        return read(**arguments)

    return cancel_and_read


def test_a_second_upload_waits_for_the_first(elsewhere, ada):
    table = f"{HEADER}door,1,general,One.,,,,,ok,,,\n"
    upload(ada, elsewhere, table)
    response = upload(ada, elsewhere, table)
    assert response.status_code == 422
    page = response.content.decode()
    assert "A table is being imported." in page
    assert "table.csv</span> has been importing since" in page


def test_hostile_cells_are_only_text(elsewhere, ada):
    hostile = "<script>alert(1)</script>"
    page = refused(ada, elsewhere, f"{HEADER}{hostile},1,general,One.,,,,,ok,,,\n")
    assert hostile not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (b"Clip,\xff", "The file is not UTF-8; save it as CSV UTF-8."),
        (b"Clip;Annotator\n", "The column Kind is missing."),
    ],
)
def test_a_file_that_is_not_a_table_is_refused_with_the_reason(elsewhere, ada, table, message):
    assert message in refused(ada, elsewhere, table)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (b"", "The file is empty. Choose the table file."),
        (b"x" * (MAX_UPLOADED + 1), "The file is larger than 8 MiB."),
    ],
)
def test_an_empty_or_too_large_file_is_refused_at_once(elsewhere, ada, table, message):
    response = upload(ada, elsewhere, table)
    assert response.status_code == 422
    assert message in response.content.decode()


def test_without_a_file_it_asks_for_one(elsewhere, ada):
    address = reverse("review:upload_annotations", args=[elsewhere.slug])
    response = client_of(ada).post(address, MARKS)
    assert response.status_code == 422
    assert "Choose the table file." in response.content.decode()


def test_it_says_how_many_were_stored(elsewhere, ada):
    upload(ada, elsewhere, f"{HEADER}door,1,general,One.,,,,,ok,,,\n")
    job = imported()
    state = reverse("annotate:import_state", args=[elsewhere.slug, job.pk])
    part = client_of(ada).get(state).content.decode()
    assert "1 verification." in part
    assert reverse("review:verifications", args=[elsewhere.slug]) in part
    assert "every" not in part
