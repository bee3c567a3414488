"""The pages and the API of takedowns."""

import pytest
from django.urls import reverse

from review.frozen.takedowns import Takedown
from review.releases.services import build_release
from tests.cast import client_of, count_queries
from tests.review.takedowns.releases import fresh, take
from tests.swapped_parts import send_in_place

pytestmark = pytest.mark.django_db


@pytest.fixture
def clip(make_complete):
    return make_complete("dive")


@pytest.fixture
def release(project, clip):
    return build_release(project=project, version="0.1.0", admin=None)


def address(name, project, *arguments):
    return reverse(f"review:{name}", args=[project.slug, *arguments])


def test_an_admin_finds_looks_confirms_and_undoes(project, clip, release, ada, anna):
    client = client_of(ada)
    listing = address("takedowns", project)
    assert "Nothing is taken down" in client.get(listing).text
    preview = address("preview_takedown", project, clip.pk)
    assert preview in client.get(listing, {"q": "DIV"}).text
    assert "in its name" in client.get(listing, {"q": "swim"}).text
    page = client.get(preview, {"item": f"video-{clip.video_id}"})
    assert [subject.what for subject in page.context["item_form"].subjects.values()] == [
        "clip", "video", "caption", "caption", "caption"
    ]  # fmt: skip
    assert [entry.items for entry in page.context["preview"].affected] == [["dive.mp4"]]
    chosen = {"item": f"video-{clip.video_id}", "note": "Mail of <b>3 May</b>."}
    refused = client.post(address("take_down", project, clip.pk), chosen)
    assert refused.status_code == 422
    assert "Mail of &lt;b&gt;3 May&lt;/b&gt;." in refused.text
    assert not Takedown.objects.exists()
    answer = client.post(
        address("take_down", project, clip.pk), {**chosen, "reason": "request", "confirm": "on"}
    )
    assert answer.url == listing
    takedown = Takedown.objects.get()
    assert (takedown.what, takedown.reason, takedown.created_by) == ("video", "request", ada)
    assert "3 May" in client.get(listing).text
    assert "3 May" not in client_of(anna).get(listing).text
    undo = address("undo_takedown", project, takedown.pk)
    refused = client.post(f"{undo}?q=dive")
    assert (refused.status_code, refused.context["text"]) == (422, "dive")
    assert "Undone" in send_in_place(client, listing, undo, {"confirm": "on"}).text
    assert not fresh(release).withdrawn
    assert "Undone" in client.get(listing).text


def test_undoing_keeps_the_search_and_the_page(project, clip, ada):
    undo = address("undo_takedown", project, take(clip, "clip").pk)
    answer = client_of(ada).post(f"{undo}?q=dive&page=1", {"confirm": "on"})
    assert answer.url == f"{address('takedowns', project)}?q=dive&page=1"


def test_a_hostile_choice_takes_nothing_down(project, clip, release, ada):
    chosen = {"item": "caption-999", "reason": "consent", "confirm": "on"}
    answer = client_of(ada).post(address("take_down", project, clip.pk), chosen)
    assert answer.status_code == 422
    assert "Choose what to take down" in answer.text
    assert not Takedown.objects.exists()


def test_the_page_of_the_release_lists_it_instead_of_the_clip(project, clip, release, anna):
    take(release.clips.get().caption, "caption")
    page = client_of(anna).get(address("release", project, "0.1.0"))
    assert "dive.mp4#caption" in page.text
    assert release.clips.get().caption.text not in page.text
    take(clip, "clip")
    page = client_of(anna).get(address("release", project, "0.1.0"))
    assert list(page.context["page"]) == []


def test_the_list_takes_as_many_statements_for_three_as_for_one(
    project, clip, make_complete, release, ada
):
    others = [make_complete(name) for name in ("swim", "run")]
    build_release(project=project, version="0.2.0", admin=None)
    client = client_of(ada)
    take(clip, "clip")
    with count_queries() as of_one:
        client.get(address("takedowns", project))
    for other in others:
        take(other, "clip")
    with count_queries() as of_three:
        client.get(address("takedowns", project))
    assert int(of_three) == int(of_one)
