"""The settings of a project, as the services that change them take them."""

from __future__ import annotations

from typing import TypedDict


class ProjectSettings(TypedDict, total=False):
    """Fields of `Project`; those of a new project that are left out get their defaults."""

    protocol: str
    license: str
    write_guideline: str
    merge_guideline: str
    split_guideline: str
    dynamics_guideline: str
    hand_guideline: str
    verify_guideline: str
    rate_guideline: str
    pair_guideline: str
    modify_guideline: str
    triplet_guideline: str
    compare_guideline: str
    elements_guideline: str
    signoff_guideline: str
    identify_guideline: str
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
    gold_kinds: list[str]
    training_kinds: list[str]
    watched_percents: dict[str, int]
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
