"""Test clips with chosen vectors, and queries over them, for tests of mAP@K."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from uuid import uuid4

import numpy as np

from annotate.models import Clip, Project, User, WorkItem
from inference.models import Embedding, InferenceRun, ModelSpec, RunItem
from inference.specs.services import add_built_in_models
from review.composed.computing import BASELINES
from review.composed.scoring import CONVENTIONS, KS
from review.reports.models import Report
from review.reports.services import recompute
from review.triplets.models import ComposedQuery
from review.triplets.verdicts import submit_triplet_verdict
from tests.inference.cast import bare_recipe
from tests.review.triplets.triplets import labelled_clip, make_label, make_triplet, modify
from tests.work import hold

DIMENSION = 512
SPACE = "s" * 64
_keys = count(1)


def lexical_model(project: Project) -> ModelSpec:
    add_built_in_models(project=project, admin=None)
    return project.model_specs.get(name="Lexical vectors")


def embed(
    clip: Clip,
    *numbers: float,
    space: str = SPACE,
    by: ModelSpec | None = None,
    sampling: dict | None = None,
) -> Embedding:
    """Store a vector of the clip that begins with these numbers."""
    project = clip.project
    model = by or lexical_model(project)
    key = next(_keys)
    run, _ = InferenceRun.objects.get_or_create(
        project=project, kind="embed", model=model,
        defaults={"recipe": bare_recipe("embed"), "recipe_hash": "x", "queue": "cpu"},
    )  # fmt: skip
    item = RunItem.objects.create(run=run, clip=clip, position=key, state="done", key=f"e{key}")
    vector = np.zeros(DIMENSION, dtype="<f4")
    vector[: len(numbers)] = numbers
    return Embedding.objects.create(
        project=project, item=item, model=model, space=space, clip=clip,
        dimension=DIMENSION, vector=vector.tobytes(), sampling=sampling or {},
    )  # fmt: skip


def two_labels(project: Project):
    return (
        make_label(project, "107b", "Forward, 3.5 somersaults"),
        make_label(project, "109b", "Forward, 4.5 somersaults"),
    )


def ask(project: Project, number: int = 1, *, make=None) -> list[ComposedQuery]:
    """Store queries, each with a near and a far target, and one more clip; all have vectors.

    The query clip alone finds the near target first, then the other clip, then the far target.
    """
    labels = two_labels(project)
    modification = modify(*labels)

    def clip(label) -> Clip:
        made = labelled_clip(project, label, "test", make and _video(make, project))
        made.project = project
        return made

    near, far, other = clip(labels[1]), clip(labels[1]), clip(labels[0])
    embed(near, 1, 0.1)
    embed(far, 0, 1)
    embed(other, 1, 0.2)
    queries = []
    for _ in range(number):
        query_clip = clip(labels[0])
        embed(query_clip, 1, 0)
        queries.append(make_triplet(query_clip, modification, near).query)
        make_triplet(query_clip, modification, far, place=1)
    return queries


def bare_report(project: Project) -> tuple[Report, ComposedQuery]:
    """Store a report of one query as rows; nothing is computed."""
    labels = two_labels(project)
    clip, target = (labelled_clip(project, label, "test") for label in labels)
    query = make_triplet(clip, modify(*labels), target).query
    scores = {"map": dict.fromkeys(map(str, KS), 0.5), "hits": {}, "n_relevant": 1}
    report = Report.objects.create(
        project=project, name="map", subject=SPACE, inputs_hash="0" * 64, inputs=1,
        parameters={"model": "Lexical", "triplets": 1, "queries": 1, "verified": 0, "gallery": 2},
        result={
            "baselines": {name: dict.fromkeys(CONVENTIONS, scores) for name in BASELINES},
            "queries": [
                {"key": query.pk, "clip": clip.pk, "text": "2 turns", "targets": [target.pk]}
            ],
            "rankings": {name: {str(query.pk): [target.pk]} for name in BASELINES},
        },
    )  # fmt: skip
    return report, query


def _video(make, project: Project):
    video = make(project).video
    video.split = "test"
    video.save()
    return video


def ask_again(query: ComposedQuery) -> ComposedQuery:
    """Store one more query, of another clip, with the first target of `query`."""
    clip = labelled_clip(query.clip.project, query.clip.label, "test")
    embed(clip, 1, 0)
    return make_triplet(clip, query.modification, query.targets.first().target).query


def report_of(project: Project) -> Report:
    [made] = recompute(project=project, name="map")
    return made


def judge(
    query: ComposedQuery,
    person: User,
    *,
    valid: Iterable[int] = (),
    wrong: Iterable[int] = (),
    added: Iterable[int] = (),
    corrected: str = "",
) -> None:
    """Submit the person's verdict on the query and on these clips."""
    item, _ = WorkItem.objects.get_or_create(
        project=query.clip.project, clip=query.clip, kind="triplet", subject=query.pk,
        defaults={"needed": 3, "open_slots": 3},
    )  # fmt: skip
    content = {
        "right": "no" if corrected else "yes", "enough": "yes", "needed": "yes",
        "corrected": corrected, "remark": "Other dives.",
        **{f"target-{clip}": "valid" for clip in valid},
        **{f"target-{clip}": "wrong" for clip in wrong},
        **{f"added-{clip}": "1" for clip in added},
    }  # fmt: skip
    submit_triplet_verdict(
        assignment_id=hold(person, item).pk,
        annotator=person,
        key=uuid4(),
        base_version=0,
        content=content,
    )
