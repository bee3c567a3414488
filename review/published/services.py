"""Import the human captions of a published data set, and remove them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from annotate.audit import record_event
from annotate.bulk import in_batches
from annotate.corpus.services.opening import open_writing
from annotate.jobs.services.starting import start_job
from annotate.models import Caption, Clip, Project, User
from annotate.models.jobs import ACTIVE, Job
from annotate.queue.kinds import kinds_of, people_needed
from annotate.stored_json import as_json
from annotate.text.storable import storable
from review.captions import NAME as OVERLAP_NAME
from review.captions.model_names import MAX_NAME_LENGTH, checked_model_name
from review.elements.models import Extraction
from review.errors import ReviewError
from review.published.clip_texts import categories_of
from review.published.models import HumanImport
from review.published.plan import Options, plan_import
from review.published.queries import checked_content, uses_of
from review.published.storing import set_categories, store_plan
from review.reports.services import recompute_later

IMPORT_HUMAN = "human-captions"
TAKEN = "Captions of “{}” were imported already. Remove them first, or choose another name."
Kind = Caption.Kind


class HumanImportParameters(msgspec.Struct, frozen=True):
    """A Struct, because a dataclass can't have a field that is stored as "import"."""

    human_import: int = msgspec.field(name="import")


@transaction.atomic
def check_file(
    *,
    project: Project,
    name: str,
    data: bytes,
    file_name: str,
    options: Options,
    admin: User | None,
) -> HumanImport:
    """Keep a file that is ready to be imported, with its preview; no caption is stored.

    A file that was checked under the same name, and not imported, is replaced; files of other names
    stay. Raises PublishedInvalid with every problem in the file, and ReviewError for a file without
    a row for the project, a name that is taken, and while an import is in progress.
    """
    project = Project.objects.lock(project.pk)
    jobs = Job.objects.filter(project=project, kind=IMPORT_HUMAN, state__in=ACTIVE)
    if jobs.exists():
        raise ReviewError("Human captions are being imported. Wait until that is done.")
    imports = HumanImport.objects.filter(project=project)
    imports.filter(imported_at=None, preview__has_key="faults").delete()
    names = imports.exclude(imported_at=None).values_list("name", flat=True).order_by()
    name = checked_model_name(name, names, TAKEN)
    plan = plan_import(project, data, file_name, options)
    checked, _ = imports.update_or_create(
        imported_at=None,
        name__iexact=name,
        defaults={
            "project": project,
            "name": name,
            "file_name": storable(file_name)[:200],
            "sha256": sha256(data).hexdigest(),
            "content": data,
            "options": asdict(options),
            "preview": asdict(plan.preview),
            "created_by": admin,
            "created_at": timezone.now(),
        },
    )
    return checked


@transaction.atomic
def keep_faults(*, project: Project, file_name: str, faults: Sequence[Mapping[str, Any]]) -> int:
    """Store the faults of a refused file for a download until another one is checked; return the
    key."""
    refused_before = HumanImport.objects.filter(project=project, imported_at=None)
    refused_before.filter(preview__has_key="faults").delete()
    refused = HumanImport.objects.create(
        project=project,
        name=f"Refused: {storable(file_name)}"[:MAX_NAME_LENGTH],
        file_name=storable(file_name)[:200],
        preview={"faults": list(faults)},
    )
    return refused.pk


@transaction.atomic
def start_import(*, human_import: HumanImport, admin: User | None, sha256: str = "") -> Job:
    """Let a worker import a checked file. `sha256`: of the file whose check the admin has seen.
    Raises ReviewError if it was imported or replaced, and JobInProgress while another is imported.
    """
    _refuse_imported(human_import)
    if sha256 not in ("", human_import.sha256):
        raise ReviewError(
            f"Another file was checked as {human_import.name} meanwhile. Look at what it would "
            "change, and import it then."
        )
    return start_job(
        Job(
            project=human_import.project,
            kind=IMPORT_HUMAN,
            lane="all",
            title=human_import.name,
            parameters=as_json(HumanImportParameters(human_import.pk)),
            created_by=admin,
        )
    )


@transaction.atomic
def import_checked(*, human_import: HumanImport, admin: User | None) -> HumanImport:
    """Store the captions of a checked file, all or nothing.

    The file is compared with the project again: human captions added in the meantime stay. Raises
    what `plan_import` raises, and ReviewError if it was imported before.
    """
    # One import at a time.
    project = Project.objects.lock(human_import.project_id)
    imports = HumanImport.objects.defer("content").select_for_update(of=("self",))
    human_import = imports.get(pk=human_import.pk)
    _refuse_imported(human_import)
    options = Options(**human_import.options)
    plan = plan_import(project, checked_content(human_import), human_import.file_name, options)
    store_plan(human_import, plan)
    set_categories(project, categories_of(plan.texts))
    human_import.preview = asdict(plan.preview)
    human_import.content = None
    human_import.imported_at = timezone.now()
    human_import.save(update_fields=["preview", "content", "imported_at"])
    record_event(
        actor=admin,
        verb="import human captions",
        subject=human_import,
        project=project,
        after={"name": human_import.name, "file": human_import.file_name, **human_import.preview},
    )
    _recompute(project)
    return human_import


@transaction.atomic
def remove_import(*, human_import: HumanImport, admin: User | None) -> int:
    """Remove all captions of an import; return their number. Clips without another human caption
    are opened for writing again if the project asks for write-ups.

    Raises ReviewError if anything refers to one of the captions, and then removes nothing.
    """
    project = Project.objects.lock(human_import.project_id)
    human_import = HumanImport.objects.select_for_update(of=("self",)).get(pk=human_import.pk)
    captions = Caption.objects.filter(published_as__human_import=human_import).order_by("pk")
    rows = list(captions.values_list("pk", "clip", "kind"))
    keys = [key for key, _, _ in rows]
    if uses := uses_of(keys):
        raise ReviewError(
            f"{human_import.name} can’t be removed: its captions are used by {'; '.join(uses)}. "
            "Nothing was changed."
        )
    before = {"name": human_import.name, "captions": len(keys), "sha256": human_import.sha256}
    record_event(
        actor=admin, verb="remove human captions", subject=human_import, project=project,
        before=before,
    )  # fmt: skip
    for batch in in_batches(keys):
        Extraction.objects.filter(caption__in=batch).delete()
        Caption.objects.filter(pk__in=batch).delete()
    human_import.delete()
    described = [clip for _, clip, kind in rows if kind == Kind.GENERAL]
    _open_writing(project, described)
    _recompute(project)
    return len(keys)


def _refuse_imported(human_import: HumanImport) -> None:
    if human_import.imported_at is not None:
        raise ReviewError(f"{human_import.name} was imported already. Nothing was changed.")


def _open_writing(project: Project, clips: Sequence[int]) -> None:
    if "write" not in kinds_of(project, []):
        return
    for batch in in_batches(clips):
        without = Clip.objects.filter(pk__in=batch)
        open_writing(clips=without.iterator(), writers=people_needed(project, "write"))


def _recompute(project: Project) -> None:
    for name in (OVERLAP_NAME, "leakage"):
        recompute_later(project.pk, name)
