"""mAP of stored vectors over the test queries."""

import pytest

from annotate.models import Clip
from inference.models import Embedding, ModelSpec
from review.composed.report import composed_retrieval_inputs
from review.reports.models import Report
from review.reports.services import recompute
from review.triplets.models import TripletSet
from review.triplets.queries import test_queries as queries_of_test
from tests.cast import count_queries
from tests.review.composed.retrieval import (
    ask,
    embed,
    judge,
    lexical_model,
    report_of,
    two_labels,
)
from tests.review.triplets.triplets import labelled_clip, make_triplet, modify

pytestmark = pytest.mark.django_db

TWELVE = {"kind": "middle", "count": 12}


def scores(report: Report, convention: str = "circo") -> dict:
    return report.result["baselines"]["query"][convention]


def test_the_query_alone_finds_what_lies_near_it(project):
    [query] = ask(project)
    near, far = query.targets.values_list("target", flat=True)
    made = report_of(project)
    # Near, other, far: precision 1 at the first hit and 2/3 at the second, of two targets.
    assert scores(made)["map"] == pytest.approx(dict.fromkeys(("5", "10", "25", "50"), 5 / 6))
    # Its gallery is the first target alone, so that the second can't be found.
    assert scores(made, "tfcovr")["map"]["50"] == 0.5
    first, _, last = made.result["rankings"]["query"][str(query.pk)]
    assert (first, last) == (near, far)
    assert query.clip_id not in made.result["rankings"]["text"][str(query.pk)]
    assert set(made.result["baselines"]) == {"query", "text", "average"}
    assert made.signature.startswith(
        "map|model:Lexical vectors|space:ssssssss|frames:not stated|triplets:1|"
        "most_targets:10|beyond_limit:left_out|right_too:0|queries:1|verified:0|gallery:4|"
    )


def test_clips_without_a_vector_are_named_and_nothing_is_computed(project):
    labels = two_labels(project)
    clips = [labelled_clip(project, label, "test") for label in labels]
    embed(clips[0], 1)
    make_triplet(clips[0], modify(*labels), clips[1])
    result = report_of(project).result
    assert result["reason"] == "1 of 2 test clips have no vector. Embed the clips."
    assert (result["mend"], result["baselines"], result["queries"]) == ("embed", {}, ())


def test_without_triplets_there_is_no_report(project):
    embed(labelled_clip(project, two_labels(project)[0], "test"), 1)
    assert recompute(project=project, name="map") == []


def test_without_a_test_query_it_says_so(project):
    labels = two_labels(project)
    query, target = (labelled_clip(project, label, "train") for label in labels)
    embed(labelled_clip(project, labels[0], "test"), 1)
    make_triplet(query, modify(*labels), target)
    assert report_of(project).result["mend"] == "split"


def test_a_target_judged_wrong_does_not_count_and_an_added_clip_does(project, anna):
    [query] = ask(project)
    near, far = query.targets.values_list("target", flat=True)
    added = labelled_clip(project, query.clip.label, "test")
    embed(added, 0, 0, 1)
    judge(query, anna, valid=[near], wrong=[far], added=[added.pk])
    made = report_of(project)
    assert made.result["queries"][0]["targets"] == [near, added.pk]
    assert "|verified:1|gallery:5|" in made.signature
    # Near, other, then far and added, which are equally far: far has the lower key.
    assert scores(made)["map"]["50"] == pytest.approx((1 + 2 / 4) / 2)


def test_an_added_clip_without_a_label_is_a_target_too(project, anna):
    [query] = ask(project)
    near, far = query.targets.values_list("target", flat=True)
    added = labelled_clip(project, None, "test")
    embed(added, 0, 0, 1)
    judge(query, anna, wrong=[near, far], added=[added.pk])
    made = report_of(project)
    assert made.parameters["gallery"] == 5
    assert made.result["queries"][0]["targets"] == [added.pk]
    assert scores(made)["map"]["50"] == pytest.approx(1 / 4)


def test_more_than_half_decide(project, anna, ben, rita):
    [query] = ask(project)
    near, far = query.targets.values_list("target", flat=True)
    judge(query, anna, valid=[near, far])
    judge(query, ben, valid=[near], wrong=[far])
    assert report_of(project).result["queries"][0]["targets"] == [near]
    judge(query, rita, valid=[near, far])
    assert report_of(project).result["queries"][0]["targets"] == [near, far]


