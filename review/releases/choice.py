"""An admin's choice of what goes into the next release. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


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


ALL = Choice()


def branch(category: str, subcategory: str) -> str:
    return f"{category}: {subcategory}"
