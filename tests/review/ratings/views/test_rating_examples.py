"""Keeping the training set."""

import pytest
from django.urls import reverse

from annotate.models import Membership, Project, WorkItem
from review.ratings.models import RatingExample
from tests.cast import client_of, count_queries, make_clip, make_project
from tests.hand_work import machine_caption
from tests.inference.cast import make_model
from tests.inference.scored import score, score_run
from tests.review.ratings.rating import describe, make_example, make_examples, whole_caption
from tests.review.verification.verifying import ALL_OK, CAPTION, hold_verification, verified, verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def caption(project):
    return machine_caption(make_clip(project, original_name="harbour.mp4"), "Boats <b>lie</b>.")


def examples_page(person, project, **query):
    return client_of(person).get(reverse("review:rating_examples", args=[project.slug]), query)


def add(person, caption, **data):
    url = reverse("review:add_rating_example", args=[caption.project.slug, caption.pk])
    return client_of(person).post(url, data)


def post(person, name, example, **data):
    url = reverse(f"review:{name}_rating_example", args=[example.project.slug, example.pk])
    return client_of(person).post(url, data)


def test_it_says_what_to_do_where_there_is_none(project, ada):
    page = examples_page(ada, project)
    assert "No examples yet" in page.text
    assert "No captions yet" in page.text


def test_a_caption_is_found_by_the_name_of_its_clip(project, caption, ada):
    describe(project, 2)
    whole_caption(make_clip(project, original_name="harbour day.mp4"), "Boats.")
    machine_caption(make_clip(make_project("Other"), original_name="harbour.mp4"), "Elsewhere.")
    page = examples_page(ada, project, q="HARBOUR")
    assert [row.clip.name for row in page.context["page"]] == ["harbour day", "harbour"]
    assert "Boats &lt;b&gt;lie&lt;/b&gt;." in page.text
    assert "No matching captions" in examples_page(ada, project, q="tower").text


def test_captions_are_filtered_by_author_and_ordered_by_quality(project, caption, ada, rita):
    clip = make_clip(project, original_name="tower.mp4")
    bad = verified(rita, clip)
    corrected = bad.verifications.get().corrected
    good = verified(rita, make_clip(project, original_name="pool.mp4"), ALL_OK)
    run = score_run(project, make_model(project, backend="lexical"))
    for scored, value in ((bad, 0.5), (caption, 0.125), (good, 0.25)):
        score(scored.clip, value, run, caption=scored)

    def listed(**query):
        return list(examples_page(ada, project, **query).context["page"])

    assert listed() == [good, corrected, bad, caption]
    assert listed(by="person") == [corrected]
    assert listed(by="model", order="lowest") == [caption, good, bad]
    assert listed(by="model", order="highest") == [bad, good, caption]
    assert listed(order="errors")[0] == bad
    assert listed(order="fewest")[0] == good
    assert listed(by="nobody", order="random") == listed()
    assert [(c.errors, c.verified) for c in listed(by="model")][-1] == (None, None)
    page = examples_page(ada, project).text
    assert "0.125" in page
    assert '<td class="wrap-anywhere">Rita <span class="small muted">corrected</span>' in page


def test_people_who_could_still_verify_a_caption_see_no_judgment_of_it(project, ada, rita):
    caption = machine_caption(make_clip(project), CAPTION)
    verify(hold_verification(ada, caption, people=2), caption, ALL_OK)
    score(
        caption.clip,
        0.5,
        score_run(project, make_model(project, backend="lexical")),
        caption=caption,
    )
    visible = {}
    for person in (ada, rita):
        row = examples_page(person, project, by="model").context["page"][0]
        visible[person] = (row.score, row.verified)
    assert visible == {ada: (0.5, 1), rita: (None, None)}


def test_a_caption_becomes_an_example(project, caption, rita):
    page = client_of(rita).get(
        reverse("review:new_rating_example", args=[project.slug, caption.pk])
    )
    assert "Boats &lt;b&gt;lie&lt;/b&gt;." in page.text
    response = add(rita, caption, value="3", explanation="They sail.")
    assert response.headers["Location"] == reverse("review:rating_examples", args=[project.slug])
    example = RatingExample.objects.get()
    assert (example.caption, example.value, example.explanation) == (caption, 3, "They sail.")
    assert "In use" in examples_page(rita, project).text


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"value": "3", "explanation": " "}, "Explain the rating"),
        ({"value": "", "explanation": "Why."}, "Choose one of the six, from 0 to 5."),
        ({"value": "5.0001", "explanation": "Why."}, "Choose one of the six, from 0 to 5."),
        ({"value": "٥", "explanation": "Why."}, "Choose one of the six, from 0 to 5."),
    ],
)
def test_an_incomplete_example_is_shown_again(caption, rita, data, sentence):
    response = add(rita, caption, **data)
    assert response.status_code == 422
    assert sentence in response.text
    assert not RatingExample.objects.exists()


def test_a_refused_caption_is_shown_with_the_reason(project, caption, rita):
    make_example(project, caption=caption)
    response = add(rita, caption, value="3", explanation="Why.")
    assert response.status_code == 422
    assert "This caption is an example already." in response.text


