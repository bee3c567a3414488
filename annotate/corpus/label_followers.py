"""Lets later apps take part when an admin corrects a label."""

from __future__ import annotations

from annotate.models import ActionLabel, Clip, Project


class LabelFollower:
    """An app's reaction to a correction, in the same transaction."""

    def refuse(self, project: Project) -> None:
        """Raise AnnotateError while the labels must not change."""

    def label_corrected(self, label: ActionLabel) -> None:
        """Follow a change of the label's caption or event."""

    def clip_relabeled(self, clip: Clip, before: ActionLabel) -> None:
        """Follow a change of the clip's label from `before`."""


_FOLLOWERS: list[LabelFollower] = []


def follow_labels(follower: LabelFollower) -> None:
    _FOLLOWERS.append(follower)


def label_followers() -> list[LabelFollower]:
    return _FOLLOWERS
