"""Changes of many clips, as resources of the API."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.forms import key_field
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.api.paging import BY_KEY, NewestFirst
from annotate.api.problems import checked_form
from annotate.clip_changes.access import clip_change
from annotate.clip_changes.forms import LONGEST_NOTE, NOBODY, ClipChangeForm
from annotate.clip_changes.leaving_out import CLIPS, VIDEOS
from annotate.clip_changes.selection import read_selection
from annotate.clip_changes.services import change_clips, undo_change
from annotate.corpus.api.clips import STAGES
from annotate.corpus.queries import LENGTHS
from annotate.models import ClipChange, Role
from annotate.models.clip_changes import LONGEST_TAG
from annotate.models.corpus import LONGEST_REASON

TAG = "Clips"
MOST_KEYS = 100_000


class ClipChangeSerializer(serializers.ModelSerializer[ClipChange]):
    selected = serializers.SerializerMethodField(help_text="How many clips were chosen.")
    changed = serializers.IntegerField(
        allow_null=True, help_text="How many things were changed; null while a worker changes them."
    )

    class Meta:
        model = ClipChange
        fields = ("id", "action", "values", "selected", "changed", "job", "made_at", "undone_at")
        read_only_fields = ("id", "action", "values", "job", "made_at", "undone_at")

    def get_selected(self, change: ClipChange) -> int:
        return len(change.clips)


class NewClipChangeSerializer(serializers.Serializer[Any]):
    """`clip` are the keys of the clips; with `all`, those that match the filters `q` to `stage`, as
    in the list of clips. Each action needs some of the other fields: `assign` a `person`,
    `prioritize` a `priority`, `tag` and `untag` a `tag`, `exclude` a `reason`.
    """

    action = serializers.ChoiceField(choices=ClipChange.Action.choices)
    clip = serializers.ListField(child=key_field(), max_length=MOST_KEYS, default=list)
    all = serializers.BooleanField(default=False)
    q = serializers.CharField(default="", allow_blank=True, max_length=200)
    text = serializers.CharField(default="", allow_blank=True, max_length=200)
    category = serializers.CharField(default="", allow_blank=True)
    subcategory = serializers.CharField(default="", allow_blank=True)
    label = serializers.CharField(  # type: ignore[assignment]  # a field of this name
        default="", allow_blank=True
    )
    tagged = serializers.CharField(default="", allow_blank=True, help_text="A tag of the clips.")
    length = serializers.ChoiceField(choices=list(LENGTHS), default="", allow_blank=True)
    stage = serializers.ChoiceField(choices=STAGES, default="", allow_blank=True)
    kind = serializers.CharField(
        default="", allow_blank=True, help_text="Of the work, such as `write`; every kind if empty."
    )
    person = serializers.CharField(
        default="", allow_blank=True, help_text=f"Key of a person, or `{NOBODY}`."
    )
    priority = serializers.FloatField(required=False)
    tag = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_TAG)
    reason = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_REASON)
    scope = serializers.ChoiceField(
        choices=[VIDEOS, CLIPS],
        default=VIDEOS,
        help_text="What `archive` and `restore` are about: the videos with all their clips, or the "
        "clips alone.",
    )
    note = serializers.CharField(default="", allow_blank=True, max_length=LONGEST_NOTE)


class ClipChanges(ApiView):
    @operation(gives=ClipChangeSerializer, query=NewestFirst, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[ClipChange]:
        """List changes of many clips. Newest first."""
        project = access.member(asker, slug, Role.ADMIN, Role.EXPERT).project
        return ClipChange.objects.filter(project=project)

    @operation(gives=ClipChangeSerializer, takes=NewClipChangeSerializer, status=201, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> ClipChange:
        """Change many clips. Assign and prioritize their work, tag, withdraw or archive them. A
        worker changes more than 500."""
        membership = access.member(asker, slug, Role.ADMIN, Role.EXPERT)
        typed = self.typed()
        selection = read_selection(membership, typed)
        form = checked_form(ClipChangeForm(typed, membership=membership))
        return change_clips(
            project=membership.project,
            clips=selection.keys(),
            action=form.cleaned_data["action"],
            values=form.values,
            actor=asker.user,
        )


class ClipChangeView(ApiView):
    @operation(gives=ClipChangeSerializer)
    def get(self, asker: UserRequest, slug: str, change_id: int) -> ClipChange:
        """Show a change of many clips."""
        return clip_change(asker, slug, change_id)[1]


class UndoClipChange(ApiView):
    @operation(gives=ClipChangeSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, change_id: int) -> ClipChange:
        """Undo a change of many clips. Later changes are kept."""
        _, change = clip_change(asker, slug, change_id, undoes=True)
        return undo_change(change=change, actor=asker.user)


CHANGES = "projects/<slug:slug>/clip-changes/"
urlpatterns = [
    path(CHANGES, ClipChanges.as_view(), name="clip_changes"),
    path(f"{CHANGES}<int:change_id>/", ClipChangeView.as_view(), name="clip_change"),
    path(f"{CHANGES}<int:change_id>/undo/", UndoClipChange.as_view(), name="undo_clip_change"),
]
