"""The worker task that tests the connection to a model server."""

from __future__ import annotations

from celery import shared_task

from inference.servers.checks import TASK, run_check


@shared_task(name=TASK)
def check_server(server_id: int) -> None:
    run_check(server_id=server_id)
