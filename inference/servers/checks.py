"""Test the connection to a server in a worker, and store what it learned."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from annotate.messages import wake_worker
from annotate.models import User
from inference.backends.clip_forms import CLIP_FORMS
from inference.backends.protocols import BackendError, ModelSettings
from inference.backends.server_report import ServerReport
from inference.backends.servers import registered
from inference.models import RegisteredServer
from inference.servers.services import require_superuser

TASK = "inference.check_server"
# A worker that was ended leaves its test unfinished.
MAX_WAIT = timedelta(minutes=8)


@transaction.atomic
def request_check(*, server: RegisteredServer, model_id: str, superuser: User) -> None:
    """Have a worker test the connection."""
    require_superuser(superuser)
    waiting = {"waiting": model_id}
    RegisteredServer.objects.filter(pk=server.pk).update(
        check_result=waiting, checked_at=timezone.now()
    )
    wake_worker(TASK, server.pk, queue="cpu")


def run_check(*, server_id: int) -> None:
    """Test the connection if that is still asked for. In workers only."""
    # Imported here: it loads HTTP clients and a video library.
    from inference.backends.server_check import check_server

    row = RegisteredServer.objects.filter(pk=server_id).first()
    waiting = row.check_result if row else None
    if row is None or waiting is None or "waiting" not in waiting:
        return
    try:
        report = check_server(registered(row), row.kind, waiting["waiting"])
    except BackendError as error:
        report = ServerReport(problem=str(error))
    RegisteredServer.objects.filter(pk=row.pk, updated_at=row.updated_at).update(
        check_result=msgspec.to_builtins(report), checked_at=timezone.now()
    )


def report_of(server: RegisteredServer) -> ServerReport | None:
    """Return what the last test learned; None without one, or while one runs."""
    stored: dict[str, Any] | None = server.check_result
    return None if stored is None or "waiting" in stored else msgspec.convert(stored, ServerReport)


def is_checking(server: RegisteredServer) -> bool:
    stored, since = server.check_result or {}, server.checked_at
    return "waiting" in stored and since is not None and since > timezone.now() - MAX_WAIT


def warning_about(model: ModelSettings) -> str:
    """Return what the last test of the model's server said against showing it clips, or ""."""
    name = model.parameters.get("server")
    row = RegisteredServer.objects.filter(name=name).first() if name else None
    report = report_of(row) if row else None
    if report is None or report.model_id != model.model_id:
        return ""
    if report.problem:
        return f"The last test of {row} failed. {report.problem}"
    form = model.parameters.get("clip_as", CLIP_FORMS[0])
    if any(sight.form == form and not sight.is_understood for sight in report.sights):
        return (
            f"In the last test of {row}, {model.model_id} did not understand a clip sent as {form}."
            " Choose another form in the model's settings."
        )
    return ""
