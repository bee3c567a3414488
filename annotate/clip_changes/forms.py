"""The form that chooses an action on many clips, and the clips."""

from __future__ import annotations

from typing import Any

from django import forms

from annotate.clip_changes.actions import ACTIONS, actions_for
from annotate.clip_changes.leaving_out import CLIPS, VIDEOS
from annotate.corpus.clip_stages import kinds_in
from annotate.forms import offer_choices, validate_visible
from annotate.kinds import kind_choices, kind_facts
from annotate.models import ClipChange, Membership
from annotate.models.clip_changes import MAX_TAG_LENGTH
from annotate.models.corpus import MAX_REASON_LENGTH

MAX_NOTE_LENGTH = 150
NOBODY = "nobody"
SCOPES = [(VIDEOS, "Videos with all their clips"), (CLIPS, "Only the selected clips")]
MISSING = {
    "tag": "Type the tag.",
    "priority": "Type the number.",
    "reason": "Say why the clips are withdrawn.",
    "person": "Choose who gets the work.",
}


class ClipChangeForm(forms.Form):
    """The action, and the other fields that it needs."""

    action = forms.ChoiceField(error_messages={"required": "Choose what to do."})
    kind = forms.ChoiceField(label="Kind of work", required=False)
    person = forms.ChoiceField(required=False)
    priority = forms.FloatField(
        required=False, min_value=-1_000_000, max_value=1_000_000, help_text="Such as 10, or -1."
    )
    tag = forms.CharField(
        max_length=MAX_TAG_LENGTH,
        required=False,
        validators=[validate_visible],
        widget=forms.TextInput({"list": "tags"}),
    )
    reason = forms.CharField(
        max_length=MAX_REASON_LENGTH, required=False, help_text="Every member can read it."
    )
    scope = forms.ChoiceField(choices=SCOPES)
    note = forms.CharField(label="Reason", max_length=MAX_NOTE_LENGTH, required=False)

    def __init__(self, data: Any, *, membership: Membership, is_asked: bool = True) -> None:
        """`is_asked`: the fields were shown before, so a missing one is an error."""
        actions = actions_for(membership)
        name = data.get("action", "")
        self.chosen_action = ClipChange.Action(name) if name in actions else None
        used = ACTIONS[self.chosen_action].fields if self.chosen_action else ()
        super().__init__(data if is_asked or not used or set(used) & set(data) else None)
        project = membership.project
        offer_choices(self, "action", [(each.value, each.label) for each in actions])
        kinds = [kind for kind in kinds_in(project) if not kind_facts(kind).reserves_itself]
        labels = dict(kind_choices())
        offer_choices(self, "kind", [("", "Any"), *((kind, labels[kind]) for kind in kinds)])
        members = Membership.objects.filter(project=project).select_related("user")
        people = sorted((str(each.user), each.user_id) for each in members)
        offer_choices(
            self,
            "person",
            [
                ("", "Choose…"),
                *((key, name) for name, key in people),
                (NOBODY, "Nobody: for everybody again"),
            ],
        )
        for unused in set(self.fields) - {"action", *used}:
            del self.fields[unused]
        for needed in set(used) & set(MISSING):
            self.fields[needed].required = True
            self.fields[needed].error_messages["required"] = MISSING[needed]

    def clean_tag(self) -> str:
        return " ".join(self.cleaned_data["tag"].split())

    @property
    def values(self) -> dict[str, Any]:
        """Return the values that the action needs, as they are stored."""
        values = {name: value for name, value in self.cleaned_data.items() if name != "action"}
        if "person" in values:
            person = values["person"]
            values["person"] = None if person == NOBODY else int(person)
        return values
