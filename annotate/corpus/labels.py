"""The labels of a project's clips, and their numbers in the splits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet

from annotate.models import ActionLabel, AuditEvent, Clip, Project, Video
from annotate.paging import CountedRows

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

PAGE_SIZE = 50
# The audit log's name for corrections.
CORRECT_LABEL = "correct label"
CORRECT_CLIP_LABEL = "correct clip label"
Split = Video.Split


@dataclass(frozen=True)
class LabelCount:
    key: str
    caption: str
    clips: int


class Clips(TypedDict):
    """The number of a label's clips, in all and in each split."""

    clip_count: int
    in_train: int
    in_validation: int
    in_test: int


def label_page(
    project: Project, filters: Mapping[str, str], number: str | int | None
) -> Page[WithAnnotations[ActionLabel, Clips]]:
    """Return labels by number of clips, each with `clip_count` and its clips `in_train`,
    `in_validation` and `in_test`. `filters`: `q`, `domain`, `event`.
    """
    labels = ActionLabel.objects.filter(project=project)
    if words := filters.get("q"):
        labels = labels.filter(Q(key__iexact=words) | Q(caption__icontains=words))
    for column in ("domain", "event"):
        if value := filters.get(column):
            labels = labels.filter(**{column: value})
    counted = labels.annotate(
        clip_count=Count("clips"),
        in_train=_in_split(Split.TRAIN),
        in_validation=_in_split(Split.VALIDATION),
        in_test=_in_split(Split.TEST),
    ).order_by("-clip_count", "id")
    rows = CountedRows(labels.count(), lambda start, stop: list(counted[start:stop]))
    return Paginator(rows, PAGE_SIZE).get_page(number)


def _in_split(split: Split) -> Count:
    return Count("clips", filter=Q(clips__video__split=split))


def label_counts(project: Project) -> list[LabelCount]:
    """Return every label, those with the most clips first."""
    labels = ActionLabel.objects.filter(project=project).annotate(clip_count=Count("clips"))
    rows = labels.order_by("-clip_count", "id").values_list("key", "caption", "clip_count")
    return [LabelCount(*row) for row in rows]


def label_groups(project: Project) -> dict[str, list[str]]:
    """Return the `domains` and the `events` of the labels, each in order, without the empty one."""
    labels = ActionLabel.objects.filter(project=project).order_by()
    rows = list(labels.values_list("domain", "event").distinct())
    return {
        "domains": sorted({domain for domain, _ in rows if domain}),
        "events": sorted({event for _, event in rows if event}),
    }


def labels_as_one(project: Project) -> dict[int, list[int]]:
    """Return, for each label, the labels that count as one with it for targets, including
    itself.
    """
    labels = ActionLabel.objects.filter(project=project).order_by("pk")
    first_of = {pk: first or pk for pk, first in labels.values_list("pk", "counts_as")}
    groups: dict[int, list[int]] = defaultdict(list)
    for pk, first in first_of.items():
        groups[first].append(pk)
    return {pk: groups[first] for pk, first in first_of.items()}


def counted_with(label: ActionLabel) -> QuerySet[ActionLabel]:
    """Return the labels that count as one with this label for targets, itself included."""
    first = label.counts_as_id or label.pk
    return ActionLabel.objects.filter(Q(pk=first) | Q(counts_as=first))


@dataclass(frozen=True)
class EqualLabels:
    """Labels that share a caption and an event, the oldest first."""

    labels: list[ActionLabel]

    @property
    def count_as_one(self) -> bool:
        return all(label.counts_as_id == self.labels[0].pk for label in self.labels[1:])


def equal_labels(project: Project) -> list[EqualLabels]:
    """Return the labels that share a caption and an event, by caption."""
    groups: dict[tuple[str, str], list[ActionLabel]] = defaultdict(list)
    for label in ActionLabel.objects.filter(project=project).order_by("caption", "pk"):
        groups[label.caption, label.event].append(label)
    return [EqualLabels(labels) for labels in groups.values() if len(labels) > 1]


def label_history(subject: ActionLabel | Clip) -> list[AuditEvent]:
    """Return the corrections of a label, or of the label of a clip, newest first."""
    return list(
        AuditEvent.objects.filter(
            object_type=subject._meta.model_name,
            object_id=subject.pk,
            verb__in=[CORRECT_LABEL, CORRECT_CLIP_LABEL],
        ).select_related("actor")
    )


def label_choices(project: Project) -> list[tuple[str, str]]:
    """Return every label by its id, with its meaning."""
    labels = ActionLabel.objects.filter(project=project).order_by("id")
    return [(key, f"{key}: {caption}") for key, caption in labels.values_list("key", "caption")]


def labeled_clips(project: Project) -> QuerySet[Clip]:
    return Clip.objects.filter(
        project=project, label__isnull=False, video__excluded_because="", excluded_because=""
    )


def labels_of(project: Project) -> list[ActionLabel]:
    return list(ActionLabel.objects.filter(project=project).order_by("pk"))
