"""People agree to the project's text before they work, and can withdraw."""

from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction

from annotate.agreed import ConsentMissing, must_agree
from annotate.consent.queries import consent_of_people, withdrawn_members
from annotate.consent.services import agree, withdraw_consent, write_consent_text
from annotate.errors import AnnotateError, LeaseLost
from annotate.models import Assignment, AuditEvent, Consent, ConsentText, WorkItem
from annotate.queue.services import claim_next, take_again
from annotate.write.services import submit_write_up
from tests.cast import make_clip, make_project
from tests.work import WRITE_UP, expire, fill_draft, hold, make_work

pytestmark = pytest.mark.django_db


def write(project, admin, text="We keep **your texts**.", asks_again=False):
    newest = ConsentText.objects.filter(project=project).first()
    base = newest.number if newest else 0
    return write_consent_text(
        project=project, admin=admin, text=text, asks_again=asks_again, base_number=base
    )


def claim(person, project):
    return claim_next(membership=person.memberships.get(project=project), kind="write")


@pytest.fixture
def item(project):
    return make_work(make_clip(project))


def test_a_project_without_a_text_asks_nothing(project, anna, item):
    assert not must_agree(anna, project)
    assert claim(anna, project).item == item


def test_nobody_takes_work_before_they_agree(project, anna, ada, item):
    write(project, ada)
    with pytest.raises(ConsentMissing):
        claim(anna, project)
    agree(project=project, person=anna, number=1)
    assert claim(anna, project).item == item


def test_kept_work_is_not_taken_again_before_they_agree(project, anna, ada, item):
    held = hold(anna, item)
    expire(held)
    write(project, ada)
    with pytest.raises(ConsentMissing):
        take_again(assignment_id=held.pk, annotator=anna)
    agree(project=project, person=anna, number=1)
    assert take_again(assignment_id=held.pk, annotator=anna).holds_lease


def test_an_agreement_counts_in_its_own_project_only(project, anna, ada):
    other = make_project("Other")
    for of in (project, other):
        write(of, ada)
    agree(project=other, person=anna, number=1)
    assert [must_agree(anna, of) for of in (project, other)] == [True, False]


def test_a_new_version_asks_again_only_if_the_admin_says_so(project, anna, ben, ada):
    write(project, ada)
    agree(project=project, person=anna, number=1)
    second = write(project, ada, "We keep your texts.")
    assert (second.asked_since, must_agree(anna, project), must_agree(ben, project)) == (
        1,
        False,
        True,
    )
    third = write(project, ada, "We keep and publish your texts.", asks_again=True)
    assert (third.asked_since, must_agree(anna, project)) == (3, True)
    fourth = write(project, ada, "We keep and publish all your texts.")
    agree(project=project, person=anna, number=4)
    assert fourth.asked_since == 3
    assert not must_agree(anna, project)


def test_an_empty_text_asks_nothing_until_it_has_words_again(project, anna, ada):
    write(project, ada)
    write(project, ada, "")
    assert not must_agree(anna, project)
    with pytest.raises(AnnotateError, match="asks for no consent"):
        agree(project=project, person=anna, number=2)
    write(project, ada, "We keep your texts.")
    assert must_agree(anna, project)


def test_a_first_text_asks_everybody_even_after_empty_versions(project, anna, ada):
    write(project, ada)
    write(project, ada, "")
    assert ConsentText.objects.get(number=1).asks_again
    other = make_project("Other")
    ConsentText.objects.create(project=other, number=1, text="", asked_since=1, written_by=ada)
    assert write(other, ada).asked_since == 2


def test_nobody_agrees_to_a_text_that_they_have_not_read(project, anna, ada):
    write(project, ada)
    write(project, ada, "We sell your texts.", asks_again=True)
    with pytest.raises(AnnotateError, match="Read it again"):
        agree(project=project, person=anna, number=1)
    assert not Consent.objects.exists()


def test_agreeing_twice_is_once(project, anna, ada):
    write(project, ada)
    for _ in range(2):
        agree(project=project, person=anna, number=1)
    assert Consent.objects.count() == 1


def test_work_that_is_held_is_submitted_whatever_is_asked_meanwhile(project, anna, ada, item):
    held = hold(anna, item)
    write(project, ada)
    submit_write_up(
        assignment_id=held.pk, annotator=anna, key=uuid4(), base_version=0, content=WRITE_UP
    )
    held.refresh_from_db()
    assert held.state == Assignment.State.SUBMITTED


def test_withdrawing_ends_new_work_and_keeps_what_was_done(project, anna, ada, item):
    write(project, ada)
    agree(project=project, person=anna, number=1)
    done = hold(anna, make_work(make_clip(project)))
    submit_write_up(
        assignment_id=done.pk, annotator=anna, key=uuid4(), base_version=0, content=WRITE_UP
    )
    held = hold(anna, item)
    fill_draft(held, overview="Half a sen")
    withdraw_consent(project=project, person=anna)

    held.refresh_from_db()
    done.refresh_from_db()
    assert (held.state, held.draft) == ("expired", {"overview": "Half a sen"})
    assert WorkItem.objects.get(pk=item.pk).open_slots == 2
    assert done.state == "submitted"
    with pytest.raises(ConsentMissing):
        claim(anna, project)
    with pytest.raises(LeaseLost):
        submit_write_up(
            assignment_id=held.pk, annotator=anna, key=uuid4(), base_version=1, content=WRITE_UP
        )
    assert [row.person for row in withdrawn_members(project)] == [anna]
    agree(project=project, person=anna, number=1)
    assert claim(anna, project).draft == {"overview": "Half a sen"}
    assert list(withdrawn_members(project)) == []


def test_nobody_withdraws_what_they_never_gave(project, anna, ada):
    write(project, ada)
    with pytest.raises(AnnotateError, match="not agreed"):
        withdraw_consent(project=project, person=anna)


def test_two_admins_never_overwrite_each_other(project, ada):
    write(project, ada)
    with pytest.raises(AnnotateError, match="Version 1 was saved"):
        write_consent_text(
            project=project, admin=ada, text="Mine.", asks_again=False, base_number=0
        )
    with pytest.raises(AnnotateError, match="the same as before"):
        write(project, ada)
    assert write(project, ada, asks_again=True).asked_since == 2


def test_versions_and_answers_never_change(project, anna, ada):
    write(project, ada)
    agree(project=project, person=anna, number=1)
    for rows, change in ((ConsentText.objects, {"text": "x"}), (Consent.objects, {"is_given": 0})):
        with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
            rows.update(**change)


def test_everybody_is_listed_with_what_they_agreed_to(project, anna, ben, ada):
    write(project, ada)
    agree(project=project, person=anna, number=1)
    agree(project=project, person=ben, number=1)
    ben.memberships.all().delete()
    rows = {row.person: row for row in consent_of_people(project)}
    assert (rows[anna].is_enough, rows[anna].consent.text.number) == (True, 1)
    assert (rows[ada].is_enough, rows[ada].consent) == (False, None)
    assert not rows[ben].is_member
    verbs = AuditEvent.objects.filter(project=project).values_list("verb", flat=True)
    assert sorted(verbs) == ["agree", "agree", "write consent text"]
