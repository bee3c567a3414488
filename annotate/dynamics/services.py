"""Judge whether a video is dynamic, by two independent people (LoVR, appendix B.1), and a third if
they disagree.
"""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.db import transaction

from annotate.corpus.services.exclusion import exclude_video
from annotate.errors import WorkInvalid
from annotate.models import Assignment, DynamicsVerdict, User, Video
from annotate.queue.content import Content, dynamics_verdict
from annotate.queue.kinds import people_needed
from annotate.queue.services import Submission, submit_once
from annotate.text.parts import Problem

NOT_DYNAMIC = "Two people found it not dynamic."
MAX_REMARK_LENGTH = 500


@transaction.atomic
def submit_dynamics_check(
    *, assignment_id: int, annotator: User, key: UUID, base_version: int, content: Content
) -> Assignment:
    """Store the verdict; exclude the video once two people judge it not dynamic.

    Raises WorkInvalid, which says what to fix, LeaseLost, or DraftConflict.
    """
    # Lock in the same order as a segmentation, to avoid a deadlock.
    video = (
        Video.objects.select_for_update(of=("self",), no_key=True)
        .select_related("project")
        .only("pk", "excluded_because", "project__slug")
        .get(clips__work_items__assignments=assignment_id)
    )
    return submit_once(
        partial(_store, video),
        assignment_id=assignment_id,
        annotator=annotator,
        key=key,
        base_version=base_version,
        content=content,
    )


def _store(video: Video, submission: Submission) -> None:
    is_dynamic, remark = checked_verdict(submission.content)
    DynamicsVerdict.objects.create(
        video=video, assignment=submission.assignment, is_dynamic=is_dynamic, remark=remark
    )
    submission.record(after={"is_dynamic": is_dynamic})
    if submission.complete():
        _exclude_if_agreed(video, submission.assignment)


def checked_verdict(content: Content) -> tuple[bool, str]:
    is_dynamic = dynamics_verdict(content)
    remark = content.get("remark", "").strip()
    problems = []
    if is_dynamic is None:
        problems.append(Problem("verdict", "Choose one: is the video dynamic or not?"))
    if content.get("looked") == "ask":
        problems.append(Problem("looked", "Have you looked through the whole video? Tick it."))
    if len(remark) > MAX_REMARK_LENGTH:
        mend = f"shorten it to {MAX_REMARK_LENGTH} (it has {len(remark)})."
        problems.append(Problem("remark", f"The remark has too many characters; {mend}"))
    if is_dynamic is None or problems:
        raise WorkInvalid(problems)
    return is_dynamic, remark


def _exclude_if_agreed(video: Video, last: Assignment) -> None:
    """Exclude the video if as many as are needed agree, and fewer don't. People's reason
    replaces a machine's, and no later segmentation undoes it.
    """
    verdicts = DynamicsVerdict.objects.filter(assignment__item=last.item_id)
    answers = list(verdicts.values_list("is_dynamic", flat=True))
    static = answers.count(False)
    needed = people_needed(video.project, last.item.kind)
    if static >= needed and 2 * static > len(answers):
        exclude_video(video=video, because=NOT_DYNAMIC, actor=last.annotator)
