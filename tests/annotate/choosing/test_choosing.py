"""Where the project allows it, people choose their next clip from those that wait for them."""

import pytest
from django.urls import reverse

from annotate.agreed import ConsentMissing
from annotate.consent.services import write_consent_text
from annotate.errors import AnnotateError, LeaseLost
from annotate.models import Assignment, Project, WorkItem
from annotate.queue.services import claim_chosen
from tests.cast import client_of, make_clip
from tests.work import WRITE_UP, hold, make_work

pytestmark = pytest.mark.django_db


@pytest.fixture
def open_project(project):
    Project.objects.filter(pk=project.pk).update(can_choose_work=True)
    project.refresh_from_db()
    return project


@pytest.fixture
def items(open_project):
    """Three clips in the order of the queue: 2, 3 and 1 seconds."""
    rows = [("Diving", 50), ("Cooking", 75), ("Diving", 25)]
    return [
        make_work(
            make_clip(open_project, original_name=f"{name}.mp4", subcategory=what, frames=frames),
            needed=1,
        )
        for name, (what, frames) in zip(("a_dive", "a_stew", "a_jump"), rows, strict=True)
    ]


def member_of(person):
    return person.memberships.select_related("project", "user").get()


def page_of(project, kind="write"):
    return reverse("annotate:choices", args=[project.slug, kind])


def choose(client, item):
    return client.post(reverse("annotate:choose", args=[item.project.slug, item.kind, item.pk]))


def listed(response):
    return [item.pk for item in response.context["page"].object_list]


def test_the_chosen_item_is_held_and_the_next_waits_until_it_is_done(items, anna, ben):
    held = claim_chosen(membership=member_of(anna), kind="write", item_id=items[1].pk)
    assert (held.item_id, held.state) == (items[1].pk, Assignment.State.HELD)
    assert WorkItem.objects.get(pk=items[1].pk).open_slots == 0
    with pytest.raises(AnnotateError, match=f"You have Clip {items[1].clip_id} already"):
        claim_chosen(membership=member_of(anna), kind="write", item_id=items[0].pk)
    with pytest.raises(LeaseLost, match="Somebody else has taken this clip"):
        claim_chosen(membership=member_of(ben), kind="write", item_id=items[1].pk)
    assert Assignment.objects.count() == 1
    assert WorkItem.objects.get(pk=items[0].pk).open_slots == 1


def test_only_what_the_queue_would_give_them_can_be_chosen(items, open_project, anna, ben, emil):
    WorkItem.objects.filter(pk=items[0].pk).update(reserved_for=ben)
    hold(anna, make_work(items[2].clip, kind="split"))
    merge = make_work(items[2].clip, kind="merge", needed=1)
    hold(emil, items[2])  # nobody merges what they wrote
    for person, item in ((anna, items[0]), (emil, merge)):
        with pytest.raises(LeaseLost):
            claim_chosen(membership=member_of(person), kind=item.kind, item_id=item.pk)
    assignment = claim_chosen(membership=member_of(ben), kind="write", item_id=items[0].pk)
    assert assignment.annotator == ben


def test_a_project_that_hands_out_its_work_lists_nothing(items, open_project, anna, ada):
    Project.objects.update(can_choose_work=False)
    client = client_of(anna)
    page = client.get(page_of(open_project))
    assert "This project hands out its work" in page.text
    assert not listed(page)
    assert choose(client, items[0]).status_code == 302
    assert not Assignment.objects.exists()
    my_work = reverse("annotate:my_work", args=[open_project.slug])
    assert page_of(open_project) not in client.get(my_work).text
    Project.objects.update(can_choose_work=True)
    assert page_of(open_project) in client.get(my_work).text
    # A sample must not depend on what people like.
    for kind in ("compare", "identify", "rate", "dynamics", "nothing"):
        assert client.get(page_of(open_project, kind)).status_code == 404


def test_the_list_is_filtered_ordered_and_names_no_file(items, open_project, anna):
    client = client_of(anna)
    page = client.get(page_of(open_project))
    assert listed(page) == [item.pk for item in items]
    assert f"Clip {items[0].clip_id}" in page.text
    assert "a_dive" not in page.text
    ordered = client.get(page_of(open_project), {"subcategory": "Diving", "order": "short"})
    assert listed(ordered) == [items[2].pk, items[0].pk]
    unknown = client.get(page_of(open_project), {"subcategory": "x", "order": "y", "page": "9"})
    assert listed(unknown) == [item.pk for item in items]
    taken = choose(client, items[1])
    held = Assignment.objects.get()
    assert taken.headers["Location"] == reverse("annotate:work", args=[held.pk])
    after = client.get(page_of(open_project))
    assert "already. Submit or skip it" in after.text
    assert '<form method="post" action="/p/' not in after.text.split('id="choices"')[1]
    assert choose(client, items[0]).headers["Location"] == page_of(open_project)
    assert Assignment.objects.count() == 1


def test_consent_comes_first(items, open_project, anna, ada):
    write_consent_text(
        project=open_project, admin=ada, text="Read me.", asks_again=False, base_number=0
    )
    with pytest.raises(ConsentMissing):
        claim_chosen(membership=member_of(anna), kind="write", item_id=items[0].pk)
    answer = choose(client_of(anna), items[0])
    assert answer.headers["Location"].startswith(
        reverse("annotate:consent", args=[open_project.slug])
    )
    assert not Assignment.objects.exists()


def test_what_was_skipped_is_not_offered_and_what_ran_out_comes_with_its_draft(items, anna):
    skipped = hold(anna, items[0])
    Assignment.objects.filter(pk=skipped.pk).update(state="skipped")
    WorkItem.objects.filter(pk=items[0].pk).update(open_slots=1)
    kept = hold(anna, items[1], minutes=-5)
    Assignment.objects.filter(pk=kept.pk).update(draft=WRITE_UP)
    with pytest.raises(AnnotateError, match="already"):
        claim_chosen(membership=member_of(anna), kind="write", item_id=items[0].pk)
    Assignment.objects.filter(pk=kept.pk).update(state="expired")
    WorkItem.objects.filter(pk=items[1].pk).update(open_slots=1)
    with pytest.raises(LeaseLost):
        claim_chosen(membership=member_of(anna), kind="write", item_id=items[0].pk)
    again = claim_chosen(membership=member_of(anna), kind="write", item_id=items[1].pk)
    assert again.pk == kept.pk
    assert Assignment.objects.get(pk=again.pk).draft == WRITE_UP


def test_the_list_takes_as_many_queries_for_three_clips_as_for_one(
    items, open_project, anna, django_assert_num_queries, django_assert_max_num_queries
):
    client = client_of(anna)
    client.get(page_of(open_project))
    with django_assert_max_num_queries(14) as three:
        client.get(page_of(open_project))
    WorkItem.objects.exclude(pk=items[0].pk).delete()
    with django_assert_num_queries(len(three)):
        client.get(page_of(open_project))
