"""Forms of a project and its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundWidget

from annotate.corpus.services.clip_limits import LIMITS, writing_under
from annotate.errors import AnnotateError
from annotate.forms import validate_visible
from annotate.guidelines import guideline_text
from annotate.kinds import all_facts, all_kinds
from annotate.models import Project
from annotate.projects.services.projects import refuse_address, why_protocol_stays
from annotate.protocols import DEFAULT, protocol_choices, protocol_of, registered_protocols

ADDRESS_HELP = "Lower-case letters, digits and hyphens. It can't be changed later."
ADDRESS_ERRORS = {"invalid": "Give lower-case letters, digits and hyphens, such as kitchen-clips."}


if TYPE_CHECKING:
    ProjectForm = forms.ModelForm[Project]
else:
    ProjectForm = forms.ModelForm  # ModelForm accepts a type parameter only for type checkers


class ProjectSettingsForm(ProjectForm):
    """`withdrawn` is the number of write-ups that saving the limits for clips withdraws."""

    withdrawn = 0
    accepts_withdrawal = forms.BooleanField(required=False, label="Withdraw these write-ups")
    protocol = forms.ChoiceField(
        choices=protocol_choices, initial=DEFAULT, widget=forms.RadioSelect
    )

    class Meta:
        model = Project
        fields = [
            "name",
            "protocol",
            "license",
            "min_words",
            "max_words",
            "writers_per_clip",
            "assigned_work",
            "can_choose_work",
            "sign_offs",
            "sign_offs_block",
            "min_modification_words",
            "max_modification_words",
            "quota_min",
            "quota_max",
            "min_clip_seconds",
            "min_frame_side",
            "lease_minutes",
            "show_machine_draft",
            "study_corrections",
            "counts_programs",
            "pre_tags",
            "intervals_hold_at_every_look",
        ]
        labels = {
            "license": "License",
            "min_words": "Fewest words",
            "max_words": "Most words",
            "writers_per_clip": "Writers per clip",
            "assigned_work": "Hand out work",
            "can_choose_work": "Let people choose their next clip",
            "sign_offs": "Sign-offs per clip",
            "sign_offs_block": "A release waits for all sign-offs",
            "min_modification_words": "Fewest words of a modification",
            "max_modification_words": "Most words of a modification",
            "quota_min": "Fewest clips per subcategory",
            "quota_max": "Most clips per subcategory",
            "min_clip_seconds": "Shortest clip, in seconds",
            "min_frame_side": "Smallest picture, in pixels",
            "lease_minutes": "Idle minutes until work returns to the queue",
            "show_machine_draft": "Show writers a machine draft",
            "study_corrections": "Corrections from studies",
            "counts_programs": "Count programs’ work like people’s",
            "pre_tags": "Show verifiers what a program found",
            "intervals_hold_at_every_look": "Show intervals that hold at every look",
        }
        help_texts = {
            "license": "License of the captions, as the release states it.",
            "writers_per_clip": "People who describe each clip independently: 1 or 2. "
            "A change applies to clips imported from then on.",
            "assigned_work": "Assign subcategories under Members. A member without any gets work "
            "from all.",
            "can_choose_work": "My work then also lists the waiting clips, for writing, merging, "
            "splitting, signing off, writing by hand, verifying and checking elements. Known "
            "answers that are hidden among the work come only to people who take the next one.",
            "sign_offs": "Experts who check the final texts of each clip and haven't worked on "
            "them: 0, 1 or 2. CaReBench has 2. A change applies to all clips.",
            "sign_offs_block": "Otherwise the page of the releases only warns. Texts that have "
            "changed since need new sign-offs.",
            "min_modification_words": "Texts that exist already stay as they are.",
            "min_clip_seconds": "Shorter videos are refused at import, and shorter clips of a "
            "longer video are described neither by people nor by models.",
            "min_frame_side": "The shorter side of the picture. Smaller videos are refused, "
            "and neither people nor models describe smaller clips.",
            "pre_tags": "On half of the captions, drawn at random, so that Quality → Programs can "
            "measure the difference. Never in gold or threshold studies.",
            "counts_programs": "In agreement, reports, ratings and rounds, never in pay. First "
            "compare them with people, under Quality → Programs.",
            "intervals_hold_at_every_look": "On the cards How many are enough, for those who look "
            "daily and also decide by the value. They are wider. It changes only what these cards "
            "show: no report, and nothing ends by itself.",
            "study_corrections": "A threshold study counts errors. Its corrections are "
            "proposals: one describes a clip only once an expert, reviewer or admin accepts it.",
            "show_machine_draft": "Folded, under the player. Leave it off for a benchmark: a "
            "person who has read a draft no longer writes independently of the model or of the "
            "other writer. The text records that its writer opened the draft.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for facts in all_facts():
            self.fields[f"{facts.kind}_guideline"] = forms.CharField(
                label=f"Guideline for {facts.activity or facts.label.lower()}",
                required=False,
                initial=guideline_text(self.instance, facts.kind),
                widget=forms.Textarea(attrs={"rows": 12, "class": "long"}),
            )
        # A disabled field keeps the stored value, whatever is sent.
        self.why_protocol_stays = why_protocol_stays(self.instance) if self.instance.pk else ""
        if self.why_protocol_stays:
            self.fields["protocol"].disabled = True

    def clean_protocol(self) -> str:
        """Refuse a change; a page that was opened before the first video came may
        still send one.
        """
        protocol: str = self.cleaned_data["protocol"]
        if self.why_protocol_stays and self["protocol"].data not in (None, "", protocol):
            raise ValidationError(self.why_protocol_stays)
        return protocol

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        validate_visible(name)
        return name

    def protocols(self) -> list[tuple[BoundWidget, str, str]]:
        """Return each protocol as a radio button, its name, and its description in a sentence."""
        return [
            (radio, protocol.name, protocol.summary)
            for radio in self["protocol"]
            for protocol in [protocol_of(radio.data["value"])]
        ]

    def guidelines(self) -> list[tuple[forms.BoundField, str]]:
        """Return the guideline of each kind of work, and the key of the only protocol that has the
        kind; kinds of several protocols come last, without a key."""
        fields = []
        for kind in all_kinds():
            keys = [protocol.key for protocol in registered_protocols() if kind in protocol.keys]
            fields.append((self[f"{kind}_guideline"], keys[0] if len(keys) == 1 else ""))
        return sorted(fields, key=lambda field: not field[1])

    def clean(self) -> dict[str, Any]:
        """Refuse limits in the wrong order, and gather the guidelines by kind."""
        data = super().clean() or {}
        data["guidelines"] = {
            facts.kind: data.pop(f"{facts.kind}_guideline", "") for facts in all_facts()
        }
        for low, high, what in (
            ("min_words", "max_words", "words"),
            ("min_modification_words", "max_modification_words", "words"),
            ("quota_min", "quota_max", "clips"),
        ):
            if data.get(low) and data.get(high) and data[low] > data[high]:
                self.add_error(low, f"The fewest {what} can't be more than the most.")
        if self.instance.pk and not self.errors:
            self._count_withdrawn(data)
        return data

    def _count_withdrawn(self, data: dict[str, Any]) -> None:
        if not set(LIMITS) & set(self.changed_data):
            return
        self.withdrawn = writing_under(self.instance, *(data[name] for name in LIMITS)).count()
        if self.withdrawn and not data["accepts_withdrawal"]:
            number, these = self.withdrawn, "write-up" if self.withdrawn == 1 else "write-ups"
            self.add_error(
                "accepts_withdrawal",
                f"With these limits {number:,} open {these} would be withdrawn. Drafts stay with "
                "their authors. Tick this to save them anyway, or lower the limits.",
            )

    def changes(self) -> dict[str, Any]:
        names = [name for name in self.changed_data if name in self.Meta.fields]
        return {name: self.cleaned_data[name] for name in [*names, "guidelines"]}


class DuplicateForm(forms.Form):
    name = forms.CharField(max_length=120, validators=[validate_visible])
    slug = forms.SlugField(
        label="Address", max_length=60, help_text=ADDRESS_HELP, error_messages=ADDRESS_ERRORS
    )
    with_members = forms.BooleanField(label="Also its members, with their roles", required=False)

    def clean_slug(self) -> str:
        return free_address(self.cleaned_data["slug"])


class NewProjectForm(ProjectSettingsForm):
    # A new project has no clips.
    accepts_withdrawal = None  # type: ignore[assignment]  # removes the field of the base form

    class Meta(ProjectSettingsForm.Meta):
        fields = ["name", "slug", *ProjectSettingsForm.Meta.fields[1:]]
        labels = {**ProjectSettingsForm.Meta.labels, "slug": "Address"}
        help_texts = {**ProjectSettingsForm.Meta.help_texts, "slug": ADDRESS_HELP}
        error_messages = {"slug": ADDRESS_ERRORS}

    def clean_slug(self) -> str:
        return free_address(self.cleaned_data["slug"])


def free_address(typed: str) -> str:
    """Return a new project's address. Raises ValidationError if it is taken or can't be one."""
    slug = typed.lower()
    try:
        refuse_address(slug)
    except AnnotateError as error:
        raise ValidationError(str(error)) from error
    if Project.objects.filter(slug=slug).exists():
        raise ValidationError(f"A project with the address {slug} exists. Choose another.")
    return slug
