"""The settings of a project, as the services that change them take them."""

from __future__ import annotations

from typing import TypedDict


class ProjectSettings(TypedDict, total=False):
    """Fields of `Project`, and its guidelines by kind of work; those of a new project that are left
    out get their defaults."""

    protocol: str
    license: str
    guidelines: dict[str, str]
    is_simulated: bool
    show_machine_draft: bool
    counts_programs: bool
    pre_tags: str
    intervals_hold_at_every_look: bool
    study_corrections: str
    min_words: int
    max_words: int
    writers_per_clip: int
    assigned_work: str
    can_choose_work: bool
    sign_offs: int
    sign_offs_block: bool
    min_modification_words: int
    max_modification_words: int
    quota_min: int
    quota_max: int
    recall_by_human: bool
    min_clip_seconds: float
    min_frame_side: int
    lease_minutes: int


class ProjectChanges(ProjectSettings, total=False):
    name: str
