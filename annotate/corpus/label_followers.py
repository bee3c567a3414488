"""Lets later apps take part when an admin corrects a label."""

from __future__ import annotations

from annotate.models import ActionLabel, Clip, Project


class LabelFollower:
    """What an app does about a correction, in the same transaction."""

    def refuse(self, project: Project) -> None:
        """Raise AnnotateError while the labels must stay as they are."""

    def label_corrected(self, label: ActionLabel) -> None:
        """The caption or the event of the label has changed."""

    def clip_relabeled(self, clip: Clip, before: ActionLabel) -> None:
        """The clip had the label `before` and has another one now."""


_FOLLOWERS: list[LabelFollower] = []


def follow_labels(follower: LabelFollower) -> None:
    _FOLLOWERS.append(follower)


def label_followers() -> list[LabelFollower]:
    return _FOLLOWERS
