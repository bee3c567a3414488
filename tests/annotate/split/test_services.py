"""Submitting a split: two captions from one merged text, with the warnings that were left."""

from uuid import uuid4

import pytest

from annotate.errors import AnnotateError, DraftConflict, LeaseLost, WorkInvalid
from annotate.models import Assignment, AuditEvent, Caption, WorkItem
from annotate.split import services as splitting
from tests.cast import count_queries, make_clip
from tests.split_work import MERGED, hold_split, make_merged, submit_split
from tests.work import expire, fill_draft

pytestmark = pytest.mark.django_db

SPATIAL = f"{MERGED['overview']} The man wears a grey shirt."
TEMPORAL = f"{MERGED['overview']} He turns the melon twice."


@pytest.fixture
def held(project, anna):
    return hold_split(make_clip(project), anna)


def captions():
    return {c.kind: c for c in Caption.objects.filter(kind__in=["spatial", "temporal"])}


def checks(caption):
    return [(c["kind"], c["dismissed"]) for c in caption.checks]


def test_it_stores_both_captions_as_children_of_the_merged_text(held, anna):
    submit_split(held, spatial=f" {SPATIAL}\n", temporal=TEMPORAL)
    by_kind = captions()
    texts = {kind: c.text for kind, c in by_kind.items()}
    assert texts == {"spatial": SPATIAL, "temporal": TEMPORAL}
    merged = Caption.objects.get(source="merged")
    assert [list(c.parents.all()) for c in by_kind.values()] == [[merged], [merged]]
    assert {(c.author, c.source, c.assignment) for c in by_kind.values()} == {(anna, "human", held)}
    held.refresh_from_db()
    assert held.state == Assignment.State.SUBMITTED
    assert WorkItem.objects.get(pk=held.item_id).state == WorkItem.State.DONE
    assert AuditEvent.objects.filter(verb="submit").count() == 1


def test_a_clean_split_stores_no_warning(held):
    submit_split(held, spatial=SPATIAL, temporal=TEMPORAL)
    assert [c.checks for c in captions().values()] == [[], []]


def test_it_stores_each_warning_and_whether_it_was_dismissed(held):
    submit_split(
        held,
        spatial=f"{SPATIAL} A parrot jumps and lifts a zebra.",
        temporal="Red and wooden.",
        **{
            "keep-spatial-novel": "parrot\njumps",
            "keep-temporal-no-summary": "summary",
            "keep-temporal-object": "wooden",
        },
    )
    spatial, temporal = captions()["spatial"], captions()["temporal"]
    assert [(c["message"], c["dismissed"]) for c in spatial.checks] == [
        ("Spatial tells of motion: “jumps”, “lifts”; move it to temporal.", False),
        ("Spatial has words that Stage I does not contain: “zebra”; take them out.", False),
        (
            "Spatial has words that Stage I does not contain: “parrot”, “jumps”; take them out.",
            True,
        ),
    ]
    assert checks(temporal) == [
        ("no_summary", True),
        ("object", False),
        ("object", True),
        ("novel", False),
    ]
    for caption in (spatial, temporal):
        for check in caption.checks:
            for start, end in check["spans"]:
                assert caption.text[start:end]


def test_it_names_the_clip_that_reads_alike(project, ben, held):
    other = hold_split(make_clip(project), ben)
    submit_split(other, spatial=SPATIAL, temporal=TEMPORAL)
    submit_split(held, spatial=SPATIAL, temporal="He lifts one half.")
    stored = Caption.objects.get(assignment=held, kind="spatial").checks
    assert [(c["kind"], c["clip"], c["similarity"], c["dismissed"]) for c in stored] == [
        ("near_duplicate", other.item.clip.short_name, 1.0, False)
    ]


def test_a_kept_near_duplicate_is_dismissed(project, ben, held):
    other = hold_split(make_clip(project), ben)
    submit_split(other, spatial=SPATIAL, temporal=TEMPORAL)
    keep = {"keep-spatial-near-duplicate": other.item.clip.short_name}
    submit_split(held, spatial=SPATIAL, temporal=TEMPORAL, **keep)
    stored = {c.kind: checks(c) for c in Caption.objects.filter(assignment=held)}
    assert stored == {
        "spatial": [("near_duplicate", True)],
        "temporal": [("near_duplicate", False)],
    }


@pytest.mark.parametrize("nothing", ["", "  \n", "\u200b", "…!"])
@pytest.mark.parametrize("field", ["spatial", "temporal"])
def test_an_empty_text_is_refused_by_name(held, field, nothing):
    content = {"spatial": SPATIAL, "temporal": TEMPORAL, field: nothing}
    with pytest.raises(WorkInvalid) as refused:
        submit_split(held, **content)
    assert [(p.field, p.message) for p in refused.value.problems] == [
        (field, f"The {field} caption is empty. Write it from the sentences of the text.")
    ]
    assert captions() == {}


def test_undecided_sentences_do_not_hinder(held):
    submit_split(held, spatial=SPATIAL, temporal=TEMPORAL, **sentences(*all_of(MERGED)))
    assert len(captions()) == 2


def test_it_refuses_a_page_of_an_earlier_merged_text(held, emil):
    fields = sentences(*all_of(MERGED))
    make_merged(held.item.clip, emil, misc="The camera pans. The mood is calm.")
    with pytest.raises(AnnotateError, match="The merged text has changed"):
        submit_split(held, spatial=SPATIAL, temporal=TEMPORAL, **fields)
    assert captions() == {}
    held.refresh_from_db()
    assert held.state == Assignment.State.HELD


def test_the_same_submit_twice_is_one(held, anna):
    key = uuid4()
    for _ in range(2):
        splitting.submit_split(
            assignment_id=held.pk,
            annotator=anna,
            key=key,
            base_version=0,
            content={"spatial": SPATIAL, "temporal": TEMPORAL},
        )
    assert len(Caption.objects.filter(kind="spatial")) == 1
    assert AuditEvent.objects.filter(verb="submit").count() == 1


def test_a_late_submit_changes_nothing(held):
    expire(held)
    with pytest.raises(LeaseLost):
        submit_split(held, spatial=SPATIAL, temporal=TEMPORAL)
    assert captions() == {}


def test_a_submit_under_a_later_draft_is_a_conflict(held, anna):
    fill_draft(held, spatial="later")
    with pytest.raises(DraftConflict):
        splitting.submit_split(
            assignment_id=held.pk,
            annotator=anna,
            key=uuid4(),
            base_version=0,
            content={"spatial": SPATIAL, "temporal": TEMPORAL},
        )
    assert captions() == {}


def test_the_database_is_asked_equally_often_at_any_size(project, ben, anna):
    def submit(words, neighbors):
        for _ in range(neighbors):
            submit_split(hold_split(make_clip(project), ben), spatial=SPATIAL, temporal=TEMPORAL)
        held = hold_split(make_clip(project), anna)
        with count_queries() as count:
            splitting.submit_split(
                assignment_id=held.pk,
                annotator=anna,
                key=uuid4(),
                base_version=0,
                content={"spatial": words, "temporal": words},
            )
        return int(count)

    assert submit(SPATIAL, 1) == submit(f"{SPATIAL} A parrot runs. " * 20, 3)


def all_of(parts):
    """The sentences of parts whose sentences all end in a full stop."""
    return [f"{s.strip().rstrip('.')}." for part in parts.values() for s in part.split(". ")]


def sentences(*texts):
    return {f"sentence-{number}": text for number, text in enumerate(texts)}
