"""The annotation table: exported, imported into another project, and exported again."""

import io
import re

import pytest

from annotate.models import AuditEvent, Caption
from annotate.search.services import TASK as INDEX_CAPTIONS
from review.annotation_table.csv_format import annotation_lines
from review.annotation_table.exchange import import_annotations
from review.annotation_table.marks import Marks
from review.annotation_table.reading import TableInvalid
from review.errors import ReviewError
from review.studies.models import Study
from review.verification.models import Verification
from tests.cast import count_queries, make_cast, make_clip, make_project
from tests.hand_work import machine_caption
from tests.review.verification.verifying import (
    ALL_OK,
    CAPTION,
    MENDED,
    MENDED_TEXT,
    hold_verification,
    verified,
    verify,
)

PLAIN = Marks()
OFF = {**ALL_OK, "verdict-2": "D", "delete-2": "1", "theme": "off"}
HEADER = (
    "Clip,Annotator,Kind,Caption,Type,Correction,Start frame,End frame,"
    "Theme,Content errors,Sentences with content errors,Topic errors\r\n"
)


def table(project, marks=PLAIN):
    return "".join(annotation_lines(project, marks))


def load(project, text, marks=PLAIN):
    return import_annotations(project=project, lines=io.StringIO(text, newline=""), marks=marks)


def clips_of(project, *names):
    return [make_clip(project, original_name=f"{name}.mp4") for name in names]


@pytest.fixture(scope="module")
def made(kept):
    project, elsewhere = make_project(), make_project("Elsewhere")
    world = {"project": project, **make_cast(project), "elsewhere": elsewhere}
    clips_of(elsewhere, "door", "rope", "film")
    world["annotated"] = make_annotated(world["anna"], world["rita"])
    return world


@pytest.fixture
def elsewhere(shared):
    """Another project with the same clips and nothing else."""
    return shared["elsewhere"]


@pytest.fixture
def annotated(shared):
    return shared["annotated"]


def make_annotated(anna, rita):
    project = make_project("Annotated")
    door, rope, film = clips_of(project, "door", "rope", "film")
    verified(rita, door)
    verified(anna, rope, ALL_OK)
    strange = 'הוא, "הולך".\r\n<b>=He</b> runs 😀! First\u200b one. A dog; barks.'
    verified(anna, film, OFF, text=strange)
    return project


def test_it_is_the_papers_form(project, rita):
    [door] = clips_of(project, "door")
    verified(rita, door)
    assert table(project) == HEADER + (
        'door,1,general,"A man opens a door. <MISSING><<He wears a red cap.>> '
        '<<It is a door.>>\n\nA dog barks.",C,He climbs a rope.,25,125,ok,3,2,0\r\n'
        "door,1,,,A#C,His cap is orange.,,,,,,\r\n"
        "door,1,,,B,0,,,,,,\r\n"
    )


def test_a_clean_caption_has_one_row(project, rita):
    [door] = clips_of(project, "door")
    verified(rita, door, ALL_OK, text="One. Two. Three. Four.")
    assert table(project) == HEADER + "door,1,general,One. Two. Three. Four.,,,,,ok,0,0,0\r\n"


@pytest.mark.parametrize("marks", [Marks(), Marks("⟦", "⟧", "⟨?⟩")])
def test_an_imported_table_is_exported_unchanged(annotated, elsewhere, marks):
    before = table(annotated, marks)
    stored = load(elsewhere, before, marks)
    assert len(stored) == 3
    assert table(elsewhere, marks) == before


def test_the_frames_of_a_marked_sentence_are_exported_and_imported(project, elsewhere, rita):
    [door] = clips_of(project, "door")
    spans = {"span-0-start": "0", "span-0-end": "9", "span-2-start": "10", "span-2-end": "30"}
    verified(rita, door, MENDED | spans)
    before = table(project)
    assert before.endswith("door,1,,,A#C,His cap is orange.,,,,,,\r\ndoor,1,,,B,0,10,30,,,,\r\n")
    [stored] = load(elsewhere, before)
    assert stored.verdicts.get(number=2).end_frame == 30
    assert table(elsewhere) == before


def test_an_import_makes_the_captions_and_their_corrections(annotated, elsewhere):
    load(elsewhere, table(annotated))
    first = Verification.objects.filter(caption__project=elsewhere).first()
    assert (first.caption.text, first.caption.source) == (CAPTION, "imported")
    assert (first.corrected.text, first.corrected.source) == (MENDED_TEXT, "corrected")
    assert first.corrected.parents.get() == first.caption
    assert (first.label, first.reviewer) == ("1", None)
    event = AuditEvent.objects.get(verb="import_annotations")
    assert event.after == {"verifications": 3}


def test_an_existing_machine_caption_is_reused(annotated, elsewhere):
    there = machine_caption(elsewhere.clips.get(name="door"), CAPTION)
    stored = load(elsewhere, table(annotated))
    assert stored[0].caption == there


