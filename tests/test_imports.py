"""Video and model libraries stay out of the web, whichever way round they are imported.

Which module may import which is for the contracts in pyproject.toml, that `make check` tests.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.migrated_database import copy_to

ROOT = Path(__file__).parent.parent
OWN = {"metrics", "annotate", "inference", "review", "config"}
# What only a worker may load: it reaches the libraries, or the models themselves.
FOR_WORKERS = (
    "annotate.media",
    "inference.frames",
    "inference.kinds",
    "inference.loading",
    "annotate.jobs.services.working",
)


def modules(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def imports(*nodes: ast.AST) -> list[str]:
    """Return the full dotted name of everything that is imported anywhere in these nodes."""
    names = []
    for node in (part for root in nodes for part in ast.walk(root)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


@cache
def read(path: Path) -> tuple[list[str], list[str]]:
    """Return what the module imports anywhere, and what it imports as it is loaded: imports inside
    functions run later."""
    tree = ast.parse(path.read_text())
    top = [node for node in tree.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return imports(tree), imports(*top)


def imports_of(path: Path) -> list[str]:
    return read(path)[0]


@cache
def loaded_with(path: Path) -> dict[str, Path]:
    """Return the project's own modules that importing `path` imports directly, by dotted name."""
    modules = {}
    for name in read(path)[1]:
        for dotted in {name, name.rpartition(".")[0]}:
            folder = ROOT / dotted.replace(".", "/")
            file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
            if dotted.split(".")[0] in OWN and file.is_file():
                modules[dotted] = file
    return modules


def reached_from(start: Path) -> set[str]:
    """Return the project's own modules that importing `start` loads."""
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        new = {
            name: file for name, file in loaded_with(waiting.pop()).items() if name not in reached
        }
        reached |= set(new)
        waiting += new.values()
    return reached


def path_from_root(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def views() -> list[Path]:
    paths = [
        path
        for path in modules("annotate", "inference", "review")
        if "views" in path.relative_to(ROOT).parts or path.name in {"views.py", "urls.py"}
    ]
    assert paths, "no views found: this test would pass on nothing"
    return paths


def test_no_view_imports_what_is_for_workers():
    reached = {path_from_root(path): set(imports_of(path)) | reached_from(path) for path in views()}
    for_workers = {
        name: sorted(module for module in modules if module.startswith(FOR_WORKERS))
        for name, modules in reached.items()
    }
    assert {name: modules for name, modules in for_workers.items() if modules} == {}


SERVE_PAGES = """
import sys
import django
django.setup()
from django.core.management import call_command
from django.urls import reverse
call_command("migrate", verbosity=0)
from inference.specs.services import add_built_in_models
from inference.runs.services import start_run
from tests.cast import client_of, make_clip, make_person, make_project
project = make_project()
ada = make_person("Ada", project, "admin")
make_clip(project)
draft = add_built_in_models(project=project, admin=ada)[0]
run = start_run(project=project, kind="caption", model=draft, admin=ada)
client = client_of(ada)
for name in ("annotate:corpus", "annotate:upload", "review:releases", "inference:models",
             "inference:runs", "inference:new_run"):
    assert client.get(reverse(name, args=[project.slug])).status_code == 200, name
for kind in ("segment", "theme", "caption", "embed", "score", "refine", "fuse"):
    new = reverse("inference:new_run", args=[project.slug]) + "?kind=" + kind
    assert client.get(new).status_code == 200, kind
page = reverse("inference:run", args=[project.slug, run.pk])
assert client.get(page).status_code == 200
assert client.get(page + "live/").status_code == 200
assert client.post(page + "cancel/").status_code == 302
assert client.post(page + "retry/").status_code == 302
new = reverse("inference:new_run", args=[project.slug]) + "?kind=segment"
assert client.post(new, {"sampling": "every"}).status_code == 302
heavy = {"torch", "transformers", "cv2", "av", "scenedetect", "pyarrow"}
print("loaded:", *sorted(heavy & set(sys.modules)))
"""


@pytest.mark.django_db  # a migrated database is kept
def test_no_web_process_loads_a_model_a_video_or_a_table_library(tmp_path):
    copy_to(tmp_path / "web.sqlite3")  # where none is kept, the process migrates its own
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "TEST_DATABASE_URL": f"sqlite:///{tmp_path}/web.sqlite3",
        "PYTHONPATH": str(ROOT),
    }
    served = subprocess.run(
        [sys.executable, "-c", SERVE_PAGES],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (served.stdout, served.returncode) == ("loaded:\n", 0), served.stderr


# What opens connections. urllib and http can't be held by a contract of import-linter, which knows
# no parts of the standard library.
OPENS = (
    *("socket", "ssl", "urllib.request", "http.client", "ftplib", "telnetlib", "asyncio"),
    *("httpcore2", "httpx2", "requests", "urllib3", "aiohttp", "websockets"),
)
MAY_OPEN = ("annotate/outgoing/", "inference/backends/")


def test_nothing_opens_an_address_but_the_guard_and_the_servers_of_models():
    opening = {
        path_from_root(path): sorted(
            module
            for module in imports_of(path)
            if any(f"{module}.".startswith(f"{opener}.") for opener in OPENS)
        )
        for path in modules("annotate", "inference", "review", "metrics", "config")
        if not path_from_root(path).startswith(MAY_OPEN)
    }
    assert {name: modules for name, modules in opening.items() if modules} == {}


def test_servers_of_models_come_from_the_environment_alone():
    """What a person types for a model never becomes an address: no backend takes one."""
    from inference.registry import BACKENDS

    named_like_addresses = {
        (name, parameter.name)
        for name, backend in BACKENDS.items()
        for parameter in backend.parameters
        if any(word in parameter.name for word in ("url", "address", "host", "port", "endpoint"))
    }
    assert named_like_addresses == set()
