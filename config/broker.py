"""The filesystem broker: a folder instead of a server, for one machine without services."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    """Messages appear whole. kombu writes them where workers look already, and a worker that looks
    just then takes an empty one and dies of it."""

    def _put(  # type: ignore[override]  # two base classes name the second argument differently
        self, queue: str, message: dict[str, Any], **kwargs: Any
    ) -> None:
        # Named as kombu names them: in the order in which they were sent.
        name = f"{round(monotonic() * 1000)}_{uuid4()}.{queue}.msg"
        folder = Path(self.data_folder_out)
        unfinished = folder / f"{name}.part"
        unfinished.write_text(dumps(message))
        unfinished.rename(folder / name)


class Transport(filesystem.Transport):
    Channel = Channel


def filesystem_options(folder: Path) -> dict[str, str | bool]:
    """Transport options with `folder` made ready, readable by its owner only.

    Messages go out to where they come in from, as producer and worker are on the same machine.
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
    }