def test_a_corrected_text_is_used(project, anna):
    [query] = ask(project)
    targets = query.targets.values_list("target", flat=True)
    judge(query, anna, valid=targets, corrected="show with 4.5 somersaults")
    assert report_of(project).result["queries"][0]["text"] == "show with 4.5 somersaults"


def test_a_query_without_a_valid_target_is_left_out(project, anna):
    first, second = ask(project, 2)
    judge(first, anna, wrong=first.targets.values_list("target", flat=True))
    made = report_of(project)
    assert [query["key"] for query in made.result["queries"]] == [second.pk]


def test_two_specifications_of_one_space_are_one_report(project):
    [query] = ask(project)
    twin = lexical_model(project)
    twin.pk, twin.name = None, "Twin"
    twin.save()
    embed(query.clip, 1, 0, by=twin)
    assert ModelSpec.objects.filter(embeddings__isnull=False).distinct().count() == 2
    assert report_of(project).subject.startswith("s" * 40)


def test_each_sampling_of_frames_is_a_setting_of_its_own(project):
    ask(project)
    for clip in Clip.objects.all():
        embed(clip, 0, 0, 1, sampling={"kind": "middle", "count": 1})
    by_frames = {
        report.parameters["frames"]: report for report in recompute(project=project, name="map")
    }
    assert set(by_frames) == {"not stated", "1 frame, evenly spread"}
    # As without the other vectors.
    assert scores(by_frames["not stated"])["map"]["50"] == pytest.approx(5 / 6)
    assert len({report.signature for report in by_frames.values()}) == 2


def test_vectors_of_an_outdated_recipe_do_not_count(project):
    ask(project)
    Embedding.objects.first().item.run.items.update(stale_because="model")
    assert recompute(project=project, name="map") == []


def test_it_is_checked_for_changes_without_reading_a_vector(project):
    ask(project, 3)
    with count_queries() as count:
        [inputs] = composed_retrieval_inputs(project)
        assert inputs.hash
    assert [statement for statement in count.statements if '"vector"' in statement] == []


def test_more_queries_take_no_more_statements(project, anna):
    queries = ask(project, 3)
    for query in queries:
        judge(query, anna, valid=query.targets.values_list("target", flat=True))
    triplets = TripletSet.objects.get()
    with count_queries() as count:
        assert len(queries_of_test(triplets)) == 3
    assert int(count) == 7


def test_right_clips_beyond_the_limit_are_left_out_or_all_targets(project):
    """A perfect oracle gets 100 either way: the right clips are nearest, the other clip far."""
    [query] = ask(project)
    TripletSet.objects.update(most_targets=1)
    far = query.targets.values_list("target", flat=True)[1]
    query.targets.filter(target=far).delete()
    # The clip beyond the limit is nearer than the target that the set drew.
    Embedding.objects.filter(clip=far).delete()
    embed(Clip.objects.get(pk=far), 1, 0)
    made = report_of(project)
    assert made.parameters["right_too"] == 1
    assert scores(made)["map"] == dict.fromkeys(("5", "10", "25", "50"), 1.0)
    assert scores(made, "unlimited")["map"] == dict.fromkeys(("5", "10", "25", "50"), 1.0)
    assert scores(made, "unlimited")["n_relevant"] == 2
    assert made.result["queries"][0]["right_too"] == [far]


def test_a_clip_that_people_rejected_is_wrong_though_it_has_the_label(project, anna):
    [query] = ask(project)
    near, far = query.targets.values_list("target", flat=True)
    judge(query, anna, valid=[far], wrong=[near])
    [test_query] = queries_of_test(TripletSet.objects.get())
    assert (test_query.targets, test_query.right_too) == ((far,), ())


def test_added_clips_beyond_the_limit_are_right_too(project, anna):
    [query] = ask(project)
    TripletSet.objects.update(most_targets=2)
    near, far = query.targets.values_list("target", flat=True)
    added = labelled_clip(project, query.clip.label, "test")
    judge(query, anna, valid=[near, far], added=[added.pk])
    [test_query] = queries_of_test(TripletSet.objects.get())
    assert (test_query.targets, test_query.right_too) == ((near, far), (added.pk,))
