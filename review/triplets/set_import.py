"""Import a published set of triplets, TF-CoVR's or CIRCO's, all or nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from django.db import transaction

from annotate.models import Project, User
from review.errors import ReviewError
from review.exchange.bundle import Bundle, open_bundle
from review.exchange.tables import counted
from review.pairs.models import LabelPair
from review.triplets.circo_source import CircoSource
from review.triplets.folder_source import FolderSource
from review.triplets.import_file import import_set
from review.triplets.models import TripletSet
from review.triplets.source import TripletSource
from review.triplets.splits import repeat_splits

CIRCO, TFCOVR = "circo", "tfcovr"
FORMATS = {TFCOVR: "TF-CoVR", CIRCO: "CIRCO"}
SOURCES: dict[str, Callable[[Bundle], TripletSource]] = {TFCOVR: FolderSource, CIRCO: CircoSource}
# Files about the set, which differ when it is exported twice.
SAID_ABOUT = ("manifest.json", "schema.json")


@transaction.atomic
def import_published_set(
    *,
    project: Project,
    file: Path | BinaryIO,
    file_name: str,
    format: str,
    kind: str = LabelPair.Kind.TEMPORAL,
    admin: User | None,
    is_dry: bool = False,
) -> str:
    """Store the triplets of a folder, or of a ZIP of it, as a new finished set, and return a
    sentence about it. The same files a second time change nothing.

    `kind`: of label pairs for which the files give none. The labels and the labeled clips must be
    in the project; their splits are taken from the files. Raises ReviewError or DatasetInvalid;
    then, and with `is_dry`, nothing is stored.
    """
    project = Project.objects.lock(project.pk)
    if "triplets" not in project.pipeline.keys:
        raise ReviewError(
            "Only a project with the protocol TF-CoVR can have triplets. "
            "Import them into such a project."
        )
    with open_bundle(file, file_name) as bundle:
        digest = bundle.digest(_content(bundle))
        earlier = TripletSet.objects.filter(project=project, files_sha256=digest).first()
        if earlier is not None:
            return (
                f"These files were imported already, on {earlier.created_at:%d %b %Y}, as "
                f"{earlier}. Nothing was changed."
            )
        source = SOURCES[format](bundle)
        rows = list(source.clips())
        if all(row.source for row in rows):
            repeat_splits(project=project, rows=rows, by=source.name, admin=admin)
        triplets = import_set(project=project, source=source, kind=kind, admin=admin)
        TripletSet.objects.filter(pk=triplets.pk).update(files_sha256=digest)
    if is_dry:
        transaction.set_rollback(True)
    return f"Imported {counted(triplets.triplet_count, 'triplet', 'triplets')} as {triplets}."


def _content(bundle: Bundle) -> list[str]:
    """Return the files that an import reads, without those that only describe the others."""
    return [
        name
        for name in bundle.names
        if name.endswith((".csv", ".json", ".jsonl"))
        and name not in SAID_ABOUT
        and not name.startswith("reports/")
    ]
