import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.text import merging
from annotate.text.merging import (
    Row,
    WriteUpText,
    merged_parts,
    merged_spans,
    origins_by_row,
    provenance,
)
from annotate.text.parts import PARTS, join_parts
from annotate.text.spans import make_spans
from tests.annotate.text.samples import ANNA, BEN

SENTENCE = st.sampled_from(
    ["A man runs.", "The man runs fast.", "A dog barks.", "It is red.", "It is.", "A car stops!"]
)
PROSE = st.lists(SENTENCE | st.text(max_size=15), max_size=5).map(" ".join)
WRITE_UP = st.dictionaries(st.sampled_from(PARTS), PROSE)
TEXTS = st.lists(SENTENCE | st.text(max_size=10), max_size=8)


def row(text, a=None, b=None, a_text="", b_text=""):
    return Row(a=a, b=b, a_text=a_text, b_text=b_text, text=text)


def propose_rows(a, b):
    return merging.propose_rows(WriteUpText(a), WriteUpText(b))


def realign_rows(rows, a, b):
    return merging.realign_rows(rows, WriteUpText(a), WriteUpText(b))


def current_rows(rows, a, b):
    return merging.current_rows(rows, WriteUpText(a), WriteUpText(b))


def timed(*sentences):
    """The text of these sentences with their frames, all in the part Actions."""
    text = " ".join(sentence for sentence, _ in sentences)
    return WriteUpText({"actions": text}, make_spans(text, sentences))


def texts(rows, part):
    return [row["text"] for row in rows[part] if row["text"].strip()]


def test_each_sentence_of_both_is_in_one_row():
    rows = propose_rows(ANNA, BEN)
    assert list(rows) == list(PARTS)
    assert rows["overview"] == [
        row("", a=0, b=0, a_text=ANNA["overview"], b_text=BEN["overview"]),
    ]
    for part in PARTS:
        assert " ".join(r["a_text"] for r in rows[part] if r["a"] is not None) == ANNA[part]
        assert " ".join(r["b_text"] for r in rows[part] if r["b"] is not None) == BEN[part]


def test_the_merged_text_is_the_rows_in_order():
    rows = {"misc": [row(" One. "), row(""), row("Two.\n")], "overview": [row("A man.")]}
    assert merged_parts(rows) == {
        "overview": "A man.",
        "objects": "",
        "actions": "",
        "misc": "One. Two.",
    }


def test_a_text_follows_its_sources_when_an_author_inserts_a_sentence():
    rows = propose_rows(ANNA, BEN)
    rows["actions"][1]["text"] = "Then he splits the fruit."
    rewritten = {**ANNA, "actions": "The camera shakes. " + ANNA["actions"]}
    again = realign_rows(rows, rewritten, BEN)
    (kept,) = [r for r in again["actions"] if r["text"]]
    assert (kept["a"], kept["b"], kept["text"]) == (2, 1, "Then he splits the fruit.")


def test_a_text_whose_sources_are_gone_keeps_its_place_in_a_row_of_its_own():
    rows = propose_rows({"misc": "A dog barks. It rains hard."}, {})
    rows["misc"][0]["text"] = "The dog is loud."
    rows["misc"][1]["text"] = "Rain falls."
    again = realign_rows(rows, {"misc": "It rains very hard. Someone sings."}, {})
    assert again["misc"] == [
        row("The dog is loud."),
        row("Rain falls.", a=0, a_text="It rains very hard."),
        row("", a=1, a_text="Someone sings."),
    ]


@given(WRITE_UP, WRITE_UP, st.dictionaries(st.sampled_from(PARTS), TEXTS), WRITE_UP, WRITE_UP)
def test_no_merged_text_is_ever_lost(a, b, written, new_a, new_b):
    rows = propose_rows(a, b)
    for part, part_texts in written.items():
        for place, text in enumerate(part_texts):
            if place < len(rows[part]):
                rows[part][place]["text"] = text
            else:
                rows[part].append(row(text))
    again = realign_rows(rows, new_a, new_b)
    bare = propose_rows(new_a, new_b)
    for part in PARTS:
        assert texts(again, part) == texts(rows, part)
        sourced = [{**r, "text": ""} for r in again[part] if (r["a"], r["b"]) != (None, None)]
        assert sourced == bare[part]
    assert realign_rows(again, new_a, new_b).keys() == again.keys()
    assert merged_parts(again) == merged_parts(rows)


def test_provenance_names_the_source_of_each_sentence():
    a_text = "The man wears a red shirt and a silver watch."
    b_text = "The man is wearing a blue shirt."
    both = "He nods."
    rows = {
        "objects": [
            row(f"{a_text}  {b_text}", a=0, b=0, a_text=a_text, b_text=b_text),
            row("He  nods.", a=1, b=1, a_text=both, b_text=both),
            row("The man wears a red shirt, a silver watch and a ring. A parrot screams."),
        ]
    }
    assert [(o["origin"], o["a"], o["b"]) for o in provenance(rows)] == [
        ("a", 0, None),
        ("b", None, 0),
        ("both", 1, 1),
        ("edited", 0, None),
        ("new", None, None),
    ]
    assert [o["text"] for o in provenance(rows)][2] == "He  nods."
    assert {o["part"] for o in provenance(rows)} == {"objects"}


def test_changing_only_function_words_is_an_edit():
    rows = {"misc": [row("A dog barks.", a=0, a_text="The dog barks.")]}
    assert provenance(rows) == [
        {"part": "misc", "text": "A dog barks.", "origin": "edited", "a": 0, "b": None}
    ]


