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


def test_a_failed_test_of_a_script_is_shown_and_fails_the_check(checker, tmp_path, capsys):
    failing = 'import { test } from "node:test"; test("two", () => { throw new Error("three"); });'
    (tmp_path / "sum.test.mjs").write_text(failing)
    assert checker.run_tests(shutil.which("node"), tmp_path) == 1
    assert "three" in capsys.readouterr().out
    (tmp_path / "sum.test.mjs").write_text(failing.replace("throw new", "return"))
    assert checker.run_tests(shutil.which("node"), tmp_path) == 0
