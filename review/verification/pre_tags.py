"""What a program found in a caption, beside a person's own verdicts; off by default.

Nothing comes from people. A draw withholds the tags on half of the items, so that Programs can
measure the difference that they make, and so that gold, which never has any, is not recognized by
their absence. Captions of threshold studies have none, because people judge them independently.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.crypto import salted_hmac

from annotate.models import Caption, Project, User, WorkItem
from annotate.programs import programs_of
from annotate.text.sentences import SPLITTER
from review.studies.queries import in_threshold_studies
from review.verification.judgment import Verdict
from review.verification.models import Verification


@dataclass(frozen=True)
class PreTag:
    """`number`: of the sentence, from 1. `types` and `own`: empty for ok."""

    number: int
    types: str
    own: str
    is_decided: bool

    @property
    def differs(self) -> bool:
        return self.is_decided and self.types != self.own


@dataclass(frozen=True)
class PreTags:
    """Tags by the program with this model. `is_before`: as suggestions, of all sentences."""

    model: str
    is_before: bool
    tags: list[PreTag]


def tags_offered(item: WorkItem, project: Project, person: User, caption: Caption) -> bool | None:
    """Return whether the person sees tags of the caption; None if there is nothing to see or to
    withhold."""
    if project.pre_tags == Project.PreTags.OFF or _tagged(item, project, person, caption) is None:
        return None
    return _is_drawn(item)


def pre_tags(
    item: WorkItem, person: User, caption: Caption, verdicts: Sequence[Verdict]
) -> PreTags | None:
    """Return the tags that the person may see now, beside their own `verdicts`: as the project says
    of all sentences, or of those that they have decided."""
    project = item.project
    if project.pre_tags == Project.PreTags.OFF or not _is_drawn(item):
        return None
    tagged = _tagged(item, project, person, caption)
    if tagged is None or tagged.reviewer_id is None:
        return None
    is_before = project.pre_tags == Project.PreTags.BEFORE
    types = dict(tagged.verdicts.values_list("number", "types"))
    tags = [
        PreTag(number + 1, types[number], "#".join(sorted(own.types or ())), own.types is not None)
        for number, own in enumerate(verdicts)
        if number in types and (is_before or own.types is not None)
    ]
    return PreTags(programs_of(project)[tagged.reviewer_id], is_before, tags) if tags else None


def _tagged(
    item: WorkItem, project: Project, person: User, caption: Caption
) -> Verification | None:
    """Return the newest verification of the caption by a program."""
    programs = programs_of(project)
    if item.purpose != WorkItem.Purpose.WORK or person.pk in programs or not programs:
        return None
    if in_threshold_studies([caption.pk]):
        return None
    by_programs = Verification.objects.filter(
        caption=caption, reviewer__in=list(programs), splitter=SPLITTER
    )
    return by_programs.order_by("-pk").first()


def _is_drawn(item: WorkItem) -> bool:
    return bool(salted_hmac("pre-tags", str(item.pk), algorithm="sha256").digest()[0] & 1)
