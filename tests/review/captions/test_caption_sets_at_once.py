"""Two admins who make caption sets or import vectors at the same moment, on each database."""

import pytest
from django.db import IntegrityError

from inference.models import InferenceRun
from review.captions.models import CaptionSet
from review.captions.services import make_set_of_run
from review.errors import ReviewError
from review.retrieval.models import VectorSet
from tests.annotate.queue.test_concurrency import in_threads
from tests.cast import make_clip, make_project
from tests.inference.cast import bare_recipe
from tests.review.comparisons.comparing import make_set, predict
from tests.review.retrieval.vector_files import npz, take, two_clips
from tests.review.retrieval.vectors import import_set

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def clip():
    return make_clip(make_project())


def finished_run(clip):
    run = InferenceRun.objects.create(
        project=clip.project, kind="caption", recipe=bare_recipe("caption"),
        recipe_hash="0", queue="cpu", state="done",
    )  # fmt: skip
    caption = predict(clip, "A dog.")
    run.items.create(position=1, clip=clip, key="1", state="done", result=caption)
    return run


def make(run_and_name):
    run, name = run_and_name
    try:
        return make_set_of_run(run=run, name=name, admin=None).name
    except ReviewError as error:
        return str(error)


def test_a_run_becomes_only_one_set(clip):
    run = finished_run(clip)
    answers = in_threads(make, [(run, "Heron"), (run, "Egret")])
    [made] = CaptionSet.objects.all()
    refused = f"The captions of run {run.pk} are already in a set."
    assert sorted(answers) == sorted([made.name, refused])


def test_a_name_belongs_to_only_one_set(clip):
    runs = [finished_run(clip) for _ in range(2)]
    answers = in_threads(make, [(run, "Heron") for run in runs])
    assert CaptionSet.objects.count() == 1
    taken = "The name “Heron” is already taken. Choose another."
    assert sorted(answers) == sorted(["Heron", taken])


def test_a_name_in_any_case_belongs_to_only_one_set_of_vectors(clip):
    two_clips(clip.project)

    def import_as(name):
        try:
            return take(clip.project, npz(), name=name).name
        except ReviewError as error:
            return str(error)

    answers = in_threads(import_as, ["Heron", "HERON"])
    [made] = VectorSet.objects.all()
    other = {"Heron": "HERON", "HERON": "Heron"}[made.name]
    taken = f"The name “{other}” is or was already taken by other vectors. Choose another."
    assert sorted(answers) == sorted([made.name, taken])


def test_the_database_refuses_a_name_that_differs_in_case_alone(clip):
    import_set(clip.project, "Heron")
    with pytest.raises(IntegrityError):
        import_set(clip.project, "HERON")
    made = make_set(clip.project, "Heron", [clip])
    with pytest.raises(IntegrityError):
        CaptionSet.objects.create(project=clip.project, name="heroN", kind=made.kind)
