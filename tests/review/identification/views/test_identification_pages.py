import re

import pytest
from django.urls import reverse

from annotate.models import Clip, Project
from review.identification.models import IdentifiedClip
from review.identification.queries import task_of
from review.identification.services import end_test, start_test
from review.reports.services import recompute
from tests.cast import client_of, count_queries
from tests.review.identification.identifying import make_complete, pick, pick_all, right_place, take
from tests.swapped_parts import send_in_place

WORDS = ("boat", "horse", "kettle", "ladder", "violin")


@pytest.fixture
def clips(project, ben):
    return [make_complete(project, ben, word) for word in WORDS]


@pytest.fixture
def running(project, ada, clips):
    return start_test(project=project, admin=ada, kinds=["spatial"], options=4, people=1)


def work(person, assignment):
    return client_of(person).get(reverse("annotate:work", args=[assignment.pk]))


def test_the_page_does_not_reveal_the_right_clip(project, anna, running):
    assignment = take(anna, project)
    task = task_of(assignment)
    page = work(anna, assignment).text
    assert task.text.caption.text in page
    clips = Clip.objects.select_related("video").in_bulk(task.clips)
    assert [name for name in Clip.objects.values_list("name", flat=True) if name in page] == []
    # Each clip stands in the page equally often, in the order of this person's task.
    counts = {
        key: page.count(f"/clips/{key}/poster") + page.count(f"/videos/{clips[key].video_id}/")
        for key in task.clips
    }
    assert len(set(counts.values())) == 1
    posters = [int(key) for key in re.findall(r"/clips/(\d+)/poster", page)]
    assert posters == task.clips
    assert str(task.text.clips) not in page
    assert "confus" not in page


def test_the_page_takes_as_many_queries_for_four_and_ten_clips(project, ada, anna, ben, clips):
    for number in range(5):
        make_complete(project, ben, f"drum{number}")
    counts = {}
    for options in (4, 10):
        start_test(project=project, admin=ada, kinds=["spatial"], options=options, people=1)
        assignment = take(anna, project)
        assert len(task_of(assignment).clips) == options
        with count_queries() as count:
            work(anna, assignment)
        counts[options] = int(count)
        end_test(project=project, admin=ada)
    assert counts[4] == counts[10]


def test_a_submitted_pick_can_be_changed_on_its_page(project, anna, running):
    assignment = take(anna, project)
    pick(assignment, right_place(assignment) % 4 + 1)
    assert "Change your pick" in work(anna, assignment).text
    following = take(anna, project)
    response = client_of(anna).post(
        reverse("review:identify_again", args=[assignment.pk]),
        {"place": right_place(assignment)},
        follow=True,
    )
    assert "Your pick is changed." in response.text
    assert response.redirect_chain == [(reverse("annotate:work", args=[following.pk]), 302)]
    assert IdentifiedClip.objects.last().clip_id == task_of(assignment).text.clip_id


def test_the_next_text_offers_to_undo_the_last_pick(project, anna, running):
    first = take(anna, project)
    pick(first, 1)
    page = work(anna, take(anna, project)).text
    assert f'data-undo href="{reverse("annotate:work", args=[first.pk])}"' in page


def test_an_admin_starts_and_ends_a_test(project, ada, clips):
    client = client_of(ada)
    wrong = client.post("/p/dives/identification/start/", {"options": 3, "people": 1})
    assert wrong.status_code == 422
    assert "Choose at least one kind of text." in wrong.text
    form = {"kinds": ["spatial", "temporal"], "options": 5, "people": 2}
    page = client.post("/p/dives/identification/start/", form, follow=True).text
    assert "The test is running" in page
    ended = send_in_place(client, "/p/dives/identification/", "/p/dives/identification/end/")
    assert "The test has ended." in ended.text


def test_the_page_says_how_many_clips_can_be_tested_or_why_none(project, ada, clips):
    address = "/p/dives/identification/"
    assert f"{len(clips)} complete clips can be tested" in client_of(ada).get(address).text
    project.videos.filter(clips=clips[0]).update(subcategory="Another")
    project.videos.filter(clips=clips[1]).update(subcategory="A third")
    page = client_of(ada).get(address).text
    assert "No subcategory has as many yet" in page
    assert "Start the test" not in page


def test_other_protocols_have_no_such_page(project, ada):
    Project.objects.update(protocol="lovr")
    client = client_of(ada)
    assert client.get("/p/dives/identification/").status_code == 404
    assert client.post("/p/dives/identification/start/").status_code == 404


def test_the_results_wait_for_the_end_for_those_who_may_be_asked(project, ada, anna, rita, running):
    pick_all(anna, project, wrong=2)
    recompute(project=project, name="identification")
    address = reverse("review:report_page", args=["dives", "identification"])
    page_text = client_of(ada).get(address).text
    assert "60.0 %" in page_text
    assert "too few" in page_text
    assert "60.0 %" not in client_of(rita).get(address).text
    running.ended_at = running.created_at
    running.save()
    assert "60.0 %" in client_of(rita).get(address).text


def test_the_results_of_an_earlier_test_are_not_those_of_a_new_one(project, ada, anna, running):
    pick_all(anna, project)
    recompute(project=project, name="identification")
    end_test(project=project, admin=ada)
    start_test(project=project, admin=ada, kinds=["temporal"], options=4, people=1)
    address = reverse("review:report_page", args=["dives", "identification"])
    page = client_of(ada).get(address)
    assert page.context["result"] is None
    assert "100.0 %" not in page.text
