"""Judging again: what is stale, by whom it is judged, and what can't be."""

import pytest

from annotate.jobs.services.control import cancel_job
from inference.models import ModelSpec
from review.capst.models import CapstRun
from review.capst.queries import stale_results
from review.capst.services import judge_again
from review.elements.models import Extraction
from review.errors import ReviewError
from review.reports.services import recompute
from tests.review.capst.capst_runs import (
    PREDICTION,
    caption,
    described_clip,
    judge,
    predictions,
    start,
    word_overlap,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def clip(project):
    return described_clip(project)


@pytest.fixture
def captions(project, clip):
    return predictions(project, "Model A", {clip: PREDICTION})


@pytest.fixture
def run(project, captions):
    run = judge(run=start(project, captions, word_overlap(project)))
    recompute(project=project, name="capst")
    return run


def correct(person, kind="events", of="temporal"):
    """Store the list as a person's check does."""
    parent = Extraction.objects.filter(caption__kind=of, kind=kind).earliest("pk")
    return Extraction.objects.create(
        caption=parent.caption, kind=kind, elements=["A woman slices a tomato"], author=person,
        parent=parent, recipe=parent.recipe, method=parent.method,
        most_elements=parent.most_elements,
    )  # fmt: skip


def stale_of(project):
    return [(str(result), result.clips) for result in stale_results(project)]


def test_nothing_is_stale_until_a_list_is_corrected(project, run, ada, anna):
    assert stale_results(project) == []
    with pytest.raises(ReviewError, match="No result is older"):
        judge_again(project=project, admin=ada)
    correct(anna)
    assert stale_of(project) == [("Model A (default)", 1)]


def test_a_newer_human_caption_makes_it_stale(project, run, clip):
    caption(clip, "temporal", "A woman leaves.")
    assert stale_of(project) == [("Model A (default)", 1)]


def test_it_is_judged_by_the_same_models_until_nothing_is_stale(project, run, ada, anna):
    other = ModelSpec.objects.create(project=project, name="Second", backend="word-overlap")
    CapstRun.objects.filter(pk=run.pk).update(judge=other)
    corrected = correct(anna)
    done = judge_again(project=project, admin=ada)
    (again,) = done.runs
    assert (again.caption_set, again.preset) == (run.caption_set, "default")
    assert (again.extractor, again.judge, again.created_by) == (run.extractor, other, ada)
    assert done.refused == []
    # While it goes on, it is not asked for twice.
    assert stale_results(project) == []
    with pytest.raises(ReviewError, match="already judging them"):
        judge_again(project=project, admin=ada)
    judge(run=again)
    assert stale_results(project) == []
    reports = recompute(project=project, name="capst")
    assert [report.result["run"] for report in reports] == [again.pk]
    assert corrected.pk in reports[0].result["references"]
    assert stale_results(project) == []


def test_a_clip_that_failed_is_stale_with_its_captions_too(project, run, clip, anna):
    item = run.items.get()
    results = item.results
    results["events"]["reference"] |= {"extraction": None, "judged": None, "failure": "No JSON."}
    results["objects"]["reference"] |= {"extraction": None, "judged": None, "failure": "No JSON."}
    run.items.update(state="failed", results=results)
    recompute(project=project, name="capst")
    assert stale_of(project) == []
    caption(clip, "temporal", "A woman leaves.")
    assert stale_of(project) == [("Model A (default)", 1)]


def test_recomputing_alone_leaves_it_stale(project, run, anna):
    correct(anna)
    recompute(project=project, name="capst")
    assert stale_of(project) == [("Model A (default)", 1)]


def test_each_set_and_preset_gets_a_run(project, clip, captions, run, ada, anna):
    second = predictions(project, "Model B", {clip: "A dog."})
    for caption_set, preset in ((second, "default"), (captions, "official")):
        judge(run=start(project, caption_set, word_overlap(project), preset=preset))
    recompute(project=project, name="capst")
    correct(anna)
    caption(clip, "general", "A woman slices a tomato.", "merged")
    started = judge_again(project=project, admin=ada).runs
    assert [(str(new_run.caption_set), new_run.preset) for new_run in started] == [
        ("Model A", "default"), ("Model B", "default"), ("Model A", "official"),
    ]  # fmt: skip


def test_a_set_that_is_no_longer_used_is_not_judged_again(project, captions, run, anna):
    correct(anna)
    captions.is_used = False
    captions.save()
    assert stale_results(project) == []


def test_a_cancelled_run_leaves_it_stale(project, run, ada, anna):
    correct(anna)
    (again,) = judge_again(project=project, admin=ada).runs
    cancel_job(job=again, admin=ada)
    assert stale_of(project) == [("Model A (default)", 1)]


def test_a_retired_model_is_named_and_the_others_are_judged(project, clip, run, ada, anna):
    other = ModelSpec.objects.create(project=project, name="Second", backend="word-overlap")
    second = predictions(project, "Model B", {clip: "A dog."})
    judge(run=start(project, second, other))
    recompute(project=project, name="capst")
    correct(anna)
    ModelSpec.objects.filter(pk=run.extractor_id).update(is_active=False)
    done = judge_again(project=project, admin=ada)
    assert [str(new_run.caption_set) for new_run in done.runs] == ["Model B"]
    assert done.refused == [
        "Model A (default): Word overlap is no longer in use. Choose another model below."
    ]
