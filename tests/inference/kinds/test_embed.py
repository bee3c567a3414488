"""Vectors of clips and captions."""

from __future__ import annotations

import numpy as np
import pytest

from inference.devices import processor_name
from inference.models import Embedding
from tests.inference.cast import make_model, run_through, start_run, states
from tests.inference.kinds.conftest import HandMade

pytestmark = pytest.mark.django_db


def vector_of(embedding: Embedding) -> np.ndarray:
    return np.frombuffer(embedding.vector, dtype="<f4")


def test_a_clips_vector_is_stored_with_how_it_was_made(project, encoder, clips, load):
    run = run_through(start_run(project=project, kind="embed", model=encoder))
    assert run.state == "done"
    first = Embedding.objects.get(clip=clips[0])
    assert (first.dimension, first.model, first.item.run) == (4, encoder, run)
    assert first.sampling == {"kind": "pairs", "count": 120, "step": 2}
    assert vector_of(first).tolist() == HandMade.picture.tolist()


def test_captions_are_embedded_as_texts(project, encoder, clips, load, write):
    write(clips[0], "Nothing.")
    newest = write(clips[0], "A good dive.")
    run_through(start_run(project=project, kind="embed", model=encoder, options={"of": "captions"}))
    embedding = Embedding.objects.get()
    assert (embedding.caption, embedding.sampling) == (newest, {})
    assert vector_of(embedding).tolist() == HandMade.good.tolist()


@pytest.mark.parametrize("kind", ["spatial", "temporal"])
def test_the_halves_of_a_split_are_embedded_apart(project, encoder, clips, load, write, kind):
    written = {half: write(clips[0], "A good dive.", kind=half) for half in ("spatial", "temporal")}
    run_through(start_run(project=project, kind="embed", model=encoder, options={"of": kind}))
    assert Embedding.objects.get().caption == written[kind]


def test_videos_are_embedded_whole_where_they_are_cut(project, encoder, clips, load):
    run_through(start_run(project=project, kind="embed", model=encoder, options={"of": "videos"}))
    whole = Embedding.objects.get().clip
    assert whole.video == clips[0].video
    assert (whole.start_frame, whole.end_frame) == (0, whole.video.frames)
    run_through(start_run(project=project, kind="embed", model=encoder))
    of_clips = Embedding.objects.exclude(clip=whole).values_list("clip", flat=True)
    assert set(of_clips) == {clip.pk for clip in clips}


def test_a_caption_that_can_not_be_embedded_fails_alone(project, encoder, clips, load, write):
    write(clips[0], "A good dive.")
    write(clips[1], "   ")
    run = run_through(
        start_run(project=project, kind="embed", model=encoder, options={"of": "captions"})
    )
    assert sorted(states(run)) == ["done", "failed"]
    assert run.items.get(state="failed").code == "no_words"


def test_vectors_of_two_models_are_never_in_one_space(project, encoder, clips, load):
    other = make_model(project, "lexical", name="Smaller", parameters={"dimension": 64})
    for model in (encoder, other):
        run_through(start_run(project=project, kind="embed", model=model))
    spaces = Embedding.objects.values_list("space", flat=True).distinct()
    assert len(spaces) == 2


def test_the_same_model_under_another_name_is_the_same_space(project, encoder, clips, load):
    twin = make_model(project, "lexical", name="Twin")
    for model in (encoder, twin):
        run_through(start_run(project=project, kind="embed", model=model))
    assert Embedding.objects.values_list("space", flat=True).distinct().count() == 1
    assert Embedding.objects.count() == 2


def test_each_vector_has_its_times_and_its_device(project, encoder, clips, load):
    run = run_through(start_run(project=project, kind="embed", model=encoder))
    item = run.items.first()
    assert item.device == processor_name()
    assert item.read_seconds > 0  # of decoding a real clip
    assert item.compute_seconds >= 0
