"""The page of a project's label pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from annotate.corpus.labels import label_groups
from annotate.jobs.queries import latest_job
from annotate.jobs.workers import last_beats
from annotate.models import ActionLabel, Membership, Project
from inference.registry import Role
from review.pairs.comparison import COMPARE_LABELS
from review.pairs.forms import (
    CANDIDATES,
    CompareForm,
    HandOutForm,
    PairsForm,
    ThresholdForm,
    models_with,
)
from review.pairs.models import LabelPair
from review.pairs.queries import (
    Decided,
    contradictory_pairs,
    decided,
    pair_agreement,
    pairs_page,
    similarity_ranges,
    usual_threshold,
)
from review.pairs.services import pairs_to_hand_out
from review.pairs.sides import compared
from review.pairs.similarity_chart import draw_similarities
from review.reports.small_samples import shown_estimate


def label_pairs_context(
    membership: Membership,
    query: QueryDict,
    *,
    compare_form: CompareForm | None = None,
    hand_out_form: HandOutForm | None = None,
) -> dict[str, Any]:
    project = membership.project
    form = PairsForm(query, **label_groups(project))
    page, rows = pairs_page(membership, form.cleaned_data, query.get("page"))
    progress = decided(project)
    return {
        "project": project,
        "membership": membership,
        "labels": ActionLabel.objects.filter(project=project).count(),
        "progress": progress,
        "form": form,
        "page": page,
        "rows": [(row, compared(row.pair.first, row.pair.second)) for row in rows],
        "query": form.query(),
        "is_filtered": any(form.cleaned_data.values()),
        "agreement": [
            shown_estimate(agreement, agreement.n_units, "pair")
            for agreement in pair_agreement(project)
        ],
        "contradictory": contradictory_pairs(project),
        **(_figure(project, progress, query, hand_out_form) if progress.pairs else {}),
        **comparison_context(membership, compare_form),
    }


def comparison_context(
    membership: Membership, compare_form: CompareForm | None = None
) -> dict[str, Any]:
    """Return the last comparison of the labels, and the form for another one."""
    project = membership.project
    job = latest_job(project.pk, COMPARE_LABELS)
    encoders = models_with(Role.ENCODER, project.pk)
    return {
        "project": project,
        "membership": membership,
        "comparison": job,
        "is_comparing": job is not None and job.is_active,
        "silence": last_beats().silence_in(job.queue) if job and job.is_active else None,
        "encoders": encoders,
        "compare_form": compare_form or CompareForm(models=encoders),
    }


def _figure(
    project: Project, progress: Decided, query: QueryDict, form: HandOutForm | None
) -> dict[str, Any]:
    """Return the similarities and the threshold of the candidates for one change."""
    typed: Mapping[str, Any] = form.data if form else query
    counts = progress.candidates
    chosen = typed.get("candidate", "")
    candidate = chosen if counts.get(chosen) else next(name for name in counts if counts[name])
    threshold = ThresholdForm(typed)
    least = (
        threshold.cleaned_data["least"]
        if threshold.is_valid()
        else usual_threshold(project, candidate)
    )
    pairs = LabelPair.objects.filter(project=project, candidate=candidate)
    return {
        "candidate": candidate,
        "candidates": [(value, name, counts[value]) for value, name in CANDIDATES],
        "least": least,
        "chart": draw_similarities(similarity_ranges(project, candidate), least),
        "above": pairs.filter(similarity__gte=least).count(),
        "to_hand_out": pairs_to_hand_out(project, least, candidate).count(),
        "hand_out_form": form or HandOutForm(initial={"people": 1}),
    }
