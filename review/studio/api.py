"""The API of the next release: what goes in, what is checked before, its notes."""

from __future__ import annotations

from typing import Any

from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.api.problems import checked_form
from review import access
from review.releases.choice import Choice
from review.releases.gates.findings import gate_states
from review.releases.gates.gate import GateState, Level
from review.releases.gates.setting import set_gates
from review.releases.models import ReleaseDraft
from review.releases.queries import branches_of, choice_of
from review.studio.forms import ChoiceForm, GatesForm, NotesForm
from review.studio.services import save_choice, save_notes


class ContentSerializer(serializers.Serializer[Any]):
    left_out = serializers.ListField(child=serializers.CharField())
    only_signed = serializers.BooleanField()
    whole_captions = serializers.BooleanField()
    assessment = serializers.BooleanField()
    clip_files = serializers.BooleanField()
    vectors = serializers.BooleanField()
    reports = serializers.BooleanField()
    votes = serializers.BooleanField()


class GateSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(source="gate.name")
    title = serializers.CharField(source="gate.title")
    level = serializers.ChoiceField(choices=Level.choices)
    limit = serializers.FloatField(allow_null=True)
    is_fixed = serializers.SerializerMethodField(help_text="Set by the project’s settings.")

    def get_is_fixed(self, state: GateState) -> bool:
        return bool(state.gate.fixed)


class GatesSerializer(serializers.Serializer[Any]):
    gates = GateSerializer(many=True)


class GateLevelSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=40)
    level = serializers.ChoiceField(choices=Level.choices)
    limit = serializers.FloatField(required=False, allow_null=True)


class GateLevelsSerializer(serializers.Serializer[Any]):
    gates = serializers.ListField(
        child=GateLevelSerializer(), max_length=100, help_text="Those that change."
    )


class NotesSerializer(serializers.Serializer[Any]):
    notes = serializers.CharField(allow_blank=True)


class ReleaseContent(ApiView):
    tag = "Releases"

    @operation(gives=ContentSerializer)
    def get(self, asker: UserRequest, slug: str) -> Choice:
        """Show what the next release contains. For admins."""
        return choice_of(access.admin(asker, slug).project)

    @operation(gives=ContentSerializer, takes=body_of("NewContent", ChoiceForm), scope=ADMIN)
    def put(self, asker: UserRequest, slug: str) -> Choice:
        """Choose what the next release contains. For later releases too."""
        project = access.admin(asker, slug).project
        form = ChoiceForm(self.typed(), protocol=project.protocol, branches=branches_of(project))
        choice = checked_form(form).choice
        save_choice(project=project, choice=choice, admin=asker.user)
        return choice


class ReleaseGates(ApiView):
    tag = "Releases"

    @operation(gives=GatesSerializer)
    def get(self, asker: UserRequest, slug: str) -> dict[str, Any]:
        """Show the checks before a release. For admins."""
        return {"gates": gate_states(access.admin(asker, slug).project)}

    @operation(gives=GatesSerializer, takes=GateLevelsSerializer, scope=ADMIN)
    def patch(self, asker: UserRequest, slug: str) -> dict[str, Any]:
        """Change the checks before a release. Whether each blocks, warns or is off."""
        project = access.admin(asker, slug).project
        states = gate_states(project)
        form = GatesForm(states=states)
        data = {name: field.initial for name, field in form.fields.items()}
        for changed in self.values["gates"]:
            sent = {f"{changed['name']}-level": changed["level"]}
            if changed.get("limit") is not None:
                sent[f"{changed['name']}-limit"] = changed["limit"]
            if unknown := sent.keys() - data.keys():
                free = ", ".join(s.gate.name for s in states if not s.gate.fixed)
                wrong = f"It can’t be set here: {', '.join(sorted(unknown))}. Gates: {free}."
                raise serializers.ValidationError({"gates": wrong})
            data |= sent
        choices = checked_form(GatesForm(data, states=states)).choices
        set_gates(project=project, admin=asker.user, choices=choices)
        return {"gates": gate_states(project)}


class ReleaseNotes(ApiView):
    tag = "Releases"

    @operation(gives=NotesSerializer)
    def get(self, asker: UserRequest, slug: str) -> dict[str, str]:
        """Show the notes of the next release. For admins."""
        project = access.admin(asker, slug).project
        draft = ReleaseDraft.objects.filter(project=project).first()
        return {"notes": draft.notes if draft else ""}

    @operation(gives=NotesSerializer, takes=body_of("NewNotes", NotesForm), scope=ADMIN)
    def put(self, asker: UserRequest, slug: str) -> dict[str, str]:
        """Write the notes of the next release."""
        project = access.admin(asker, slug).project
        notes = checked_form(NotesForm(self.typed())).cleaned_data["notes"]
        save_notes(project=project, notes=notes)
        return {"notes": notes}


NEXT = "projects/<slug:slug>/next-release/"
urlpatterns = [
    path(f"{NEXT}content/", ReleaseContent.as_view(), name="release_content"),
    path(f"{NEXT}gates/", ReleaseGates.as_view(), name="release_gates"),
    path(f"{NEXT}notes/", ReleaseNotes.as_view(), name="release_notes"),
]
