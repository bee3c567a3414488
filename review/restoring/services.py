"""Restore the content of a release to a project, all or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from django.db import transaction

from annotate.audit import record_event
from annotate.datasets.faults import Fault
from annotate.jobs.file_imports import MOST_KEPT, FileInvalid
from annotate.models import Project, User
from annotate.text.storable import storable
from review.errors import ReviewError
from review.exchange.bundle import Bundle, open_bundle
from review.exchange.strict_json import read_json
from review.exchange.tables import counted
from review.pairs.models import LabelPair
from review.reports.models import Report
from review.reports.services import recompute_later
from review.restoring.captions import ReleaseFaults, plan_captions
from review.restoring.models import ImportedRelease
from review.restoring.native import FILES, QUERIES, VIDEOS
from review.restoring.storing import restore_captions
from review.restoring.triplets import NativeTriplets, restore_triplets
from review.triplets.circo_source import CircoSource
from review.triplets.folder_source import FolderSource
from review.triplets.source import TripletSource

NATIVE, CIRCO, TFCOVR = "native", "circo", "tfcovr"
FORMATS = {NATIVE: "Vericap", CIRCO: "CIRCO", TFCOVR: "TF-CoVR"}
MANIFEST = "manifest.json"
OF_TRIPLETS: dict[str, Callable[[Bundle], TripletSource]] = {
    NATIVE: NativeTriplets,
    CIRCO: CircoSource,
    TFCOVR: FolderSource,
}
# Files about the release that differ when it is built twice.
SAID_ABOUT = (MANIFEST, "README.md", "LICENSE.txt", "SHA256SUMS", "verify.pyz", "schema.json")


class ReleaseInvalid(FileInvalid, ReviewError):
    """Nothing was stored."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults, self.total = list(faults[:MOST_KEPT]), len(faults)
        problems = "problem" if self.total == 1 else "problems"
        super().__init__(
            f"Nothing was imported: {self.total:,} {problems}. Fix "
            f"{'it' if self.total == 1 else 'them'}, or leave out clips with an error."
        )


@dataclass(frozen=True)
class Restored:
    """The outcome of an import. `skipped`: the faults of the skipped clips."""

    sentence: str
    skipped: Sequence[Fault] = ()


@dataclass(frozen=True)
class RestoreOptions:
    """`skips_bad`: leave out clips with an error and import the others. `kind`: of label pairs for
    which the files give none."""

    skips_bad: bool = False
    kind: str = LabelPair.Kind.TEMPORAL


@transaction.atomic
def import_release(
    *,
    project: Project,
    file: Path | BinaryIO,
    file_name: str,
    format: str,
    options: RestoreOptions,
    admin: User | None,
    is_dry: bool = False,
) -> Restored:
    """Store the content of a release's files: a folder, or a ZIP of it. The same files a second
    time change nothing. Raises ReleaseInvalid or DatasetInvalid with every clip to fix, and
    ReviewError for a file that can't be read; then, and with `is_dry`, nothing is stored."""
    project = Project.objects.select_for_update().get(pk=project.pk)
    with open_bundle(file, file_name) as bundle:
        names = _content(bundle, format)
        digest = bundle.digest(names)
        earlier = ImportedRelease.objects.filter(project=project, sha256=digest).first()
        if earlier is not None:
            return Restored(
                f"This release was imported already, on {earlier.imported_at:%d %b %Y}. "
                "Nothing was changed."
            )
        if format == NATIVE and QUERIES not in bundle:
            restored, counts = _captions(project, bundle, options, admin)
        else:
            source = OF_TRIPLETS[format](bundle)
            triplets = restore_triplets(project, source, options.kind, admin)
            count = counted(triplets.triplet_count, "triplet", "triplets")
            restored = Restored(f"Imported {count} as {triplets}.")
            counts = {"triplets": triplets.triplet_count}
        name = storable(bundle.name)[:200]
        ImportedRelease.objects.create(
            project=project, file=name, format=format, sha256=digest, imported_by=admin
        )
        record_event(
            actor=admin,
            verb="import release",
            subject=project,
            project=project,
            after={"file": name, "format": format, "sha256": digest} | counts,
        )
    if is_dry:
        transaction.set_rollback(True)
    return restored


def _captions(
    project: Project, bundle: Bundle, options: RestoreOptions, admin: User | None
) -> tuple[Restored, dict[str, Any]]:
    is_lovr = VIDEOS in bundle
    if is_lovr != (project.protocol == Project.Protocol.LOVR):
        of = "LoVR" if is_lovr else "CaReBench"
        raise ReviewError(
            f"The release follows {of}, and this project another protocol. "
            f"Import it into a project of {of}."
        )
    if project.protocol == Project.Protocol.TFCOVR:
        raise ReviewError("The release has captions, and a TF-CoVR project has none.")
    faults = ReleaseFaults()
    plan = plan_captions(project, bundle, faults)
    if faults.collected and not (options.skips_bad and plan.clips):
        raise ReleaseInvalid(faults.collected)
    if not plan.clips:
        raise ReviewError("The release has no clip. Nothing to import.")
    captions, judgments = restore_captions(project, bundle, plan, _name(bundle), admin)
    for name in (Report.Name.OVERLAP, Report.Name.LEAKAGE):
        recompute_later(project.pk, name)
    clips = len({facts.clip for facts in plan.clips})
    sentence = (
        f"Imported {counted(captions, 'caption', 'captions')} of {counted(clips, 'clip', 'clips')}."
    )
    if faults.collected:
        rows = len({(fault.file, fault.row) for fault in faults.collected})
        sentence += f" {rows:,} with an error {'was' if rows == 1 else 'were'} left out."
    if plan.homeless and not faults.collected:
        homeless = counted(plan.homeless, "caption", "captions")
        sentence += f" Not imported: {homeless} of clips that the release leaves out."
    if judgments:
        kept = counted(judgments, "judgment of them is", "judgments of them are")
        sentence += f" {kept} kept for releases alone."
    if plan.takedowns:
        covers = "takedown covers" if plan.takedowns == 1 else "takedowns cover"
        sentence += f" The file lacks what {plan.takedowns:,} {covers}."
    return Restored(sentence, faults.collected), {"captions": captions, "clips": clips}


def _content(bundle: Bundle, format: str) -> list[str]:
    """Return the files that an import reads, without those that only describe the others."""
    if format == NATIVE:
        names = [name for name in FILES if name in bundle]
        needed = FILES[0]
        if needed not in bundle:
            raise ReviewError(
                f"{bundle.name} has no {needed}. Choose the ZIP of a release in the format "
                "Vericap. To import captions alone, use Human captions (import_human_captions)."
            )
        return names
    return [
        name
        for name in bundle.names
        if name.endswith((".csv", ".json", ".jsonl"))
        and name not in SAID_ABOUT
        and not name.startswith("reports/")
    ]


def _name(bundle: Bundle) -> str:
    """Return the release's name, such as “Everyday moments 1.0.0”."""
    if MANIFEST not in bundle:
        return storable(bundle.name)[:150]
    manifest = read_json(bundle.read(MANIFEST), MANIFEST)
    fields = manifest if isinstance(manifest, dict) else {}
    names = [fields.get(key) for key in ("project", "version")]
    named = " ".join(name for name in names if isinstance(name, str))
    return storable(named or bundle.name)[:150]
