"""The Leaderboard as a report page: its rounds, new votes and files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from annotate.models import Membership, Project
from review.comparisons import access as comparisons_access
from review.comparisons.models import Round
from review.comparisons.queries import newest_counted, newest_votes
from review.leaderboard import NAME
from review.leaderboard.files import ratings_table, votes_table
from review.leaderboard.pages import leaderboard_context
from review.leaderboard.report import KIND
from review.reports.files import FileTable, Tables
from review.reports.page import ReportPage, key_of
from review.reports.queries import Request
from review.reports.state import VOTES_CAME


class RoundReportPage(ReportPage[Round]):
    """A page of a round, its subject."""

    def find(self, membership: Membership, subject: str) -> Round | None:
        return comparisons_access.round_of(membership, key_of(subject)) if subject else None

    def written(self, subject: Round) -> str:
        return str(subject.pk)


class LeaderboardPage(RoundReportPage):
    """The page of a round (its subject) or, without one, of the newest with counted votes, or else
    the newest.
    """

    key = "leaderboard"
    title = "Leaderboard"
    template = "review/leaderboard/leaderboard.html"
    kinds = (KIND,)
    due_words = VOTES_CAME
    # New votes aren't counted at once, because a counted vote can't be changed.
    asks_when_due = True

    def context(
        self, membership: Membership, query: QueryDict, subject: Round | None
    ) -> dict[str, Any]:
        context = leaderboard_context(membership, subject, query)
        return context | {"state": self.state(membership.project)}

    def is_due(self, project: Project, requests: Mapping[str, Request]) -> bool:
        """Return whether there are new votes that no report counts."""
        counted = newest_counted(project, NAME)
        return any(last > counted.get(round, 0) for round, last in newest_votes(project).items())

    def tables(self, membership: Membership, query: QueryDict, subject: Round | None) -> Tables:
        if subject is None:
            return {}

        def ratings() -> FileTable:
            return ratings_table(subject, comparisons_access.leaderboard_report(subject))

        def votes() -> FileTable:
            comparisons_access.refuse_votes(membership, subject)
            return votes_table(subject, membership)

        return {"ratings": ratings, "votes": votes}

    def file_name(self, project: Project, subject: Round | None, name: str) -> str:
        assert subject is not None
        return f"{project.slug}-round-{subject.number}-{name}"
