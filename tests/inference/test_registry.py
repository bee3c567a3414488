"""The settings of backends, and which models may be loaded: each refusal names value and fix."""

import pytest

from inference.allowed_models import refuse_unlisted
from inference.errors import InferenceError
from inference.planning.options import OPTIONS
from inference.planning.undecided import Undecided
from inference.registry import checked_parameters


@pytest.mark.parametrize(
    ("backend", "values", "message"),
    [
        ("plain-joiner", {"size": 3}, "size isn't a parameter of "),
        ("opencv-draft", {"size": 3}, "size isn't a parameter of "),
        ("transformers-dual", {"batch_size": "many"},
         "batch_size is 'many'. Set it to a whole number."),
        ("transformers-dual", {"batch_size": 0}, "batch_size is 0. Keep it between 1 and "),
        ("transformers-dual", {"dtype": "int8"}, "dtype is 'int8'. Choose from: "),
    ],
)  # fmt: skip
def test_each_setting_that_is_refused(backend, values, message):
    with pytest.raises(InferenceError) as refused:
        checked_parameters(backend, values)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("backend", "model_id", "message"),
    [
        ("openai-compatible", "", "The model has no id. Give the name it has on the server."),
        ("transformers-dual", "",
         "The model has no id. Give one such as openai/clip-vit-base-patch32."),
        ("plain-joiner", "a/b", "has no model id. Leave it empty."),
    ],
)  # fmt: skip
def test_each_model_that_is_refused(backend, model_id, message):
    with pytest.raises(InferenceError) as refused:
        refuse_unlisted(backend, model_id, {})
    assert str(refused.value).endswith(message)


def test_a_choice_of_a_run_is_one_of_those_offered():
    kind, name = next((kind, name) for kind in OPTIONS for name in OPTIONS[kind].CHOICES)
    with pytest.raises(InferenceError, match=r"is 'other'\. Choose from: "):
        OPTIONS[kind].parse({name: "other"})


@pytest.mark.parametrize(
    ("undecided", "sentences"),
    [
        (Undecided(1, 0),
         ("1 video is undecided: people disagree whether it is dynamic. If it is left out later, "
          "its captions are not used.", "")),
        (Undecided(2, 1),
         ("2 videos are undecided: people disagree whether they are dynamic. If they are left out "
          "later, their captions are not used.",
          "1 video still waits for the dynamics check. It is described all the same.")),
        (Undecided(1, 3),
         ("1 video is undecided: people disagree whether it is dynamic. If it is left out later, "
          "its captions are not used.",
          "3 videos still wait for the dynamics check. They are described all the same.")),
    ],
)  # fmt: skip
def test_how_many_videos_nobody_has_decided_about(undecided, sentences):
    assert (undecided.sentence, undecided.unjudged_sentence) == sentences
