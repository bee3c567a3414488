"""Gates of CaReBench's form: complete clips with three captions each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.corpus.pieces import KEPT
from annotate.models import Caption, Clip, Project
from review.releases.choice import ALL, Choice
from review.releases.gates.gate import Gate, Named, Page, always
from review.releases.gates.shared import (
    AGREEMENT,
    COVERAGE,
    EQUAL_CAPTIONS,
    NAMES,
    NEAR_DUPLICATES,
    PROJECT_LICENSE,
    REPORTS,
    SHORT_CAPTIONS,
    SHORT_CLIPS,
    equal_files,
    equal_files_gate,
    is_unlicensed,
    named_captions,
    video_licenses_gate,
)
from review.releases.models import Level
from review.releases.statements import without_sign_offs
from review.verification.completeness import CompleteClip


@dataclass(frozen=True)
class Clips:
    """What a release in CaReBench's form would freeze."""

    project: Project
    rows: Sequence[CompleteClip]
    left_out: frozenset[int] = frozenset()  # complete clips that an admin leaves out
    taken_down: int = 0  # complete clips that were taken down
    choice: Choice = ALL

    def texts(self) -> Mapping[int, Named]:
        return {key: _named(row) for row in self.rows for key in row.texts}

    def clips(self) -> Mapping[int, Named]:
        return {row.clip_id: _named(row) for row in self.rows}


def _named(row: CompleteClip) -> Named:
    return Named(row.name, clip=row.clip_id)


def incomplete(content: Clips, limit: float) -> Sequence[Named]:
    complete = {row.clip_id for row in content.rows} | content.left_out
    clips = Clip.objects.filter(KEPT, project=content.project).order_by("pk")
    return [
        Named(name, clip=pk) for pk, name in clips.values_list("pk", "name") if pk not in complete
    ]


def without_category(content: Clips, limit: float) -> Sequence[Named]:
    return [_named(row) for row in content.rows if not row.category.strip()]


def without_subcategory(content: Clips, limit: float) -> Sequence[Named]:
    return [_named(row) for row in content.rows if not row.subcategory.strip()]


def unlicensed(content: Clips, limit: float) -> Sequence[Named]:
    return [_named(row) for row in content.rows if is_unlicensed(row.license)]


def out_of_budget(content: Clips, limit: float) -> Sequence[Named]:
    project = content.project
    written = Caption.objects.filter(project=project, kind=Caption.Kind.GENERAL).order_by()
    beyond = written.exclude(word_count__range=(project.min_words, project.max_words))
    texts = {row.caption_id: _named(row) for row in content.rows}
    return named_captions(texts, beyond.values_list("pk", flat=True))


def unchecked_conflicts(content: Clips, limit: float) -> Sequence[Named]:
    left = _with_open_checks(content.project, Caption.Kind.GENERAL)
    return [_named(row) for row in content.rows if row.caption_id in left]


def split_warnings(content: Clips, limit: float) -> Sequence[Named]:
    left = _with_open_checks(content.project, Caption.Kind.SPATIAL, Caption.Kind.TEMPORAL)
    return [_named(row) for row in content.rows if {row.spatial_id, row.temporal_id} & left]


def _with_open_checks(project: Project, *kinds: str) -> set[int]:
    """Return the captions whose author left a warning or an unresolved conflict."""
    checked = Caption.objects.filter(project=project, kind__in=kinds).exclude(checks=[])
    return {
        pk
        for pk, checks in checked.order_by().values_list("pk", "checks")
        if not all(check.get("dismissed") or check.get("looked") for check in checks)
    }


def unsigned(content: Clips, limit: float) -> Sequence[Named]:
    return [_named(row) for row in without_sign_offs(content.project, content.rows)]


def sign_off_level(project: Project) -> Level:
    if not project.sign_offs:
        return Level.OFF
    return Level.BLOCK if project.sign_offs_block else Level.WARN


def under_quota(content: Clips, limit: float) -> Sequence[Named]:
    least = content.project.quota_min
    return [Named(f"{name} ({n} of {least})") for name, n in _quota(content) if n < least]


def over_quota(content: Clips, limit: float) -> Sequence[Named]:
    most = content.project.quota_max
    return [Named(f"{name} ({n} of {most})") for name, n in _quota(content) if n > most]


def _quota(content: Clips) -> list[tuple[str, int]]:
    counts = Counter(row.subcategory for row in content.rows if row.subcategory.strip())
    return sorted(counts.items())


def _equal_files(content: Clips, limit: float) -> Sequence[Named]:
    parts = {row.clip_id: _named(row) for row in content.rows if not row.spans_its_video}
    wholes = {row.video_id: _named(row) for row in content.rows if row.spans_its_video}
    return equal_files(content.project, parts, wholes)


SETTINGS = Page("annotate:project_settings", "Settings")
CLIPS = Page("annotate:corpus", "Clips")
GATES = (
    Gate(
        "category",
        "Category of each clip",
        "Without a category, which every released clip needs",
        "Set it on the clip’s page.",
        without_category,
        fixed=always(Level.BLOCK),
    ),
    *NAMES,
    Gate(
        "sign-offs",
        "Sign-offs of the latest texts",
        "Clips without enough sign-offs",
        "Experts who haven’t worked on them sign off under My work; if nobody can, add an expert "
        "under Members.",
        unsigned,
        page=SETTINGS,
        fixed=sign_off_level,
    ),
    PROJECT_LICENSE,
    video_licenses_gate("Videos without a known license", "Set it on the clip’s page.", unlicensed),
    Gate(
        "incomplete",
        "All clips complete",
        "Clips that are not complete and stay out",
        "Have them written, merged and split, or withdraw them.",
        incomplete,
        level=Level.OFF,
        page=CLIPS,
    ),
    Gate(
        "conflicts",
        "Conflicts of merges",
        "Merged with unchecked conflicts",
        "Send back the merged text on the clip’s page.",
        unchecked_conflicts,
    ),
    Gate(
        "split-warnings",
        "Warnings of splits",
        "Split with open warnings",
        "Send back the split on the clip’s page.",
        split_warnings,
    ),
    Gate(
        "word-budget",
        "Words of merged texts within the project’s limits",
        "With fewer or more words than the project’s limits",
        "Send back the merged text on the clip’s page, or change the limits under Settings.",
        out_of_budget,
        page=SETTINGS,
    ),
    SHORT_CLIPS,
    SHORT_CAPTIONS,
    EQUAL_CAPTIONS,
    equal_files_gate(_equal_files),
    NEAR_DUPLICATES,
    Gate(
        "subcategory",
        "Subcategory of each clip",
        "Without a subcategory",
        "Set it on the clip’s page.",
        without_subcategory,
    ),
    Gate(
        "under-quota",
        "Quota: enough clips of each subcategory",
        "Subcategories below the quota",
        "Complete more clips, or change the quota under Settings.",
        under_quota,
        page=SETTINGS,
    ),
    Gate(
        "over-quota",
        "Quota: not too many clips of a subcategory",
        "Subcategories above the quota",
        "Withdraw clips, or change the quota under Settings.",
        over_quota,
        page=SETTINGS,
    ),
    REPORTS,
    COVERAGE,
    AGREEMENT,
)
