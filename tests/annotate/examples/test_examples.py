"""Examples in a guideline, their versions, and the work that they hold back."""

import pytest
from django.db import DatabaseError, transaction

from annotate.errors import AnnotateError, LeaseLost
from annotate.examples.queries import finished_work, held_back
from annotate.examples.services import (
    MAX_EXAMPLES,
    add_example,
    change_example,
    move_example,
    remove_example,
    restore_examples,
)
from annotate.guidelines.versions import shown_examples
from annotate.kinds import all_kinds
from annotate.models import GuidelineExample, GuidelineVersion, WorkItem
from annotate.projects.services.projects import change_project
from annotate.queue.services import claim_next, claimable_by, take_again
from annotate.queue.work_kinds import work_kind
from tests.cast import make_clip
from tests.work import expire, hold, make_work, submit_write_up

pytestmark = pytest.mark.django_db


def add(project, admin, clip=None, text="A diver jumps.", **fields):
    values = {"kind": "write", "is_good": True, "comment": "It names everything."}
    return add_example(
        project=project,
        clip=clip or make_clip(project),
        parts=[("Overview", text), ("Misc", " ")],
        admin=admin,
        **{**values, **fields},
    )


def shown_example_keys(project, kind="write"):
    return [example.pk for example in shown_examples(project, kind)]


def versions(project):
    rows = GuidelineVersion.objects.filter(project=project).order_by("number")
    return [(row.number, row.examples, row.change) for row in rows]


def claim(person, project, kind="write"):
    return claim_next(membership=person.memberships.get(project=project), kind=kind)


def test_an_example_keeps_the_result_and_says_why(project, ada):
    example = add(project, ada, is_good=False, comment=" Too short. ")
    assert example.parts == [("Overview", "A diver jumps.")]
    assert (example.is_good, example.comment) == (False, "Too short.")
    assert shown_example_keys(project) == [example.pk]


def test_every_change_is_a_version_of_the_guideline(project, ada):
    first, second = add(project, ada), add(project, ada)
    move_example(example=second, up=True, admin=ada)
    move_example(example=second, up=True, admin=ada)
    changed = change_example(
        example=first, parts=[("Overview", "Better.")], is_good=True, comment="So.", admin=ada
    )
    change_project(project_id=project.pk, admin=ada, guidelines={"write": "Look twice."})
    name, other = first.clip.name, second.clip.name
    assert versions(project) == [
        (1, [first.pk], f"Example {name} added"),
        (2, [first.pk, second.pk], f"Example {other} added"),
        (3, [second.pk, first.pk], f"Example {other} moved"),
        (4, [second.pk, changed.pk], f"Example {name} changed"),
        (5, [second.pk, changed.pk], "Text changed"),
    ]
    assert GuidelineVersion.objects.get(number=5).text == "Look twice."


def test_a_removed_example_can_be_brought_back(project, ada):
    first, second = add(project, ada), add(project, ada)
    before = remove_example(example=first, admin=ada)
    assert shown_example_keys(project) == [second.pk]
    restore_examples(version=before, admin=ada)
    assert shown_example_keys(project) == [first.pk, second.pk]
    assert remove_example(example=second, admin=ada).examples == [first.pk, second.pk]
    with pytest.raises(AnnotateError, match="changed or removed"):
        remove_example(example=second, admin=ada)


def test_an_example_needs_a_result_and_a_reason(project, ada):
    with pytest.raises(AnnotateError, match="Write the result"):
        add(project, ada, text="  ")
    with pytest.raises(AnnotateError, match="what is good or bad"):
        add(project, ada, comment=" ")
    assert not GuidelineExample.objects.exists()


def test_a_clip_is_an_example_of_a_kind_once(project, ada):
    clip = make_clip(project)
    add(project, ada, clip)
    with pytest.raises(AnnotateError, match="already"):
        add(project, ada, clip)
    add(project, ada, clip, kind="split")
    assert len(shown_example_keys(project)) == len(shown_example_keys(project, "split")) == 1


def test_a_guideline_has_at_most_twenty(project, ada):
    for _ in range(MAX_EXAMPLES):
        add(project, ada)
    with pytest.raises(AnnotateError, match="at most 20"):
        add(project, ada)


def test_the_clip_of_an_example_is_not_handed_out_as_this_work(project, anna, ada):
    item, other = make_work(make_clip(project)), make_work(make_clip(project))
    example = add(project, ada, item.clip)
    assert held_back(project, "write") == {item.clip_id: 2}
    assert list(claimable_by(anna, project, "write")) == [other]
    assert claim(anna, project).item == other
    remove_example(example=example, admin=ada)
    assert list(claimable_by(anna, project, "write")) == [item]


def test_an_example_of_one_kind_does_not_hold_back_another(project, emil, ada):
    item = make_work(make_clip(project), "merge", needed=1)
    add(project, ada, item.clip)
    assert claim(emil, project, "merge").item == item


def test_kept_work_on_an_example_is_not_taken_again(project, anna, ada):
    held = hold(anna, make_work(make_clip(project)))
    expire(held)
    add(project, ada, held.item.clip)
    with pytest.raises(LeaseLost, match="an example in the guideline"):
        take_again(assignment_id=held.pk, annotator=anna)


def test_a_clip_that_somebody_works_on_is_no_example(project, anna, ada):
    held = hold(anna, make_work(make_clip(project)))
    with pytest.raises(AnnotateError, match="Anna is working on"):
        add(project, ada, held.item.clip)
    assert shown_example_keys(project) == []
    assert not GuidelineExample.objects.exists()


def test_finished_work_is_offered_with_its_parts(project, anna, ada):
    done = submit_write_up(anna, make_work(make_clip(project)), misc="It is day. She smiles.")
    membership = ada.memberships.get()
    [work] = finished_work(membership, "write")
    assert work.pk == done.pk
    kind = work_kind("write")
    parts = dict(zip(kind.example_headings, kind.example_parts(work), strict=True))
    assert parts["Misc"] == "It is day. She smiles."
    assert list(finished_work(membership, "write", "no such name")) == []
    add(project, ada, work.item.clip)
    assert list(finished_work(membership, "write")) == []


def test_an_admin_who_could_still_do_the_work_does_not_see_what_others_did(project, anna, ada):
    both = ada.memberships.get()
    both.is_annotator = True
    both.save()
    item = make_work(make_clip(project))
    submit_write_up(anna, item)
    assert list(finished_work(both, "write")) == []
    WorkItem.objects.filter(pk=item.pk).update(open_slots=0, state=WorkItem.State.DONE)
    assert len(finished_work(both, "write")) == 1


@pytest.mark.parametrize("kind", all_kinds())
def test_every_kind_names_the_parts_of_its_result(kind):
    headings = work_kind(kind).example_headings
    assert headings
    assert len(set(headings)) == len(headings)


def test_examples_and_versions_never_change(project, ada):
    add(project, ada)
    for rows in (GuidelineExample.objects, GuidelineVersion.objects):
        with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
            rows.update(kind="split")
