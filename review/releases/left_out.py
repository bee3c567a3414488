"""Which reports a choice leaves out of a release, and the reasons in its index."""

from __future__ import annotations

from review.releases.choice import Choice
from review.reports.registry import REPORTS

# Computed from votes, directly or indirectly.
OF_VOTES = ("leaderboard", "correlation")
NO_REPORTS = "This release was built without reports."
NO_VOTES = "This release was built without votes."


def left_out_reports(choice: Choice) -> dict[str, str]:
    """Return the reason by name of the report."""
    if not choice.reports:
        return dict.fromkeys(REPORTS, NO_REPORTS)
    return {} if choice.votes else dict.fromkeys(OF_VOTES, NO_VOTES)
