"""The work page of a modification, and what it is warned of."""

import pytest
from django.urls import reverse

from annotate.models import Project
from review.modifications.models import Modification
from tests.cast import client_of
from tests.review.capst.judging import modify_item
from tests.review.triplets.triplets import make_label, make_pair, modify
from tests.work import hold

pytestmark = pytest.mark.django_db
HOSTILE = "show <img src=x onerror=alert(1)> twice"


@pytest.fixture
def labels(project):
    return [make_label(project, key, f"Forward, {key} somersaults") for key in ("2.5", "3.5", "1")]


@pytest.fixture
def pair(labels):
    return make_pair(labels[0], labels[1])


@pytest.fixture
def held(pair, emil):
    return hold(emil, modify_item(pair))


def page(person, held) -> str:
    return client_of(person).get(reverse("annotate:work", args=[held.pk])).content.decode()


def submit(person, held, **typed):
    return client_of(person).post(
        reverse("annotate:submit", args=[held.pk]),
        {"key": "7f2b8a52-3a52-4e0e-9c6b-2b5f0f4f6a11", "base_version": "0", **typed},
    )


def check(person, held, text) -> str:
    url = reverse("review:check_modification", args=[held.pk])
    return client_of(person).post(url, {"text": text}).content.decode()


def test_without_a_model_the_text_is_written(held, emil):
    html = page(emil, held)
    assert (
        'Write <kbd data-hint="modify.edit">E' in html,
        'Accept <kbd data-hint="modify.accept">A' in html,
    ) == (True, False)
    response = submit(emil, held, decision="edit", text="show one more somersault", proposal="")
    assert response.status_code == 302
    assert Modification.objects.get().text == "show one more somersault"


def test_a_models_text_is_marked_and_shown_as_typed(pair, held, emil):
    modify(pair.first, pair.second, HOSTILE, state="waiting")
    html = page(emil, held)
    assert '<span class="badge">Model</span>' in html
    assert "<img src=x" not in html
    assert 'Accept <kbd data-hint="modify.accept">A' in html


def test_a_text_that_is_too_long_comes_back_as_typed(held, emil):
    text = "turn " * 20
    response = submit(emil, held, decision="edit", text=text, proposal="")
    assert response.status_code == 422
    assert "Shorten it to 19 words" in response.content.decode()
    assert text.strip() in response.content.decode()


def test_what_was_submitted_is_shown_as_it_was(pair, held, emil):
    proposal = modify(pair.first, pair.second, "show more of it", state="waiting")
    submit(emil, held, decision="accept", text="", proposal=str(proposal.pk))
    assert "show more of it" in page(emil, held)


def test_the_range_of_words_is_a_project_setting(project, held, emil):
    Project.objects.filter(pk=project.pk).update(min_modification_words=3, max_modification_words=4)
    assert "Describe in 3 to 4 words" in page(emil, held)
    text = "show 3.5 somersaults with twists"
    refused = submit(emil, held, decision="edit", text=text, proposal="")
    assert (refused.status_code, Modification.objects.count()) == (422, 0)
    assert "Shorten it to 4 words (it has 5)" in refused.content.decode()


class TestWarnings:
    def test_a_text_that_reads_the_same_and_leads_elsewhere(self, labels, held, emil):
        modify(labels[0], labels[2], "Show with two and a half twists")
        html = check(emil, held, "show with 2.5 twists.")
        assert "reads the same and leads to Forward, 1 somersaults" in html

    def test_what_leads_to_the_same_target_is_no_trouble(self, pair, held, emil):
        modify(pair.first, pair.second, "show with 3.5", state="rejected")
        assert "callout" not in check(emil, held, "show with 3.5")

    def test_a_number_that_is_missing_or_in_neither_label(self, held, emil):
        html = check(emil, held, "show with 7 somersaults")
        assert "It doesn&#x27;t say “3.5”, which only the target has." in html
        assert "Neither label has “7”." in html

    @pytest.mark.parametrize(
        ("text", "is_warned"),
        [
            ("show Forward, 3.5 somersaults now", True),
            ("show forward three and a half somersaults", True),
            ("show with 3.5 somersaults", False),
        ],
    )
    def test_a_whole_label(self, held, emil, text, is_warned):
        assert ("repeats the target word for word" in check(emil, held, text)) == is_warned

    def test_nothing_typed_is_nothing_to_warn_of(self, held, emil):
        assert "callout" not in check(emil, held, "  ")

    def test_hostile_text_is_shown_as_typed(self, labels, held, emil):
        modify(labels[0], labels[2], HOSTILE)
        assert "<img" not in check(emil, held, HOSTILE)

    def test_it_is_only_posted(self, held, emil):
        url = reverse("review:check_modification", args=[held.pk])
        assert client_of(emil).get(url).status_code == 405
