"""Captions that give their model away."""

import pytest

from review.rounds.entries import words_naming


@pytest.mark.parametrize(
    ("text", "names", "words"),
    [
        ("As Qwen2.5-VL-7B, I see a dog.", ["Qwen2.5-VL-7B"], "Qwen2.5-VL-7B"),
        ("as qwen 2.5 vl 7b I see a dog.", ["Qwen2.5-VL-7B"], "qwen 2.5 vl 7b"),
        ("I am Qwen, a model by Alibaba.", ["Qwen2.5-VL-7B"], "Qwen"),
        ("I am qwen, a model.", ["Qwen2.5-VL-7B"], "qwen"),
        ("I am qwen2, a model.", ["QwenVL-7B"], "qwen2"),
        ("LLaVA says: a dog", ["LLaVANeXT"], "LLaVA"),
        ("As gpt I see a dog.", ["GPT-4o"], "gpt"),
        ("Phi says: a dog", ["Phi-4"], "Phi"),
        ("KIMI sees a dog.", ["KimiVL"], "KIMI"),
        ("Described by GPT-4o.", ["gpt-4o-mini"], "GPT-4o"),
        ("A dog. (InternVL2)", ["InternVL2.5 8B"], "InternVL2"),
        ("A report of the Heron Draft about it", ["Heron Draft"], "Heron Draft"),
        ("<b>LLaVA</b> says: a dog", ["llava-onevision"], "LLaVA"),
    ],
)
def test_it_finds_the_words_that_name_the_model(text, names, words):
    assert words_naming(text, names) == words


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A heron drafts over the water in a rough draft.", ["Heron Draft", "Draft"]),
        ("I am Qwen.", ["GPT-4o"]),  # of another model: confusing, but no name of its own
        ("A phi symbol on a wall, and an aria is sung.", ["Phi-4", "Aria"]),
        ("A llama and a flamingo stand in a vila.", ["Llama-3.2", "Flamingo", "VILA-8B"]),
        ("A man walks a dog.", ["A"]),
        ("7 dogs, 4 of them black", ["7", "4o-"]),
        ("gptx and requwen", ["GPT-4o", "Qwen"]),
        ("", ["Qwen"]),
        ("A dog.", ["", "  ", "?!"]),
    ],
)
def test_it_takes_no_common_word_for_a_name(text, names):
    assert words_naming(text, names) == ""
