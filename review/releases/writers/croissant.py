"""Croissant metadata (mlcommons.org/croissant, 1.0) with its fields for responsible AI, as JSON-LD.

Unknown fields are omitted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from review.exchange.files import ExportFile
from review.frozen.models import Release
from review.releases.content import signature
from review.releases.writers.folder import SIMULATED
from review.releases.writers.spans import SPAN
from review.releases.writers.tables import Column, Content, Table

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
TYPES = {
    "text": "sc:Text",
    "texts": "sc:Text",
    "integer": "sc:Integer",
    "number": "sc:Float",
    "boolean": "sc:Boolean",
}


WITHDRAWN = " Items that were taken down since are left out and listed in TOMBSTONES."


def croissant(
    release: Release,
    content: Content,
    placed: Mapping[str, Table],
    parquet: Mapping[str, ExportFile],
) -> dict[str, Any]:
    """Return `croissant.json` for the tables at these paths."""
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [
            "http://mlcommons.org/croissant/1.0",
            "http://mlcommons.org/croissant/RAI/1.0",
        ],
        "name": release.project.slug,
        "alternateName": release.project_name,
        "description": _description(release, content),
        "version": release.version,
        "datePublished": release.created_at.date().isoformat(),
        **({"license": release.license} if release.license else {}),
        "citeAs": signature(release),
        "inLanguage": "en",
        **_responsibly(release, content),
        "distribution": [
            *(_file(path, file) for path, file in parquet.items()),
            *_videos(placed),
        ],
        "recordSet": [_records(path, placed[path], name) for path, name in _names(placed).items()],
    }


def _description(release: Release, content: Content) -> str:
    made = SIMULATED if release.project.is_simulated else ""
    return " ".join(filter(None, [content.making.summary, made, release.notes]))


def _responsibly(release: Release, content: Content) -> dict[str, Any]:
    making = content.making
    properties = {
        "rai:dataCollection": making.collection,
        "rai:dataAnnotationProtocol": making.protocol,
        "rai:dataAnnotationPlatform": "Vericap",
        "rai:annotationsPerItem": making.per_item,
        "rai:machineAnnotationTools": list(making.tools),
        "rai:dataBiases": making.composition,
        "rai:dataLimitations": SIMULATED if release.project.is_simulated else "",
        "rai:personalSensitiveInformation": "The tables name no person who wrote or judged a "
        "caption.",
        "rai:dataReleaseMaintenancePlan": "A version never changes. Corrections are released under "
        f"a higher version.{WITHDRAWN if release.withdrawn else ''}",
    }
    if release.project.is_simulated:
        for name in ("rai:dataCollection", "rai:dataAnnotationProtocol", "rai:annotationsPerItem"):
            properties.pop(name)
    return {name: value for name, value in properties.items() if value}


def _file(path: str, file: ExportFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "contentSize": f"{file.size} B",
        "encodingFormat": "application/x-parquet",
        "sha256": file.sha256,
    }


def _videos(placed: Mapping[str, Table]) -> list[dict[str, Any]]:
    """Return the folders of videos."""
    return [
        {
            "@type": "cr:FileSet",
            "@id": f"files-{number}",
            "name": f"files-{number}",
            "description": "Videos that the tables name, as H.264.",
            "encodingFormat": "video/mp4",
            "includes": pattern,
        }
        for number, pattern in enumerate(sorted({table.videos for table in placed.values()}))
    ]


def _records(path: str, table: Table, name: str) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": table.about,
        "field": [
            _span_field(path, f"{name}/{column.name}", column)
            if column.kind == "spans"
            else _field(path, f"{name}/{column.name}", column)
            for column in table.columns
        ],
    }


def _field(path: str, key: str, column: Column) -> dict[str, Any]:
    return {
        **_named(key, column.name, column.about),
        "dataType": TYPES[column.kind],
        **({"repeated": True} if column.kind == "texts" else {}),
        "source": _source(path, column),
    }


def _span_field(path: str, key: str, column: Column) -> dict[str, Any]:
    return {
        **_named(key, column.name, column.about),
        "repeated": True,
        "subField": [
            {
                **_named(f"{key}/{name}", name, about),
                "dataType": TYPES["integer"],
                "source": {**_source(path, column), "transform": {"jsonPath": f"$[*].{name}"}},
            }
            for name, about in SPAN.items()
        ],
    }


def _named(key: str, name: str, about: str) -> dict[str, Any]:
    return {"@type": "cr:Field", "@id": key, "name": name, "description": about}


def _source(path: str, column: Column) -> dict[str, Any]:
    return {"fileObject": {"@id": path}, "extract": {"column": column.name}}


def _names(placed: Mapping[str, Table]) -> dict[str, str]:
    """Return the name of each table by its path: with its split, if it has several."""
    splits = Counter(table.name for table in placed.values())
    return {
        path: f"{table.name}-{table.split}" if splits[table.name] > 1 else table.name
        for path, table in placed.items()
    }
