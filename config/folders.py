"""Folders that a process needs before it can start."""

from __future__ import annotations

import getpass
import tempfile
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

MANIFEST = "staticfiles.json"


def require_media_folder() -> None:
    """Raise ImproperlyConfigured unless this process can write to MEDIA_ROOT."""
    folder = Path(settings.MEDIA_ROOT)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ImproperlyConfigured(
            f"MEDIA_ROOT is {folder}, where the user {_user()} can't write ({error.strerror}). "
            f"Uploads would fail. As root: install -d -o {_user()} -g www-data -m 750 {folder}"
        ) from error


def require_static_files() -> None:
    """Raise ImproperlyConfigured unless the pages' scripts and styles are collected."""
    manifest = Path(settings.STATIC_ROOT, MANIFEST)
    try:
        manifest.read_bytes()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{manifest} can't be read ({error.strerror}), so no page would have its styles. "
            "Run: manage.py collectstatic --noinput"
        ) from error


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user id without a name, as in some containers
        return "of this process"
