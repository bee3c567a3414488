"""Verifying a composed query: its page, its plain form, and what it offers."""

from uuid import uuid4

import numpy as np
import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from annotate.models import Video, WorkItem
from inference.models import Embedding, InferenceRun, ModelSpec, RunItem
from review.triplets.models import TargetVerdict, Triplet, TripletVerdict
from tests.cast import client_of, count_queries, make_project
from tests.inference.cast import bare_recipe
from tests.review.triplets.triplets import labelled_clip, make_label, make_triplet, modify
from tests.review.triplets.verifying_triplets import (
    all_valid,
    hold_query,
    make_query,
    more_clips,
    targets_of,
)
from tests.work import fill_draft

pytestmark = pytest.mark.django_db
HOSTILE = "show <script>alert(1)</script> {{ clip }} \"' turns"


@pytest.fixture
def project(db):
    return make_project(protocol="tfcovr")


@pytest.fixture
def query(project):
    return make_query(project)


@pytest.fixture
def held(query, anna):
    return hold_query(anna, query)


def page(person, held):
    return client_of(person).get(reverse("annotate:work", args=[held.pk]))


def submit(person, held, content, **extra):
    data = {"key": uuid4(), "base_version": held.draft_version, **content, **extra}
    return client_of(person).post(reverse("annotate:submit", args=[held.pk]), data)


def embed(clip, vector, space="a"):
    model, _ = ModelSpec.objects.get_or_create(
        project=clip.project, name="CLIP", backend="transformers-dual"
    )
    run, _ = InferenceRun.objects.get_or_create(
        project=clip.project, kind="embed", model=model, defaults={"recipe": bare_recipe("embed")}
    )
    item = RunItem.objects.create(run=run, clip=clip, position=clip.pk, key=f"{space} {clip.pk}")
    Embedding.objects.create(
        project=clip.project, item=item, model=model, space=space, clip=clip,
        dimension=len(vector), vector=np.array(vector, dtype="<f4").tobytes(),
    )  # fmt: skip


def test_it_shows_the_query_its_targets_and_the_questions(query, held, anna):
    response = page(anna, held)
    assert [target.clip.pk for target in response.context["targets"]] == targets_of(query)
    assert [question.answer for question in response.context["questions"]] == ["", "", ""]
    assert response.text.count("<video data-loop") == 3
    assert response.text.count("muted") >= 3
    assert "show with 2.5 somersaults" in response.text
    assert "Forward &lt;b&gt;1.5&lt;/b&gt;" in response.text
    assert "0</span> of 2 targets decided" in response.text


def test_a_draft_comes_back(query, held, anna):
    first, second = targets_of(query)
    fill_draft(held, **{f"target-{second}": "wrong", "right": "no", "corrected": "show 2 turns"})
    response = page(anna, held)
    assert [target.verdict for target in response.context["targets"]] == ["", "wrong"]
    assert f'name="target-{second}" value="wrong" checked' in response.text
    assert f'name="target-{first}" value="valid">' in response.text
    assert 'value="show 2 turns"' in response.text
    assert "1</span> of 2 targets decided" in response.text


def test_after_a_no_there_is_a_text_to_begin_from_without_scripts_too(query, held, anna):
    assert page(anna, held).context["corrected"] == ""
    fill_draft(held, needed="no")
    assert page(anna, held).context["corrected"] == query.modification.text


def test_the_plain_form_is_enough(query, held, anna):
    [more] = more_clips(query)
    first, second = targets_of(query)
    content = all_valid(query) | {
        f"target-{second}": "wrong", f"added-{more.pk}": "1", "corrected": "show two turns",
    }  # fmt: skip
    response = submit(anna, held, content)
    assert response.status_code == 302
    assert TripletVerdict.objects.get().corrected == "show two turns"
    verdicts = TargetVerdict.objects.values_list("clip", "is_valid", "is_added")
    assert set(verdicts) == {(first, True, False), (second, False, False), (more.pk, True, True)}


def test_a_missing_answer_is_named_beside_its_field(query, held, anna):
    first, second = targets_of(query)
    response = submit(anna, held, {"right": "no", f"target-{first}": "valid"})
    assert response.status_code == 422
    assert f'id="target-{second}-error" data-error>Target 2: say whether' in response.text
    assert f'id="target-{first}-error" data-error hidden>' in response.text
    assert 'id="enough-error" data-error>Is it enough' in response.text
    assert "Write the corrected modification" in response.text
    held.refresh_from_db()
    assert held.draft == {"right": "no", f"target-{first}": "valid"}


def test_submitted_work_is_only_read(query, held, anna):
    [more, _] = more_clips(query, 2)
    submit(anna, held, all_valid(query) | {f"added-{more.pk}": "1"})
    response = page(anna, held)
    assert [offer.clip for offer in response.context["offers"]] == [more]
    assert response.text.count(" disabled>") >= 2 * 2 + 2 * 3 + 1
    assert 'id="edit-modification"' not in response.text


