"""The context of the page of watching, and a work page's facts about it."""

from __future__ import annotations

from typing import Any

from annotate.models import Membership, Project, WorkItem
from annotate.queue.kinds import kinds_of
from annotate.queue.services.watching import kinds_to_watch
from annotate.rules import values_of
from annotate.watching.forms import WatchingForm


def watching_form(project: Project, data: Any = None) -> WatchingForm:
    in_use = WorkItem.objects.filter(project=project).values_list("kind", flat=True).distinct()
    percents = values_of(project, "watched_percent")
    kinds = kinds_to_watch(kinds_of(project, {*in_use, *percents, "compare", "elements"}))
    return WatchingForm(kinds, data, initial=percents)


def watching_context(membership: Membership, form: WatchingForm | None = None) -> dict[str, Any]:
    return {
        "membership": membership,
        "project": membership.project,
        "form": form or watching_form(membership.project),
    }
