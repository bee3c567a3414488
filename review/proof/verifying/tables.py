"""The inputs of a report, as files of a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review.proof.verifying.folder import Folder, Unreadable
from review.reports.plain import Vectors

Parameters = Mapping[str, Any]


class Tables:
    """The inputs of a report by name. `paths`: their files in the folder."""

    def __init__(self, folder: Folder, paths: Mapping[str, str]) -> None:
        self.folder, self.paths = folder, paths

    def __contains__(self, name: str) -> bool:
        return name in self.paths

    def rows(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the rows one by one, because there can be half a million of them."""
        return self.folder.lines(self._path(name))

    def vectors(self, name: str) -> Vectors:
        return self.folder.vectors(self._path(name))

    def _path(self, name: str) -> str:
        if name not in self.paths:
            raise Unreadable(f"The report names no {name} among its inputs.")
        return self.paths[name]
