"""Having a worker compare all labels of a project."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from annotate.audit import record_event
from annotate.jobs.services.starting import start_job
from annotate.models import Project, User
from annotate.models.jobs import Job
from annotate.stored_json import as_json
from inference.models import ModelSpec
from inference.registry import Role, has_role, info
from review.errors import ReviewError

COMPARE_LABELS = "labels"


@dataclass(frozen=True)
class CompareParameters:
    """`model` is the key of an encoder."""

    model: int


@transaction.atomic
def start_comparison(*, project: Project, model: ModelSpec, admin: User | None) -> Job:
    """Have a worker compare the labels. Raises ReviewError when the model can't, and Refused while
    another comparison is in progress."""
    refuse_no_encoder(model)
    job = start_job(
        Job(
            project=project,
            kind=COMPARE_LABELS,
            lane="all",
            title=model.name,
            parameters=as_json(CompareParameters(model.pk)),
            queue=info(model).queue,
            created_by=admin,
        )
    )
    record_event(actor=admin, verb="compare labels", subject=model, project=project)
    return job


def refuse_no_encoder(model: ModelSpec) -> None:
    if not has_role(model, Role.ENCODER):
        raise ReviewError(f"{model.name} can't embed texts. Choose an encoder.")
