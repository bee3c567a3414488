"""Replies about one direction that come at the same moment, on whichever database."""

import pytest

from annotate.models import WorkItem
from inference.models import ModelSpec
from review.modifications.models import Modification, ModificationPrompt, ModificationRun
from review.modifications.writing import _store
from tests.annotate.services.test_queue_concurrency import in_threads
from tests.cast import make_project
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair

pytestmark = pytest.mark.django_db(transaction=True)
RUNS = 6


def test_a_direction_gets_one_text_of_several_runs():
    project = make_project()
    pair = make_pair(make_label(project, "2.5"), make_label(project, "3.5"))
    clip = labelled_clip(project, pair.first, "train")
    WorkItem.objects.create(project=project, clip=clip, kind="modify", subject=pair.pk)
    model = ModelSpec.objects.create(project=project, name="Writer", backend="openai-compatible")
    prompt = ModificationPrompt.objects.create(project=project, version=1, instruction="Say.")
    runs = ModificationRun.objects.bulk_create(
        ModificationRun(project=project, model=model, prompt=prompt, state="stopped")
        for _ in range(RUNS)
    )
    requests = [
        run.requests.create(pair=pair, source=pair.first, target=pair.second) for run in runs
    ]
    in_threads(lambda each: _store(each.run, each, f"show {each.pk} turns"), requests)
    assert Modification.objects.count() == 1
    states = [run.requests.get().state for run in runs]
    assert sorted(states) == ["left"] * (RUNS - 1) + ["written"]
