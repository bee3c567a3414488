"""Complete clips of one subcategory, and people who identify them."""

from __future__ import annotations

from uuid import uuid4

from annotate.models import Assignment, Caption, Clip, Project, User
from annotate.queue.services import claim_next
from annotate.text.words import count_words
from review.identification.queries import task_of
from review.identification.services import prepare_task, submit_identification
from tests.cast import make_clip
from tests.work import make_work


def make_complete(project: Project, author: User, word: str, *, make=make_clip, **video) -> Clip:
    """A clip with final texts about `word`, made by `author`; `make` may give it real files."""
    clip = make(project, **video)
    for kind in ("write", "merge", "split"):
        item = make_work(clip, kind, needed=0, state="done")
        Assignment.objects.create(
            item=item, annotator=author, state="submitted", lease_expires_at=item.created_at
        )
    merged = _caption(clip, author, "general", "merged", f"A {word} stands. It moves.")
    for kind, text in (("spatial", f"A {word} stands."), ("temporal", f"A {word} moves.")):
        _caption(clip, author, kind, "human", text).parents.add(merged)
    return clip


def _caption(clip: Clip, author: User, kind: str, source: str, text: str) -> Caption:
    return Caption.objects.create(
        project=clip.project, clip=clip, kind=kind, source=source, text=text,
        word_count=count_words(text), author=author,
    )  # fmt: skip


def take(person: User, project: Project) -> Assignment | None:
    membership = person.memberships.select_related("project", "user").get(project=project)
    prepare_task(membership)
    return claim_next(membership=membership, kind="identify")


def right_place(assignment: Assignment) -> int:
    task = task_of(assignment)
    return task.clips.index(task.text.clip_id) + 1


def pick(assignment: Assignment, place: int | str) -> Assignment:
    assignment.refresh_from_db()
    return submit_identification(
        assignment_id=assignment.pk,
        annotator=assignment.annotator,
        key=uuid4(),
        base_version=assignment.draft_version,
        content={"place": str(place)},
    )


def pick_all(person: User, project: Project, *, wrong: int = 0) -> int:
    """The person picks for every text that they get, the first `wrong` ones wrongly."""
    number = 0
    while assignment := take(person, project):
        place, most = right_place(assignment), len(task_of(assignment).clips)
        pick(assignment, place if number >= wrong else place % most + 1)
        number += 1
    return number
