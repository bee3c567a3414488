"""The settings of the tests, with one more migration of annotate."""

from config.settings.test import *  # noqa: F403

MIGRATION_MODULES = {"annotate": "tests.upgrades.further"}
