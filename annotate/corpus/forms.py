"""Forms to filter and sort the corpus, and to send work back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django import forms

from annotate.corpus.clip_stages import stage_choices
from annotate.corpus.labels import label_choices
from annotate.corpus.queries import NO_CATEGORY, ORDERS, categories, tags_of
from annotate.forms import ListForm, offer_choices, validate_visible
from annotate.kinds import Kind
from annotate.models import ActionLabel, Project
from annotate.models.corpus import MAX_REASON_LENGTH
from annotate.models.labels import MAX_CAPTION_LENGTH
from annotate.text.events import MAX_EVENT_LENGTH

ANY = ("", "Any")


class CorpusForm(forms.Form):
    """GET parameters. Invalid values are ignored, so that an old link still opens the page."""

    q = forms.CharField(label="Name contains", max_length=200, required=False)
    text = forms.CharField(
        label="Words in captions",
        max_length=200,
        required=False,
        widget=forms.TextInput({"placeholder": "dog “left hand” run*"}),
    )
    category = forms.ChoiceField(required=False)
    subcategory = forms.ChoiceField(required=False)
    label = forms.ChoiceField(required=False)
    tagged = forms.ChoiceField(label="Tag", required=False)
    stage = forms.ChoiceField(required=False)
    length = forms.ChoiceField(
        required=False,
        choices=[ANY, ("short", "Under 5 s"), ("band", "5 to 20 s"), ("long", "Over 20 s")],
    )
    sort = forms.ChoiceField(
        required=False, choices=[(name, name) for name in ORDERS], widget=forms.HiddenInput
    )
    descending = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        data: Any,
        *,
        categories: list[tuple[str, str]],
        stages: list[tuple[str, str]],
        labels: Sequence[tuple[str, str]] = (),
        tags: Sequence[str] = (),
    ) -> None:
        super().__init__(data)
        names = {category for category, _ in categories}
        asks_for_none = "" in names or data.get("category") == NO_CATEGORY
        without = [(NO_CATEGORY, "No category")] if asks_for_none else []
        offer_choices(self, "stage", [ANY, *stages])
        offer_choices(self, "label", [ANY, *labels])
        offer_choices(self, "tagged", [ANY, *((tag, tag) for tag in tags)])
        offer_choices(self, "category", [ANY, *without, *_offered(names, data.get("category"))])
        subcategories = {subcategory for _, subcategory in categories}
        offer_choices(self, "subcategory", [ANY, *_offered(subcategories, data.get("subcategory"))])
        self.is_valid()

    @property
    def filters(self) -> dict[str, Any]:
        """Return the choices; by default the newest clips come first."""
        chosen = self.cleaned_data
        if not chosen.get("sort"):
            return {**chosen, "sort": "added", "descending": True}
        return chosen

    @property
    def is_filtered(self) -> bool:
        return any(value for name, value in self.filters.items() if name not in _ORDER)

    def query(self, **changes: Any) -> str:
        """Return the parameters of a link that keeps the choices, except for `changes`."""
        chosen = {**self.filters, **changes}
        return urlencode(
            [(name, "1" if value is True else value) for name, value in chosen.items() if value]
        )


def corpus_form(project: Project, kinds: list[Kind], data: Any) -> CorpusForm:
    """Return the filters of the project's clips, with its categories, stages, labels and tags."""
    return CorpusForm(
        data,
        categories=categories(project),
        stages=stage_choices(kinds),
        labels=label_choices(project) if "labels" in project.pipeline.keys else (),
        tags=tags_of(project),
    )


def _offered(names: set[str], chosen: str | None) -> list[tuple[str, str]]:
    """Return the choices, including the requested one even if it is too new, or too old, to be
    offered.
    """
    return [(name, name) for name in sorted({*names, chosen or ""} - {"", NO_CATEGORY})]


class CommentForm(forms.Form):
    comment = forms.CharField(
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="The author sees your name and this comment.",
        error_messages={"required": "Write what should change."},
    )


class WithdrawForm(forms.Form):
    reason = forms.CharField(
        max_length=MAX_REASON_LENGTH,
        help_text="Every member can read it, such as “Shows nothing but a title”.",
        error_messages={"required": "Say why the clip is withdrawn."},
    )


_ORDER = ("sort", "descending")


class FileFactsForm(forms.Form):
    """A video's facts; the page and the manifest share these fields."""

    category = forms.CharField(
        max_length=100,
        required=False,
        validators=[validate_visible],
        widget=forms.TextInput({"list": "categories"}),
        help_text="Needed before a release.",
    )
    subcategory = forms.CharField(
        max_length=100,
        required=False,
        validators=[validate_visible],
        widget=forms.TextInput({"list": "subcategories"}),
    )
    license = forms.CharField(
        label="License",
        max_length=120,
        required=False,
        widget=forms.TextInput({"list": "licenses"}),
    )
    source_url = forms.URLField(
        label="Source",
        max_length=500,
        required=False,
        assume_scheme="https",
        error_messages={"invalid": "Give a whole address, such as https://example.org/clip."},
    )

    def clean(self) -> dict[str, Any]:
        if self.cleaned_data.get("subcategory") and not self.cleaned_data.get("category"):
            self.add_error("category", "A subcategory needs its category.")
        return self.cleaned_data

    def problems(self) -> list[str]:
        """Return each field's errors as "field: fix"."""
        return [f"{name}: {error}" for name, errors in self.errors.items() for error in errors]


class LabelForm(forms.Form):
    """The meaning of a label."""

    caption = forms.CharField(max_length=MAX_CAPTION_LENGTH, validators=[validate_visible])
    event = forms.CharField(
        max_length=MAX_EVENT_LENGTH,
        required=False,
        validators=[validate_visible],
        help_text="Such as the apparatus. An event in the brackets of the caption follows them.",
    )


class ClipLabelForm(forms.Form):
    """The label that a clip should have."""

    label = forms.TypedChoiceField(coerce=int, label="Label")

    def __init__(self, *args: Any, labels: Sequence[ActionLabel], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.by_key = {label.pk: label for label in labels}
        offer_choices(self, "label", [(label.pk, str(label)) for label in labels])

    def clean_label(self) -> ActionLabel:
        return self.by_key[self.cleaned_data["label"]]


class LabelSearchForm(ListForm):
    q = forms.CharField(label="Id, or words of the caption", max_length=200, required=False)
    domain = forms.ChoiceField(required=False)
    event = forms.ChoiceField(required=False)

    def __init__(self, data: Any, *, domains: Sequence[str], events: Sequence[str]) -> None:
        super().__init__(
            data,
            domain=[ANY, *((name, name) for name in domains)],
            event=[ANY, *((name, name) for name in events)],
        )
