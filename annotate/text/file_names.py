"""File names that some systems reserve or add by themselves. Pure."""

from __future__ import annotations

from pathlib import PurePosixPath

# Windows opens a device by these names, whatever their suffix and case.
_DEVICES = {"con", "prn", "aux", "nul", "conin$", "conout$"} | {
    f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"
}
_MADE_BY_SYSTEMS = {".ds_store", "thumbs.db", "desktop.ini"}


def is_reserved_name(name: str) -> bool:
    """Return whether Windows can't store a file or folder of this name: a device's name, with any
    suffix, or a dot or space at the end."""
    device = name.partition(".")[0].rstrip(" ").lower()
    return device in _DEVICES or name.endswith((".", " "))


def is_system_file(path: str) -> bool:
    """Return whether macOS or Windows put this file of a folder or archive beside those of its
    owner."""
    parts = PurePosixPath(path).parts
    name = parts[-1].lower() if parts else ""
    return "__MACOSX" in parts or name.startswith("._") or name in _MADE_BY_SYSTEMS
