"""Store a database of the current version with one of everything, for the tests of later ones:

    python -m tests.upgrades.store VERSION

It needs PostgreSQL with pg_dump, at TEST_DATABASE_URL or as run_tests.py looks for it.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from scripts.run_tests import postgres_url
from tests.upgrades.stored import FOLDER, MIGRATIONS, POSTGRESQL, ROOT, SQLITE, scratch_database

FILL = """
import django
django.setup()
from django.core.management import call_command
from django.db import transaction
call_command("migrate", verbosity=0)
from tests.one_of_everything import make_world
with transaction.atomic():
    make_world()
"""


def main(version: str) -> None:
    target = FOLDER / version
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        full, small = Path(folder) / "full.sqlite3", Path(folder) / "small.sqlite3"
        fill(f"sqlite:///{full}")
        with closing(sqlite3.connect(full)) as database:
            database.execute("PRAGMA page_size = 1024")
            database.execute("VACUUM INTO ?", [str(small)])
        pack(target / SQLITE, small.read_bytes())
    url = f"{postgres_url()}_stored"
    with scratch_database(url):
        fill(url)
        command = ["pg_dump", "--inserts", "--rows-per-insert=1000", "--no-owner", url]
        dump = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # Lines with a backslash are for psql.
    lines = [line for line in dump.splitlines(True) if not line.startswith("\\")]
    pack(target / POSTGRESQL, "".join(lines).encode())
    sums = (
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(ROOT)}\n"
        for path in sorted(ROOT.glob("*/migrations/0*.py"))
    )
    (target / MIGRATIONS).write_text("".join(sums))


def fill(url: str) -> None:
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "TEST_DATABASE_URL": url,
    }
    subprocess.run([sys.executable, "-c", FILL], check=True, cwd=ROOT, env=environment)


def pack(path: Path, content: bytes) -> None:
    path.write_bytes(gzip.compress(content, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1])
