"""mAP of stored vectors over the test queries."""

import numpy as np
import pytest

from inference.models import Embedding, InferenceRun, ModelSpec, RunItem
from inference.services.specs import add_built_in_models
from review.models import Report
from review.services.recomputing import recompute
from tests.review.triplets import labelled_clip, make_label, make_triplet, modify

pytestmark = pytest.mark.django_db


@pytest.fixture
def lexical(project):
    add_built_in_models(project=project, admin=None)
    return project.model_specs.get(backend=ModelSpec.Backend.LEXICAL)


@pytest.fixture
def embed(project, lexical):
    run = InferenceRun.objects.create(
        project=project, kind="embed", model=lexical, recipe={}, recipe_hash="x", queue="cpu"
    )

    def store(clip, *numbers):
        vector = np.zeros(512, dtype="<f4")
        vector[: len(numbers)] = numbers
        item = RunItem.objects.create(
            run=run, clip=clip, position=clip.pk, state="done", key=f"{clip.pk}"
        )
        return Embedding.objects.create(
            project=project, item=item, model=lexical, space="s" * 64, clip=clip,
            dimension=512, vector=vector.tobytes(),
        )  # fmt: skip

    return store


@pytest.fixture
def labels(project):
    return make_label(project, "107b"), make_label(project, "109b")


def report(project) -> Report:
    [made] = recompute(project=project, name="map")
    return made


def test_the_query_alone_finds_what_lies_near_it(project, labels, embed):
    query = labelled_clip(project, labels[0], "test")
    near, far = (labelled_clip(project, labels[1], "test") for _ in range(2))
    other = labelled_clip(project, labels[0], "test")
    for clip, numbers in [(query, (1, 0)), (near, (1, 0.1)), (other, (1, 0.2)), (far, (0, 1))]:
        embed(clip, *numbers)
    modification = modify(*labels)
    key = make_triplet(query, modification, near).query_id
    make_triplet(query, modification, far, place=1)
    made = report(project)
    scores = made.result["baselines"]["query"]
    # Near, other, far: precision 1 at the first hit and 2/3 at the second, of two targets.
    assert scores["circo"]["map"] == pytest.approx(dict.fromkeys(("5", "10", "25", "50"), 5 / 6))
    # Its gallery is the first target alone, so that the second can't be found.
    assert scores["tfcovr"]["map"]["50"] == 0.5
    assert made.result["rankings"]["query"][str(key)] == [near.pk, other.pk, far.pk]
    assert query.pk not in made.result["rankings"]["text"][str(key)]
    assert set(made.result["baselines"]) == {"query", "text", "average"}
    assert made.signature.startswith(
        "map|model:Lexical vectors|space:ssssssss|triplets:1|queries:1"
    )


def test_clips_without_a_vector_are_named_and_nothing_is_computed(project, labels, embed):
    clips = [labelled_clip(project, label, "test") for label in labels]
    embed(clips[0], 1)
    make_triplet(clips[0], modify(*labels), clips[1])
    assert report(project).result == {
        "reason": "1 of 2 test clips have no vector. Embed the clips."
    }


def test_there_is_nothing_to_say_before_there_are_triplets(project, labels, embed):
    embed(labelled_clip(project, labels[0], "test"), 1)
    assert recompute(project=project, name="map") == []


def test_without_a_test_query_it_says_so(project, labels, embed):
    query, target = (labelled_clip(project, label, "train") for label in labels)
    embed(labelled_clip(project, labels[0], "test"), 1)
    make_triplet(query, modify(*labels), target)
    assert report(project).result["reason"].startswith("There is no test query")
