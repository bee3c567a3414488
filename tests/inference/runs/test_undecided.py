"""A caption run waits for the dynamics check, unless an admin confirms."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.corpus.services.opening import open_dynamics_check
from annotate.dynamics.decisions import decide_dynamics
from inference.errors import UndecidedVideos
from inference.models import InferenceRun
from inference.planning.undecided import Undecided
from inference.runs.preview import preview_run
from inference.runs.services import start_run
from tests.annotate.dynamics.disputing import disagree
from tests.cast import client_of, make_video
from tests.inference.cast import make_model
from tests.inference.scored import make_clips

pytestmark = pytest.mark.django_db
SENTENCE = (
    "1 video is undecided: people disagree whether it is dynamic. If it is left out later, "
    "its captions are not used."
)


@pytest.fixture
def lovr(project):
    project.protocol = "lovr"
    project.save()
    return project


@pytest.fixture
def model(lovr):
    return make_model(lovr, name="Draft")


@pytest.fixture
def video(lovr, anna, rita):
    return disagree(make_clips(lovr, 3)[0].video, anna, rita)


def previewed(lovr, model):
    return preview_run(project=lovr, kind="caption", model=model, options={}).undecided


def test_the_preview_counts_what_is_undecided_and_what_waits_for_judges(lovr, model, video):
    open_dynamics_check(make_video(lovr))
    assert previewed(lovr, model) == Undecided(videos=1, unjudged=1)


def test_a_run_starts_only_if_the_admin_confirms(lovr, model, video, ada):
    page = reverse("inference:new_run", args=[lovr.slug]) + "?kind=caption"
    form = {"model": model.pk, "sampling": "middle", "sampling-middle-count": "32"}
    refused = client_of(ada).post(page, form)
    assert refused.status_code == 422
    assert refused.context["form"].errors == {
        "captions_undecided": [f"{SENTENCE} Nothing was started. Tick this to caption them anyway."]
    }
    assert not InferenceRun.objects.exists()
    client_of(ada).post(page, form | {"captions_undecided": "on"})
    assert InferenceRun.objects.get().parameters["captions_undecided"] is True


def test_the_command_needs_its_option(lovr, model, video):
    command = ["run_inference", lovr.slug, "caption", "--model", "Draft"]
    with pytest.raises(CommandError, match="Pass --caption-undecided"):
        call_command(*command, stdout=StringIO())
    call_command(*command, "--caption-undecided", stdout=StringIO())
    assert InferenceRun.objects.count() == 1


def test_a_decided_video_holds_nothing_up(lovr, model, video, ada):
    with pytest.raises(UndecidedVideos):
        start_run(project=lovr, kind="caption", model=model)
    decide_dynamics(video=video, is_dynamic=True, reason="It has cuts.", admin=ada)
    assert previewed(lovr, model) == Undecided()
    assert start_run(project=lovr, kind="caption", model=model).pk
