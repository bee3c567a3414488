"""The form's fields of a verification, there and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.queue.content import read_content
from review.verification.content import EDGES, OK, THEMES, read_judgment
from review.verification.judgment import NO_FRAME, TYPES, Judgment, Missing, Verdict

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20).map(str.strip)
FRAME = st.integers(0, 10**9 - 1)
VERDICT = st.builds(
    Verdict,
    st.none() | st.frozensets(st.sampled_from(TYPES)),
    TEXT,
    st.booleans(),
    st.none() | st.tuples(FRAME, FRAME),
)
MISSING = st.builds(Missing, st.integers(0, 6), TEXT, FRAME, FRAME)
MISSINGS = st.lists(MISSING, unique_by=lambda missing: missing.place).map(
    lambda missings: tuple(sorted(missings, key=lambda missing: missing.place))
)
JUDGMENT = st.builds(
    Judgment,
    st.lists(VERDICT, min_size=6, max_size=6).map(tuple),
    MISSINGS,
    st.sampled_from([None, True, False]),
)


def judgment_content(judgment):
    """The fields of a form that says this."""
    content = {}
    for number, verdict in enumerate(judgment.verdicts):
        if verdict.types is not None:
            content[f"verdict-{number}"] = verdict.code or OK
        if verdict.correction:
            content[f"correction-{number}"] = verdict.correction
        if verdict.is_deleted:
            content[f"delete-{number}"] = "1"
        if verdict.span is not None:
            for edge, frame in zip(EDGES, verdict.span, strict=True):
                content[f"span-{number}-{edge}"] = str(frame)
    for missing in judgment.missing:
        content |= {
            f"missing-{missing.place}-text": missing.text,
            f"missing-{missing.place}-start": str(missing.start_frame),
            f"missing-{missing.place}-end": str(missing.end_frame),
        }
    for name, fits in THEMES.items():
        if judgment.fits_theme is fits:
            content["theme"] = name
    return content


@given(JUDGMENT)
def test_a_judgment_is_read_back_as_written(judgment):
    content = read_content(judgment_content(judgment))
    assert read_judgment(content, 6) == (judgment, [])


def test_a_sentence_without_its_field_is_undecided_and_ok_is_said():
    judgment, problems = read_judgment({"verdict-0": "ok", "theme": "off"}, 2)
    assert judgment == Judgment((Verdict(frozenset()), Verdict(None)), (), fits_theme=False)
    assert problems == []


def test_an_unknown_type_is_named_and_never_read_as_ok():
    judgment, [problem] = read_judgment({"verdict-1": "A#E"}, 2)
    assert judgment.verdicts[1].types is None
    assert problem.field == "verdict-1"
    assert problem.message == (
        "Sentence 2: “A#E” is not an error type; join A, B, C and D with #, as in A#B."
    )


@pytest.mark.parametrize("frame", ["", "-1", "1.5", "٣", "1e3", "9" * 40, "abc"])
def test_an_invalid_frame_is_none(frame):
    fields = {"missing-0-text": "A rope.", "missing-0-start": "5", "missing-0-end": frame}
    judgment, _ = read_judgment(fields, 1)
    assert judgment.missing == (Missing(0, "A rope.", 5, NO_FRAME),)


@pytest.mark.parametrize(
    ("start", "end", "span"),
    [
        ("", " ", None),
        ("5", "", (5, NO_FRAME)),
        ("", "5", (NO_FRAME, 5)),
        ("x", "", (NO_FRAME, NO_FRAME)),
    ],
)
def test_a_span_is_none_only_where_nothing_is_typed(start, end, span):
    fields = {"span-0-start": start, "span-0-end": end}
    assert read_judgment(fields, 1)[0].verdicts == (Verdict(None, span=span),)


def test_an_empty_missing_segment_is_none():
    fields = {"missing-0-text": " ", "missing-0-start": "", "missing-0-end": ""}
    assert read_judgment(fields, 1)[0].missing == ()


def test_a_missing_segment_beyond_the_text_is_refused():
    judgment, [problem] = read_judgment({"missing-3-text": "A rope."}, 2)
    assert judgment.missing == ()
    assert problem.message == (
        "A missing segment is placed before sentence 4, which does not exist. Insert it elsewhere."
    )
