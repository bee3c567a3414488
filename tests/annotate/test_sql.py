"""A condition as text filters like one of the models, on whichever database the tests run."""

import pytest
from django.db.models import Exists, OuterRef, Q

from annotate.models import Assignment, WorkItem
from annotate.sql import Condition
from tests.cast import make_clip
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db


def test_a_condition_filters_rows_beside_other_values_and_in_a_query_within_a_query(
    project, anna, ben
):
    held = hold(anna, make_work(make_clip(project)))
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
