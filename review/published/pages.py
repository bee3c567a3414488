"""The pages about human captions of published data sets."""

from __future__ import annotations

from typing import Any

from annotate.jobs.file_imports import last_import
from annotate.models import Membership
from review.published.forms import CheckForm, RemoveForm
from review.published.models import HumanImport
from review.published.plan import PublishedInvalid
from review.published.preview import Preview
from review.published.queries import checked_files, imports_of, uses_of
from review.published.services import IMPORT_HUMAN


def imports_context(
    membership: Membership,
    form: CheckForm | None = None,
    invalid: PublishedInvalid | None = None,
) -> dict[str, Any]:
    """Return the context. `form`, `invalid`: of a refused file."""
    project = membership.project
    return {
        "membership": membership,
        "project": project,
        "imports": [
            (human_import, Preview(**human_import.preview)) for human_import in imports_of(project)
        ],
        "checked_files": checked_files(project),
        "form": form or CheckForm(),
        "invalid": invalid,
        "last_import": last_import(project.pk, IMPORT_HUMAN),
    }


def import_context(
    membership: Membership, human_import: HumanImport, form: RemoveForm | None = None
) -> dict[str, Any]:
    """Return the context of one import: what it will do and, once it is done, whether it can be
    removed.
    """
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
