"""Models leave out clips that are too short or too small for the project, and say so."""

from __future__ import annotations

import pytest

from annotate.corpus.clip_stages import at_stage
from annotate.models import Clip
from inference.errors import InferenceError
from inference.runs.preview import preview_run
from review.releases.queries import described_clips
from tests.cast import make_clip, make_project
from tests.inference.cast import make_model, start_run
from tests.inference.scored import write

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(db):
    return make_project(min_clip_seconds=0.5)


@pytest.fixture
def captioner(project):
    return make_model(project, "opencv-draft", name="Draft")


@pytest.fixture
def small(project):
    return [make_clip(project, frames=3), make_clip(project, width=63, height=320)]


def test_a_run_leaves_them_out_and_its_preview_says_why(project, captioner, small):
    clip = make_clip(project)
    preview = preview_run(project=project, kind="caption", model=captioner, options={})
    assert preview.total == 1
    assert preview.left_out == (
        "2 clips are left out by the project's limits: 1 shorter than 0.5 s, "
        "1 with under 64 pixels on the shorter side."
    )
    run = start_run(project=project, kind="caption", model=captioner)
    assert [item.clip for item in run.items.all()] == [clip]


def test_where_all_are_too_small_nothing_starts(project, captioner, small):
    reason = (
        "The project's limits leave out every clip: 1 shorter than 0.5 s, 1 with under 64 pixels "
        "on the shorter side. Lower them under Settings, or import other videos."
    )
    preview = preview_run(project=project, kind="caption", model=captioner, options={})
    assert (preview.why_nothing, preview.left_out) == (reason, "")
    with pytest.raises(InferenceError) as error:
        start_run(project=project, kind="caption", model=captioner)
    assert str(error.value) == reason


def test_they_do_not_count_as_described(project, small):
    described = make_clip(project)
    for clip in [described, *small]:
        write(clip)
    assert described_clips(project) == (1, 1)
    clips = Clip.objects.filter(project=project)
    assert list(at_stage(clips, project, "described")) == [described]


@pytest.mark.parametrize(("protocol", "number"), [("tfcovr", 3), ("lovr", 1)])
def test_labeled_clips_are_embedded_however_short(project, small, protocol, number):
    project.protocol = protocol
    project.save()
    make_clip(project)
    encoder = make_model(project, "lexical")
    preview = preview_run(project=project, kind="embed", model=encoder, options={"of": "clips"})
    assert preview.total == number
