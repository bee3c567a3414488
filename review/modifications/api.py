"""The API of modification texts, their prompts and runs."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, BY_KEY, WORK, ApiView, operation
from annotate.api.paging import Filters, NewestFirst
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.jobs.api import JobSerializer
from annotate.models.jobs import Job
from inference.registry import Role
from review import access
from review.modifications.access import modification, modify_item
from review.modifications.changes import (
    change_modification,
    keep_modification,
    withdraw_modification,
)
from review.modifications.forms import (
    ChangeForm,
    PromptForm,
    WriteForm,
    examples_in,
)
from review.modifications.models import Modification, ModificationPrompt
from review.modifications.pages import example_rows
from review.modifications.prompt_changes import save_prompt
from review.modifications.prompts import MOST_EXAMPLES
from review.modifications.queries import word_limits
from review.modifications.runs import start_modification_run
from review.modifications.services import ask_again
from review.modifications.text import LONGEST_TEXT
from review.pairs.forms import models_with

TAG = "Modifications"


class ModificationSerializer(RowSerializer[Modification]):
    class Meta:
        model = Modification
        fields = ("id", "pair", "source", "target", "text", "state", "is_outdated", "created_at")


class ModificationFilters(Filters):
    state = serializers.ChoiceField(choices=Modification.State.choices, required=False)


class PromptExampleSerializer(serializers.Serializer[Any]):
    source = serializers.CharField(  # type: ignore[assignment]  # a field of this name
        max_length=LONGEST_TEXT
    )
    target = serializers.CharField(max_length=LONGEST_TEXT)
    modification = serializers.CharField(max_length=LONGEST_TEXT)


class PromptSerializer(RowSerializer[ModificationPrompt]):
    examples = PromptExampleSerializer(many=True)

    class Meta:
        model = ModificationPrompt
        fields = ("id", "domain", "version", "instruction", "examples", "created_at")


class Modifications(ApiView):
    @operation(gives=ModificationSerializer, query=ModificationFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Modification]:
        """List modifications. For admins, because people who write them must not read others."""
        project = access.admin(asker, slug).project
        chosen = {"state": self.query["state"]} if "state" in self.query else {}
        return Modification.objects.filter(pair__project=project, **chosen)


class ModificationView(ApiView):
    @operation(gives=ModificationSerializer, takes=body_of("NewText", ChangeForm), scope=WORK)
    def patch(self, asker: UserRequest, slug: str, modification_id: int) -> Modification:
        """Change a modification. For experts and admins."""
        membership, row = modification(asker, slug, modification_id)
        form = checked_form(ChangeForm(self.typed(), limits=word_limits(membership.project)))
        return change_modification(modification=row, person=asker.user, **form.cleaned_data)


class WithdrawModification(ApiView):
    @operation(gives=ModificationSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, modification_id: int) -> Modification:
        """Withdraw a modification. For experts and admins; the next set of triplets lacks it."""
        _, row = modification(asker, slug, modification_id)
        return withdraw_modification(modification=row, person=asker.user)


class KeepModification(ApiView):
    @operation(gives=ModificationSerializer, scope=WORK)
    def post(self, asker: UserRequest, slug: str, modification_id: int) -> Modification:
        """Keep an outdated modification. For experts and admins; it is no longer marked."""
        _, row = modification(asker, slug, modification_id)
        return keep_modification(modification=row, person=asker.user)


class AskDirectionAgain(ApiView):
    @operation(scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, direction_id: int) -> Any:
        """Ask one more person for a modification. `direction_id` is the key of its work item."""
        _, item = modify_item(asker, slug, direction_id)
        ask_again(item_id=item.pk, admin=asker.user)


class ModificationRuns(ApiView):
    @operation(
        gives=JobSerializer, takes=body_of("ModificationRun", WriteForm), status=202, scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> Job:
        """Have a model write modifications. Cancel or resume its job under `jobs/`."""
        project = access.admin(asker, slug).project
        form = checked_form(WriteForm(self.typed(), models=models_with(Role.TEXT, project.pk)))
        return start_modification_run(project=project, admin=asker.user, **form.cleaned_data)


class Prompts(ApiView):
    @operation(gives=PromptSerializer, query=NewestFirst, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[ModificationPrompt]:
        """List prompts of modifications. The newest first. For experts, reviewers and admins."""
        return ModificationPrompt.objects.filter(project=access.reviewer(asker, slug).project)

    @operation(
        gives=PromptSerializer,
        takes=body_of(
            "NewPrompt",
            PromptForm,
            examples=serializers.ListField(
                child=PromptExampleSerializer(), max_length=MOST_EXAMPLES, default=list
            ),
        ),
        status=201,
        scope=WORK,
    )
    def post(self, asker: UserRequest, slug: str) -> ModificationPrompt:
        """Save a prompt of modifications. For experts and admins, as a new version."""
        project = access.prompt_editor(asker, slug).project
        examples = self.values["examples"]
        form = checked_form(PromptForm(self.typed()))
        counts: dict[str, Any] = {
            "examples-TOTAL_FORMS": len(examples),
            "examples-INITIAL_FORMS": 0,
        }
        typed: dict[str, Any] = {
            f"examples-{place}-{part}": text
            for place, example in enumerate(examples)
            for part, text in example.items()
        }
        rows = example_rows(project, self.typed(**counts, **typed))
        if not rows.is_valid():
            wrong: dict[str, Any] = {str(n): each for n, each in enumerate(rows.errors) if each}
            raise serializers.ValidationError({"examples": wrong})
        return save_prompt(
            project=project,
            author=asker.user,
            examples=examples_in(rows),
            **form.cleaned_data,
        )


ALL = "projects/<slug:slug>/modifications/"
ONE = f"{ALL}<int:modification_id>/"
urlpatterns = [
    path(ALL, Modifications.as_view(), name="modifications"),
    path(f"{ALL}runs/", ModificationRuns.as_view(), name="modification_runs"),
    path(f"{ALL}prompts/", Prompts.as_view(), name="modification_prompts"),
    path(ONE, ModificationView.as_view(), name="modification"),
    path(f"{ONE}withdraw/", WithdrawModification.as_view(), name="withdraw_modification"),
    path(f"{ONE}keep/", KeepModification.as_view(), name="keep_modification"),
    path(
        "projects/<slug:slug>/work-items/<int:direction_id>/ask-again/",
        AskDirectionAgain.as_view(),
        name="ask_again",
    ),
]
