"""Names of the devices that models run on."""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path

MAX_NAME_LENGTH = 100
CPU_INFO = Path("/proc/cpuinfo")


@cache
def processor_name() -> str:
    """Return the name of this machine's processor with its cores, such as "AMD EPYC, 2 cores"."""
    cores = os.cpu_count() or 1
    named = f"{_model_name()}, {cores} core{'s' if cores > 1 else ''}"
    return named[:MAX_NAME_LENGTH]


def _model_name() -> str:
    try:
        lines = CPU_INFO.read_text(errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return next(filter(None, [*names, platform.processor(), platform.machine()]), "processor")
