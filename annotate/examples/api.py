"""The API of the examples in guidelines."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from rest_framework import serializers

from annotate.access import UserRequest, member
from annotate.api.forms import LARGEST_KEY, Whole, body_of
from annotate.api.operations import ADMIN, BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.api.problems import checked_form
from annotate.api.rows import RowSerializer
from annotate.examples import access, services
from annotate.examples.forms import LONGEST_PART, ExampleForm
from annotate.examples.queries import finished_work
from annotate.models import Clip, GuidelineExample, Role, WorkItem
from annotate.queue.work_kinds import work_kind

TAG = "Guidelines"


class ExampleSerializer(RowSerializer[GuidelineExample]):
    parts = serializers.SerializerMethodField(help_text="Each part: its heading and its text.")

    class Meta:
        model = GuidelineExample
        fields = ("id", "kind", "clip", "parts", "is_good", "comment", "created_at")

    def get_parts(self, example: GuidelineExample) -> list[dict[str, str]]:
        return [{"heading": heading, "text": text} for heading, text in example.parts]


class ExampleFilters(Filters):
    kind = serializers.ChoiceField(choices=WorkItem.Kind.choices, required=False)


def _parts(**options: Any) -> serializers.ListField:
    text = serializers.CharField(max_length=LONGEST_PART, allow_blank=True, trim_whitespace=False)
    about = "Text under each heading of this kind of work, in their order."
    return serializers.ListField(child=text, max_length=20, help_text=about, **options)


ChangedExampleSerializer = body_of("ChangedExample", ExampleForm, parts=_parts())
NewExampleSerializer = body_of(
    "NewExample",
    ExampleForm,
    kind=serializers.ChoiceField(choices=WorkItem.Kind.choices),
    clip=Whole(min_value=1, max_value=LARGEST_KEY, required=False, help_text="Its key, or `work`."),
    work=Whole(
        min_value=1,
        max_value=LARGEST_KEY,
        required=False,
        help_text="Key of finished work, whose clip it is and whose result is used without `parts`",
    ),
    parts=_parts(required=False),
)


class MoveSerializer(serializers.Serializer[Any]):
    to = serializers.ChoiceField(choices=["up", "down"])


class Examples(ApiView):
    @operation(gives=ExampleSerializer, query=ExampleFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[GuidelineExample]:
        """List examples. Only examples that guidelines show now. For admins."""
        project = member(asker, slug, Role.ADMIN).project
        chosen = {"kind": self.query["kind"]} if "kind" in self.query else {}
        return GuidelineExample.objects.filter(project=project, placement__isnull=False, **chosen)

    @operation(gives=ExampleSerializer, takes=NewExampleSerializer, status=201, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str) -> GuidelineExample:
        """Add an example. Of a clip, or of finished work."""
        member(asker, slug, Role.ADMIN)
        membership, kind = access.guideline(asker, slug, self.values["kind"])
        texts = self.values.get("parts")
        if key := self.values.get("work"):
            work = get_object_or_404(finished_work(membership, kind), pk=key)
            clip = work.item.clip
            texts = work_kind(kind).example_parts(work) if texts is None else texts
        else:
            clips = Clip.objects.filter(project=membership.project)
            clip = get_object_or_404(clips, pk=self.values.get("clip"))
        form = _form(self, work_kind(kind).example_headings, texts or ())
        return services.add_example(
            project=membership.project,
            kind=kind,
            clip=clip,
            parts=form.parts,
            is_good=form.is_good,
            comment=form.cleaned_data["comment"],
            admin=asker.user,
        )


class ExampleView(ApiView):
    @operation(gives=ExampleSerializer, takes=ChangedExampleSerializer, scope=ADMIN)
    def put(self, asker: UserRequest, slug: str, shown_id: int) -> GuidelineExample:
        """Change an example."""
        _, example = access.shown_example(asker, slug, shown_id)
        headings = work_kind(example.kind).example_headings
        form = _form(self, headings, self.values["parts"])
        return services.change_example(
            example=example,
            parts=form.parts,
            is_good=form.is_good,
            comment=form.cleaned_data["comment"],
            admin=asker.user,
        )

    @operation(scope=ADMIN)
    def delete(self, asker: UserRequest, slug: str, shown_id: int) -> None:
        """Remove an example. Earlier versions of the guideline keep it."""
        _, example = access.shown_example(asker, slug, shown_id)
        services.remove_example(example=example, admin=asker.user)


class MoveExample(ApiView):
    @operation(takes=MoveSerializer, scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, shown_id: int) -> None:
        """Move an example up or down."""
        _, example = access.shown_example(asker, slug, shown_id)
        up = self.values["to"] == "up"
        services.move_example(example=example, up=up, admin=asker.user)


class RestoreExamples(ApiView):
    @operation(scope=ADMIN)
    def post(self, asker: UserRequest, slug: str, guideline_version_id: int) -> None:
        """Restore the examples of a version of a guideline."""
        _, version = access.version(asker, slug, guideline_version_id)
        services.restore_examples(version=version, admin=asker.user)


def _form(view: ApiView, headings: Any, texts: Any) -> ExampleForm:
    if len(texts) > len(headings):
        most = f"This kind of work has {len(headings)} parts: {', '.join(headings)}."
        raise serializers.ValidationError({"parts": most})
    parts = {f"part-{place}": text for place, text in enumerate(texts)}
    return checked_form(ExampleForm(view.typed(**parts), headings=headings))


ALL = "projects/<slug:slug>/guideline-examples/"
urlpatterns = [
    path(ALL, Examples.as_view(), name="guideline_examples"),
    path(f"{ALL}<int:shown_id>/", ExampleView.as_view(), name="guideline_example"),
    path(f"{ALL}<int:shown_id>/move/", MoveExample.as_view(), name="move_example"),
    path(
        "projects/<slug:slug>/guideline-versions/<int:guideline_version_id>/restore-examples/",
        RestoreExamples.as_view(),
        name="restore_examples",
    ),
]
