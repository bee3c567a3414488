"""scripts/check_javascript.py, and the files that npm reads."""

import importlib.util
import json
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def checker():
    spec = importlib.util.spec_from_file_location(
        "check_javascript", ROOT / "scripts" / "check_javascript.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_without_npm_it_says_what_to_install(checker, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match=r"npm is missing.* sudo apt-get install .* npm$"):
        checker.main()


def test_every_package_is_pinned_and_the_lock_names_no_registry():
    pinned = json.loads((ROOT / "package.json").read_text())["devDependencies"]
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in pinned} == pinned
    assert [name for name, package in locked.items() if "resolved" in package] == []
