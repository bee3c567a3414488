"""The only way a view of this app gets an object, by the rules of annotate.access."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404

from annotate.access import UserRequest, member
from annotate.models import Membership, Role
from inference.models import InferenceRun, ModelSpec, RegisteredServer

__all__ = ["admin", "model_spec", "registered_server", "run", "superuser"]


def admin(request: UserRequest, slug: str) -> Membership:
    return member(request, slug, Role.ADMIN)


def model_spec(request: UserRequest, slug: str, model_id: int) -> tuple[Membership, ModelSpec]:
    membership = admin(request, slug)
    return membership, get_object_or_404(ModelSpec, pk=model_id, project=membership.project)


def run(request: UserRequest, slug: str, run_id: int) -> tuple[Membership, InferenceRun]:
    membership = admin(request, slug)
    run = get_object_or_404(
        InferenceRun.objects.select_related("model", "created_by"),
        pk=run_id,
        project=membership.project,
    )
    return membership, run


def superuser(request: UserRequest) -> None:
    if not request.user.is_superuser:
        raise PermissionDenied("Only an admin of the site can open this page.")


def registered_server(request: UserRequest, server_id: int) -> RegisteredServer:
    superuser(request)
    return get_object_or_404(RegisteredServer, pk=server_id)
