"""An admin's choice of what goes into the next release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from review.reports.registry import REPORTS

# The reports computed from votes, directly or indirectly.
OF_VOTES = ("leaderboard", "correlation")
NO_REPORTS = "This release was built without reports."
NO_VOTES = "This release was built without votes."


@dataclass(frozen=True)
class Choice:
    """CaReBench's form: `left_out`, categories, and subcategories as `category: subcategory`;
    `only_signed`, only clips whose latest texts are signed off. LoVR's form: `whole_captions`, the
    captions of whole videos; `assessment`, the table of people's judgments. TF-CoVR's form:
    `vectors`, the clips' vectors. `reports`: the reports with their inputs; `votes`: also reports
    computed from votes, with the votes.
    """

    left_out: tuple[str, ...] = ()
    only_signed: bool = False
    whole_captions: bool = True
    assessment: bool = True
    clip_files: bool = False
    vectors: bool = True
    reports: bool = True
    votes: bool = True

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Choice:
        return cls(**{**stored, "left_out": tuple(stored.get("left_out", ()))})

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "left_out": list(self.left_out)}

    def leaves_out(self, category: str, subcategory: str) -> bool:
        return category in self.left_out or branch(category, subcategory) in self.left_out

    @property
    def left_out_reports(self) -> dict[str, str]:
        """The reports that the release does without: name -> the reason in the index of reports."""
        if not self.reports:
            return dict.fromkeys(REPORTS, NO_REPORTS)
        return {} if self.votes else dict.fromkeys(OF_VOTES, NO_VOTES)


ALL = Choice()


def branch(category: str, subcategory: str) -> str:
    return f"{category}: {subcategory}"
