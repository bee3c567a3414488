"""Runs Django's own deployment checks on the production settings, as a proper server sets them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = {
    "DJANGO_SETTINGS_MODULE": "config.settings.production",
    # Only its length is checked; no server uses it.
    "SECRET_KEY": "".join(chr(33 + number) for number in range(1, 64)),
    "ALLOWED_HOSTS": "vericap.example.org",
    "DATABASE_URL": "postgres://vericap@127.0.0.1:5432/vericap",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
}

command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level=WARNING"]
kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
sys.exit(subprocess.run(command, cwd=ROOT, env={**kept, **ENVIRONMENT}).returncode)
