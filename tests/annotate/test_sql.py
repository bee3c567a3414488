"""Written-out SQL gives what the models would, on whichever database the tests run."""

from uuid import uuid4

import pytest
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from annotate.models import Assignment, AuditEvent, Caption, Membership, User, WorkItem
from annotate.sql import Columns, Condition, Statement, insert, models_of
from tests.cast import count_queries, make_clip
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db

EVERY_COLUMN = Columns(
    "a", Assignment, tuple(field.attname for field in Assignment._meta.concrete_fields)
)
EVERY_ASSIGNMENT = Statement(f"SELECT {EVERY_COLUMN} FROM annotate_assignment a ORDER BY a.id")


def values_of(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.fixture
def held(project, anna):
    """A hold with something of every type in its columns."""
    held = hold(anna, make_work(make_clip(project)))
    held.draft = {"overview": "It's 100 % “red”: %s"}
    held.watched = [[0, 5], [8, 9]]
    held.submit_key = uuid4()
    held.submitted_at = timezone.now()
    held.save()
    return held


def test_a_row_becomes_the_model_that_a_query_gives(held):
    [row] = EVERY_ASSIGNMENT.rows()
    [made] = models_of(row, EVERY_COLUMN)
    assert values_of(made) == values_of(Assignment.objects.get())


def test_what_a_row_does_not_hold_is_fetched_when_asked_for(held):
    columns = Columns("a", Assignment, ("id", "state"))
    [made] = models_of(Statement(f"SELECT {columns} FROM annotate_assignment a").row(), columns)
    with count_queries() as count:
        assert (made.pk, made.state) == (held.pk, "held")
    assert count == 0
    assert made.draft == held.draft


def test_several_models_of_one_row(anna, project):
    member, person = Columns("m", Membership, ("id",)), Columns("u", User, ("id", "name"))
    statement = Statement(
        f"SELECT {member}, {person} "
        "FROM annotate_membership m JOIN annotate_user u ON u.id = m.user_id"
    )
    assert models_of(statement.row(), member, person) == [Membership.objects.get(), anna]


def test_columns_out_of_their_order_would_land_in_the_wrong_fields_and_are_refused():
    with pytest.raises(ValueError, match="Name the columns of User in their order"):
        Columns("u", User, ("name", "email"))


def test_values_of_every_type_reach_the_database(held):
    now, key = timezone.now(), uuid4()
    statement = Statement("""
        UPDATE annotate_assignment
        SET draft = %(draft)s, watched = %(watched)s, submit_key = %(key)s, submitted_at = %(now)s
        WHERE id = %(assignment)s
    """)
    draft = {"misc": "100 % %s 'quoted'"}
    assert (
        statement.change(assignment=held.pk, draft=draft, watched=[[1, 2]], key=key, now=now) == 1
    )
    held.refresh_from_db()
    assert (held.draft, held.watched) == (draft, [[1, 2]])
    assert (held.submit_key, held.submitted_at) == (key, now)


def test_a_change_of_nothing_counts_nothing(held):
    statement = Statement("UPDATE annotate_assignment SET state = 'held' WHERE id = %(key)s")
    assert (statement.change(key=held.pk), statement.change(key=-1)) == (1, 0)


def test_no_row_is_none(db):
    assert EVERY_ASSIGNMENT.row() is None


def test_an_inserted_row_is_the_one_that_save_would_store(project, anna):
    clip = make_clip(project)

    def caption():
        return Caption(
            project=project,
            clip=clip,
            kind=Caption.Kind.GENERAL,
            source=Caption.Source.HUMAN,
            text="A 100 % “red” cup.",
            parts={"overview": "A cup."},
            checks=[{"code": "x", "dismissed": True}],
            word_count=3,
            author=anna,
            created_at=project.created_at,
        )

    saved = caption()
    saved.save()
    inserted = insert(caption())
    stored = [values_of(Caption.objects.get(pk=row.pk)) for row in (saved, inserted)]
    assert [row.pop("id") for row in stored] == [saved.pk, inserted.pk]
    assert stored[0] == stored[1]


def test_an_inserted_row_can_be_saved_again(project, anna):
    event = insert(AuditEvent(actor=anna, verb="try", object_type="project", object_id=project.pk))
    assert event._state.adding is False
    assert AuditEvent.objects.get() == event


def test_a_condition_filters_rows_beside_other_values_and_in_a_query_within_a_query(held, ben):
    taken = Condition(
        "EXISTS (SELECT 1 FROM annotate_assignment a WHERE a.item_id = {id}"
        " AND a.annotator_id = %(person)s) AND {open_slots} < %(free)s",
        free=99,
        person=held.annotator_id,
    )
    items = WorkItem.objects.filter(pk=held.item_id)
    assert list(items.filter(taken, project=held.item.project_id)) == [held.item]
    assert not items.exclude(taken).exists()
    assert Assignment.objects.filter(Exists(items.filter(taken, pk=OuterRef("item")))).get() == held
    by_ben = Condition(taken.sql, free=99, person=ben.pk)
    assert not items.filter(by_ben).exists()
    assert items.filter(Q(taken) | Q(by_ben)).get() == held.item
