"""The base class of our commands."""

from django.core.management.base import BaseCommand


class QuickCommand(BaseCommand):
    """Starts without Django's checks, which load all pages and find mistakes in code or settings.

    `migrate` runs them, with which every update begins, and so does `make check`.
    """

    requires_system_checks = ()
