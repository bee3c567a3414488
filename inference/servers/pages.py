"""What the pages of model servers show."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from inference.models import ModelSpec, RegisteredServer
from inference.servers import services
from inference.servers.checks import is_checking, report_of


def servers_context() -> dict[str, Any]:
    """Return the registered servers with their last tests, and those of the environment."""
    own = settings.VERICAP_MODEL_SERVERS
    return {
        "servers": [
            {
                "row": row,
                "report": report_of(row),
                "is_hidden": row.name in own,
                "urls": row.urls.split(),
            }
            for row in RegisteredServer.objects.all()
        ],
        "of_environment": [
            {"name": name, "url": own[name]["url"], "has_key": bool(own[name]["key"].reveal())}
            for name in sorted(own)
        ],
    }


def report_context(row: RegisteredServer) -> dict[str, Any]:
    report = report_of(row)
    listed = [*row.models.values_list("model_id", flat=True), *(report.models if report else ())]
    return {
        "server": row,
        "report": report,
        "is_checking": is_checking(row),
        "model_ids": list(dict.fromkeys(listed)),
        "is_hidden": row.name in settings.VERICAP_MODEL_SERVERS,
    }


def models_on(row: RegisteredServer) -> list[ModelSpec]:
    return list(services.models_on(row.name).order_by("project__name", "name"))
