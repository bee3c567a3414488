"""What takes long is made by one process of a run, and never half."""

from pathlib import Path

import pytest

from tests.made_once import made_once


class Run:
    """Stands in for pytest's factory of one process of a run."""

    def __init__(self, base: Path) -> None:
        self._base = base

    def getbasetemp(self) -> Path:
        return self._base


def test_processes_of_a_run_share_what_the_first_has_made(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    made = []

    def make(folder: Path) -> None:
        (folder / "file").write_text("made")
        made.append(folder)

    folders = [made_once(Run(tmp_path / worker), "slow", make) for worker in ("gw0", "gw1")]
    assert folders == [tmp_path / "slow"] * 2
    assert len(made) == 1
    assert (folders[0] / "file").read_text() == "made"


def test_what_failed_half_way_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)

    def fail(folder: Path) -> None:
        (folder / "half").touch()
        raise ValueError

    with pytest.raises(ValueError):
        made_once(Run(tmp_path), "slow", fail)
    assert list(made_once(Run(tmp_path), "slow", lambda folder: None).iterdir()) == []
