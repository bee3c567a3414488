"""Recall and ReBias of one model, as a page."""

import csv
import io

import pytest
from django.urls import reverse

from inference.devices import processor_name
from inference.models import RunItem
from review.reports.models import Report
from review.reports.services import recompute
from tests.cast import client_of, join, make_clip, make_project
from tests.review.retrieval.vectors import (
    described,
    embed,
    import_set,
    imported,
    make_computed_world,
    report_of,
    write,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept):
    return make_computed_world()


@pytest.fixture
def clips(shared):
    return shared["clips"]


@pytest.fixture
def other(rita):
    """A project without vectors, with Rita."""
    other = make_project("Other")
    join(other, rita, "reviewer")
    return other


def computed(project):
    report = report_of(project)
    recompute(project=project, name="rebias")
    return report


def test_one_model_has_a_page_with_categories_times_and_signatures(project, rita):
    report = computed(project)
    rebias = Report.objects.get(name="rebias")
    text = client_of(rita).get(reverse("review:recall_model", args=[project.slug, report.pk])).text
    assert report.signature in text
    assert rebias.signature in text
    assert "Temporal captions by category" in text
    assert "Personal care" in text
    assert "without I/O" in text
    assert "newer numbers" not in text
    embed(make_clip(project), 1, 5)
    [newer] = recompute(project=project, name="recall")
    text = client_of(rita).get(reverse("review:recall_model", args=[project.slug, report.pk])).text
    assert reverse("review:recall_model", args=[project.slug, newer.pk]) in text


def test_the_page_of_a_model_says_that_its_numbers_are_old(project, rita, clips):
    report = computed(project)
    page = reverse("review:recall_model", args=[project.slug, report.pk])
    client = client_of(rita)
    assert "have changed since" not in client.get(page).text
    write(clips[0], "Another dive.")
    assert "have changed since" in client.get(page).text


def test_an_older_recall_is_not_shown_with_a_newer_rebias(project, rita):
    report = computed(project)
    page = reverse("review:recall_model", args=[project.slug, report.pk])
    client = client_of(rita)
    assert "Videos resampled" in client.get(page).text
    embed(make_clip(project), 1, 5)
    computed(project)
    text = client.get(page).text
    assert "newer numbers" in text
    assert "Videos resampled" not in text


def test_the_page_says_what_is_left_out(project, rita, clips):
    embed(clips[0], 0, 1, stale="model")
    embed(write(make_clip(project)), 1, 0)
    report = computed(project)
    text = client_of(rita).get(reverse("review:recall_model", args=[project.slug, report.pk])).text
    assert "is left out because its clip has no vector" in text
    assert "vector of this model is out of date and left out" in text


def test_the_reports_of_another_project_are_not_found(project, rita, olaf):
    report = computed(project)
    rebias = Report.objects.get(name="rebias")
    page = reverse("review:recall_model", args=[project.slug, report.pk])
    assert client_of(olaf).get(page).status_code == 404
    wrong = reverse("review:recall_model", args=[project.slug, rebias.pk])
    assert client_of(rita).get(wrong).status_code == 404


def test_it_says_why_rebias_has_no_interval(other, rita):
    described(other, (1, 0), (1, 0), (1, 0), (1, 0))
    report = computed(other)
    text = client_of(rita).get(reverse("review:recall_model", args=[other.slug, report.pk])).text
    assert "be resampled, so there is no interval." in text


def times_of(client, project, report):
    page = reverse("review:recall_model", args=[project.slug, report.pk])
    response = client.get(page)
    return response.context["times"], response.text


def test_the_time_covers_decoding_and_embedding(other, rita, monkeypatch):
    monkeypatch.setattr("review.retrieval.report.TIMED_RUNS", 3)
    described(other, (1, 0), (1, 0), kinds=("general",))
    described(other, (0, 1), (0, 1), kinds=("general",))
    RunItem.objects.filter(clip__isnull=False).update(
        read_seconds=2.0, compute_seconds=0.5, device="GPU of these tests"
    )
    RunItem.objects.filter(caption__isnull=False).update(
        read_seconds=0.0, compute_seconds=0.25, device="Another"
    )
    report = report_of(other)
    times, text = times_of(client_of(rita), other, report)
    [row] = times.rows
    assert [cell.text for cell in row.vectors[:3]] == ["4,000", "1,000", "500.0"]
    seconds = report.result["kinds"]["general"]["t2v"]["seconds"]
    search, with_io, without_io = row.ways[0]
    assert "±" in search.text
    assert with_io.text == f"{5500 + 1000 * seconds['with_io']:,.0f}"
    assert without_io.text == f"{1500 + 1000 * seconds['without_io']:,.0f}"
    assert times.n_runs == 3
    assert [(device.step, device.name, device.share) for device in times.devices] == [
        ("Vectors of clips", "GPU of these tests", "2 vectors"),
        ("General captions", "Another", "2 vectors"),
        ("Reading and search", processor_name(), ""),
    ]
    assert "GPU of these tests" in text
    file = reverse("review:report_file", args=[other.slug, "recall", "recall.csv"])
    line = next(csv.DictReader(io.StringIO(client_of(rita).get(file).text)))
    assert (line["seconds_decode"], line["seconds_embed_clips"]) == ("4.0", "1.0")
    assert (line["seconds_embed_captions"], line["timed_runs"]) == ("0.5", "3")
    assert line["embedded_on"] == "GPU of these tests, Another"


def test_vectors_without_times_have_a_dash_and_the_reason(other, rita):
    described(other, (1, 0), (1, 0), kinds=("general",))
    described(other, (0, 1), (0, 1), kinds=("general",))
    of_other = RunItem.objects.filter(run__project=other)
    of_other.filter(caption__isnull=False).update(read_seconds=0.0, compute_seconds=0.25)
    item = of_other.filter(clip__isnull=False).first()
    RunItem.objects.filter(pk=item.pk).update(read_seconds=1.0, compute_seconds=1.0)
    times, text = times_of(client_of(rita), other, report_of(other))
    [row] = times.rows
    assert [cell.text for cell in row.vectors[:3]] == ["–", "–", "500.0"]
    assert [cell.text for cell in row.ways[0][1:]] == ["–", "–"]
    assert "1 of 2 vectors have no times" in text


def test_vectors_of_a_file_have_no_times(other, rita):
    clip = make_clip(other)
    of_set = import_set(other)
    imported(of_set, clip, 1, 0)
    imported(of_set, write(clip), 1, 0)
    times, text = times_of(client_of(rita), other, report_of(other))
    assert [cell.text for cell in times.rows[0].vectors[:3]] == ["–", "–", "–"]
    assert "1 of 1 vectors have no times: they were made elsewhere" in text
