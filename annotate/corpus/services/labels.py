"""Correcting labels: what one means, which one a clip has, and which ones count as one."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from annotate.audit import record_event
from annotate.corpus.label_followers import label_followers
from annotate.corpus.labels import CORRECT_CLIP_LABEL, CORRECT_LABEL
from annotate.errors import AnnotateError
from annotate.models import ActionLabel, Clip, ClipLabelCorrection, LabelCorrection, Project, User
from annotate.text.events import event_in


@transaction.atomic
def correct_label(*, label: ActionLabel, caption: str, event: str, admin: User) -> ActionLabel:
    """Change the label's meaning. If the old caption had its event in brackets, the event follows
    the new caption unless another one is given. Raises AnnotateError.

    Labels that counted as one with this label because of equal captions no longer do.
    """
    project = _open(label.project_id)
    label = ActionLabel.objects.select_for_update().get(pk=label.pk)
    before = {"caption": label.caption, "event": label.event}
    if event == label.event == event_in(label.caption):
        event = event_in(caption)
    after = {"caption": caption, "event": event}
    if before == after:
        raise AnnotateError("Nothing has changed. Change the caption or the event first.")
    LabelCorrection.objects.create(label=label, **before)
    label.caption, label.event = caption, event
    label.save(update_fields=["caption", "event"])
    _leave_group(label)
    for follower in label_followers():
        follower.label_corrected(label)
    record_event(
        actor=admin,
        verb=CORRECT_LABEL,
        subject=label,
        project=project,
        before=before,
        after=after,
    )
    return label


@transaction.atomic
def correct_clip_label(*, clip: Clip, label: ActionLabel, admin: User) -> Clip:
    """Give the clip another label of its project. Raises AnnotateError."""
    project = _open(clip.project_id)
    clip = Clip.objects.select_for_update(of=("self",)).select_related("label").get(pk=clip.pk)
    before = clip.label
    if before == label:
        raise AnnotateError(f"The clip has label {label.key} already. Choose another one.")
    ClipLabelCorrection.objects.create(clip=clip, label=before)
    clip.label = label
    clip.save(update_fields=["label"])
    if before is not None:
        for follower in label_followers():
            follower.clip_relabeled(clip, before)
    record_event(
        actor=admin,
        verb=CORRECT_CLIP_LABEL,
        subject=clip,
        project=project,
        before={"label": before.key if before else "", "caption": before.caption if before else ""},
        after={"label": label.key, "caption": label.caption},
    )
    return clip


@transaction.atomic
def count_as_one(*, label: ActionLabel, admin: User) -> list[ActionLabel]:
    """Let all labels with this label's caption and event count as one for targets, represented by
    the oldest. Raises AnnotateError.
    """
    project = _open(label.project_id)
    first, *others = _equal_labels(label)
    if not others:
        raise AnnotateError(f"No other label has the caption of {label.key}.")
    ActionLabel.objects.filter(pk__in=[other.pk for other in others]).update(counts_as=first)
    record_event(
        actor=admin,
        verb="count labels as one",
        subject=first,
        project=project,
        after={"labels": [first.key, *(other.key for other in others)]},
    )
    return [first, *others]


@transaction.atomic
def count_apart(*, label: ActionLabel, admin: User) -> None:
    """Let the labels with this label's caption count apart again. Raises AnnotateError."""
    project = _open(label.project_id)
    equal = list(_equal_labels(label))
    ActionLabel.objects.filter(pk__in=[each.pk for each in equal]).update(counts_as=None)
    record_event(
        actor=admin,
        verb="count labels apart",
        subject=equal[0],
        project=project,
        after={"labels": [each.key for each in equal]},
    )


def _open(project_id: int) -> Project:
    """Lock and return the project. Raises AnnotateError while its labels must not change."""
    project = Project.objects.lock(project_id)
    for follower in label_followers():
        follower.refuse(project)
    return project


def _equal_labels(label: ActionLabel) -> QuerySet[ActionLabel]:
    return ActionLabel.objects.filter(
        project=label.project_id, caption=label.caption, event=label.event
    ).order_by("pk")


def _leave_group(label: ActionLabel) -> None:
    """Let the label count on its own, and the others of its group as one under their oldest."""
    others = list(ActionLabel.objects.filter(counts_as=label).order_by("pk"))
    if others:
        rest = [other.pk for other in others[1:]]
        ActionLabel.objects.filter(pk=others[0].pk).update(counts_as=None)
        ActionLabel.objects.filter(pk__in=rest).update(counts_as=others[0])
    ActionLabel.objects.filter(pk=label.pk).update(counts_as=None)
