import pytest

from annotate.text.parts import PARTS, Problem, check_parts, join_parts
from annotate.text.words import count_words
from tests.annotate.text.samples import ANNA, BEN

LIMITS = {"min_words": 150, "max_words": 300}


def test_the_samples_are_complete_write_ups():
    assert check_parts(ANNA, **LIMITS) == []
    assert check_parts(BEN, **LIMITS) == []


def test_the_caption_is_the_parts_in_order():
    parts = {"misc": "Calm.\n", "actions": " He  runs. ", "overview": "A man.", "objects": " \n"}
    assert join_parts(parts) == "A man. He  runs. Calm."
    assert join_parts({}) == ""


def test_the_caption_has_as_many_words_as_its_parts():
    assert count_words(join_parts(ANNA)) == sum(count_words(text) for text in ANNA.values())


@pytest.mark.parametrize(
    ("part", "text", "message"),
    [
        ("overview", "", "Overview is empty; write 1 sentence that sums up the video."),
        ("overview", "One. Two.", "Overview has 2 sentences; write exactly 1."),
        ("overview", "A line\nand a line", "Overview has 2 sentences; write exactly 1."),
        ("objects", " \n ", "Objects is empty; write what can be seen."),
        ("objects", "...", "Objects is empty; write what can be seen."),
        ("actions", "\u200b", "Actions is empty; write what happens, in order."),
        ("misc", "", "Misc is empty; write 2 to 4 sentences on viewpoint, style and mood."),
        ("misc", "It is calm.", "Misc has 1 sentence; write 2 to 4."),
        ("misc", "One. Two. Three. Four. Five.", "Misc has 5 sentences; write 2 to 4."),
    ],
)
def test_a_problem_names_the_part_and_what_to_do(part, text, message):
    problems = check_parts({**ANNA, part: text}, min_words=0, max_words=300)
    assert problems == [Problem(part, message)]


def test_the_budget_is_that_of_the_whole_text():
    words = count_words(join_parts(ANNA))
    assert check_parts(ANNA, min_words=words, max_words=words) == []
    assert check_parts(ANNA, min_words=words + 1, max_words=300) == [
        Problem(
            "",
            f"The whole text has {words} words; write 1 more (allowed: {words + 1} to 300).",
        )
    ]
    assert check_parts(ANNA, min_words=1, max_words=words - 2) == [
        Problem("", f"The whole text has {words} words; take 2 out (allowed: 1 to {words - 2}).")
    ]


def test_an_empty_write_up_names_every_part_and_the_whole():
    problems = check_parts({}, **LIMITS)
    assert [problem.field for problem in problems] == [*PARTS, ""]
    assert problems[-1].message == (
        "The whole text has 0 words; write 150 more (allowed: 150 to 300)."
    )


def test_an_unknown_part_is_refused_rather_than_dropped():
    with pytest.raises(ValueError, match="Unknown part 'object'; the parts are overview, objects"):
        join_parts({"object": "A cup."})
    with pytest.raises(ValueError, match="Unknown part"):
        check_parts({"object": "A cup."}, **LIMITS)
