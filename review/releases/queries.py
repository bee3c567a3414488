"""Queries about the content of the next release, and of existing ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from semver import Version

from annotate.corpus.clip_stages import described
from annotate.models import Caption, Project, Video
from inference.queries import clips_to_describe
from review.errors import ReviewError
from review.frozen.models import Release, ReleasedClip, ReleasedScene
from review.frozen.query_models import ReleasedQuery
from review.frozen.scene_names import video_names
from review.frozen.takedowns import Withdrawn, withdrawn_of
from review.releases.choice import ALL, Choice, branch
from review.releases.difference import Difference, difference_of, suggest_version
from review.releases.gates.clips import Clips
from review.releases.gates.findings import gate_states, look
from review.releases.gates.gate import Finding, GateState
from review.releases.gates.scenes import Scenes
from review.releases.gates.triplets import Triplets
from review.releases.models import ReleaseDraft
from review.releases.scenes import Scene, full_captions, scenes_of
from review.releases.statements import without_sign_offs
from review.releases.triplet_plan import PlannedClip, plan_triplets
from review.releases.triplet_tally import Tally, tally_queries
from review.releases.versions import parse_version
from review.triplets.queries import newest_triplets
from review.verification.completeness import CompleteClip, complete_rows


def latest_release(project: Project) -> Release | None:
    """Return the release with the greatest version, which is always the last built."""
    return Release.objects.filter(project=project).order_by("-id").first()


def find_release(*, project: Project, version: str) -> Release:
    """Return the release of this version. Raises ReviewError, which lists the existing versions."""
    number = str(parse_version(version))
    release = Release.objects.filter(project=project, version=number).first()
    if release is None:
        versions = ", ".join(
            Release.objects.filter(project=project).values_list("version", flat=True)
        )
        raise ReviewError(
            f"{project.name} has no release {number}. "
            + (f"It has: {versions}." if versions else "None has been built yet.")
        )
    return release


@dataclass(frozen=True)
class NextRelease:
    """What a build would freeze now. `findings`: one per gate that is not off; empty if nothing
    would be frozen."""

    content: Clips | Scenes | Triplets
    difference: Difference
    findings: list[Finding]
    suggested: Version

    @property
    def rows(self) -> Sequence[CompleteClip | Scene | PlannedClip]:
        return self.content.rows

    @property
    def blocks(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.blocks]

    @property
    def warnings(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.warns]

    @property
    def passed(self) -> list[Finding]:
        return [finding for finding in self.findings if not finding.names]


def chosen_clips(project: Project, rows: Sequence[CompleteClip], choice: Choice) -> Clips:
    """Return these complete clips without those that the choice leaves out, and without those that
    were taken down or have a withdrawn text."""
    complete = len(rows)
    withdrawn = withdrawn_of(project.pk)
    if withdrawn:
        rows = [row for row in rows if not is_withdrawn(row, withdrawn)]
    unsigned = set()
    if choice.only_signed:
        unsigned = {row.clip_id for row in without_sign_offs(project, rows, at_least=1)}
    kept = [
        row
        for row in rows
        if row.clip_id not in unsigned and not choice.leaves_out(row.category, row.subcategory)
    ]
    keys = {row.clip_id for row in kept}
    left_out = frozenset(row.clip_id for row in rows if row.clip_id not in keys)
    return Clips(project, kept, left_out, taken_down=complete - len(rows), choice=choice)


def branches_of(project: Project) -> list[str]:
    """Return the categories of the project's videos, each with its subcategories after it."""
    pairs = Video.objects.filter(project=project).order_by().values_list("category", "subcategory")
    names = {
        name
        for category, subcategory in pairs.distinct()
        for name in (category, branch(category, subcategory) if subcategory else "")
        if name
    }
    return sorted(names)


def draft_of(project: Project) -> ReleaseDraft:
    """Return the notes and the choice of the next release, as the admins have left them."""
    draft = ReleaseDraft.objects.filter(project=project).first()
    return draft or ReleaseDraft(project=project)


def choice_of(project: Project) -> Choice:
    """Return the admins' choice for the next release."""
    return Choice.of(draft_of(project).choice)


def notes_of(project: Project) -> str:
    """Return the notes of the next release, as the project's admins have typed them so far."""
    return draft_of(project).notes


def content_of(project: Project, choice: Choice = ALL) -> Clips | Scenes | Triplets:
    kind = project.pipeline.release.content
    if kind == "triplets":
        plan = plan_triplets(project, has_vectors=choice.vectors)
        tally = tally_queries(plan, has_contents=True) if plan else Tally()
        return Triplets(project, plan, tally, choice)
    if kind == "scenes":
        return _scenes(project, choice)
    return chosen_clips(project, complete_rows(project), choice)


def is_withdrawn(row: CompleteClip, withdrawn: Withdrawn) -> bool:
    return row.clip_id in withdrawn.clips or not withdrawn.captions.isdisjoint(row.texts)


def _scenes(project: Project, choice: Choice) -> Scenes:
    """Return what is described, without what was taken down."""
    full = full_captions(project) if choice.whole_captions else {}
    scenes, names = scenes_of(project), video_names(project)
    if withdrawn := withdrawn_of(project.pk):
        clips, captions = withdrawn.clips, withdrawn.captions
        scenes = [s for s in scenes if s.clip_id not in clips and s.caption_id not in captions]
        full = {
            video: key
            for video, key in full.items()
            if video not in withdrawn.videos and key not in captions
        }
    return Scenes(project, scenes, full, names, choice)


def next_release(
    project: Project,
    previous: Release | None,
    states: Sequence[GateState] | None = None,
    choice: Choice = ALL,
) -> NextRelease:
    """Return what a build would freeze now, with the gates' findings. `states`: the result of
    `gate_states`, if known."""
    states = gate_states(project) if states is None else states
    content = content_of(project, choice)
    difference = difference_of(content, previous)
    return NextRelease(
        content=content,
        difference=difference,
        findings=look(content, states) if content.rows else [],
        suggested=suggest_version(previous, difference),
    )


def listed_rows(
    release: Release,
) -> QuerySet[ReleasedClip] | QuerySet[ReleasedScene] | QuerySet[ReleasedQuery]:
    """Return the clips that a release offers in the order of its export, with what a page shows; in
    TF-CoVR's form its queries, test first."""
    gone = release.withdrawn
    if release.format == Release.Format.TFCOVR:
        return (
            release.queries.exclude(clip__clip__in=gone.clips)
            .select_related("clip", "modification__source", "modification__target")
            .order_by("pk")
        )
    if release.format == Release.Format.LOVR:
        scenes = ReleasedScene.objects.filter(video__release=release)
        scenes = scenes.exclude(clip__in=gone.clips).exclude(caption__in=gone.captions)
        return scenes.select_related("video", "caption").order_by("pk")
    return release.clips.exclude(clip__in=gone.clips).for_listing()


def has_content(project: Project) -> bool:
    """Return whether the project has content of the release's kind: a set of triplets, a split
    text, or a caption in LoVR's form. Whether a clip is complete can only be known by reading all
    of them."""
    content = project.pipeline.release.content
    if content == "triplets":
        return newest_triplets(project) is not None
    kind = Caption.Kind.GENERAL if content == "scenes" else Caption.Kind.SPATIAL
    return Caption.objects.filter(project=project, kind=kind).exists()


def described_clips(project: Project) -> tuple[int, int]:
    """Return how many clips to describe have a caption and aren't waiting to be written by hand,
    and how many clips there are to describe.
    """
    clips = clips_to_describe(project).order_by()
    return described(clips).count(), clips.count()
