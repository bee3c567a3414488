"""The pages about human captions of published data sets."""

from __future__ import annotations

from typing import Any

from annotate.jobs.queries import latest_job
from annotate.jobs.workers import last_beats
from annotate.models import Membership
from review.published.forms import CheckForm, RemoveForm
from review.published.models import HumanImport
from review.published.plan import Preview, PublishedInvalid
from review.published.queries import imports_of, uses_of
from review.published.services import IMPORT_HUMAN


def imports_context(
    membership: Membership,
    form: CheckForm | None = None,
    invalid: PublishedInvalid | None = None,
) -> dict[str, Any]:
    """`form`, `invalid`: what was refused."""
    project = membership.project
    job = latest_job(project.pk, IMPORT_HUMAN)
    is_importing = job is not None and job.is_active
    return {
        "membership": membership,
        "project": project,
        "imports": [(one, Preview(**one.preview)) for one in imports_of(project)],
        "form": form or CheckForm(),
        "invalid": invalid,
        "job": job,
        "job_item": job.job_items.first() if job else None,
        "is_importing": is_importing,
        "silence": last_beats().silence_in(job.queue) if job and is_importing else None,
    }


def import_context(
    membership: Membership, human_import: HumanImport, form: RemoveForm | None = None
) -> dict[str, Any]:
    """One import: what it will do and, once it is done, whether it can be removed."""
    captions = human_import.captions.order_by("pk").values_list("caption", flat=True)
    is_imported = human_import.imported_at is not None
    return {
        "membership": membership,
        "project": membership.project,
        "human_import": human_import,
        "preview": Preview(**human_import.preview) if human_import.preview else None,
        "uses": uses_of(list(captions)) if is_imported else [],
        "form": form or RemoveForm(),
    }
