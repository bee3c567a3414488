"""The API to list the clips that wait for a person, and to take one of them."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import path

from annotate import access
from annotate.access import UserRequest
from annotate.api.operations import BY_KEY, WORK, ApiView, operation
from annotate.api.paging import Filters
from annotate.choosing.access import chooser, chosen_item
from annotate.choosing.queries import items_to_choose
from annotate.models import Assignment, WorkItem
from annotate.queue.api import HeldWorkSerializer, WorkItemSerializer
from annotate.queue.services.taking import take_chosen

TAG = "Work"


class Choices(ApiView):
    @operation(gives=WorkItemSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str, kind: str) -> QuerySet[WorkItem]:
        """List work to choose from. Where the project lets people choose."""
        return items_to_choose(chooser(asker, slug, kind), kind, order=("id",))


class Choose(ApiView):
    @operation(gives=HeldWorkSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, kind: str, work_item_id: int) -> Assignment:
        """Take the chosen work. Where the project lets people choose."""
        membership, item = chosen_item(asker, slug, kind, work_item_id)
        taken = take_chosen(membership=membership, kind=kind, item_id=item.pk)
        return access.own_assignment(asker, taken.pk)


_CHOICES = "projects/<slug:slug>/work/choose/<slug:kind>/"
urlpatterns = [
    path(_CHOICES, Choices.as_view(), name="choices"),
    path(f"{_CHOICES}<int:work_item_id>/", Choose.as_view(), name="choose"),
]
