"""The filesystem broker: a folder instead of a server, for one machine without services."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps

# kombu waits a second whenever the folder is empty or the worker is busy, so a worker with one
# process would begin one message a second.
SECONDS_BETWEEN_LOOKS = 0.1


class Channel(filesystem.Channel):
    """Writes messages atomically. kombu writes them directly to the watched folder, and a worker
    that reads at that moment gets an empty message and dies."""

    def _put(  # type: ignore[override]  # two base classes name the second argument differently
        self, queue: str, message: dict[str, Any], **kwargs: Any
    ) -> None:
        # Named like kombu's files, in the order of sending.
        name = f"{round(monotonic() * 1000)}_{uuid4()}.{queue}.msg"
        folder = Path(self.data_folder_out)
        unfinished = folder / f"{name}.part"
        unfinished.write_text(dumps(message))
        unfinished.rename(folder / name)


class Transport(filesystem.Transport):
    Channel = Channel


def filesystem_options(folder: Path) -> dict[str, str | bool | float]:
    """Return transport options with `folder` created and readable by its owner only.

    Producer and worker share the folder, because they are on the same machine.
    """
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:{Transport.__name__}"
    for name in ("queue", "control", "processed"):
        (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    return {
        "data_folder_in": str(folder / "queue"),
        "data_folder_out": str(folder / "queue"),
        "control_folder": str(folder / "control"),
        "processed_folder": str(folder / "processed"),
        "store_processed": False,
        "polling_interval": SECONDS_BETWEEN_LOOKS,
    }
