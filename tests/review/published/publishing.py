"""Files of human captions, and importing them."""

import json

from review.published.models import HumanImport
from review.published.plan import Options
from review.published.services import check_file, import_checked


def carebench_row(name: str, **fields) -> dict:
    return {
        "video": f"{name}.mp4",
        "caption": f"A diver named {name} jumps and turns.",
        "spatial_caption": f"A diver named {name}.",
        "temporal_caption": "Somebody jumps and turns.",
        "category": "Sports",
        "subcategory": "Diving",
        **fields,
    }


def as_json(*rows: dict) -> bytes:
    return json.dumps(rows).encode()


def as_jsonl(*rows: dict) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def check(project, data: bytes, name="CaReBench v1", file_name="metadata.json", **options):
    return check_file(
        project=project,
        name=name,
        data=data,
        file_name=file_name,
        options=Options(**options),
        admin=None,
    )


def import_captions(project, data: bytes, **fields) -> HumanImport:
    return import_checked(human_import=check(project, data, **fields), admin=None)
