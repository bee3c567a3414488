"""The answer of a model that thinks, apart from its reasoning."""

from __future__ import annotations

import pytest

from inference.backends.protocols import BackendError
from inference.backends.replies import answer_in, reasoning_of, separate_reasoning


@pytest.mark.parametrize(
    ("text", "answer", "reasoning"),
    [
        (" A dog runs. ", "A dog runs.", ""),
        ("<think>\nA cat? No.\n</think>\n\nA dog runs.", "A dog runs.", "A cat? No."),
        ("A cat? No.</think>A dog runs.", "A dog runs.", "A cat? No."),
        ("<think></think>\nA dog runs.", "A dog runs.", ""),
        ("<thinking>1</thinking><think>2</think>A dog.", "A dog.", "12"),
        ("◁think▷A cat?◁/think▷A dog.", "A dog.", "A cat?"),
        (
            "<|channel|>analysis<|message|>A cat?<|end|><|start|>assistant<|channel|>final"
            "<|message|>A dog.",
            "A dog.",
            "A cat?",
        ),
        ("<think>A cat, or", "", "A cat, or"),
        ("A sign reads <think> in red.", "A sign reads <think> in red.", ""),
    ],
)
def test_reasoning_is_apart_from_the_answer(text, answer, reasoning):
    assert separate_reasoning(text) == (answer, reasoning)


def test_reasoning_beside_the_text_is_kept_with_that_in_it():
    reply = answer_in("<think>A cat?</think>A dog.", "An animal.")
    assert (reply, reasoning_of(reply)) == ("A dog.", "An animal.\n\nA cat?")


@pytest.mark.parametrize("text", ["<think>A cat, or", "<think>A cat?</think>  "])
def test_reasoning_alone_is_a_failure_with_its_reason(text):
    with pytest.raises(BackendError, match="reasoned but gave no answer") as caught:
        answer_in(text)
    assert caught.value.code == "reasoning_alone"