def test_a_new_person_gets_a_number_after_the_imported_ones(annotated, elsewhere, anna):
    stored = load(elsewhere, table(annotated))
    caption = machine_caption(elsewhere.clips.get(name="rope"), "One. Two. Three. Four.")
    verify(hold_verification(anna, caption), caption, ALL_OK)
    assert [v.label for v in stored] == ["1", "2", "2"]
    assert table(elsewhere).splitlines()[-1].startswith("rope,3,general,")


def test_the_same_table_twice_is_refused_and_changes_nothing(annotated, elsewhere):
    text = table(annotated)
    load(elsewhere, text)
    with pytest.raises(TableInvalid) as refused:
        load(elsewhere, text)
    assert list(map(str, refused.value.faults)) == [
        "Row 2, Annotator: 1 has verified this caption already.",
        "Row 5, Annotator: 2 has verified this caption already.",
        "Row 6, Annotator: 2 has verified this caption already.",
    ]
    assert Verification.objects.filter(caption__project=elsewhere).count() == 3


FIRST = '"<<One.>> Two."'


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (f"gate,1,general,{FIRST},A,New.,,,ok,,,",
         "Row 2, Clip: the project has no clip “gate”. Import its video first."),
        (f"door,,general,{FIRST},A,New.,,,ok,,,",
         "Row 2, Annotator: name the annotator in 1 to 60 characters."),
        (f"door,1,poem,{FIRST},A,New.,,,ok,,,",
         "Row 2, Kind: “poem” is not one of general, full_video."),
        (f"door,1,general,{FIRST},A,New.,,,fine,,,",
         "Row 2, Theme: “fine” must be ok or off."),
        (f"door,1,general,{FIRST},E,New.,,,ok,,,",
         "Row 2, Type: “E” is not an error type; join A, B, C and D with #, as in A#B."),
        (f"door,1,general,{FIRST},A,0,,,ok,,,",
         "Row 2, Correction: Sentence 1 is deleted, but is not redundant or off topic: "
         "mark it B or D, or keep it."),
        (f"door,1,general,{FIRST},A,New.,,,ok,7,,",
         "Row 2, Content errors: “7” is given, but the rows have 1."),
        ("door,1,general,<<One. Two.,A,New.,,,ok,,,",
         "Row 2, Caption: << has no >> behind it."),
        ("door,1,general,<<One. Two.>>,A,New.,,,ok,,,",
         "Row 2, Type: put the marks directly before and after one sentence."),
        (f"door,1,general,{FIRST},A,New.,,,ok,,,\ndoor,1,,,A,Newer.,,,,,,",
         "Row 2, Caption: 1 marks, but 2 rows for them."),
        ("door,1,,,A,New.,,,ok,,,",
         "Row 2, Caption: fill it in the first row of the caption."),
        ("door,1,general,<MISSING><<One.>> Two.,C,Rope.,0,x,ok,,,\ndoor,1,,,C,,,,,,,",
         "Row 2, End frame: “x” is not a frame; count from 0 at the clip's start."),
        ("door,1,general,<MISSING><<One.>> Two.,C,Rope.,0,20,ok,,,\ndoor,1,,,A#C,,,,,,,",
         "Row 2, Start frame: The missing segment before sentence 1 lasts 0.8 s, but C needs "
         "at least 3 s: choose a longer span, or remove it."),
        (f"door,1,general,{FIRST},A,New.,7,,ok,,,",
         "Row 2, Start frame: Sentence 1 has only one of start and end frame: set both, or clear "
         "both."),
        (f"door,1,general,{FIRST},A,New.,,,off,,,",
         "Row 2, Theme: The caption is off topic, but no sentence has D: mark the "
         "sentences that are off topic D."),
        (f"door,1,general,{FIRST},C,,,,ok,,,",
         "Row 2, Type: Sentence 1 is marked C but has no missing segment: insert the missing "
         "content before or after it, or remove C."),
        ("door,1,general,<<One.>>,B,0,,,ok,,,",
         "Row 2, Caption: The corrected caption would be empty: correct at least one sentence, or "
         "insert missing content."),
        ("door,1,general,<MISSING>,C,Rope.,0,100,ok,,,",
         "Row 2, Caption: the caption has no sentence; write one."),
        ("door,1,general,<MISSING><MISSING><<One.>>,C,Rope.,0,90,ok,,,\n"
         "door,1,,,C,Rope.,0,90,,,,\ndoor,1,,,C,,,,,,,",
         "Row 3, Caption: two placeholders are at one place; join them."),
        ("door,1,general,<<One.>> <<Two.>>,A,New.,,,ok,,,\n\nrope,1,,,A,Newer.,,,,,,",
         "Row 4, Clip: this row starts another clip or annotator but has no Caption."),
        ("door,1,general,<<One.>> <<Two.>>,A,New.,,,ok,,,\n\ndoor,1,,,A,,,,,,,",
         "Row 4, Correction: Sentence 2 is marked A: write the corrected sentence."),
    ],
)  # fmt: skip
def test_a_bad_row_is_named_with_its_field_and_nothing_is_stored(elsewhere, rows, problem):
    with pytest.raises(TableInvalid) as refused:
        load(elsewhere, HEADER + rows + "\n")
    assert str(refused.value.faults[0]) == problem
    assert Caption.objects.filter(project=elsewhere).count() == 0