@pytest.mark.parametrize("text", [HOSTILE])
def test_hostile_text_stays_text(project, anna, text):
    query = make_query(project, text=text)
    held = hold_query(anna, query)
    fill_draft(held, corrected=text, remark=text)
    response = page(anna, held)
    assert "<script>alert" not in response.text
    in_page_and_title = response.text.count("&lt;script&gt;alert(1)&lt;/script&gt; {{ clip }}")
    assert in_page_and_title == 4


class TestOffers:
    def test_without_vectors_it_offers_clips_of_the_targets_label(self, query, held, anna):
        project = query.clip.project
        same = more_clips(query, 2)
        more_clips(query, split="train")
        labelled_clip(project, make_label(project, "307c"), "test")
        response = page(anna, held)
        assert [offer.clip for offer in response.context["offers"]] == same
        assert "No clip has a stored vector" in response.text

    def test_with_vectors_it_offers_the_nearest_of_the_split(self, query, held, anna):
        project = query.clip.project
        far, near = more_clips(query, 2)
        other = labelled_clip(project, make_label(project, "307c"), "test")
        [train] = more_clips(query, split="train")
        first, second = (row.target for row in query.targets.all())
        for clip, vector in (
            (first, [1, 0]), (second, [1, 0]), (far, [0, 1]), (near, [0.6, 0.8]), (other, [1, 0]),
            (train, [1, 0]), (query.clip, [1, 0]),
        ):  # fmt: skip
            embed(clip, vector)
        embed(far, [1, 0], space="b")
        response = page(anna, held)
        assert [offer.clip for offer in response.context["offers"]] == [other, near, far]
        assert "clips nearest to the targets" in response.text
        assert response.text.count('<span class="badge plain">test</span>') == 3

    def test_an_added_clip_stays_on_offer_even_if_others_are_nearer(
        self, query, held, anna, monkeypatch
    ):
        monkeypatch.setattr("review.triplets.work.OFFERED", 1)
        offered, added = more_clips(query, 2)
        fill_draft(held, **{f"added-{added.pk}": "1"})
        offers = page(anna, held).context["offers"]
        assert [(offer.clip, offer.is_added) for offer in offers] == [
            (added, True),
            (offered, False),
        ]

    def test_there_is_nothing_to_offer(self, held, anna):
        assert "has no other clip with the target’s label" in page(anna, held).text


class TestSplits:
    def test_a_clip_of_another_split_can_not_be_added(self, query, held, anna):
        [train] = more_clips(query, split="train")
        response = submit(anna, held, all_valid(query) | {f"added-{train.pk}": "1"})
        assert response.status_code == 422
        assert "be a target of this query. Remove it." in response.text
        assert not TripletVerdict.objects.exists()

    def test_no_triplet_leaves_its_split_and_the_page_says_so(self, query, held, anna):
        [train] = more_clips(query, split="train")
        with pytest.raises(DatabaseError, match="in another split"), transaction.atomic():
            Triplet.objects.create(query=query, target=train)
        response = page(anna, held)
        assert train.pk not in [target.clip.pk for target in response.context["targets"]]
        assert "test, nothing from another split" in response.text

    def test_a_video_moved_to_another_split_is_counted(self, query, held, anna):
        target = query.targets.first().target
        Video.objects.filter(pk=target.video_id).update(split="train")
        response = page(anna, held)
        assert "1 of these clips is no longer in the split test" in response.text
        assert "nothing from another split" not in response.text

    def test_a_target_from_the_querys_own_video_is_marked(self, query, held, anna):
        clip = labelled_clip(
            query.clip.project, query.modification.target, "test", video=query.clip.video
        )
        make_triplet(query.clip, query.modification, clip, place=9)
        assert page(anna, held).text.count("From the query’s video") == 1

    def test_duplicates_are_counted(self, query, held, anna):
        source, target = query.modification.source, query.modification.target
        text = "Show with two and a half somersaults."
        same = modify(source, target, text, state="edited")
        make_triplet(query.clip, same, query.targets.first().target)
        assert "1 other query of this set has the same clip" in page(anna, held).text


def test_a_query_that_is_gone_says_so(query, held, anna):
    WorkItem.objects.update(subject=query.pk + 99)
    assert "This query no longer exists." in page(anna, held).text


def test_it_needs_as_many_queries_for_nine_targets_as_for_one(anna):
    counts = []
    for slug, number in (("small", 1), ("large", 9)):
        project = make_project(slug, protocol="tfcovr")
        anna.memberships.create(project=project, is_annotator=True)
        query = make_query(project, number)
        more_clips(query, number)
        held = hold_query(anna, query)
        page(anna, held)
        client = client_of(anna)
        with count_queries() as count:
            client.get(reverse("annotate:work", args=[held.pk]))
        counts.append(int(count))
    assert counts[0] == counts[1]


def test_my_work_says_what_waits_and_how_far_a_draft_is(query, held, anna):
    fill_draft(held, **{f"target-{targets_of(query)[0]}": "valid", "remark": "A pike."})
    my_work = client_of(anna).get(reverse("annotate:my_work", args=[query.clip.project.slug]))
    assert "Targets decided: 1. A pike." in my_work.text
