"""A program's judgment of a caption takes no person's place, and changes no caption."""

import pytest

from annotate.corpus.precedence import current_keys
from annotate.models import Caption, Membership, Project
from review.releases.pseudonyms import reviewer_names
from review.verification.models import Verification
from tests.cast import make_clip
from tests.hand_work import machine_caption
from tests.review.releases.judged import rate
from tests.review.verification.verifying import (
    CAPTION,
    MENDED,
    MENDED_TEXT,
    open_verification,
    verify,
)
from tests.work import hold

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("counts", [False, True])
def test_a_person_verifies_after_a_program(project, anna, ben, counts):
    Membership.objects.filter(user=anna).update(program="Judge 7B")
    project.counts_programs = counts
    project.save()
    caption = machine_caption(make_clip(project), CAPTION)
    item = open_verification(caption)
    verify(hold(anna, item), caption, MENDED)

    item.refresh_from_db()
    correction = Verification.objects.get().corrected
    assert correction.text == MENDED_TEXT
    if counts:
        assert (item.open_slots, item.state) == (0, "done")
        assert list(current_keys([correction.pk])) == [correction.pk]
        return
    assert (item.open_slots, item.state) == (1, "open")
    assert correction.kind == Caption.Kind.PROPOSAL
    assert list(current_keys([caption.pk])) == [caption.pk]

    verify(hold(ben, item), caption, MENDED)
    item.refresh_from_db()
    assert (item.open_slots, item.state) == (0, "done")
    current = Verification.objects.get(reviewer=ben).corrected
    assert list(current_keys([current.pk])) == [current.pk]


def test_a_release_names_a_program_as_one(project, anna, ben, rita):
    caption = machine_caption(make_clip(project), CAPTION)
    for person in (anna, ben, rita):
        rate(person, caption, 3)
    assert list(reviewer_names(project).people.values()) == [
        "reviewer-1",
        "reviewer-2",
        "reviewer-3",
    ]
    Membership.objects.filter(user=ben).update(program="Judge 7B")
    declared = Project.objects.get(pk=project.pk)
    assert reviewer_names(declared).people == {
        anna.pk: "reviewer-1",
        ben.pk: "program-2",
        rita.pk: "reviewer-3",
    }
