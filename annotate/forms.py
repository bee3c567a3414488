"""Shared parts of forms: visible names, filters of lists, choices that depend on the project."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Model, QuerySet

from annotate.text import binary
from annotate.text.visible import has_hidden_characters

HIDDEN_CHARACTERS = (
    "It contains a character that is invisible or changes the direction of writing. Type it again."
)


def validate_visible(value: str) -> None:
    """Raise ValidationError for a name with invisible or direction-changing characters."""
    if has_hidden_characters(value):
        raise ValidationError(HIDDEN_CHARACTERS, code="hidden_characters")


class DayInput(forms.DateInput):
    """A browser's own control for a day, which reads its value in the form of ISO 8601 alone."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


MAX_UPLOADED = 8 * 2**20
UPLOAD_LIMIT = f"{MAX_UPLOADED // 2**20} MiB"


class FileToImport(forms.FileField):
    """A file of at most `most` bytes. `accept`: the endings that a browser offers. `choose` asks
    for it, and `mend` says what to do with a larger one. `takes`: the endings of binary files that
    it takes; others are refused by their kind, however large."""

    def __init__(
        self,
        *,
        choose: str,
        mend: str = "",
        accept: str = "",
        takes: str | tuple[str, ...] = (),
        most: int = MAX_UPLOADED,
        **options: Any,
    ) -> None:
        self.most, self.mend, self.choose, self.takes = most, mend, choose, takes
        super().__init__(
            widget=forms.FileInput(attrs={"accept": accept} if accept else {}),
            error_messages={"required": choose, "empty": f"The file is empty. {choose}"},
            **options,
        )

    def clean(self, data: Any, initial: Any = None) -> UploadedFile[bytes]:
        if data and not data.name.lower().endswith(self.takes):
            refusal = binary.refusal(data.read(binary.MAX_LENGTH), self.choose)
            data.seek(0)
            if refusal:
                raise ValidationError(refusal)
        file: UploadedFile[bytes] = super().clean(data, initial)
        if (file.size or 0) > self.most:
            larger = f"The file is larger than {self.most / 2**20:g} MiB."
            raise ValidationError(f"{larger} {self.mend}".strip())
        return file


class LeavesOutRows(forms.Form):
    """A form to import a file, with or without its rows that have an error."""

    skips_bad = forms.BooleanField(
        required=False, label="Leave out rows with an error and import the others"
    )


class ListForm(forms.Form):
    """Filters and order of a list, by GET. Invalid values are ignored, so that an old link still
    opens the page. `choices`: field -> options on this page."""

    def __init__(self, data: Any, **choices: list[tuple[str, str]]) -> None:
        super().__init__(data)
        for name, offered in choices.items():
            offer_choices(self, name, offered)
        self.is_valid()

    @property
    def filters(self) -> dict[str, Any]:
        """Return the filters that are chosen, by name."""
        return {name: value for name, value in self.cleaned_data.items() if value}

    def query(self, **changes: Any) -> str:
        """Return the parameters of a link that keeps all choices except `changes`."""
        chosen = {**self.cleaned_data, **changes}
        return urlencode(
            [(name, "1" if value is True else value) for name, value in chosen.items() if value]
        )


M = TypeVar("M", bound=Model)


def offer_choices(form: forms.BaseForm, name: str, choices: Iterable[tuple[object, str]]) -> None:
    """Set the choices, with their labels, of the form's ChoiceField of this name."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


def offer_rows(
    form: forms.BaseForm,
    name: str,
    rows: QuerySet[M],
    label: Callable[[M], str] = str,
) -> None:
    """Set the rows of the form's ModelChoiceField of this name, each shown with its `label`."""
    field = form.fields[name]
    assert isinstance(field, forms.ModelChoiceField)
    field.queryset = rows
    # Only this instance of the field: Django copies the fields of a form's class for each form.
    field.label_from_instance = label  # type: ignore[assignment, method-assign]  # Django calls it
