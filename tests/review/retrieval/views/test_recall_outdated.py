"""Recall and Metrics say that captions of whole videos were made from captions since replaced."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.urls import reverse

from tests.cast import client_of, make_clip, make_video
from tests.review.reports.addresses import address
from tests.review.retrieval.vectors import embed, report_of, write

pytestmark = pytest.mark.django_db

NOTE = "1 caption of a whole video was made from captions that have since been replaced."


@pytest.fixture
def part(project):
    """A part of a video whose caption of the whole was made from the part's, with its numbers."""
    video = make_video(project)
    whole = make_clip(project, video=video)
    part = make_clip(project, video=video, end_frame=100)
    fused = write(whole, kind="full_video")
    fused.parents.add(write(part))
    embed(whole, 1, 0)
    embed(fused, 1, 0)
    report_of(project)
    return part


@pytest.mark.parametrize("name", ["recall", "metrics"])
def test_a_page_says_how_many_are_outdated(project, rita, part, name):
    url = address(name, project)
    assert NOTE not in client_of(rita).get(url).text
    write(part, "A newer text.")
    assert NOTE in client_of(rita).get(url).text


def test_the_files_say_how_many_are_outdated(project, rita, part):
    client = client_of(rita)
    write(part, "A newer text.")
    text = client.get(
        reverse("review:report_file", args=[project.slug, "recall", "recall.csv"])
    ).text
    assert {row["outdated_captions"] for row in csv.DictReader(io.StringIO(text))} == {"1"}
    text = client.get(
        reverse("review:report_file", args=[project.slug, "recall", "recall.json"])
    ).text
    assert [row["outdated_full_video_captions"] for row in json.loads(text)] == [1]
    assert NOTE in client.get(address("metrics:full_video.json", project)).text
