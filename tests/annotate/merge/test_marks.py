"""Contradictions are marked apart from words that only differ."""

from annotate.merge.marks import MarkedSpan, mark_contradictions
from annotate.text.diff import DiffSpan

SPANS = [
    DiffSpan("equal", "A "),
    DiffSpan("delete", "tall red"),
    DiffSpan("equal", " man in a redder coat."),
]


def test_only_the_contradicted_word_is_loud():
    assert mark_contradictions(SPANS, ["red"]) == [
        MarkedSpan("equal", "A "),
        MarkedSpan("delete", "tall "),
        MarkedSpan("contradiction", "red"),
        MarkedSpan("equal", " man in a redder coat."),
    ]


def test_of_a_phrase_the_words_that_both_have_stay_quiet_and_the_text_as_it_is():
    spans = mark_contradictions(SPANS, ["Red man in a redder", "not there"])
    assert [span.text for span in spans if span.op == "contradiction"] == ["red"]
    assert "".join(span.text for span in spans) == "".join(span.text for span in SPANS)


def test_the_same_words_in_another_order_are_marked_as_a_whole():
    spans = mark_contradictions(SPANS, ["a redder coat"])
    assert [span.text for span in spans if span.op == "contradiction"] == ["a redder coat"]
