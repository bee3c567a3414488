"""Queries about the content of the next release, and of existing ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from semver import Version

from annotate.corpus.clip_stages import described
from annotate.models import Caption, Project
from inference.queries import clips_to_describe
from metrics.capst import PRESETS
from review.elements.models import Extraction
from review.frozen.models import Release, ReleasedClip, ReleasedQuery, ReleasedScene
from review.frozen.names import scene_id
from review.releases.checks import NO_LICENCE, Check
from review.releases.difference import Difference, compare
from review.releases.file_names import clashing_names, is_safe
from review.releases.scenes import (
    Scene,
    full_captions,
    scene_numbers,
    scene_warnings,
    scenes_of,
    video_names,
)
from review.releases.sign_offs import sign_off_checks
from review.releases.triplet_checks import Tally, tally_queries, triplet_checks
from review.releases.triplet_difference import triplet_difference
from review.releases.triplet_plan import PlannedClip, plan_triplets
from review.releases.versions import FIRST, parse_version
from review.triplets.models import TripletSet
from review.verification.completeness import CompleteClip, complete_rows

Lists = tuple[list[str] | None, list[str] | None]
WHOLE = "{} (whole video)"


def latest_release(project: Project) -> Release | None:
    """Return the release with the greatest version, which is always the last built."""
    return Release.objects.filter(project=project).order_by("-id").first()


def blocking_checks(rows: Sequence[CompleteClip]) -> list[Check]:
    """Return what must be fixed before these clips can be released."""
    checks = [
        (
            "Without a category, which every released clip needs (set it on the clip's page)",
            [row.name for row in rows if not row.category.strip()],
        ),
        ("With the same file name (rename one of them)", clashing_names(row.name for row in rows)),
        (
            "With characters that a file name can't have (rename the clips)",
            [row.name for row in rows if not is_safe(row.name)],
        ),
    ]
    return [Check(message, tuple(names), blocks=True) for message, names in checks if names]


def warning_checks(project: Project, rows: Sequence[CompleteClip]) -> list[Check]:
    """Return what to check before these clips are frozen."""
    checks = []
    unseen = _with_open_checks(project)
    if not project.licence.strip():
        checks.append(Check("The project has no license. Set one under Settings."))
    for message, names in [
        ("Without a subcategory", [row.name for row in rows if not row.subcategory.strip()]),
        (
            "Videos without a known license",
            [row.name for row in rows if row.licence.strip().casefold() in NO_LICENCE],
        ),
        (
            "Merged with unchecked conflicts",
            [row.name for row in rows if row.caption_id in unseen],
        ),
        (
            "Split with open warnings",
            [row.name for row in rows if {row.spatial_id, row.temporal_id} & unseen],
        ),
        (f"Below the quota of {project.quota_min} clips", _off_quota(project, rows, under=True)),
        (f"Above the quota of {project.quota_max} clips", _off_quota(project, rows, under=False)),
    ]:
        if names:
            checks.append(Check(message, tuple(names)))
    return checks


def checked_lists(project: Project, rows: Sequence[CompleteClip]) -> dict[int, Lists]:
    """Return the last checked events of each clip's temporal caption and objects of its spatial
    caption; None for a list that nobody has checked.
    """
    checked = Extraction.objects.filter(
        caption__project=project, model=None, most_elements=PRESETS["default"].most_elements
    )
    newest = {
        (caption, kind): elements
        for caption, kind, elements in checked.order_by("pk").values_list(
            "caption", "kind", "elements"
        )
    }
    return {
        row.clip_id: (
            newest.get((row.temporal_id, "events")),
            newest.get((row.spatial_id, "objects")),
        )
        for row in rows
    }


def difference_to(
    project: Project, release: Release | None, rows: Sequence[CompleteClip]
) -> Difference:
    lists = checked_lists(project, rows)
    now = {
        row.file_name: (
            row.clip_id,
            row.caption_id,
            row.spatial_id,
            row.temporal_id,
            row.category,
            row.subcategory,
            *lists[row.clip_id],
        )
        for row in rows
    }
    if release is None:
        return Difference(added=list(now))
    before = {
        name: tuple(rest)
        for name, *rest in release.clips.order_by().values_list(
            "file_name",
            "clip_id",
            "caption_id",
            "spatial_caption_id",
            "temporal_caption_id",
            "category",
            "subcategory",
            "checked_events",
            "checked_objects",
        )
    }
    return Difference(
        added=[name for name in now if name not in before],
        removed=sorted(name for name in before if name not in now),
        changed=[name for name in now if name in before and now[name] != before[name]],
    )


@dataclass(frozen=True)
class NextRelease:
    """`triplet_set` and `tally`: in TF-CoVR's form, the set and what its queries amount to."""

    rows: Sequence[CompleteClip | Scene | PlannedClip]
    difference: Difference
    blocks: list[Check]
    warnings: list[Check]
    suggested: Version
    triplet_set: TripletSet | None = None
    tally: Tally | None = None


