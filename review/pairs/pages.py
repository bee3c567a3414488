"""What the page of a project's label pairs shows."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.http import QueryDict
from django.utils import timezone

from annotate.models import ActionLabel, AuditEvent, Membership, Project
from annotate.workers import last_beats
from inference.models import ModelSpec
from inference.registry import Role, info
from review.pairs.forms import CompareForm, HandOutForm, PairsForm, ThresholdForm, models_with
from review.pairs.models import LabelPair
from review.pairs.queries import (
    COMPARING,
    decided,
    last_comparison,
    pair_agreement,
    pairs_page,
    similarity_ranges,
    usual_threshold,
)
from review.pairs.services import pairs_to_hand_out
from review.pairs.sides import compared
from review.pairs.similarity_chart import draw_similarities
from review.reports.small_samples import shown_estimate

# A worker that has not answered by then is not waited for.
PATIENCE = timedelta(minutes=10)


def label_pairs_context(
    membership: Membership,
    query: QueryDict,
    *,
    compare_form: CompareForm | None = None,
    hand_out_form: HandOutForm | None = None,
) -> dict[str, Any]:
    project = membership.project
    labels = ActionLabel.objects.filter(project=project)
    domains = sorted(set(labels.order_by().values_list("domain", flat=True).distinct()))
    form = PairsForm(query, domains=domains)
    page = pairs_page(project, form.cleaned_data, query.get("page"))
    progress = decided(project)
    least = _threshold(project, query, hand_out_form) if progress.pairs else 0.0
    return {
        "project": project,
        "membership": membership,
        "labels": labels.count(),
        "progress": progress,
        "form": form,
        "page": page,
        "rows": [(pair, compared(pair.first, pair.second)) for pair in page.object_list],
        "query": form.query(),
        "is_filtered": any(form.cleaned_data.values()),
        "agreement": [
            shown_estimate(asdict(one), one.n_units, "pair") for one in pair_agreement(project)
        ],
        **(_figure(project, least) if progress.pairs else {}),
        **comparison_context(membership, compare_form),
        "hand_out_form": hand_out_form or HandOutForm(initial={"least": least, "people": 1}),
    }


def comparison_context(
    membership: Membership, compare_form: CompareForm | None = None
) -> dict[str, Any]:
    """The last comparison of the labels, and the form for another."""
    project = membership.project
    event = last_comparison(project)
    model = _model_of(event)
    encoders = models_with(Role.ENCODER, project.pk)
    return {
        "project": project,
        "membership": membership,
        "comparison": event,
        "compared_by": model,
        "is_comparing": is_comparing(event),
        "silence": last_beats().silence_in(info(model).queue)
        if model and is_comparing(event)
        else None,
        "is_lost": bool(event) and event.verb == COMPARING and not is_comparing(event),
        "encoders": encoders,
        "compare_form": compare_form or CompareForm(models=encoders),
    }


def is_comparing(event: AuditEvent | None) -> bool:
    return event is not None and event.verb == COMPARING and event.at > timezone.now() - PATIENCE


def _model_of(event: AuditEvent | None) -> ModelSpec | None:
    return ModelSpec.objects.filter(pk=event.object_id).first() if event else None


def _threshold(project: Project, query: QueryDict, form: HandOutForm | None) -> float:
    typed = ThresholdForm(form.data if form else query)
    return typed.cleaned_data["least"] if typed.is_valid() else usual_threshold(project)


def _figure(project: Project, least: float) -> dict[str, Any]:
    return {
        "least": least,
        "chart": draw_similarities(similarity_ranges(project), least),
        "above": LabelPair.objects.filter(project=project, similarity__gte=least).count(),
        "to_hand_out": pairs_to_hand_out(project, least).count(),
    }
