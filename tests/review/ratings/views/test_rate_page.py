"""Rating: its page, its plain form, when it is closed, and who may do it."""

from uuid import uuid4

import pytest
from django.urls import reverse

from annotate.models import Assignment, WorkItem
from review.ratings.models import Rating
from review.studies.services import stop_study
from tests.cast import client_of, count_queries, make_clip, make_project
from tests.hand_work import machine_caption
from tests.review.ratings.rating import (
    TEXT,
    describe,
    hold_rating,
    make_examples,
    open_study,
    rate,
    train,
    whole_caption,
)
from tests.work import fill_draft, hold, make_work, post_json

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script> A pool. {{ clip }} \"' onclick=x.\n\nغواص يقفز.\n<img src=x>"


@pytest.fixture
def project(db):
    return make_project(protocol="lovr")


@pytest.fixture
def caption(project, anna, rita):
    make_examples(project)
    [caption] = describe(project, 1)
    open_study(project, 1, people=2)
    return caption


@pytest.fixture
def held(caption, anna):
    return hold_rating(anna, caption)


def page(person, held):
    return client_of(person).get(reverse("annotate:work", args=[held.pk]))


def submit(person, held, **content):
    data = {"key": uuid4(), "base_version": held.draft_version, **content}
    return client_of(person).post(reverse("annotate:submit", args=[held.pk]), data)


def claim(person, project):
    url = reverse("annotate:claim", args=[project.slug, "rate"])
    return client_of(person).post(url, follow=True)


def my_work(person, project):
    response = client_of(person).get(reverse("annotate:my_work", args=[project.slug]))
    [step] = [step for step in response.context["work"] if step.kind == "rate"]
    return response, step


def test_it_shows_the_caption_the_scale_and_the_draft(anna, held):
    fill_draft(held, value="4", remark="A <b>cap</b>.")
    text = page(anna, held).text
    assert TEXT in text
    for words in (
        "Perfect match",
        "No factual or descriptive errors.",
        "Minor issues",
        "But overall accurate.",
        "Moderate mismatch",
        "Or ambiguity.",
        "Significant inaccuracies",
        "Nearly irrelevant",
        "Completely unrelated",
    ):
        assert words in text
    assert (
        'value="4" data-choice="4" aria-labelledby="value-4-name"'
        ' aria-describedby="value-4-meaning" checked>' in text
    )
    assert text.count('type="radio" name="value"') == 6
    assert text.count('-name" checked') + text.count('-meaning" checked') == 1
    assert "A &lt;b&gt;cap&lt;/b&gt;." in text


def test_it_says_nothing_of_where_the_caption_is_from(project, anna, rita, caption):
    rate(hold_rating(rita, caption), 1, remark="Nothing fits.")
    text = page(anna, hold_rating(anna, caption)).text
    for hidden in ("Rita", "Nothing fits", "machine", "A model", "EVQAScore", "corrected"):
        assert hidden not in text


def test_a_caption_is_text_and_each_paragraph_has_its_direction(project, anna):
    make_examples(project)
    caption = machine_caption(make_clip(project), HOSTILE)
    open_study(project, 1)
    text = page(anna, hold_rating(anna, caption)).text
    assert (
        "&lt;script&gt;alert(1)&lt;/script&gt; A pool. {{ clip }} &quot;&#x27; onclick=x." in text
    )
    assert '<p class="reading" dir="auto" lang="">غواص يقفز.</p>' in text
    assert "&lt;img src=x&gt;" in text


def test_a_caption_of_a_whole_video_is_shown_whole(project, anna):
    make_examples(project)
    long = "\n\n".join(f"Paragraph {n}. " + "word " * 98 for n in range(30))
    caption = whole_caption(make_clip(project), long)
    open_study(project, 0, 1)
    response = page(anna, hold_rating(anna, caption))
    assert "Caption of the whole video" in response.text
    assert len(response.context["paragraphs"]) == 30
    assert response.context["words"] == 3000
    assert "Paragraph 29." in response.text


def test_a_plain_form_submits_and_goes_on(project, anna, held):
    train(anna, project)
    response = submit(anna, held, value="5", remark="", then="next")
    assert response.headers["Location"] == reverse("annotate:my_work", args=[project.slug])
    assert Rating.objects.get().value == 5


@pytest.mark.parametrize("typed", ["5.0001", "6", "-1", "true", " 5 5", "٥", "", "5 ", "null"])
def test_a_form_with_anything_else_is_shown_again_and_nothing_is_rated(anna, held, typed):
    response = submit(anna, held, value=typed, remark="Kept.")
    assert response.status_code == 422
    assert "Choose one of the six, from 0 to 5." in response.text
    assert "Kept." in response.text
    assert not Rating.objects.exists()


