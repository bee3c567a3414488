"""Having a worker compare all labels of a project."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from annotate.models import Project, User
from annotate.services.audit import record_event
from inference.models import ModelSpec
from inference.registry import Role, has_role, info
from review.errors import ReviewError
from review.pairs.queries import COMPARING
from review.tasks import compare_labels


@transaction.atomic
def queue_comparison(*, project: Project, model: ModelSpec, admin: User) -> None:
    """Have a worker compare the labels. Raises ReviewError when the model can't."""
    refuse_no_encoder(model)
    record_event(actor=admin, verb=COMPARING, subject=model, project=project)
    send = partial(
        compare_labels.apply_async,
        args=(project.pk, model.pk, admin.pk),
        queue=info(model).queue,
    )
    transaction.on_commit(send, robust=True)


def refuse_no_encoder(model: ModelSpec) -> None:
    if not has_role(model, Role.ENCODER):
        raise ReviewError(f"{model.name} makes no vectors of texts. Choose an encoder.")
