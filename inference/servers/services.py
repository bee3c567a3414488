"""Add, change, switch off and delete model servers. For superusers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from annotate.audit import record_event
from annotate.models import User
from inference.backends import server_keys
from inference.backends.protocols import BackendError
from inference.errors import InferenceError
from inference.models import ModelSpec, RegisteredServer, ServedModel


@transaction.atomic
def add_server(
    *, name: str, kind: str, urls: Sequence[str], key: str, parallel: int, superuser: User
) -> RegisteredServer:
    """Add a server. Raises InferenceError if the name is taken."""
    require_superuser(superuser)
    row = RegisteredServer(name=name, kind=kind, created_by=superuser)
    in_environment = name in settings.VERICAP_MODEL_SERVERS
    if in_environment or RegisteredServer.objects.filter(name=name).exists():
        raise InferenceError(f"There is already a server named {name}. Choose another name.")
    _set(row, urls=urls, key=key, parallel=parallel, superuser=superuser)
    _record("add model server", row, superuser)
    return row


@transaction.atomic
def change_server(
    *,
    server: RegisteredServer,
    urls: Sequence[str],
    key: str,
    removes_key: bool,
    parallel: int,
    superuser: User,
) -> None:
    """Change a server; an empty `key` leaves the stored one. Raises InferenceError if the stored
    key would be sent to a host that it was not entered for.
    """
    require_superuser(superuser)
    row = RegisteredServer.objects.select_for_update().get(pk=server.pk)
    before = _facts(row)
    new_hosts = {_host(url) for url in urls} - {_host(url) for url in row.urls.split()}
    if row.encrypted_key and new_hosts and not key and not removes_key:
        raise InferenceError("The address has a new host. Enter the key again, or remove it.")
    row.encrypted_key = "" if removes_key else row.encrypted_key
    _set(row, urls=urls, key=key, parallel=parallel, superuser=superuser)
    if key or removes_key or _facts(row) != before:
        _record("change model server", row, superuser, before, new_key=bool(key))


@transaction.atomic
def set_in_use(*, server: RegisteredServer, in_use: bool, superuser: User) -> None:
    require_superuser(superuser)
    row = RegisteredServer.objects.select_for_update().get(pk=server.pk)
    if row.is_active == in_use:
        return
    before = _facts(row)
    row.is_active, row.changed_by, row.updated_at = in_use, superuser, timezone.now()
    row.save()
    _record(f"switch {'on' if in_use else 'off'} model server", row, superuser, before)


@transaction.atomic
def delete_server(*, server: RegisteredServer, superuser: User) -> None:
    """Delete a server with its prices. Raises InferenceError if a model is on it."""
    require_superuser(superuser)
    row = RegisteredServer.objects.select_for_update().get(pk=server.pk)
    if count := models_on(row.name).count():
        models = f"{count} model{'s are' if count > 1 else ' is'}"
        raise InferenceError(
            f"{models} on {row.name}, and results keep its name. Switch it off instead."
        )
    _record("delete model server", row, superuser, _facts(row))
    row.delete()


def rotate_keys() -> tuple[int, list[str]]:
    """Encrypt each stored key by the current SECRET_KEY. Return how many, and what failed."""
    rotated, problems = 0, []
    for row in RegisteredServer.objects.exclude(encrypted_key=""):
        try:
            new = server_keys.rotate(row.encrypted_key, row.name)
        except BackendError as error:
            problems.append(str(error))
            continue
        # A key that somebody has entered meanwhile stays.
        same = RegisteredServer.objects.filter(pk=row.pk, encrypted_key=row.encrypted_key)
        rotated += same.update(encrypted_key=new)
    return rotated, problems


def models_on(name: str) -> Any:
    """Return the models of all projects on this server."""
    return ModelSpec.objects.filter(
        backend__in=RegisteredServer.Kind.values, parameters__server=name
    ).select_related("project")


@transaction.atomic
def set_models(*, server: RegisteredServer, models: Sequence[ServedModel], superuser: User) -> None:
    """Replace the models of a server, with their prices."""
    require_superuser(superuser)
    row = RegisteredServer.objects.select_for_update().get(pk=server.pk)
    before = _prices(row)
    row.models.all().delete()
    for model in models:
        model.pk, model.server = None, row
    ServedModel.objects.bulk_create(models)
    after = _prices(row)
    if after != before:
        record_event(
            actor=superuser,
            verb="change prices of model server",
            subject=row,
            project=None,
            before={"models": before},
            after={"models": after},
        )


def _set(
    row: RegisteredServer, *, urls: Sequence[str], key: str, parallel: int, superuser: User
) -> None:
    row.urls, row.parallel = "\n".join(urls), parallel
    row.encrypted_key = server_keys.encrypt(key) if key else row.encrypted_key
    row.changed_by, row.updated_at = superuser, timezone.now()
    row.check_result = None  # of the former settings
    row.save()


def require_superuser(superuser: User) -> None:
    if not superuser.is_superuser:
        raise PermissionDenied("Only an admin of the site may change model servers.")


def _host(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def _facts(row: RegisteredServer) -> dict[str, Any]:
    return {
        "name": row.name,
        "kind": row.kind,
        "urls": row.urls.split(),
        "has_key": bool(row.encrypted_key),
        "parallel": row.parallel,
        "is_active": row.is_active,
    }


def _prices(row: RegisteredServer) -> list[dict[str, str]]:
    return [
        {
            "model_id": model.model_id,
            "input": str(model.input_price),
            "output": str(model.output_price),
            "pictures": str(model.picture_price),
        }
        for model in row.models.all()
    ]


def _record(
    verb: str,
    row: RegisteredServer,
    superuser: User,
    before: dict[str, Any] | None = None,
    *,
    new_key: bool = False,
) -> None:
    after = _facts(row) | ({"new_key": True} if new_key else {})
    record_event(actor=superuser, verb=verb, subject=row, project=None, before=before, after=after)
