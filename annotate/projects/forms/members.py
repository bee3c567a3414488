"""Forms to invite and join."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password

from annotate.forms import validate_visible
from annotate.models import Project, Role, User

MAX_PEOPLE_LENGTH = 100_000
PEOPLE_EXAMPLE = "email,roles\nanna@example.org,annotator\nemil@example.org,expert reviewer"


def role_choices(project: Project) -> list[tuple[str, str]]:
    """Return each role with its tasks by the project's protocol."""
    tasks = project.pipeline.roles
    return [(role.value, f"{role.label}: {tasks[role]}") for role in Role]


class RolesForm(forms.Form):
    roles = forms.MultipleChoiceField(
        choices=Role.choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one role."},
    )


class ProgramForm(forms.Form):
    program = forms.CharField(
        required=False,
        max_length=80,
        help_text="The name of the member's model; empty: a person.",
        validators=[validate_visible],
    )


class InviteForm(RolesForm):
    email = forms.EmailField(
        required=False,
        label="Email",
        help_text="With an address, only that person can use the link.",
    )
    field_order = ["email", "roles"]


class InviteManyForm(forms.Form):
    people = forms.CharField(
        label="People as CSV",
        max_length=MAX_PEOPLE_LENGTH,
        strip=False,
        widget=forms.Textarea(
            {"rows": 6, "class": "input mono", "placeholder": PEOPLE_EXAMPLE, "spellcheck": "false"}
        ),
        help_text="A line “email,roles”, then a line for each person. Several roles are separated "
        "by spaces. Each person gets a link that only they can use.",
        error_messages={"required": "Paste a line “email,roles” and a line for each person."},
    )


class JoinForm(forms.Form):
    """A new person's account, created through an invitation."""

    name = forms.CharField(
        max_length=150,
        help_text="As others in the project see it.",
        label="Your name",
        validators=[validate_visible],
    )
    email = forms.EmailField(label="Email")
    password = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text="At least 10 characters.",
        strip=False,
    )

    def __init__(self, *args: Any, invited_email: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if invited_email:
            self.fields["email"].initial = invited_email
            self.fields["email"].disabled = True

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].strip().lower()
        if User.objects.filter(email=email).exists():
            raise forms.ValidationError(
                "An account with this address exists. Sign in, then open the link again."
            )
        return email

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("password"):
            person = User(email=data.get("email", ""), name=data.get("name", ""))
            try:
                validate_password(data["password"], person)
            except forms.ValidationError as error:
                self.add_error("password", error)
        return data
