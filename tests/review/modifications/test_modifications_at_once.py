"""Replies about one direction that come at the same moment, on whichever database."""

import pytest

from annotate.models import WorkItem
from inference.models import ModelSpec
from review.modifications.models import (
    Modification,
    ModificationPrompt,
    ModificationRequest,
    ModificationRun,
)
from review.modifications.writing import store_text
from tests.annotate.queue.test_concurrency import in_threads
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
    runs = [
        ModificationRun.objects.create(
            project=project, kind="modifications", model=model, prompt=prompt, state="failed"
        )
        for _ in range(RUNS)
    ]
    requests = [
        run.requests.create(pair=pair, source=pair.first, target=pair.second) for run in runs
    ]
    states: list[str] = []

    def store(request: ModificationRequest) -> None:
        states.append(store_text(request.run, request, f"show {request.pk} turns").state)

    in_threads(store, requests)
    assert Modification.objects.count() == 1
    assert sorted(states) == ["done"] + ["skipped"] * (RUNS - 1)
