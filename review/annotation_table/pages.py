"""The context of the page of the annotation table."""

from __future__ import annotations

from typing import Any

from annotate.jobs.file_imports import last_import
from annotate.models import Membership
from review.annotation_table.forms import MarksForm, TableForm
from review.annotation_table.jobs import IMPORT_TABLE
from review.verification.queries import count_hidden, readable_verifications

Context = dict[str, Any]


def table_context(
    membership: Membership,
    *,
    download: MarksForm | None = None,
    upload: TableForm | None = None,
) -> Context:
    readable = readable_verifications(membership)
    last = last_import(membership.project_id, IMPORT_TABLE) if membership.is_admin else None
    return {
        "membership": membership,
        "project": membership.project,
        "verifications": readable.count(),
        "hidden": count_hidden(membership),
        "download": download or MarksForm(auto_id="download-%s"),
        "upload": upload or TableForm(initial=last.typed if last else None, auto_id="upload-%s"),
        "last_import": last,
    }
