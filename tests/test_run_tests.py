"""What `make test` runs, and what it says about tests that fail at first."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "scripts" / "run_tests.py"
SECOND_TIME = """
from pathlib import Path

def test_second_time():
    trace = Path(__file__).with_suffix(".trace")
    known = trace.exists()
    trace.touch()
    assert known
"""
ALL_KINDS = (
    SECOND_TIME
    + """
def test_never():
    assert False

def test_always():
    pass
"""
)


@pytest.fixture
def runner(tmp_path, monkeypatch):
    """scripts/run_tests.py, for a project whose tests fail at first or always."""
    spec = importlib.util.spec_from_file_location("run_tests", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "run_tests", module)
    spec.loader.exec_module(module)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # most of a start is plugins
    options = "-q -p xdist -p no:cacheprovider"
    (tmp_path / "pytest.ini").write_text(f"[pytest]\naddopts = {options}\n")
    for folder in ("tests", "tests/browser"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / "tests/browser/test_page.py").write_text(ALL_KINDS)
    (tmp_path / "tests/test_sum.py").write_text(SECOND_TIME)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return module


def test_only_a_browser_or_service_test_gets_a_second_chance(runner):
    run = runner.Run("SQLite", {}, "")
    outcome, unsteady = runner.give_second_chance(run, runner.run_tests(run))
    assert unsteady == ["tests.browser.test_page::test_second_time"]
    assert sorted(outcome.failed) == [
        "tests.browser.test_page::test_never",
        "tests.test_sum::test_second_time",
    ]
    assert (outcome.passed, outcome.broken) == (2, False)


def test_the_output_of_what_runs_beside_the_first_is_shown_once_it_has_ended(
    runner, tmp_path, capfd
):
    (tmp_path / "Makefile").write_text("check:\n\t@echo 1 file is badly formatted; exit 1\n")
    (tmp_path / "tests/browser/test_page.py").unlink()
    (tmp_path / "tests/test_sum.py").write_text("def test_sum():\n    pass\n")
    runs = [runner.Run(title, {}, "") for title in ("SQLite", "PostgreSQL")]
    assert runner.run_beside_each_other(runs) == (1, [runner.Outcome(passed=1)] * 2)
    output = capfd.readouterr().out
    assert output.index("=== Tests on SQLite ===") < output.index("1 file is badly formatted")
    assert output.index("1 file is badly formatted") < output.index("=== Tests on PostgreSQL ===")


def test_each_run_has_its_folders_without_their_pages(runner, tmp_path):
    (tmp_path / "tests/browser/test_page.py").unlink()
    (tmp_path / "tests/queue/views").mkdir(parents=True)
    for place in ("tests", "tests/queue", "tests/queue/views"):
        name = place.rpartition("/")[2]
        (tmp_path / place / f"test_{name}.py").write_text("def test_it():\n    pass\n")
    (tmp_path / "tests/test_sum.py").unlink()
    chosen = runner.Run("PostgreSQL", {}, "", ("tests/queue",))
    assert runner.run_tests(chosen) == runner.Outcome(passed=1)
    assert runner.run_tests(runner.Run("SQLite", {}, "")) == runner.Outcome(passed=3)


def test_a_new_clone_compiles_its_tests_before_several_processes_would(
    runner, tmp_path, monkeypatch
):
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    runner.compile_tests()
    compiled = tmp_path.glob("tests/__pycache__/*-pytest-*.pyc")
    assert [path.name.partition(".")[0] for path in compiled] == ["test_sum"]


def test_a_run_without_a_report_is_broken(runner, tmp_path):
    assert runner.read_report(tmp_path / "junit.xml", 0) == runner.Outcome(broken=True)


def test_a_run_that_ended_badly_without_a_failed_test_is_broken(runner, tmp_path):
    report = tmp_path / "junit.xml"
    report.write_text('<testsuites><testcase classname="a" name="b"/></testsuites>')
    assert runner.read_report(report, 3) == runner.Outcome(passed=1, broken=True)


REST = {"firefox-esr", "nginx", "ip", "rsync", "npm"}


@pytest.mark.parametrize(
    ("missing", "library", "packages"),
    [
        (set(), "libavcodec.so.59", []),
        ({"chromium"}, "libavcodec.so.59", ["chromium-headless-shell"]),
        ({"firefox-esr"}, "libavcodec.so.59", ["firefox-esr"]),
        ({"nginx", "ip"}, "libavcodec.so.59", ["nginx", "iproute2"]),
        ({"npm", "rsync"}, "libavcodec.so.59", ["rsync", "npm"]),
        (set(), None, ["ffmpeg"]),
    ],
)
def test_it_names_the_packages_to_install(runner, monkeypatch, missing, library, packages):
    def which(name: str, path: str = "") -> str | None:
        return name if name in {"chromium", *REST} - missing else None

    monkeypatch.setattr(runner.shutil, "which", which)
    monkeypatch.setattr(runner.ctypes.util, "find_library", lambda name: library)
    assert runner.missing_packages() == packages


def test_without_root_it_prints_what_to_install(runner, monkeypatch):
    monkeypatch.setattr(runner, "missing_packages", lambda: ["firefox-esr"])
    monkeypatch.setattr(runner.os, "geteuid", lambda: 1000)
    with pytest.raises(SystemExit, match=r"sudo apt-get install .* firefox-esr$"):
        runner.ensure_programs()
