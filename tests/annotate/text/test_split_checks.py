import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.text import lexicon
from annotate.text.parts import join_parts
from annotate.text.split_checks import SplitWarning, check_split, to_utf16
from tests.annotate.text.samples import ANNA

STAGE_ONE = join_parts(ANNA)
SUMMARY = ANNA["overview"]


def marked(kind, *, spatial="", temporal="", **fields):
    """The words that warnings of one kind mark, by field."""
    warnings = check_split(
        spatial=spatial,
        temporal=temporal,
        **{"stage_one": STAGE_ONE, "overview": SUMMARY, **fields},
    )
    texts = {"spatial": spatial, "temporal": temporal}
    return {
        warning.field: [texts[warning.field][start:end] for start, end in warning.spans]
        for warning in warnings
        if warning.kind == kind
    }


def test_a_clean_split_has_no_warning():
    temporal = (
        "This video shows a man slicing a watermelon. First, the man turns it clockwise with both "
        "hands and taps it twice. He then presses the knife into the middle and splits it."
    )
    spatial = f"{SUMMARY} {ANNA['objects']}"
    warnings = check_split(
        spatial=spatial, temporal=temporal, stage_one=STAGE_ONE, overview=SUMMARY
    )
    assert warnings == []


def test_an_empty_split_has_no_warning():
    assert check_split(spatial=" \n", temporal="", stage_one=STAGE_ONE) == []


def test_a_missing_summary_is_marked_as_the_first_sentence():
    spatial = " The window has yellow curtains. The wall is bare."
    warnings = check_split(spatial=spatial, temporal="", stage_one=STAGE_ONE, overview=SUMMARY)
    assert warnings[0] == SplitWarning(
        "spatial",
        "no_summary",
        "Spatial does not begin with a summary; say first what the video shows.",
        [(1, 32)],
    )


def test_the_overview_is_the_first_sentence_of_stage_one_unless_given():
    assert marked("no_summary", temporal="A man is slicing a watermelon.", overview="") == {}
    assert marked("no_summary", temporal="The camera zooms in.", overview="") != {}


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("The man runs to the left.", ["runs"]),
        ("A dog is jumping and rolled over.", ["jumping", "rolled"]),
        ("The camera zooms in.", ["zooms"]),
        ("She ran, swam and threw a ball.", ["ran", "swam", "threw"]),
        ("He stands, sits, holds a cup and wears a hat. A mat lies there.", []),
        ("There is a cutting board, running shoes and a swimming pool.", []),
        ("The sliced fruit is next to a folded towel.", []),
        ("Three copper pans and a swing hang there.", []),
        ("A sign reads STOP, RUN and DIVE 2; RUN's red. A man runs.", ["runs"]),
        ("It says “run and jump”, \"jump\" and 'no diving'. The man's dog jumps.", ["jumps"]),
        ("The 5\" board of the man's dog runs past the boys' hut.", ["runs"]),
    ],
)
def test_motion_words_in_spatial_are_marked(sentence, words):
    marked_words = marked("motion", spatial=f"{SUMMARY} {sentence}")
    assert marked_words == ({"spatial": words} if words else {})


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ('The words RED CAR and "blue bowl" fade in on a red bowl.', ["red"]),
        ("He lifts the red bowl.", ["red"]),
        ("He takes off his striped T-shirt.", ["striped", "shirt"]),
        ("The wooden board in the background falls.", ["wooden", "background"]),
        ("A watermark appears.", ["watermark"]),
        ("He peels an orange.", []),
        ("He peels an orange melon.", ["orange"]),
        ("He lifts it with his left hand and quickly turns.", []),
    ],
)
def test_object_words_in_temporal_are_marked(sentence, words):
    marked_words = marked("object", temporal=f"{SUMMARY} {sentence}")
    assert marked_words == ({"temporal": words} if words else {})


def test_the_summary_may_name_motion_and_objects():
    summary = "This video shows a man in a red shirt running."
    fields = {"spatial": summary, "temporal": summary, "overview": summary}
    assert marked("motion", **fields) == marked("object", **fields) == {}


def test_words_that_stage_one_lacks_are_marked_up_to_inflection():
    spatial = f"{SUMMARY} Two bowls and 7 knives lie on boards. A parrot sits there."
    assert marked("novel", spatial=spatial) == {"spatial": ["7", "parrot", "sits"]}


def test_the_clip_with_nearly_the_same_description_is_named():
    temporal = f"{SUMMARY} He turns it and splits it in one cut."
    neighbors = {
        "clip 7": ("", f"{SUMMARY} He turns it and splits it in one forceful cut."),
        "clip 8": (temporal, "A dog catches a ball in the park and brings it back."),
    }
    duplicates = [
        warning
        for warning in check_split(
            spatial="", temporal=temporal, stage_one=STAGE_ONE, neighbors=neighbors
        )
        if warning.kind == "near_duplicate"
    ]
    # 21 and 22 words have 19 and 20 runs of three, of which 18 are shared: 18 of 21.
    assert duplicates == [
        SplitWarning(
            "temporal",
            "near_duplicate",
            "Temporal is 86% the same as that of clip 7; add what only this clip shows.",
            [(0, len(temporal))],
            clip="clip 7",
            similarity=0.8571,
        )
    ]


def test_javascript_gets_utf16_ranges():
    assert to_utf16("a😀b é", [(0, 1), (1, 2), (2, 3), (4, 5)]) == [(0, 1), (1, 3), (3, 4), (5, 6)]


@given(st.text())
def test_utf16_ranges_cut_out_the_same_text(text):
    spans = [(i, len(text)) for i in range(len(text) + 1)]
    encoded = text.encode("utf-16-le")
    assert [
        encoded[2 * start : 2 * end].decode("utf-16-le") for start, end in to_utf16(text, spans)
    ] == [text[start:end] for start, end in spans]


@given(st.text(), st.text(), st.text())
def test_every_mark_lies_inside_its_field(spatial, temporal, stage_one):
    texts = {"spatial": spatial, "temporal": temporal}
    neighbors = {"other": (temporal, spatial)}
    for warning in check_split(
        spatial=spatial, temporal=temporal, stage_one=stage_one, neighbors=neighbors
    ):
        assert warning.spans
        for start, end in warning.spans:
            assert 0 <= start < end <= len(texts[warning.field])


def test_no_static_verb_counts_as_motion():
    assert not lexicon.MOTION & {"stand", "sit", "hold", "wear", "lie", "rest", "hang"}
