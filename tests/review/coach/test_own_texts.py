"""The pages of a writer's own texts: only theirs, and only once the merge is submitted."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.urls import reverse

from annotate.models import Assignment
from annotate.queue.content import merge_content
from review.coach.pages import texts_context
from tests.cast import client_of, count_queries, make_clip
from tests.merge_work import all_of, hold_merge, submit_merge

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def texts_of(person, project) -> str:
    return client_of(person).get(reverse("review:own_texts", args=[project.slug])).text


def own(person) -> Assignment:
    return Assignment.objects.filter(annotator=person, item__kind="write").latest("pk")


def page(person, project, assignment):
    address = reverse("review:own_text", args=[project.slug, assignment.pk])
    return client_of(person).get(address)


@pytest.fixture
def held(project, emil, anna, ben):
    return hold_merge(make_clip(project), emil, anna, ben)


def merge(held, side="a"):
    return submit_merge(held, merge_content(all_of(side)))


def test_a_writer_sees_what_survived_once_the_merge_is_submitted(project, held, anna, ben):
    assert "Nothing to compare yet" in texts_of(anna, project)
    assert page(anna, project, own(anna)).status_code == 404
    merge(held)
    context = texts_context(anna.memberships.get())
    assert [(str(fate), share.right) for fate, share in context["fates"]] == [
        ("kept", 14),
        ("edited", 0),
        ("left out", 0),
    ]
    assert "This is one text." in texts_of(anna, project)
    assert "With fewer than 10, the shares say little" in texts_of(anna, project)
    assert "0 of your sentences kept" in page(ben, project, own(ben)).text
    text = page(ben, project, own(ben)).text
    assert "<ins>" in text
    assert "“six short shots”" in text


@pytest.mark.both_databases
def test_nobody_else_sees_them_and_they_name_nobody(project, held, anna, ben, emil, ada, rita):
    merge(held)
    hers = own(anna)
    for person in (ben, emil, ada, rita):
        assert page(person, project, hers).status_code == 404
        assert f"/your-texts/{hers.pk}/" not in texts_of(person, project)
    for person in (emil, ada, rita):
        assert "Nothing to compare yet" in texts_of(person, project)
    for text in (texts_of(anna, project), page(anna, project, hers).text):
        assert not {"Ben", "Emil"} & set(text.replace(">", " ").replace("<", " ").split())


def test_a_text_that_is_sent_back_is_not_compared(project, held, anna):
    merge(held)
    Assignment.objects.filter(pk=own(anna).pk).update(state="returned")
    assert "Nothing to compare yet" in texts_of(anna, project)


def test_nothing_that_one_still_judges_blindly_shows(project, held, anna, ben, emil):
    """Who could still take the clip to write reads no text of it."""
    merge(held)
    held.item.clip.work_items.filter(kind="write").update(state="open")
    held.item.clip.work_items.filter(kind="merge").update(state="open")
    assert page(anna, project, own(anna)).status_code == 404


def test_its_queries_dont_grow_and_a_comparison_is_kept(project, emil, anna, ben, monkeypatch):
    cache.clear()
    counts = []
    for _ in range(3):
        merge(hold_merge(make_clip(project), emil, anna, ben))
        with count_queries() as count:
            texts_of(anna, project)
        counts.append(int(count))
    assert counts[0] == counts[2]
    monkeypatch.setattr("review.coach.kept.compare_texts", None)
    assert "These are your last 3 merged texts." in texts_of(anna, project)
