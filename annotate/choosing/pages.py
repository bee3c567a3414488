"""The context of the list of waiting clips."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import QueryDict

from annotate.choosing.forms import ChoiceForm
from annotate.choosing.queries import items_to_choose, subcategories_to_choose
from annotate.kinds import Kind
from annotate.models import Membership
from annotate.queue.services.choosing import can_choose, held_now
from annotate.queue.work_kinds import work_closed

PER_PAGE = 24


def choice_context(membership: Membership, kind: str, query: QueryDict) -> dict[str, Any]:
    """Return the context. Clips are named by number only, because a file name can be the answer."""
    form = ChoiceForm(subcategories_to_choose(membership, kind), query)
    items = items_to_choose(
        membership, kind, subcategory=form.subcategory_asked, order=form.order_asked
    )
    filters = [(name, query.get(name, "")) for name in form.fields]
    return {
        "membership": membership,
        "project": membership.project,
        "kind": Kind(kind),
        "form": form,
        "page": Paginator(items, PER_PAGE).get_page(query.get("page")),
        "query": urlencode([pair for pair in filters if pair[1]]),
        "is_filtered": bool(form.subcategory_asked),
        "can_choose": can_choose(membership, kind),
        "held": held_now(membership, kind),
        "closed": work_closed(membership, kind),
    }