def test_examples_are_moved_and_taken_out(project, ada):
    first, second, third = make_examples(project)
    moved = post(ada, "move", third, direction="up")
    row = f"#example-{third.pk}"
    assert moved.url == reverse("review:rating_examples", args=[project.slug]) + row
    post(ada, "retire", first)
    page = examples_page(ada, project)
    assert [entry.example for entry in page.context["used"]] == [third, second]
    assert [entry.example for entry in page.context["retired"]] == [first]
    assert "A study needs at least 3 examples." in page.text
    response = post(ada, "move", first, direction="up")
    assert response.status_code == 302


def test_it_names_whom_no_example_trains(project, ada, anna, ben):
    first, second, _ = make_examples(project)
    verified(anna, first.caption.clip)
    verified(ben, second.caption.clip)
    assert "would rate without training" not in examples_page(ada, project).text
    RatingExample.objects.exclude(pk=first.pk).update(is_used=False)
    page = examples_page(ada, project)
    assert "Anna has worked on the clips of all examples" in page.text
    assert [member.user for member in page.context["untrained"]] == [anna]


def test_the_queries_do_not_grow_with_the_rows(project, ada):
    counts = []
    for number in (1, 3):
        while RatingExample.objects.count() < number:
            make_example(project, place=RatingExample.objects.count())
        client = client_of(ada)
        with count_queries() as count:
            client.get(reverse("review:rating_examples", args=[project.slug]))
        counts.append(int(count))
    assert counts[0] == counts[1]


def test_the_page_of_a_clip_leads_here(project, caption, rita, anna):
    Project.objects.update(protocol="lovr")
    url = reverse("annotate:clip", args=[project.slug, caption.clip_id])
    link = reverse("review:new_rating_example", args=[project.slug, caption.pk])
    assert link in client_of(rita).get(url).text
    assert link not in client_of(anna).get(url).text


def test_captions_without_a_known_score_or_error_come_last_newest_first(project, ada):
    """Ada reviews, too, so that she does not know the score of a caption that she could verify."""
    run = score_run(project, make_model(project, backend="lexical"))
    captions = [machine_caption(make_clip(project), f"Caption {n}.") for n in range(5)]
    tied, low, unscored, hidden, newest_tied = captions
    for scored, value in ((tied, 0.5), (low, 0.25), (hidden, 0.125), (newest_tied, 0.5)):
        score(scored.clip, value, run, caption=scored)
    WorkItem.objects.create(project=project, clip=hidden.clip, kind="verify", subject=hidden.pk)
    Membership.objects.filter(user=ada).update(is_reviewer=True)

    def ordered(order):
        return list(examples_page(ada, project, order=order).context["page"])

    assert ordered("lowest") == [low, newest_tied, tied, hidden, unscored]
    assert ordered("highest") == [newest_tied, tied, low, hidden, unscored]
    assert ordered("errors") == ordered("fewest") == captions[::-1]


def test_the_list_ends_and_says_so(project, caption, ada, monkeypatch):
    address = reverse("review:rating_examples", args=[project.slug])
    assert "Showing the first" not in client_of(ada).get(address).content.decode()
    for module in ("captions", "pages"):
        monkeypatch.setattr(f"review.ratings.example_{module}.MAXIMUM", 1)
    newer = machine_caption(make_clip(project), "A newer one.")
    response = client_of(ada).get(address)
    assert [row.pk for row in response.context["page"]] == [newer.pk]
    assert "Showing the first 1 captions." in response.content.decode()


@pytest.mark.parametrize("order", ["", "lowest", "errors"])
def test_it_says_that_most_of_the_first_captions_are_hidden(project, ada, rita, order, monkeypatch):
    """Of three captions, two are looked at, of which Rita could rate one and then both."""
    run = score_run(project, make_model(project, backend="lexical"))
    captions = [verified(ada, make_clip(project), ALL_OK) for _ in range(3)]
    for caption, value in zip(captions, (0.75, 0.5, 0.25), strict=True):
        score(caption.clip, value, run, caption=caption)
    oldest, middle, newest = captions
    WorkItem.objects.create(project=project, clip=newest.clip, kind="rate", subject=newest.pk)
    monkeypatch.setattr("review.ratings.example_captions.LOOKED_AT", 2)
    monkeypatch.setattr("review.ratings.example_pages.LOOKED_AT", 2)
    page = examples_page(rita, project, by="model", order=order)
    assert list(page.context["page"]) == [middle]
    assert "Of the first 2 in this order, 1 is listed." in " ".join(page.text.split())
    assert oldest not in page.context["page"]
    for caption in (oldest, middle):
        WorkItem.objects.create(project=project, clip=caption.clip, kind="rate", subject=caption.pk)
    page = examples_page(rita, project, by="model", order=order)
    assert "No captions to show in this order" in page.text
    monkeypatch.setattr("review.ratings.example_captions.LOOKED_AT", 3)
    assert "No matching captions" in examples_page(rita, project, by="model", order=order).text
