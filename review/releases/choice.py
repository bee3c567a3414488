"""What an admin lets go into the next release, of what is ready. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Choice:
    """`left_out`: categories, and subcategories as `category: subcategory`, in CaReBench's form;
    `only_signed`: there only clips with a sign-off of their latest texts. `whole_captions` and
    `assessment`: in LoVR's form, the captions of whole videos and the table of what people judged.
    `vectors`: in TF-CoVR's form, the clips' vectors. `reports`: the reports with what they were
    computed from; `votes`: also those that are computed from votes, with the votes.
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