def next_release(project: Project, previous: Release | None) -> NextRelease:
    """Return what a build would freeze now, with the findings about it."""
    if project.protocol == Project.Protocol.LOVR:
        return _next_scenes(project, previous)
    if project.protocol == Project.Protocol.TFCOVR:
        return _next_triplets(project, previous)
    rows = complete_rows(project)
    difference = difference_to(project, previous, rows)
    signing = sign_off_checks(project, rows)
    warnings = [check for check in signing if not check.blocks]
    return NextRelease(
        rows=rows,
        difference=difference,
        blocks=[*blocking_checks(rows), *(check for check in signing if check.blocks)],
        warnings=[*warning_checks(project, rows), *warnings] if rows else [],
        suggested=_suggest(previous, difference),
    )


def _next_scenes(project: Project, previous: Release | None) -> NextRelease:
    scenes, full, names = scenes_of(project), full_captions(project), video_names(project)
    difference = _scene_difference(project, previous, scenes, full, names)
    return NextRelease(
        rows=scenes,
        difference=difference,
        blocks=[],
        warnings=scene_warnings(project, scenes, full, names) if scenes else [],
        suggested=_suggest(previous, difference),
    )


def _next_triplets(project: Project, previous: Release | None) -> NextRelease:
    plan = plan_triplets(project)
    if plan is None:
        return NextRelease([], Difference(), [], [], _suggest(previous, Difference()))
    tally = tally_queries(plan, has_contents=True)
    checks = triplet_checks(project, plan, tally)
    difference = triplet_difference(plan, tally, previous)
    return NextRelease(
        rows=plan.clips,
        difference=difference,
        blocks=[check for check in checks if check.blocks],
        warnings=[check for check in checks if not check.blocks],
        suggested=_suggest(previous, difference),
        triplet_set=plan.triplets,
        tally=tally,
    )


def _scene_difference(
    project: Project,
    release: Release | None,
    scenes: Sequence[Scene],
    full: dict[int, int],
    names: dict[int, str],
) -> Difference:
    """Of clips, and of the captions of whole videos."""
    numbers = scene_numbers(project) if scenes else {}
    now: dict[str, tuple[int, ...]] = {}
    for scene in scenes:
        vid = names[scene.video_id]
        if scene.video_id in full:
            now[WHOLE.format(vid)] = (full[scene.video_id],)
        name = scene_id(vid, numbers[scene.clip_id])
        now[name] = (scene.clip_id, scene.start_frame, scene.end_frame, scene.caption_id)
    before: dict[str, tuple[int, ...]] = {}
    if release is not None:
        videos = release.videos.order_by().filter(full_caption__isnull=False)
        before |= {
            WHOLE.format(vid): (key,) for vid, key in videos.values_list("vid", "full_caption")
        }
        rows = ReleasedScene.objects.filter(video__release=release).order_by()
        before |= {
            scene_id(vid, number): tuple(rest)
            for vid, number, *rest in rows.values_list(
                "video__vid", "number", "clip", "start_frame", "end_frame", "caption"
            )
        }
    return compare(now, before)


def listed_rows(
    release: Release,
) -> QuerySet[ReleasedClip] | QuerySet[ReleasedScene] | QuerySet[ReleasedQuery]:
    """Return the clips of a release in the order of its export, with what a page shows of them; in
    TF-CoVR's form its queries, those of test first."""
    if release.format == Release.Format.TFCOVR:
        return release.queries.select_related(
            "clip", "modification__source", "modification__target"
        ).order_by("pk")
    if release.format == Release.Format.LOVR:
        scenes = ReleasedScene.objects.filter(video__release=release)
        return scenes.select_related("video", "caption").order_by("pk")
    return release.clips.for_listing()


def _suggest(previous: Release | None, difference: Difference) -> Version:
    if previous is None:
        return FIRST
    version = parse_version(previous.version)
    only_texts = difference.changed and not (difference.added or difference.removed)
    return version.next_version("patch" if only_texts else "minor")


def _off_quota(project: Project, rows: Sequence[CompleteClip], *, under: bool) -> list[str]:
    counts = Counter(row.subcategory for row in rows if row.subcategory.strip())
    return [
        f"{name} ({count})"
        for name, count in sorted(counts.items())
        if (count < project.quota_min if under else count > project.quota_max)
    ]


def _with_open_checks(project: Project) -> set[int]:
    """Return the captions whose author left a warning or an unresolved conflict."""
    return {
        pk
        for pk, checks in Caption.objects.filter(project=project)
        .exclude(checks=[])
        .values_list("pk", "checks")
        if not all(check.get("dismissed") or check.get("looked") for check in checks)
    }


def described_clips(project: Project) -> tuple[int, int]:
    """Return how many clips to describe have a caption and aren't waiting to be written by hand,
    and how many clips there are to describe.
    """
    clips = clips_to_describe(project).order_by()
    return described(clips).count(), clips.count()