def test_every_bad_row_is_named_and_no_good_one_is_stored(elsewhere):
    good = "rope,1,general,One.,,,,,ok,,,"
    bad = "gate,1,general,One.,,,,,ok,,,"
    with pytest.raises(TableInvalid) as refused:
        load(elsewhere, "\n".join([HEADER.strip(), good, bad, good, bad]))
    assert [fault.row for fault in refused.value.faults] == [3, 4, 5]
    assert Verification.objects.filter(project=elsewhere).count() == 0


@pytest.mark.parametrize("text", ["", "Clip,Type\n"])
def test_a_table_without_its_columns_says_which(elsewhere, text):
    with pytest.raises(TableInvalid) as refused:
        load(elsewhere, text)
    assert re.match(r"Row 1: the column (Clip|Annotator) is missing\.", refused.value.printed()[0])


def test_a_table_saved_by_a_spreadsheet_is_read(annotated, elsewhere):
    assert len(load(elsewhere, "\ufeff" + table(annotated))) == 3


def test_a_caption_that_contains_a_mark_needs_other_marks(project, rita):
    [door] = clips_of(project, "door")
    verified(rita, door, ALL_OK, text="One << two. Two. Three. Four.")
    with pytest.raises(ReviewError) as refused:
        table(project)
    assert str(refused.value) == (
        "The caption of door can't be exported: its text contains <<, >> or <MISSING>; "
        "choose other marks."
    )
    assert "One << two." in table(project, Marks("⟦", "⟧", "⟨?⟩"))


def test_an_export_takes_as_many_queries_for_more_clips(project, anna):
    def queries():
        anew = type(project).objects.get(pk=project.pk)  # as a request has it
        with count_queries() as count:
            table(anew)
        return count

    clips = clips_of(project, "a", "b", "c")
    verified(anna, clips[0])
    queries_of_one = queries()
    for clip in clips[1:]:
        verified(anna, clip)
    assert int(queries()) == int(queries_of_one)


def test_a_cell_that_a_spreadsheet_would_run_is_escaped_and_read_back(project, elsewhere, rita):
    [door] = clips_of(project, "door")
    formulas = ALL_OK | {"verdict-1": "A", "correction-1": "-He wears a blue cap."}
    verified(rita, door, formulas, text="=SUM(A1) runs. He wears a red cap. Three. Four.")
    before = table(project)
    assert ",'=SUM(A1) runs. <<He" in before
    assert ",'-He wears a blue cap.," in before
    [stored] = load(elsewhere, before)
    assert stored.caption.text == "=SUM(A1) runs. He wears a red cap. Three. Four."
    assert stored.verdicts.get(number=1).correction == "-He wears a blue cap."
    assert table(elsewhere) == before


def test_rows_that_can_not_be_stored_or_read_are_named(elsewhere):
    nul = "door,1,general,One.\0,,,,,ok,,,\n"
    with pytest.raises(TableInvalid) as refused:
        load(elsewhere, HEADER + nul)
    assert refused.value.printed()[0].startswith(
        "Row 2, Caption: remove the character that can't be"
    )
    endless = "door,1,general," + "x" * 10_000_001 + ",,,,,ok,,,\n"
    with pytest.raises(TableInvalid) as refused:
        load(elsewhere, HEADER + endless)
    assert refused.value.printed()[0].startswith("Row 2: A cell has more than 10,000,000")


def test_an_import_of_sixty_rows_takes_few_statements(annotated, elsewhere):
    rows = [f"door,{n},general,One.,,,,,ok,,,\n" for n in range(60)]
    with count_queries() as count:
        assert len(load(elsewhere, HEADER + "".join(rows))) == 60
    assert Caption.objects.filter(project=elsewhere).count() == 1
    assert count <= 22


def test_a_fault_at_the_end_of_a_long_table_undoes_all_of_it(annotated, elsewhere):
    rows = [f"door,{n},general,One.,,,,,ok,,,\n" for n in range(60)]
    with pytest.raises(TableInvalid):
        load(elsewhere, HEADER + "".join([*rows, "gate,1,general,One.,,,,,ok,,,\n"]))
    assert not Caption.objects.filter(project=elsewhere).exists()


def test_imported_labels_reach_the_threshold_study(
    project, rita, elsewhere, django_capture_on_commit_callbacks
):
    [door] = clips_of(project, "door")
    verified(rita, door)
    Study.objects.create(project=elsewhere, kind="threshold", people=1, strata=1, scorer="s")
    with django_capture_on_commit_callbacks() as later:
        load(elsewhere, table(project))
    # The search index, too, is told of new captions, unless it was within the last seconds.
    names = {call.args[-1] for call in later if call.args}
    assert names - {INDEX_CAPTIONS} == {"agreement", "threshold"}
