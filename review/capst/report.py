"""How well a model's captions describe events and objects (CaReBench, 3.4.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Q

from annotate.models import Project
from annotate.models.jobs import Job
from inference.queries import BATCH_SIZE
from metrics.capst import PRESETS, Sample
from metrics.capst.scores import VERSION
from review.capst import NAME
from review.capst.computing import N_BOOTSTRAP, SEED, score_captions
from review.capst.models import CapstRun
from review.capst.recipes import extractor_of, judge_of, recipe_fault
from review.capst.results import (
    CapstParameters,
    CapstResult,
    capst_clip_counts,
    judgments_of,
    preset_words,
    references_used,
    sample_of,
)
from review.captions.instructions import instructions_of
from review.captions.queries import retired_sets
from review.elements.models import Extraction
from review.reports.inputs import Inputs
from review.reports.marks import marks_by_category
from review.reports.models import Report
from review.reports.plain import Table
from review.reports.registry import ReportKind
from review.reports.subjects import named_subject

MAX_NAME_LENGTH = 60
COLUMNS = (
    "clip", "category", "events_reference", "events_predicted", "objects_reference",
    "objects_predicted",
)  # fmt: skip
METHOD = f"metrics.capst {VERSION}"


def subject_of(caption_set: int, preset: str) -> str:
    return f"{caption_set}:{preset}"


def finished_runs(project: Project) -> list[CapstRun]:
    """Return the newest run ever finished of each set and preset, in the order of the sets. It may
    be retrying failures now, or have been canceled during a retry.
    """
    has_finished = Q(state=Job.State.DONE) | Q(judged_at__isnull=False)
    runs = (
        CapstRun.objects.filter(has_finished, project=project, caption_set__is_used=True)
        .select_related("caption_set__run", "extractor", "judge")
        .order_by("pk")
    )
    newest = {(run.caption_set_id, run.preset): run for run in runs}
    return [newest[key] for key in sorted(newest)]


def capst_inputs(project: Project) -> Iterator[Inputs]:
    """Return the results of the newest finished run for each set of captions and preset; the
    subject is `subject_of` both. A run that is retrying failures is left out: its earlier report
    stays current until it finishes again, and no older run replaces it. So is one whose recipe
    can't be read any more.
    """
    for run in finished_runs(project):
        if run.state == Job.State.DONE and not recipe_fault(run):
            yield _inputs(run)


def _inputs(run: CapstRun) -> Inputs:
    assert run.caption_set is not None
    judge = judge_of(run)
    assert judge is not None
    samples: list[Sample] = []
    used: set[int] = set()
    rows = run.items.order_by("clip").values_list("clip", "clip__video__category", "results")
    for clip, category, results in rows.iterator(chunk_size=BATCH_SIZE):
        judgments = judgments_of(results)
        samples.append(sample_of(clip, category, judgments))
        used |= references_used(judgments)
    failed = sum(None in _lists(sample) for sample in samples)
    return Inputs(
        subject=subject_of(run.caption_set.pk, run.preset),
        method=METHOD,
        parameters=CapstParameters(
            captions=run.caption_set.name[:MAX_NAME_LENGTH],
            **instructions_of(run.caption_set).for_signature,
            run=run.pk,
            preset=run.preset,
            references=PRESETS[run.preset].references,
            extractor=extractor_of(run).how_asked[:MAX_NAME_LENGTH],
            judge=judge.how_asked[:MAX_NAME_LENGTH],
            prompts=judge.prompts.sha256 if judge.prompts else None,
            clips=len(samples),
            failed=failed,
            checked=f"{_checked(used)}/{len(used)}",
            bootstrap=N_BOOTSTRAP,
        ),
        labels=[[sample.clip, sample.category, _lists(sample)] for sample in samples],
        count=sum(
            len(judged) for sample in samples for judged in _lists(sample) if judged is not None
        ),
        compute=lambda: _result(run, samples, used),
        seed=SEED,
        tables=lambda: {
            "judgments": Table(
                COLUMNS, [(sample.clip, sample.category, *_lists(sample)) for sample in samples]
            )
        },
    )


def _checked(used: set[int]) -> int:
    keys = sorted(used)
    return sum(
        Extraction.objects.filter(pk__in=keys[start : start + BATCH_SIZE], model=None).count()
        for start in range(0, len(keys), BATCH_SIZE)
    )


def _lists(sample: Sample) -> list[Any]:
    """Return the relationships of the four lists, None for a list without an answer."""
    return [
        sample.events.reference,
        sample.events.predicted,
        sample.objects.reference,
        sample.objects.predicted,
    ]


def _result(run: CapstRun, samples: list[Sample], used: set[int]) -> CapstResult:
    return CapstResult(
        **vars(score_captions(samples, run.preset)),
        run=run.pk,
        references=sorted(used),
        category_marks=marks_by_category((sample.category, sample.clip) for sample in samples),
    )


def _covered(report: Report, inputs: Inputs) -> set[int]:
    return {clip for clip, _, lists in inputs.labels if None not in lists}


KIND = ReportKind(
    NAME,
    "CapST",
    capst_inputs,
    CapstResult,
    page="metrics",
    subject=named_subject,
    about=lambda made: f"captions “{made.captions}”, {preset_words(made.preset)}",
    is_of_captions=True,
    retired=retired_sets,
    clip_counts=capst_clip_counts,
    covered=_covered,
)
