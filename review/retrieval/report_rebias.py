"""The imbalance of models between spatial and temporal retrieval (CaReBench, sections 3.4.1 and
5.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from annotate.models import Project
from metrics.rebias import VERSION
from metrics.retrieval.recall import VERSION as RECALL_VERSION
from review.reports.inputs import Inputs
from review.reports.registry import ReportKind
from review.reports.stored import StoredKind
from review.reports.subjects import named_subject
from review.retrieval import REBIAS_NAME
from review.retrieval.computing import (
    HALVES,
    SEED,
    RebiasNumbers,
    RebiasResult,
    compare_halves,
)
from review.retrieval.queries import Setting, clips_with_categories, retired_vectors, settings_of
from review.retrieval.report import captions_by_source, vector_inputs
from review.retrieval.results import VectorParameters, vectors_in_words
from review.retrieval.searching import pairs_of

METHOD = f"metrics.rebias {VERSION}, recall {RECALL_VERSION}, sources"


def rebias_inputs(project: Project) -> Iterator[Inputs]:
    """Return an input for each setting with vectors of clips and of both kinds of captions. Cheap:
    only `compute` reads vectors.
    """
    for setting in settings_of(project):
        if has_both_halves(setting):
            yield rebias_input(project, setting)


def has_both_halves(setting: Setting) -> bool:
    return set(HALVES) <= set(setting.kinds)


def rebias_input(project: Project, setting: Setting) -> Inputs:
    """Return the input for a setting that `has_both_halves`."""
    return vector_inputs(
        project,
        setting,
        HALVES,
        method=METHOD,
        labels=[],
        compute=partial(_result, project, setting),
        seed=SEED,
    )


REBIAS = StoredKind(REBIAS_NAME, RebiasNumbers, VectorParameters)


def _result(project: Project, setting: Setting) -> RebiasResult:
    result = compare_halves(pairs_of(project, setting, HALVES), clips_with_categories(project))
    if result.reason and not result.asked:
        return result
    by_source = {kind: captions_by_source(project, setting, kind) for kind in HALVES}
    return replace(result, by_source=by_source)


KIND = ReportKind(
    REBIAS_NAME,
    "ReBias",
    rebias_inputs,
    RebiasResult,
    page="metrics",
    subject=named_subject,
    about=vectors_in_words,
    retired=retired_vectors,
    clip_counts=lambda result: [result.n_videos],
)
