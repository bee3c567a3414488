"""Which captions studies have drawn, and whether studies still run."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q

from annotate.models import Project, WorkItem
from review.studies.models import Study, StudyCaption

UNFINISHED = (WorkItem.State.OPEN, WorkItem.State.WAITING)


def in_threshold_studies(captions: Collection[int]) -> set[int]:
    """Return those of these captions that a running or stopped threshold study has drawn."""
    drawn = StudyCaption.objects.filter(
        caption__in=list(captions), study__kind=Study.Kind.THRESHOLD
    )
    return set(drawn.values_list("caption", flat=True))


def running_reason(*studies: Study) -> str:
    """Return why nobody can see the answers yet; "" if the studies have ended."""
    running = Study.objects.filter(
        Q(captions__item__state__in=UNFINISHED) | Q(undrawn__gt=0),
        pk__in=[study.pk for study in studies],
        stopped_at=None,
    )
    return "The study is still running." if running.exists() else ""


def study_title(project: Project, key: str) -> str:
    """Return the title of the study with this key; "" if the project has no such study."""
    study = Study.objects.filter(project=project, pk=key).first()
    return study.title(study.captions.count()) if study else ""


def sample_words(captions: int, people: int) -> str:
    return f"{captions:,} caption{'' if captions == 1 else 's'}, {people} people each"