def test_a_form_without_a_rating_is_refused(anna, held):
    assert submit(anna, held, remark="").status_code == 422
    assert not Rating.objects.exists()


@pytest.mark.parametrize("value", [5, 5.0001, True, None, [5]])
def test_the_pages_script_sends_texts_only(anna, held, value):
    body = {"key": str(uuid4()), "base_version": 0, "content": {"value": value, "remark": ""}}
    response = post_json(client_of(anna), "submit", held, body)
    assert response.status_code == 400
    assert not Rating.objects.exists()


def test_the_pages_script_gets_what_to_mend(anna, held):
    body = {"key": str(uuid4()), "base_version": 0, "content": {"value": "6", "remark": ""}}
    response = post_json(client_of(anna), "submit", held, body)
    assert response.status_code == 422
    assert [problem["field"] for problem in response.json()["problems"]] == ["value"]


def test_once_submitted_nothing_can_be_chosen(anna, held):
    rate(held, 2, remark="Two caps.")
    text = page(anna, held).text
    assert 'aria-labelledby="value-2-name" checked disabled>' in text
    assert "Two caps." in text


def test_work_that_names_no_caption_says_so(anna, held):
    WorkItem.objects.filter(pk=held.item_id).update(subject=0)
    assert "This work names no caption of its clip." in page(anna, held).text


def test_nobody_rates_before_the_training_is_finished(project, anna, caption):
    response, step = my_work(anna, project)
    assert step.closed.reason == "Complete the training first: 3 of 3 examples left."
    assert "Start training" in response.text
    response = claim(anna, project)
    assert response.redirect_chain[0][0] == "/p/dives/ratings/training/"
    assert not Assignment.objects.exists()
    train(anna, project)
    response = claim(anna, project)
    assert response.context["item"].subject == caption.pk


def test_nobody_rates_more_than_their_share(project, anna, rita):
    make_examples(project)
    describe(project, 3)
    open_study(project, 3, per_rater=2)
    train(anna, project)
    for _ in range(2):
        held = Assignment.objects.get(pk=claim(anna, project).context["assignment"].pk)
        assert my_work(anna, project)[1].closed is None
        rate(held, 4)
    response, step = my_work(anna, project)
    assert step.closed.reason == "You have rated your share of 2. Thank you."
    assert "Rate next" not in response.text
    assert claim(anna, project).redirect_chain[-1][0] == "/p/dives/"
    assert Assignment.objects.count() == 2


def test_held_work_can_be_finished_beyond_the_share(project, anna, rita):
    make_examples(project)
    first, second = describe(project, 2)
    study = open_study(project, 2)
    held = [hold_rating(anna, first), hold_rating(anna, second)]
    study.per_rater = 1
    study.save()
    for assignment in held:
        assert submit(anna, assignment, value="3").status_code == 302
    assert Rating.objects.count() == 2


def test_without_a_study_it_says_that_none_runs(project, anna):
    make_examples(project)
    _, step = my_work(anna, project)
    assert step.closed is None
    assert step.why_nothing.startswith("Captions appear here when an admin starts a rating study")


def test_a_kept_draft_is_shown_under_my_work(project, anna, held):
    fill_draft(held, value="4", remark="The cap is red.")
    train(anna, project)
    assert "4 The cap is red." in my_work(anna, project)[0].text


def test_a_person_who_verified_a_clip_does_not_rate_it(project, anna, rita):
    make_examples(project)
    caption, _ = describe(project, 2)
    hold(anna, make_work(caption.clip, "verify", 1))
    open_study(project, 2)
    train(anna, project)
    assert claim(anna, project).context["item"].subject != caption.pk


def test_the_queries_do_not_grow_with_the_study(project, anna, rita):
    make_examples(project)
    train(anna, project)
    counts = []
    for captions in (1, 3):
        describe(project, captions)
        study = open_study(project, captions, people=2)
        held = claim(anna, project).context["assignment"]
        client = client_of(anna)
        url = reverse("annotate:submit", args=[held.pk])
        data = {"key": uuid4(), "base_version": 0, "value": "4", "then": "next"}
        with count_queries() as opened:
            client.get(reverse("annotate:work", args=[held.pk]))
        with count_queries() as submitted:
            client.post(url, data)
        stop_study(study=study, admin=None)
        counts.append((int(opened), int(submitted)))
    assert counts[1][0] <= counts[0][0] + 1  # which reads the next clip
    assert counts[1][1] <= 26  # a submit and a claim read the rules once each
