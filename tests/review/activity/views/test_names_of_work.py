"""Work about two labels is listed by the labels, under My work and on the overview."""

import pytest
from django.urls import reverse

from annotate.models import Clip
from tests.cast import client_of, count_queries, make_project
from tests.review.capst.judging import judge, modify_item, pair_item
from tests.review.triplets.triplets import make_label, make_pair
from tests.work import hold

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(db):
    return make_project(protocol="tfcovr")


def pair_of(project, *keys):
    return make_pair(*(make_label(project, key) for key in keys))


def page(person, project, name="annotate:my_work") -> str:
    return client_of(person).get(reverse(name, args=[project.slug])).text


def test_a_direction_is_named_by_its_labels(project, emil, ada):
    held = hold(emil, modify_item(pair_of(project, "107b", "207b")))
    assert "107b → 207b</a>" in page(emil, project)
    assert "107b → 207b</a>" in page(ada, project, "review:activity")
    Clip.objects.filter(pk=held.item.clip_id).update(label=None)
    assert f"{held.item.clip.short_name}</a>" in page(emil, project)


def test_a_pair_is_named_by_its_labels_also_when_done(project, emil):
    first, second = pair_of(project, "1", "2"), pair_of(project, "<3>", "4")
    hold(emil, pair_item(first))
    judge(pair_item(second), emil, "reject")
    assert "1 and 2</a>" in page(emil, project)
    assert "&lt;3&gt; and 4</a>" in page(emil, project)


def test_queries_do_not_grow_with_the_rows(project, emil):
    counts = []
    for keys in ("ab", "cd", "ef"):
        hold(emil, modify_item(pair_of(project, *keys)))
        with count_queries() as count:
            page(emil, project)
        counts.append(int(count))
    assert counts[0] == counts[2]
