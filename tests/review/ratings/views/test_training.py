"""The training of a rater: one example at a time, explained once it is answered."""

import pytest
from django.urls import reverse

from review.ratings.models import RatingExample, TrainingAnswer
from tests.cast import client_of, count_queries
from tests.review.ratings.rating import describe, make_example, make_examples, open_study, train
from tests.review.verification.verifying import verified

pytestmark = pytest.mark.django_db
WHY = "She turns once, not twice."


@pytest.fixture
def examples(project):
    return make_examples(project, 5, 3, 0)


def training(project, person, follow=False):
    url = reverse("review:training", args=[project.slug])
    return client_of(person).get(url, follow=follow)


def url_of(example):
    return reverse("review:training_example", args=[example.project.slug, example.pk])


def answer(person, example, **data):
    url = reverse("review:answer_training", args=[example.project.slug, example.pk])
    return client_of(person).post(url, data)


def train_rest(person, examples):
    for example in examples[1:]:
        TrainingAnswer.objects.create(example=example, rater=person, value=example.value)


def test_it_leads_to_the_first_example_without_its_answer(project, examples, anna):
    response = training(project, anna, follow=True)
    assert response.redirect_chain[0][0] == url_of(examples[0])
    assert "1 of 3" in response.text
    assert WHY not in response.text
    assert "Right is" not in response.text
    assert 'type="radio" name="value"' in response.text


def test_an_answer_shows_the_right_one_and_why_beside_it(project, examples, anna):
    response = answer(anna, examples[1], value="1")
    assert response.headers["Location"] == url_of(examples[1])
    page = client_of(anna).get(url_of(examples[1]))
    assert (page.context["given"].value, page.context["deserved"].value) == (1, 3)
    assert "Your answer is not the right one" in page.text
    assert WHY in page.text
    assert "Next example" in page.text
    assert 'type="radio" name="value"' not in page.text


def test_an_answer_one_point_off_is_said_to_count_as_right(project, examples, anna):
    answer(anna, examples[1], value="4")
    page = client_of(anna).get(url_of(examples[1]))
    assert "Your answer is one point off, which counts as right" in page.text
    assert "Your answer is not the right one" not in page.text


def test_what_is_answered_is_never_asked_again(project, examples, anna):
    answer(anna, examples[0], value="5")
    answer(anna, examples[0], value="0")
    assert TrainingAnswer.objects.get().value == 5
    assert training(project, anna).headers["Location"] == url_of(examples[1])


@pytest.mark.parametrize("typed", ["5.0001", "6", "-1", "true", " 5 5", "٥", "", "5 ", "null"])
def test_anything_else_is_refused(examples, anna, typed):
    response = answer(anna, examples[0], value=typed)
    assert response.status_code == 422
    assert "Choose one of the six, from 0 to 5." in response.text
    assert WHY not in response.text
    assert not TrainingAnswer.objects.exists()
    assert answer(anna, examples[0]).status_code == 422


def test_at_the_end_stands_how_it_went(project, examples, anna):
    train(anna, project)
    page = training(project, anna)
    assert "3 of your 3 answers were exactly right." in page.text
    assert "No rating study is running." in page.text
    assert "Start rating" not in page.text
    describe(project, 1)
    open_study(project, 1)
    assert "Start rating" in training(project, anna).text


def test_explanations_are_to_be_read_again_only_where_somebody_was_far_off(
    project, examples, anna, rita
):
    for person, value in ((anna, 4), (rita, 3)):
        TrainingAnswer.objects.create(example=examples[0], rater=person, value=value)
        train_rest(person, examples)
    sentence = "Read the explanation again where you were off by two points or more."
    assert sentence not in training(project, anna).text
    assert sentence in training(project, rita).text


def test_nobody_is_trained_on_a_clip_that_they_have_worked_on(project, examples, anna, ben):
    verified(anna, examples[0].caption.clip)
    assert training(project, anna).headers["Location"] == url_of(examples[1])
    assert "1 of 2" in client_of(anna).get(url_of(examples[1])).text
    assert client_of(anna).get(url_of(examples[0])).status_code == 404
    assert answer(anna, examples[0], value="5").status_code == 404
    train_rest(anna, examples)
    assert "You have completed all 2 examples." in training(project, anna).text
    assert training(project, ben).headers["Location"] == url_of(examples[0])


def test_whoever_has_worked_on_all_of_them_goes_on_to_rate(project, examples, anna):
    for example in examples:
        verified(anna, example.caption.clip)
    describe(project, 1)
    open_study(project, 1)
    page = training(project, anna)
    assert "You worked on the clips of all examples" in page.text
    assert "Start rating" in page.text


def test_without_examples_it_says_who_makes_them(project, anna, rita):
    page = training(project, anna)
    assert "No examples yet" in page.text
    assert "An admin or a reviewer of the project chooses them." in page.text
    assert "Edit examples" in training(project, rita).text


def test_one_out_of_use_is_there_for_those_who_answered_it(project, examples, anna, rita):
    answer(anna, examples[0], value="5")
    RatingExample.objects.filter(pk=examples[0].pk).update(is_used=False)
    assert client_of(anna).get(url_of(examples[0])).status_code == 200
    assert client_of(rita).get(url_of(examples[0])).status_code == 404
    assert answer(rita, examples[0], value="5").status_code == 404


def test_the_queries_do_not_grow(project, anna):
    counts = []
    for number in (1, 3):
        while RatingExample.objects.count() < number:
            make_example(project, place=RatingExample.objects.count())
        TrainingAnswer.objects.all().delete()
        client = client_of(anna)
        with count_queries() as question:
            client.get(url_of(RatingExample.objects.first()))
        train(anna, project)
        with count_queries() as summary:
            client.get(reverse("review:training", args=[project.slug]))
        counts.append((int(question), int(summary)))
    assert counts[0] == counts[1]
