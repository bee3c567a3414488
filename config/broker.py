"""The filesystem broker: a folder instead of a server, for one machine without services."""

from __future__ import annotations

from pathlib import Path


def filesystem_options(folder: Path) -> dict:
    """Transport options with `folder` made ready, readable by its owner only.

    Messages go out to where they come in from, as producer and worker are on the same machine.
    """
    for name in ("queue", "control", "processed"):
        (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    return {
        "data_folder_in": str(folder / "queue"),
        "data_folder_out": str(folder / "queue"),
        "control_folder": str(folder / "control"),
        "processed_folder": str(folder / "processed"),
        "store_processed": False,
    }
