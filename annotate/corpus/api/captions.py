"""The API of captions."""

from __future__ import annotations

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import path
from rest_framework import serializers

from annotate import access
from annotate.access import UserRequest
from annotate.api.forms import key_field
from annotate.api.operations import BY_KEY, ApiView, operation
from annotate.api.paging import Filters
from annotate.corpus.blindness import visible_captions
from annotate.models import Caption, Membership
from annotate.search.queries import with_terms
from annotate.search.words import read_terms
from annotate.text.spans import Span

TAG = "Captions"


class SpanSerializer(serializers.Serializer[Span]):
    text_start = serializers.IntegerField(help_text="A code point of the text.")
    text_end = serializers.IntegerField(help_text="The first code point after the sentence.")
    start_frame = serializers.IntegerField(help_text="Counted from the clip's first frame.")
    end_frame = serializers.IntegerField(help_text="The first frame after the sentence's.")


class CaptionSerializer(serializers.ModelSerializer[Caption]):
    spans = SpanSerializer(
        many=True, allow_null=True, help_text="The sentences that are tied to time; null for none."
    )
    written_by = serializers.CharField(help_text="A person, a model, or where it comes from.")

    class Meta:
        model = Caption
        fields = (
            *("id", "clip", "kind", "source", "text", "parts", "spans", "word_count"),
            *("written_by", "created_at"),
        )


class CaptionFilters(Filters):
    clip = key_field(required=False)
    kind = serializers.ChoiceField(choices=Caption.Kind.choices, required=False)
    source = serializers.ChoiceField(  # type: ignore[assignment]  # a field of this name
        choices=Caption.Source.choices, required=False
    )
    text = serializers.CharField(
        required=False,
        max_length=200,
        help_text="Words, “phrases” in quotes and beginnings such as run*, which all must occur. A "
        "caption can be found some seconds after it is stored.",
    )


class Captions(ApiView):
    @operation(gives=CaptionSerializer, query=CaptionFilters, orders=BY_KEY)
    def get(self, asker: UserRequest, slug: str) -> QuerySet[Caption]:
        """List captions. Only captions that the person can read: texts that people write or judge
        independently are left out until then."""
        membership = access.member(asker, slug)
        captions = Caption.objects.filter(project=membership.project).select_related("author")
        names = ("clip", "kind", "source")
        chosen = {name: self.query[name] for name in names if name in self.query}
        captions = captions.filter(**chosen)
        if "text" in self.query:
            captions = with_terms(captions, read_terms(self.query["text"]))
        return visible_captions(membership, captions)


class CaptionView(ApiView):
    @operation(gives=CaptionSerializer)
    def get(self, asker: UserRequest, slug: str, caption_id: int) -> Caption:
        """Show a caption."""
        return _caption(access.member(asker, slug), caption_id)


def _caption(membership: Membership, caption_id: int) -> Caption:
    captions = Caption.objects.filter(project=membership.project).select_related("author", "clip")
    return get_object_or_404(visible_captions(membership, captions.filter(pk=caption_id)))


CAPTION = "projects/<slug:slug>/captions/<int:caption_id>/"
urlpatterns = [
    path("projects/<slug:slug>/captions/", Captions.as_view(), name="captions"),
    path(CAPTION, CaptionView.as_view(), name="caption"),
]
