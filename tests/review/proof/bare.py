"""Run the program of a release with nothing installed but numpy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np


def numpy_alone(folder: Path) -> Path:
    """Return a folder of packages that has numpy and nothing else."""
    packages = folder / "packages"
    packages.mkdir()
    installed = Path(np.__file__).parent
    for path in (installed, installed.with_name("numpy.libs")):
        if path.exists():
            (packages / path.name).symlink_to(path)
    return packages


def run_bare(
    packages: Path, *arguments: str | os.PathLike[str]
) -> subprocess.CompletedProcess[str]:
    """Run Python without site packages, in a folder that is not the project's."""
    return subprocess.run(
        [sys.executable, "-S", *arguments],
        env={"PYTHONPATH": str(packages)},
        cwd=packages.parent,
        capture_output=True,
        text=True,
        check=False,
    )
