"""Every task of this app, for Celery to find."""

from inference.servers.tasks import check_server

__all__ = ["check_server"]
