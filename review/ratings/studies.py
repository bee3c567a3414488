"""Start a rating study, and change each person's share of it (LoVR, appendix B.4)."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from annotate.audit import record_event
from annotate.kinds import kind_facts
from annotate.models import Assignment, Caption, Project, User, WorkItem
from inference.queries import BATCH_SIZE
from review.errors import ReviewError
from review.ratings.queries import examples_in_use, raters_of, running_rating_study
from review.ratings.sample import Drawn, captions_to_draw, draw_captions
from review.studies.models import Study, StudyCaption

MIN_EXAMPLES = 3
MAX_PEOPLE = 20
MAX_SHARE = 100_000


@transaction.atomic
def open_rating_study(
    *,
    project: Project,
    admin: User | None,
    clips: int = 300,
    videos: int = 100,
    people: int = 1,
    per_rater: int | None = None,
    seed: int = 0,
) -> Study:
    """Draw captions of clips and of whole videos, and have several people rate each.

    A person rates `per_rater` of them; None divides all ratings evenly among the raters. Raises
    ReviewError, which says what to fix, if there are too few captions, people or training examples.
    """
    # Open one study at a time, so that no caption is drawn twice.
    project = Project.objects.lock(project.pk)
    _check_asked(project, clips, videos, people)
    drawn = _drawn(project, clips, videos, seed)
    raters = list(raters_of(project).order_by("user").values_list("user", flat=True))
    share = per_rater or -(-len(drawn) * people // max(len(raters), 1))
    if not 1 <= share <= MAX_SHARE:
        raise ReviewError(f"Ask each person for 1 to {MAX_SHARE:,} ratings.")
    _check_people(drawn, raters, people, share)
    study = Study.objects.create(
        project=project,
        kind=Study.Kind.RATING,
        people=people,
        seed=seed,
        per_rater=share,
        created_by=admin,
    )
    _open_work(study, drawn)
    record_event(
        actor=admin,
        verb="start study",
        subject=study,
        project=project,
        after={
            "clips": clips,
            "videos": videos,
            "people": people,
            "per_rater": share,
            "seed": seed,
        },
    )
    return study


@transaction.atomic
def change_share(*, study: Study, per_rater: int, admin: User | None) -> Study:
    """Change the total number of ratings that each person gives. Raises ReviewError."""
    study = Study.objects.select_for_update(of=("self",), no_key=True).get(pk=study.pk)
    if not 1 <= per_rater <= MAX_SHARE:
        raise ReviewError(f"Ask each person for 1 to {MAX_SHARE:,} ratings.")
    if study.stopped_at:
        raise ReviewError("This study has been stopped and takes no more ratings.")
    before, study.per_rater = study.per_rater, per_rater
    study.save(update_fields=["per_rater"])
    record_event(
        actor=admin,
        verb="change share",
        subject=study,
        project=study.project,
        before={"per_rater": before},
        after={"per_rater": per_rater},
    )
    return study


def _check_asked(project: Project, clips: int, videos: int, people: int) -> None:
    if min(clips, videos) < 0 or not clips + videos:
        raise ReviewError("Ask for at least one caption.")
    if not 1 <= people <= MAX_PEOPLE:
        raise ReviewError(f"Have 1 to {MAX_PEOPLE} people rate each caption.")
    if running_rating_study(project):
        raise ReviewError("A study is running. Let people finish it, or stop it first.")
    examples = examples_in_use(project).count()
    if examples < MIN_EXAMPLES:
        raise ReviewError(
            f"The training has {examples} example{'' if examples == 1 else 's'} and needs at least "
            f"{MIN_EXAMPLES}. Add some first: people complete them before they rate."
        )


def _drawn(project: Project, clips: int, videos: int, seed: int) -> list[Drawn]:
    drawn = []
    for number, kind, what, mend in (
        (clips, Caption.Kind.GENERAL, "captions of clips", "describe more clips"),
        (videos, Caption.Kind.FULL_VIDEO, "captions of whole videos", "run fuse on more videos"),
    ):
        captions = captions_to_draw(project, kind).values_list("pk", "clip") if number else []
        drawn.append([Drawn(*row) for row in captions])
        if len(drawn[-1]) < number:
            raise ReviewError(
                f"{number} {what} are asked for, and there are {len(drawn[-1])} that nobody has "
                f"been asked about. Ask for fewer, or {mend} first."
            )
    return draw_captions(drawn[0], drawn[1], n_clips=clips, n_videos=videos, seed=seed)


def _check_people(drawn: Sequence[Drawn], raters: Sequence[int], people: int, share: int) -> None:
    """Raise ReviewError unless enough people may rate each caption and their shares cover all
    ratings.
    """
    if len(raters) < people:
        raise ReviewError(
            f"{people} people are to rate each caption, and {len(raters)} may rate. Give "
            f"{people - len(raters)} more the role annotator or reviewer, or ask for fewer people."
        )
    barred = _barred(drawn, raters)
    missing = [people - len(raters) + len(barred.get(clip, ())) for _, clip in drawn]
    if short := sum(number > 0 for number in missing):
        raise ReviewError(
            f"Of {short} of the captions drawn, too few people may rate: the others have written, "
            f"merged or verified a text of the same clip. Invite at least {max(missing)} who "
            "have not."
        )
    places = len(drawn) * people
    own = dict.fromkeys(raters, 0)
    for _, clip in drawn:
        for rater in barred.get(clip, ()):
            own[rater] += 1
    covered = sum(min(share, len(drawn) - own[rater]) for rater in raters)
    if covered < places:
        more = -(-(places - covered) // min(share, len(drawn)))
        raise ReviewError(
            f"{places} ratings are due, and the shares of {len(raters)} people cover {covered}. "
            f"Ask each for more, draw fewer captions, or invite {more} more."
        )


def _barred(drawn: Sequence[Drawn], raters: Sequence[int]) -> dict[int, set[int]]:
    """Return, by clip, the raters who may not rate it because they have worked on it."""
    people, barred = set(raters), dict[int, set[int]]()
    clips = sorted({clip for _, clip in drawn})
    for start in range(0, len(clips), BATCH_SIZE):
        worked = Assignment.objects.filter(
            item__clip__in=clips[start : start + BATCH_SIZE],
            item__kind__in=kind_facts("rate").barred_by,
        )
        for clip, person in worked.values_list("item__clip", "annotator"):
            if person in people:
                barred.setdefault(clip, set()).add(person)
    return barred


def _open_work(study: Study, drawn: Sequence[Drawn]) -> None:
    """Create the work. Priorities are above 0 and at most 1; each rating lowers that of its caption
    by 1.
    """
    items = WorkItem.objects.bulk_create(
        [
            WorkItem(
                project_id=study.project_id,
                clip_id=each.clip,
                kind="rate",
                subject=each.caption,
                needed=study.people,
                open_slots=study.people,
                priority=1 - place / len(drawn),
            )
            for place, each in enumerate(drawn)
        ],
        batch_size=BATCH_SIZE,
    )
    StudyCaption.objects.bulk_create(
        [
            StudyCaption(study=study, caption_id=each.caption, item=item)
            for each, item in zip(drawn, items, strict=True)
        ],
        batch_size=BATCH_SIZE,
    )
