"""Dump what the demo computes, to compare two versions of the code.

    python scripts/dump_demo.py OUT             load the demo and dump it into OUT, which is new
    python scripts/dump_demo.py --compare A B   what differs; exit status 1 if anything does

It dumps all reports, all tables, and all formats of all releases. The clock is fixed, and
ids and seeds count up, so that equal code gives equal files.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import itertools
import json
import os
import random
import re
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).resolve().parent.parent
NOON = datetime.datetime(2026, 1, 5, 12, tzinfo=datetime.UTC)
# Files and fields, as FILE or FILE#FIELD, that a comparison passes over: what 0.1.0 changes on
# purpose. Each pattern says why.
MAY_CHANGE: dict[str, str] = {
    r".*code_version$": "it names the commit",
    # No rule ends a study or a round any more, so that no report has `stop` or a table of it.
    r".*report.*(leaderboard|ratings|threshold)-.*#(parameters\.stop|signature|inputs_hash)": (
        "stop"
    ),
    r".*/report-correlation-.*#(parameters\.ratings|signature|inputs_hash)": "of the leaderboard",
    r".*/reports/(ratings|threshold)-.*#inputs\.stopping": "the table of the rule",
    r".*/reports/inputs/stopping-.*#only in the first": "the table of the rule",
    r".*/reports/index\.json#reports\[\d+\]\.signature": "stop",
    r".*/(verify\.pyz|reports/SHA256SUMS)": "the code without the rule, and hashes of the above",
    r".*/manifest\.json#(proof\.sha256|manifest_sha256)": "hashes of the above",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--compare", action="store_true")
    options = parser.parse_args()
    if options.compare:
        differences = list(differing(*options.folders))
        print("\n".join(differences) or "Equal.")
        sys.exit(bool(differences))
    target = options.folders[0]
    target.mkdir(parents=True)
    with fixed_world(target):
        dump(target)


@contextmanager
def fixed_world(target: Path) -> Iterator[None]:
    """Set Django up on a database in `target`, with a fixed clock and ids that count up."""
    import time_machine

    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings.embedded",
        "VERICAP_DATA_DIR": str(target.resolve() / "data"),
        "SECRET_KEY": "for dumps only",
    }
    (target / "data").mkdir()
    sys.path.insert(0, str(ROOT))
    # One count each, so that one more id moves no draw and no time.
    numbers, draws, ticks = (itertools.count(1) for _ in range(3))

    def token_hex(size: int | None = None) -> str:
        return hashlib.sha256(b"%d" % next(numbers)).hexdigest()[: 2 * (size or 32)]

    import django

    with (
        patch("secrets.token_hex", token_hex),
        patch("secrets.token_urlsafe", token_hex),
        patch("uuid.uuid4", lambda: uuid.UUID(token_hex(16))),
        patch("random.SystemRandom", lambda: random.Random(next(draws))),
        patch("time.perf_counter", lambda: next(ticks) / 1000),
        time_machine.travel(NOON, tick=False),
    ):
        django.setup()
        yield


def dump(target: Path) -> None:
    from django.core.management import call_command
    from django.test import Client

    from annotate.models import Membership, Project
    from review.errors import ReviewError
    from review.releases.formats import FORMATS, export_release
    from review.tables.kinds import TABLES

    no_time = SimpleNamespace(monotonic=float)
    with (
        patch("fixtures.loading.demo_videos.PARALLEL_IMPORTS", 1),  # else ids depend on threads
        patch("annotate.jobs.services.batches.time", no_time),
    ):
        call_command("load_demo", "--migrate")
    client = Client(SERVER_NAME="localhost")
    for project in Project.objects.order_by("slug"):
        folder = target / project.slug
        folder.mkdir()
        for row in project.reports.order_by("pk").values():
            report: dict[str, Any] = {**row}
            name = f"report-{report['name']}-{report['subject'][:16]}-{report.pop('id')}.json"
            del report["created_at"]
            write_json(folder / name, report)
        admin = Membership.objects.filter(project=project, is_admin=True).first()
        if admin is None:
            raise SystemExit(f"{project} has no admin.")
        client.force_login(admin.user)
        for table in TABLES:
            response = client.get(f"/p/{project.slug}/tables/{table}.csv")
            if response.status_code == 200:  # other protocols have no such table
                (folder / f"table-{table}.csv").write_bytes(response.getvalue())
        for release in project.releases.order_by("pk"):
            for name in FORMATS:
                try:
                    export_release(
                        release=release, format_name=name, target=folder / release.version / name
                    )
                except ReviewError as error:
                    (folder / f"{release.version}-{name}.txt").write_text(str(error))


def write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False, default=str))


def differing(a: Path, b: Path) -> Iterator[str]:
    """Yield what differs between two dumps, as FILE or FILE#FIELD, but for MAY_CHANGE."""
    names = sorted(
        {
            str(path.relative_to(folder))
            for folder in (a, b)
            for path in folder.rglob("*")
            if path.is_file() and path.relative_to(folder).parts[0] != "data"
        }
    )
    for name in names:
        for place in places_differing(name, a / name, b / name):
            if not any(re.fullmatch(pattern, place) for pattern in MAY_CHANGE):
                yield place


def places_differing(name: str, old: Path, new: Path) -> list[str]:
    if not (old.exists() and new.exists()):
        return [f"{name}#only in {'the first' if old.exists() else 'the second'}"]
    if old.read_bytes() == new.read_bytes():
        return []
    if not name.endswith(".json"):
        return [name]
    fields = fields_differing(json.loads(old.read_text()), json.loads(new.read_text()))
    return [f"{name}#{field}" for field in fields]


def fields_differing(a: Any, b: Any, field: str = "") -> Iterator[str]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(a.keys() | b.keys()):
            yield from fields_differing(a.get(key), b.get(key), f"{field}.{key}" if field else key)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for place, (left, right) in enumerate(zip(a, b, strict=True)):
            yield from fields_differing(left, right, f"{field}[{place}]")
    elif a != b:
        yield field


if __name__ == "__main__":
    main()
