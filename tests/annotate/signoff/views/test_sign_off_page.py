import re

import pytest
from django.urls import reverse

from annotate.models import Caption, SignOff
from annotate.queue.services import claim_next
from tests.cast import client_of, count_queries, make_person
from tests.review.cast import complete, make_short_project, open_clip


@pytest.fixture
def project(db):
    return make_short_project(sign_offs=2)


@pytest.fixture
def eva(project):
    return make_person("Eva", project, "expert")


@pytest.fixture
def clip(project, anna, ben, emil):
    return complete(project, open_clip(project, "dive"), [anna, ben], emil)


@pytest.fixture
def held(project, clip, eva):
    membership = eva.memberships.select_related("project", "user").get()
    return claim_next(membership=membership, kind="signoff")


def submit(person, assignment, **fields):
    content = {"key": "0" * 32, "base_version": assignment.draft_version, **fields}
    return client_of(person).post(
        reverse("annotate:submit", args=[assignment.pk]), content, follow=True
    )


def test_the_page_has_the_three_texts_and_nothing_of_who_wrote_them(eva, held, clip):
    with count_queries() as queries:
        page = client_of(eva).get(reverse("annotate:work", args=[held.pk])).text
    for caption in Caption.objects.filter(clip=clip, kind__in=["spatial", "temporal"]):
        assert caption.text in page
    assert "The tower is grey and the water is blue." in page
    assert [name for name in ("Anna", "Ben", "Emil") if name in page] == []
    assert queries <= 14


def test_what_was_typed_comes_back_with_what_is_missing(eva, held):
    response = submit(eva, held, verdict="merge", comment="")
    assert response.status_code == 422
    assert "the author goes by your comment" in response.text
    chosen = re.findall(r'name="verdict" value="(\w+)"[^>]*checked', response.text)
    assert chosen == ["merge"]


def test_a_verdict_is_saved_and_shown_on_my_work(eva, held):
    response = submit(eva, held, verdict="agree")
    assert SignOff.objects.get().expert == eva
    assert "Verdict saved: Clip " in response.text


def test_the_corpus_says_which_clips_wait_and_which_are_signed_off(project, clip, held, eva, emil):
    def stage(name):
        address = reverse("annotate:corpus", args=[project.slug])
        return client_of(emil).get(address, {"stage": name}).context["page"].paginator.count

    assert (stage("signoff"), stage("signed")) == (1, 0)
    enzo = make_person("Enzo", project, "expert")
    membership = enzo.memberships.select_related("project", "user").get()
    other = claim_next(membership=membership, kind="signoff")
    submit(eva, held, verdict="agree")
    submit(enzo, other, verdict="agree")
    assert (stage("signoff"), stage("signed")) == (0, 1)
