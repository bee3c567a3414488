"""The API of panels, for admins."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path, reverse
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from review import access
from review.panels import access as panel_access
from review.panels import services
from review.panels.forms import DecisionForm, PanelForm
from review.panels.models import Panel, Participant
from review.panels.queries import with_finished

TAG = "Quality"
BODY = body_of("NewPanel", PanelForm)


class PanelSerializer(RowSerializer[Panel]):
    items = serializers.DictField(
        child=serializers.IntegerField(), help_text="Items per person by kind of work."
    )

    class Meta:
        model = Panel
        fields = (
            *("id", "name", "items", "places", "minutes", "id_parameter", "study_parameter"),
            *("session_parameter", "completed_code", "screened_out_code", "out_of_time_code"),
            *("unfinished_code", "no_work_code", "return_address", "asks_signature", "expires_at"),
            *("closed_at", "created_at"),
        )


class LinkSerializer(serializers.Serializer[Any]):
    panel = serializers.IntegerField()
    link = serializers.CharField(
        help_text="It is given only once. Of a panel with signed links, it lets nobody in."
    )


class ParticipantSerializer(RowSerializer[Participant]):
    items = serializers.IntegerField(source="finished", help_text="Finished since they joined.")
    outcome = serializers.CharField(
        help_text="completed, screened_out, out_of_time, unfinished, no_work, or empty."
    )
    decision = serializers.CharField(help_text="approved, rejected, or empty.")

    class Meta:
        model = Participant
        fields = (
            *("id", "person", "external_id", "study_id", "session_id", "joined_at", "outcome"),
            *("ended_at", "decision", "reason", "decided_at", "items"),
        )


class Panels(ApiView):
    @operation(gives=PanelSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Panel]:
        """List panels. For admins."""
        return Panel.objects.filter(project=access.admin(asker, slug).project)

    @operation(gives=LinkSerializer, takes=BODY, status=201, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> dict[str, Any]:
        """Make a panel. `items_write` and so on: the items per person of each kind of work."""
        project = access.admin(asker, slug).project
        panel, token = services.make_panel(
            project=project,
            admin=asker.user,
            values=checked_form(PanelForm(self.typed())).panel(),
        )
        return _link(asker, panel, token)


class PanelView(ApiView):
    @operation(gives=PanelSerializer, takes=body_of("PanelChange", PanelForm), scope=ADMIN)
    def put(self, asker: UserRequest, slug: str, panel_id: int) -> Panel:
        """Change a panel. This also applies to people who have joined."""
        _, panel = panel_access.panel(asker, slug, panel_id)
        values = checked_form(PanelForm(self.typed())).panel()
        return services.change_panel(panel=panel, admin=asker.user, values=values)


class RenewLink(ApiView):
    @operation(gives=LinkSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, panel_id: int) -> dict[str, Any]:
        """Give a panel a new link. The former one no longer works."""
        _, panel = panel_access.panel(asker, slug, panel_id)
        return _link(asker, *services.renew_link(panel=panel, admin=asker.user))


class ClosePanel(ApiView):
    @operation(scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, panel_id: int) -> Any:
        """Close a panel. Nobody else can join; people who have joined may finish."""
        _, panel = panel_access.panel(asker, slug, panel_id)
        services.close_panel(panel=panel, admin=asker.user)


class Participants(ApiView):
    @operation(gives=ParticipantSerializer, query=Filters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str, panel_id: int) -> QuerySet[Participant]:
        """List the participants of a panel. With their external ids, which are personal data."""
        _, panel = panel_access.panel(asker, slug, panel_id)
        return with_finished(Participant.objects.filter(panel=panel))


class Decide(ApiView):
    @operation(takes=body_of("ParticipantDecision", DecisionForm), scope=ADMIN)
    def put(self, asker: UserRequest, slug: str, participant_id: int) -> Any:
        """Approve or reject a participant. A rejection needs a reason."""
        _, participant = panel_access.participant(asker, slug, participant_id)
        chosen = checked_form(DecisionForm(self.typed())).cleaned_data
        services.decide(participant=participant, admin=asker.user, **chosen)


class DeleteExternalId(ApiView):
    @operation(scope=ADMIN)
    def delete(self, asker: UserRequest, slug: str, participant_id: int) -> Any:
        """Delete the external id of a participant. Their work stays."""
        _, participant = panel_access.participant(asker, slug, participant_id)
        services.delete_external_ids(participant=participant, admin=asker.user)


def _link(asker: UserRequest, panel: Panel, token: str) -> dict[str, Any]:
    link = asker.build_absolute_uri(reverse("review:join_panel", args=[token]))
    return {"panel": panel.pk, "link": link}


PANELS = "projects/<slug:slug>/panels/"
PANEL = f"{PANELS}<int:panel_id>/"
PARTICIPANT = f"{PANELS}participants/<int:participant_id>/"
urlpatterns = [
    path(PANELS, Panels.as_view(), name="panels"),
    path(PANEL, PanelView.as_view(), name="panel"),
    path(f"{PANEL}renew/", RenewLink.as_view(), name="renew_panel_link"),
    path(f"{PANEL}close/", ClosePanel.as_view(), name="close_panel"),
    path(f"{PANEL}participants/", Participants.as_view(), name="participants"),
    path(f"{PARTICIPANT}decision/", Decide.as_view(), name="decide_participant"),
    path(f"{PARTICIPANT}external-id/", DeleteExternalId.as_view(), name="delete_external_id"),
]
