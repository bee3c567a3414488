"""People to invite, read from CSV. Stores nothing."""

from __future__ import annotations

import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from annotate.errors import AnnotateError
from annotate.models import Role
from annotate.text.csv_rows import Table, TableError

MAX_PEOPLE = 200
MAX_LISTED = 50
COLUMNS = ("email", "roles")
MAX_EMAIL_LENGTH = 254


@dataclass(frozen=True)
class InvitedPerson:
    email: str
    roles: tuple[str, ...]


class PeopleInvalid(AnnotateError):
    """Nobody is invited. `errors` has a sentence for each error, with its row and column."""

    def __init__(self, errors: Sequence[str]) -> None:
        more = len(errors) - MAX_LISTED
        self.errors = [*errors[:MAX_LISTED], *([f"{more:,} more."] if more > 0 else [])]
        super().__init__("Nobody was invited. Fix the rows that are listed.")

    def by_field(self) -> list[tuple[str, str]]:
        return [("people", error) for error in self.errors]


def read_people(
    text: str, *, members: Collection[str], invited: Collection[str]
) -> list[InvitedPerson]:
    """Return the people of a CSV with the columns `email` and `roles`, with several roles separated
    by spaces or semicolons. `members` and `invited` are the addresses of members and open
    invitations. Raises PeopleInvalid, with every error.
    """
    people: list[InvitedPerson] = []
    errors: list[str] = []
    for number, row in _rows(text):
        if isinstance(row, str):
            errors.append(f"Row {number}: {row}")
            continue
        email = row["email"].lower()
        roles = tuple(row["roles"].replace(";", " ").lower().split())
        taken_emails = {"members": members, "invited": invited, "above": [p.email for p in people]}
        errors += [
            f"Row {number}, {wrong}"
            for wrong in (_wrong_email(email, taken_emails), _wrong_roles(roles))
            if wrong
        ]
        people.append(InvitedPerson(email, roles))
    if errors:
        raise PeopleInvalid(errors)
    return people


def _rows(text: str) -> list[tuple[int, dict[str, str] | str]]:
    """Return the line and the cells of each row, or what to do about one that can't be read."""
    first = "Begin with the line “email,roles”, and add a line for each person."
    try:
        table = Table(io.StringIO(text.strip(), newline=""), pads=True)
        table.columns = [name.casefold() for name in table.columns]
        if sorted(table.columns) != sorted(COLUMNS):
            raise PeopleInvalid([first])
        rows = list(islice(table, MAX_PEOPLE + 1))
    except TableError:
        raise PeopleInvalid([first]) from None
    if not 1 <= len(rows) <= MAX_PEOPLE:
        raise PeopleInvalid([f"Give 1 to {MAX_PEOPLE} people, each on a line of their own."])
    return [(row.line, row.problem or row.cells) for row in rows]


def _wrong_email(email: str, taken_emails: dict[str, Collection[str]]) -> str:
    try:
        validate_email(email)
    except ValidationError:
        return "email: give an address such as anna@example.org."
    if len(email) > MAX_EMAIL_LENGTH:
        return f"email: at most {MAX_EMAIL_LENGTH} characters."
    if email in taken_emails["members"]:
        return f"email: {email} is a member already. Leave the row out."
    if email in taken_emails["invited"]:
        return f"email: {email} has an open invitation. Make a new link for it instead."
    if email in taken_emails["above"]:
        return f"email: {email} is in the rows twice. Leave one out."
    return ""


def _wrong_roles(roles: Sequence[str]) -> str:
    unknown = [role for role in roles if role not in Role.values]
    if roles and not unknown:
        return ""
    there = f"“{unknown[0][:40]}” is not a role. " if unknown else ""
    return f"roles: {there}Give one or more of {', '.join(Role.values)}."
