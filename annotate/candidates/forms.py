"""Forms of the candidates: import, filter and decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from annotate.candidates.queries import TABS, Need
from annotate.datasets.files import DatasetFile
from annotate.forms import FileToImport, offer_choices
from annotate.models.corpus import MAX_REASON_LENGTH

SELECT, REJECT, UNDO, WITHDRAW, TAKE_BACK = "select", "reject", "undo", "withdraw", "take-back"
NEED_REASON = {REJECT, WITHDRAW}


class AnnotationsForm(forms.Form):
    annotations = FileToImport(
        label="Annotations",
        help_text="FineAction’s JSON, or any file in the form of ActivityNet’s; it may be "
        "compressed as .gz.",
        takes=".gz",
        choose="Choose the annotation file.",
        mend="Compress it with gzip, or import it on the server with manage.py import_candidates.",
    )

    def chosen_file(self) -> DatasetFile:
        upload = self.cleaned_data["annotations"]
        return DatasetFile(upload.name or "", upload.read())


class CandidatesForm(forms.Form):
    """GET parameters. Invalid values are ignored, so that an old link still opens the page."""

    state = forms.ChoiceField(required=False, choices=list(TABS.items()), widget=forms.HiddenInput)
    subcategory = forms.ChoiceField(required=False)

    def __init__(self, data: Any, *, needs: Sequence[Need]) -> None:
        super().__init__(data)
        names = sorted({need.subcategory for need in needs})
        offer_choices(self, "subcategory", [("", "Any"), *((name, name) for name in names)])
        self.is_valid()

    @property
    def tab(self) -> str:
        return self.cleaned_data.get("state") or next(iter(TABS))

    @property
    def chosen(self) -> str:
        return self.cleaned_data.get("subcategory") or ""


class DecisionForm(forms.Form):
    """`actions` are the possible ones; only some need a reason."""

    action = forms.ChoiceField(error_messages={"required": "Choose what to do."})
    reason = forms.CharField(
        max_length=MAX_REASON_LENGTH,
        help_text="Such as “The action is hidden”. Every member can read why a clip is withdrawn.",
        error_messages={"required": "Give a reason, so that others can follow the decision."},
    )

    def __init__(self, *args: Any, actions: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer_choices(self, "action", [(action, action) for action in actions])
        if self.is_bound and self.data.get("action") not in NEED_REASON:
            self.fields["reason"].required = False


class ManyForm(DecisionForm):
    candidate = forms.TypedMultipleChoiceField(
        coerce=int, error_messages={"required": "Choose candidates first."}
    )

    def __init__(self, *args: Any, keys: Sequence[int], **kwargs: Any) -> None:
        super().__init__(*args, actions=[SELECT, REJECT], **kwargs)
        offer_choices(self, "candidate", [(key, str(key)) for key in keys])
