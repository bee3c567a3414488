"""The API of the next release: its content and changes, the choice, the checks, and its notes."""

from __future__ import annotations

from heapq import nsmallest
from typing import Any
from urllib.parse import urlencode

from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest, member
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, ApiView, operation
from annotate.api.paging import MOST_ROWS
from annotate.api.problems import checked_form
from annotate.models import Project
from review import access
from review.errors import ReviewError
from review.releases.choice import Choice
from review.releases.gates.findings import gate_states
from review.releases.gates.gate import GateState
from review.releases.gates.setting import set_gates
from review.releases.models import Level
from review.releases.queries import branches_of, choice_of, latest_release, notes_of
from review.studio.changes import STATES, names_by_state, with_texts
from review.studio.comparing import Checked
from review.studio.forms import ChoiceForm, GatesForm, NotesForm
from review.studio.pages import PER_PAGE, card_context, following_for_programs
from review.studio.services import save_choice, save_notes

TAG = "Releases"
NOT_COMPARED = (
    "A worker is comparing the project with its last release. GET next-release/ names the job; "
    "ask again when it has ended."
)


class NamedSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    clip = serializers.IntegerField(allow_null=True)
    video = serializers.IntegerField(allow_null=True)


class FindingSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(source="gate.name")
    level = serializers.ChoiceField(choices=Level.choices, source="state.level")
    wrong = serializers.CharField()
    fix = serializers.CharField(source="gate.fix")
    count = serializers.IntegerField(help_text="0: the check has passed.")
    listed = NamedSerializer(many=True, help_text="The first of them.")


class ComparedSerializer(serializers.Serializer[Any]):
    compared_at = serializers.DateTimeField(source="at")
    version = serializers.CharField(source="suggested", help_text="Suggested by the changes.")
    clips = serializers.IntegerField()
    changes = serializers.SerializerMethodField(help_text="Number of changes of each kind.")
    left_out = serializers.IntegerField(help_text="Complete clips that the choice leaves out.")
    taken_down = serializers.IntegerField()
    is_identical = serializers.BooleanField(
        help_text="Same content as the last release, so not built."
    )
    can_build = serializers.BooleanField()
    findings = FindingSerializer(many=True)

    def get_changes(self, checked: Checked) -> dict[str, int]:
        return {state: len(names) for state, names in names_by_state(checked.difference).items()}


class NextReleaseSerializer(serializers.Serializer[Any]):
    compared = ComparedSerializer(
        allow_null=True, help_text="Null until a worker has compared a large project."
    )
    is_outdated = serializers.BooleanField(help_text="The project has changed since.")
    job = serializers.IntegerField(allow_null=True, help_text="The job that compares it anew.")


class ChangeFilters(serializers.Serializer[Any]):
    change = serializers.ChoiceField(choices=STATES, required=False)
    name = serializers.CharField(required=False, help_text="A part of the name.")
    limit = serializers.IntegerField(min_value=1, max_value=MOST_ROWS, default=PER_PAGE)
    after = serializers.CharField(
        required=False, help_text="Begin after this name. Follow `next` instead."
    )


class WordsSerializer(serializers.Serializer[Any]):
    op = serializers.ChoiceField(choices=["equal", "insert", "delete"])
    text = serializers.CharField(trim_whitespace=False)


class TextChangeSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    is_hidden = serializers.BooleanField(help_text="You could still judge one of the two texts.")
    spans = WordsSerializer(many=True, help_text="The words that stay, come and go, in order.")


class ChangeSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    change = serializers.ChoiceField(choices=STATES, source="state")
    texts = TextChangeSerializer(many=True)


class ChangesSerializer(serializers.Serializer[Any]):
    results = ChangeSerializer(many=True)
    next = serializers.CharField(allow_null=True)


class CardSerializer(serializers.Serializer[Any]):
    card = serializers.CharField(help_text="README.md of the format for Hugging Face.")


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


class NextRelease(ApiView):
    @operation(gives=NextReleaseSerializer)
    def get(self, asker: UserRequest, slug: str) -> dict[str, Any]:
        """Show the next release. What a build would freeze now, what it changes, and what the
        checks find. Of a large project a worker compares it, and this shows the last
        comparison."""
        checked, is_outdated, job = following_for_programs(member(asker, slug).project)
        return {"compared": checked, "is_outdated": is_outdated, "job": job and job.pk}


class NextReleaseChanges(ApiView):
    @operation(gives=ChangesSerializer, query=ChangeFilters)
    def get(self, asker: UserRequest, slug: str) -> dict[str, Any]:
        """List the changes of the next release. With the words added and removed, if you may read
        the text."""
        membership = member(asker, slug)
        checked = _compared(membership.project)
        states = {
            name: state
            for state, names in names_by_state(checked.difference).items()
            for name in names
            if self.query.get("change", state) == state
            and self.query.get("name", "").casefold() in name.casefold()
            and name > self.query.get("after", "")
        }
        limit = self.query["limit"]
        names = nsmallest(limit + 1, states)
        changes = with_texts(
            membership,
            checked.captions,
            checked.clip_keys,
            latest_release(membership.project),
            [(name, states[name]) for name in names[:limit]],
        )
        following = None
        if len(names) > limit:
            query = urlencode(self.query | {"after": names[limit - 1]})
            following = asker.build_absolute_uri(f"{asker.path}?{query}")
        return {"results": changes, "next": following}


class NextReleaseCard(ApiView):
    @operation(gives=CardSerializer)
    def get(self, asker: UserRequest, slug: str) -> dict[str, str]:
        """Show the dataset card of the next release. For admins."""
        membership = access.admin(asker, slug)
        context = card_context(membership)
        if "card" not in context:
            raise ReviewError(NOT_COMPARED)
        return {"card": context["card"]}


def _compared(project: Project) -> Checked:
    checked, _, _ = following_for_programs(project)
    if checked is None:
        raise ReviewError(NOT_COMPARED)
    return checked


class ReleaseContent(ApiView):
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
    @operation(gives=NotesSerializer)
    def get(self, asker: UserRequest, slug: str) -> dict[str, str]:
        """Show the notes of the next release. For admins."""
        project = access.admin(asker, slug).project
        return {"notes": notes_of(project)}

    @operation(gives=NotesSerializer, takes=body_of("NewNotes", NotesForm), scope=ADMIN)
    def put(self, asker: UserRequest, slug: str) -> dict[str, str]:
        """Write the notes of the next release."""
        project = access.admin(asker, slug).project
        notes = checked_form(NotesForm(self.typed())).cleaned_data["notes"]
        save_notes(project=project, notes=notes)
        return {"notes": notes}


NEXT = "projects/<slug:slug>/next-release/"
urlpatterns = [
    path(NEXT, NextRelease.as_view(), name="next_release"),
    path(f"{NEXT}changes/", NextReleaseChanges.as_view(), name="next_release_changes"),
    path(f"{NEXT}card/", NextReleaseCard.as_view(), name="next_release_card"),
    path(f"{NEXT}content/", ReleaseContent.as_view(), name="release_content"),
    path(f"{NEXT}gates/", ReleaseGates.as_view(), name="release_gates"),
    path(f"{NEXT}notes/", ReleaseNotes.as_view(), name="release_notes"),
]
