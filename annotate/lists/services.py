"""Save a view of a list, change it, and delete it."""

from __future__ import annotations

from django.db import transaction

from annotate.errors import AnnotateError
from annotate.models import Project, SavedView, User

MAX_VIEWS = 50  # of one person and list


@transaction.atomic
def save_view(
    *,
    project: Project,
    owner: User,
    list_name: str,
    name: str,
    query: str,
    is_shared: bool,
    is_default: bool,
) -> tuple[SavedView, bool]:
    """Store the view under a name; one of the owner's with this name is replaced. Return it, and
    whether it is new. Raises AnnotateError.
    """
    own = SavedView.objects.filter(project=project, owner=owner, list_name=list_name)
    list(own.select_for_update(of=("self",)).values_list("pk"))
    view = own.filter(name__iexact=name).first()
    if view is None and own.count() >= MAX_VIEWS:
        raise AnnotateError(f"You have {MAX_VIEWS} views of this list. Delete one first.")
    is_new = view is None
    view = view or SavedView(project=project, owner=owner, list_name=list_name)
    if is_default:
        own.filter(is_default=True).update(is_default=False)
    view.name, view.query, view.is_shared, view.is_default = name, query, is_shared, is_default
    view.save()
    return view, is_new


@transaction.atomic
def change_view(*, view: SavedView, name: str, is_shared: bool, is_default: bool) -> SavedView:
    """Rename the view, share it or make it the default one. Raises AnnotateError."""
    own = SavedView.objects.filter(
        project=view.project_id, owner=view.owner_id, list_name=view.list_name
    )
    list(own.select_for_update(of=("self",)).values_list("pk"))
    others = own.exclude(pk=view.pk)
    if others.filter(name__iexact=name).exists():
        raise AnnotateError(f"You have a view called {name} already. Choose another name.")
    if is_default:
        others.filter(is_default=True).update(is_default=False)
    view.name, view.is_shared, view.is_default = name, is_shared, is_default
    view.save(update_fields=["name", "is_shared", "is_default"])
    return view


def delete_view(*, view: SavedView) -> None:
    view.delete()