def test_an_unknown_part_is_refused_rather_than_lost():
    for work in (merged_parts, provenance, lambda rows: realign_rows(rows, {}, {})):
        with pytest.raises(ValueError, match="Unknown part 'style'"):
            work({"style": [row("Calm.")]})


def test_two_single_sentences_are_put_side_by_side_whatever_they_say():
    rows = propose_rows({"overview": "A man runs."}, {"overview": "Cats sleep here."})
    assert [(r["a"], r["b"]) for r in rows["overview"]] == [(0, 0)]


def test_rows_keep_the_order_that_somebody_gave_them():
    rows = propose_rows(ANNA, BEN)
    rows["actions"].reverse()
    rows["misc"].insert(1, row("Only I saw this."))
    assert current_rows(rows, ANNA, BEN) == rows


def test_only_the_part_that_an_author_rewrote_is_aligned_anew():
    rows = propose_rows(ANNA, BEN)
    for part in ("objects", "actions"):
        rows[part].reverse()
        rows[part][0]["text"] = f"Of {part}."
    rewritten = {**ANNA, "actions": "The camera shakes. " + ANNA["actions"]}
    again = current_rows(rows, rewritten, BEN)
    assert again["objects"] == rows["objects"]
    assert [r["a"] for r in again["actions"] if r["a"] is not None] == list(range(6))
    assert texts(again, "actions") == ["Of actions."]


def test_a_row_that_holds_nothing_is_left_out_and_one_with_replaced_text_is_not():
    empty, replaced = row(" "), {**row(""), "before": '["Typed."]'}
    assert current_rows({"misc": [empty, replaced]}, {}, {})["misc"] == [replaced]


def test_replaced_texts_go_where_the_text_of_their_row_goes():
    rows = propose_rows(ANNA, BEN)
    rows["actions"][1].update(text="Then he splits it.", before='["Typed."]')
    rows["actions"][2]["before"] = '["Cleared."]'
    rewritten = {**ANNA, "actions": "The camera shakes. " + ANNA["actions"]}
    again = current_rows(rows, rewritten, BEN)["actions"]
    assert [(r["a"], r["text"], r["before"]) for r in again if "before" in r] == [
        (2, "Then he splits it.", '["Typed."]'),
        (3, "", '["Cleared."]'),
    ]


@given(WRITE_UP, WRITE_UP, st.dictionaries(st.sampled_from(PARTS), TEXTS), WRITE_UP, WRITE_UP)
def test_current_rows_lose_no_text_and_show_each_sentence_once(a, b, written, new_a, new_b):
    rows = propose_rows(a, b)
    for part, part_texts in written.items():
        rows[part] = [row(text) for text in part_texts] + rows[part][::-1]
    again = current_rows(rows, new_a, new_b)
    assert merged_parts(again) == merged_parts(rows)
    bare = propose_rows(new_a, new_b)
    for part in PARTS:
        for side in ("a", "b"):
            sentences = sorted(
                (r[side], r[f"{side}_text"]) for r in again[part] if r[side] is not None
            )
            expected = [(r[side], r[f"{side}_text"]) for r in bare[part] if r[side] is not None]
            assert sentences == sorted(expected)


def test_the_origins_by_row_are_the_provenance_in_order():
    rows = propose_rows(ANNA, BEN)
    for part in PARTS:
        for r in rows[part]:
            r["text"] = r["b_text"] + " Nobody wrote this."
    by_row = origins_by_row(rows)
    assert [o for part in PARTS for of_row in by_row[part] for o in of_row] == provenance(rows)
    assert [len(by_row[part]) for part in PARTS] == [len(rows[part]) for part in PARTS]


def test_frames_align_what_shares_no_word():
    a = timed(("A girl leaps.", (30, 60)), ("Spray rises.", None))
    b = timed(("The crowd waits.", (0, 20)), ("Someone jumps down.", (32, 61)))
    rows = merging.propose_rows(a, b)["actions"]
    assert ("A girl leaps.", "Someone jumps down.") in [(r["a_text"], r["b_text"]) for r in rows]
    assert ("A girl leaps.", "Someone jumps down.") not in [
        (r["a_text"], r["b_text"]) for r in propose_rows(a.parts, b.parts)["actions"]
    ]


def test_equal_words_at_another_time_align_with_those_of_their_time():
    dives = "She dives."
    rows = merging.propose_rows(
        timed((dives, (0, 10)), (dives, (40, 50))), timed((dives, (41, 50)), ("It rains.", None))
    )["actions"]
    assert [(row["a"], row["b"]) for row in rows] == [(0, None), (1, 0), (None, 1)]


def test_a_merged_sentence_has_the_frames_of_those_it_is_made_of():
    a = timed(("A man runs home.", (0, 10)), ("It is red.", (50, 60)), ("He sings.", None))
    b = timed(("A man runs home.", (5, 20)), ("A dog barks.", (30, 40)))
    merged = ["A man runs home.", "A dog barks loudly.", "He sings.", "All is quiet."]
    proposed = merging.propose_rows(a, b)
    proposed["actions"] += [row(text) for text in merged]
    text = join_parts(merged_parts(proposed))
    spans = merged_spans(text, provenance(proposed), a, b)
    assert [
        (text[s["text_start"] : s["text_end"]], s["start_frame"], s["end_frame"]) for s in spans
    ] == [("A man runs home.", 0, 20), ("A dog barks loudly.", 30, 40)]
