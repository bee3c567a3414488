"""The captions that wait for people, for pages that count them and for fusing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from annotate.models import Project, WorkItem
from annotate.queue.work_kinds import work_kind


@dataclass(frozen=True)
class CaptionWork:
    """`to_write`: clips to be written by hand. `to_verify`: caption to be verified -> its clip.

    `in_study`: caption -> its clip for captions of a running study, which does not change them.
    """

    to_write: frozenset[int]
    to_verify: Mapping[int, int]
    in_study: Mapping[int, int]

    @cached_property
    def clips(self) -> frozenset[int]:
        """Return the clips whose caption waits for people, without repetition."""
        return self.to_write | frozenset(self.to_verify.values())


def caption_work(project: Project) -> CaptionWork:
    """Return the open work about captions of the project, held or not."""
    items = list(
        WorkItem.objects.filter(
            project=project, kind__in=["hand", "verify"], state=WorkItem.State.OPEN
        ).only("kind", "subject", "clip_id")
    )
    verify = [item for item in items if item.kind == "verify"]
    studied = work_kind("verify").outlives(verify) if verify else set()
    return CaptionWork(
        to_write=frozenset(item.clip_id for item in items if item.kind == "hand"),
        to_verify={item.subject: item.clip_id for item in verify if item.pk not in studied},
        in_study={item.subject: item.clip_id for item in verify if item.pk in studied},
    )
