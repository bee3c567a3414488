"""The API of CapST: elements of captions, and judging by them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest
from annotate.api.forms import body_of
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import NewestFirst
from annotate.api.problems import checked_form
from annotate.jobs.api import JobSerializer
from review import access
from review.capst.forms import FindForm, JudgeForm, PresetForm, PromptsForm, judges_of, sets_of
from review.capst.models import CapstRun
from review.capst.services import (
    Started,
    judge_again,
    load_prompts,
    start_capst_run,
    start_capst_runs,
    use_own_prompts,
)
from review.elements.services import hand_out_elements

TAG = "CapST"


class CapstRunSerializer(JobSerializer):
    class Meta:
        model = CapstRun
        fields = (*JobSerializer.Meta.fields, "caption_set", "preset", "extractor", "judge")


class StartedSerializer(serializers.Serializer[Any]):
    runs = CapstRunSerializer(many=True)
    refused = serializers.ListField(
        child=serializers.CharField(), help_text="Why others couldn’t be started."
    )


class HandedElementsSerializer(serializers.Serializer[Any]):
    captions = serializers.IntegerField(help_text="How many wait for people now.")


class CapstRuns(ApiView):
    @operation(gives=CapstRunSerializer, query=NewestFirst, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[CapstRun]:
        """List CapST runs. The newest first. Cancel or resume them under `jobs/`. For admins."""
        return CapstRun.objects.filter(project=access.admin(asker, slug).project)

    @operation(
        gives=StartedSerializer,
        takes=body_of("CapstJudging", JudgeForm),
        status=202,
        scope=ADMIN,
    )
    def post(self, asker: UserRequest, slug: str) -> Started:
        """Have captions judged by CapST. Of one set, or of all with `caption_set` 0."""
        project = access.admin(asker, slug).project
        form = JudgeForm(self.typed(), models=judges_of(project), caption_sets=sets_of(project))
        chosen = checked_form(form).cleaned_data
        return start_capst_runs(
            project=project,
            caption_sets=chosen["caption_set"],
            preset=chosen["preset"],
            extractor=chosen["extractor"],
            judge=chosen["judge"],
            admin=asker.user,
        )


class FindElements(ApiView):
    @operation(
        gives=CapstRunSerializer, takes=body_of("ElementSearch", FindForm), status=202, scope=ADMIN
    )
    def post(self, asker: UserRequest, slug: str) -> CapstRun:
        """Find elements of the human captions. By a model."""
        project = access.admin(asker, slug).project
        chosen = checked_form(FindForm(self.typed(), models=judges_of(project))).cleaned_data
        return start_capst_run(project=project, admin=asker.user, **chosen)


class HandOutElements(ApiView):
    @operation(gives=HandedElementsSerializer, takes=body_of("Preset", PresetForm), scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> dict[str, int]:
        """Hand out elements for a check. By people."""
        project = access.admin(asker, slug).project
        preset = checked_form(PresetForm(self.typed())).chosen
        count = hand_out_elements(project=project, preset=preset, admin=asker.user)
        return {"captions": count}


class JudgeAgain(ApiView):
    @operation(gives=StartedSerializer, status=202, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> Started:
        """Judge outdated results of CapST again."""
        return judge_again(project=access.admin(asker, slug).project, admin=asker.user)


class CapstPromptsView(ApiView):
    @operation(takes=body_of("CapstPrompts", PromptsForm), scope=ADMIN)
    def put(self, asker: UserRequest, slug: str) -> Any:
        """Load the prompts of the official settings of CapST."""
        project = access.admin(asker, slug).project
        file = checked_form(PromptsForm(self.typed(), self.files())).cleaned_data["prompts"]
        load_prompts(project=project, data=file.read(), file_name=file.name or "", admin=asker.user)

    @operation(scope=ADMIN)
    def delete(self, asker: UserRequest, slug: str) -> Any:
        """Use Vericap’s own prompts for the official settings of CapST."""
        use_own_prompts(project=access.admin(asker, slug).project, admin=asker.user)


ALL = "projects/<slug:slug>/capst-runs/"
urlpatterns = [
    path(ALL, CapstRuns.as_view(), name="capst_runs"),
    path(f"{ALL}elements/", FindElements.as_view(), name="find_elements"),
    path(f"{ALL}elements/hand-out/", HandOutElements.as_view(), name="hand_out_elements"),
    path(f"{ALL}again/", JudgeAgain.as_view(), name="rerun_outdated"),
    path("projects/<slug:slug>/capst-prompts/", CapstPromptsView.as_view(), name="capst_prompts"),
]
