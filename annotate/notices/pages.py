"""The context of the page of notices."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator

from annotate.models import User
from annotate.notices.queries import notices_of

A_PAGE = 25
TABS = ("unread", "all")


def notices_context(person: User, *, tab: str, page: str | None) -> dict[str, Any]:
    chosen = tab if tab in TABS else "unread"
    notices = notices_of(person)
    unread = notices.filter(read_at=None)
    rows = Paginator(unread if chosen == "unread" else notices, A_PAGE).get_page(page)
    return {
        "tab": chosen,
        "page": rows,
        "notices": list(rows),
        "unread": unread.count() if chosen == "all" else rows.paginator.count,
        "query": f"tab={chosen}",
    }
