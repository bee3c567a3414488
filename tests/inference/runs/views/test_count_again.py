"""Counting the words that TF-IDF weighs keywords by: what the page of a new score run says."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.urls import reverse

from inference.models import InferenceRun
from tests.cast import client_of, make_clip
from tests.inference.cast import make_model
from tests.inference.scored import score_run, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def encoder(project):
    return make_model(project, "lexical")


@pytest.fixture
def scored(project, encoder):
    """A scorer that counted one caption, of a project that has two by now."""
    write(make_clip(project))
    run = score_run(project, encoder)
    write(make_clip(project))
    return run


def form(encoder, **fields):
    frames = {"sampling": "every", "sampling-every-step": "30"}
    return {"model": encoder.pk, **frames, **fields}


def test_the_preview_says_what_words_are_counted_in(project, encoder, scored, ada):
    url = reverse("inference:preview_run", args=[project.slug]) + "?kind=score"
    kept = client_of(ada).post(url, form(encoder))
    assert kept.context["preview"].words == (
        "Keywords by TF-IDF: words are counted in 1 caption, as in every run of this scorer. "
        "The project has 2 by now."
    )
    again = client_of(ada).post(url, form(encoder, counts_again="on"))
    assert again.context["preview"].words == (
        "Keywords by TF-IDF: words are counted in 2 captions, all that exist now."
    )


def test_the_box_counts_words_again(project, encoder, scored, ada):
    url = reverse("inference:new_run", args=[project.slug]) + "?kind=score"
    client_of(ada).post(url, form(encoder, counts_again="on"))
    assert InferenceRun.objects.latest("pk").recipe["counted"] == 2


def test_the_command_counts_words_again(project, encoder, scored):
    call_command("run_inference", project.slug, "score", "--model", encoder.name, "--count-again")
    assert InferenceRun.objects.latest("pk").recipe["counted"] == 2
