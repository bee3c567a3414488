"""Annotation files, and a project with a playable long video whose segments are candidates."""

from __future__ import annotations

import json
from typing import Any

from annotate.candidates.segments import read_annotations
from annotate.candidates.services import import_candidates
from annotate.datasets.files import DatasetFile
from annotate.models import Candidate, Project


def annotated(**videos: list[tuple[str, Any, Any]]) -> dict[str, Any]:
    """The file's JSON: videos by name with (label, start, end) of each segment, in seconds."""
    return {
        "database": {
            name: {
                "subset": "validation",
                "annotations": [
                    {"label": label, "label_id": 7, "segment": [start, end]}
                    for label, start, end in segments
                ],
            }
            for name, segments in videos.items()
        }
    }


def as_file(data: Any, name: str = "annotations_gt.json") -> DatasetFile:
    return DatasetFile(name, json.dumps(data).encode())


def bring_in(project: Project, data: Any) -> str:
    imported = import_candidates(
        project=project,
        admin=None,
        annotations=read_annotations(as_file(data)),
        file_name="annotations_gt.json",
    )
    return str(imported)


def candidate(name: str) -> Candidate:
    [row] = [each for each in Candidate.objects.select_related("video") if each.name == name]
    return row
