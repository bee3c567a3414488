"""Imports point one way: review -> annotate -> metrics; video libraries stay out of the web."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
APPS = ("metrics", "annotate", "review")
# What each package may import of the project's own; `config` is read through django.conf.
MAY_IMPORT = {
    "metrics": {"metrics"},
    "annotate": {"annotate", "metrics"},
    "review": {"review", "annotate", "metrics"},
}
OWN = {"metrics", "annotate", "inference", "review", "config", "fixtures", "tests", "bench"}
HEAVY = {"av", "cv2", "scenedetect", "torch", "torchvision", "transformers"}
MAY_BE_HEAVY = ("annotate/media/", "inference/backends/", "inference/frames.py")
MEDIA = "annotate.media"


def modules(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def imports(source: str) -> Iterator[str]:
    """The full dotted name of everything imported, wherever in the module the import stands."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imports_of(path: Path) -> list[str]:
    return list(imports(path.read_text()))


def reached_from(start: Path) -> set[str]:
    """The project's own modules that importing `start` loads, by module-level imports alone."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        tree = ast.parse(waiting.pop().read_text())
        # Only what stands outside functions runs when the module is imported.
        top = ast.Module(
            [node for node in tree.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef))],
            [],
        )
        for name in imports(ast.unparse(top)):
            for dotted in {name, name.rpartition(".")[0]} - seen:
                path = ROOT / dotted.replace(".", "/")
                file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
                if dotted and file.is_file() and dotted.split(".")[0] in OWN:
                    seen.add(dotted)
                    waiting.append(file)
    return seen


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", modules(*APPS), ids=named)
def test_it_imports_only_what_its_app_may(path):
    allowed = MAY_IMPORT[named(path).split("/")[0]]
    used = {name.split(".")[0] for name in imports_of(path)} & OWN
    # The demo loader is a command: it alone reads the demo's fixtures.
    if path.name == "load_demo.py":
        used -= {"fixtures"}
    assert used <= allowed


@pytest.mark.parametrize("path", modules(*APPS, "config"), ids=named)
def test_only_media_and_backends_import_video_and_model_libraries(path):
    if not named(path).startswith(MAY_BE_HEAVY):
        assert {name.split(".")[0] for name in imports_of(path)} & HEAVY == set()


def views() -> list[Path]:
    found = [
        path
        for path in modules("annotate", "review")
        if "views" in path.relative_to(ROOT).parts or path.name in {"views.py", "urls.py"}
    ]
    assert found, "no views found: this test would pass on nothing"
    return found


@pytest.mark.parametrize("path", views(), ids=named)
def test_no_view_imports_media(path):
    assert not any(name.startswith(MEDIA) for name in imports_of(path))
    assert not any(name.startswith(MEDIA) for name in reached_from(path))


def test_metrics_know_no_django():
    for path in modules("metrics"):
        assert not any(name.split(".")[0] == "django" for name in imports_of(path)), named(path)


def test_the_reader_of_imports_sees_every_form():
    source = (
        "import av.filter\n"
        "from annotate import media\n"
        "def late():\n    from annotate.media.probe import probe\n"
    )
    assert list(imports(source)) == ["av.filter", "annotate.media", "annotate.media.probe.probe"]
