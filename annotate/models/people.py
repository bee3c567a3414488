"""People, and their roles in each project."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property

# The domain of accounts that a panel makes; no mail is ever sent there (RFC 2606).
PANEL_DOMAIN = "panel.invalid"


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        return self.create_user(email, password, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """A person, known by email address. Superusers may create projects."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=150)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)

    objects = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    def __str__(self) -> str:
        return self.name or self.email

    @property
    def is_participant(self) -> bool:
        """Return whether the account was made by a panel: without address and password, and for the
        pages of its study alone."""
        return self.email.endswith(f"@{PANEL_DOMAIN}")

    @cached_property
    def unread_notices(self) -> int:
        """Count the unread notices of the person's projects for the header's bell; it shows "99+"
        for 100, so no further ones are counted."""
        unread = self.notices.filter(
            is_in_app=True,
            read_at=None,
            project__memberships__user=self,
            project__memberships__deactivated_at=None,
        )
        return unread.order_by("pk")[:100].count()


class Role(models.TextChoices):
    ANNOTATOR = "annotator"
    EXPERT = "expert"
    REVIEWER = "reviewer"
    ADMIN = "admin"


class Roles(models.Model):
    """The four roles as columns, shared by a membership and the invitation that leads to it."""

    is_annotator = models.BooleanField("annotator", default=False)
    is_expert = models.BooleanField("expert", default=False)
    is_reviewer = models.BooleanField("reviewer", default=False)
    is_admin = models.BooleanField("admin", default=False)

    class Meta:
        abstract = True

    @property
    def roles(self) -> list[Role]:
        return [role for role in Role if getattr(self, f"is_{role}")]

    def has_role(self, *roles: str) -> bool:
        return any(getattr(self, f"is_{role}") for role in roles)


class ActiveMemberships(models.Manager["Membership"]):
    """The memberships that give access to a project."""

    def get_queryset(self) -> models.QuerySet[Membership]:
        return super().get_queryset().filter(deactivated_at=None)


class Membership(Roles):
    """A person's roles in a project. Without it, a person has no access to the project.

    A deactivated membership gives no access either, but can be reactivated. `objects` leaves those
    out, `with_deactivated` has all. A join over memberships names `deactivated_at` itself.
    """

    project = models.ForeignKey(
        "annotate.Project", on_delete=models.CASCADE, related_name="memberships"
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    created_at = models.DateTimeField(default=timezone.now)
    deactivated_at = models.DateTimeField(null=True, editable=False)
    program = models.CharField(
        max_length=80, blank=True, help_text="the name of its model, if the member is a program"
    )

    objects = ActiveMemberships()
    with_deactivated = models.Manager["Membership"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="membership_once_per_person"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.project}"


class Invitation(Roles):
    """A link that lets one person join a project with these roles. Only its hash is stored."""

    project = models.ForeignKey(
        "annotate.Project", on_delete=models.CASCADE, related_name="invitations"
    )
    email = models.EmailField(blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    accepted_by = models.ForeignKey(
        User, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    accepted_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"Invitation to {self.project} for {self.email or 'anyone with the link'}"

    @property
    def is_open(self) -> bool:
        return (
            self.accepted_at is None
            and self.withdrawn_at is None
            and self.expires_at > timezone.now()
        )
