"""Gates of LoVR's form: described clips of segmented videos, and captions of whole videos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from annotate.models import Caption, Project, WorkItem
from annotate.programs import that_count
from inference.queries import clips_to_describe
from review.releases.choice import ALL, Choice
from review.releases.gates.gate import Gate, Named, Page
from review.releases.gates.shared import (
    AGREEMENT,
    COVERAGE,
    EQUAL_CAPTIONS,
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
from review.releases.scenes import Scene
from review.verification.models import Verification


@dataclass(frozen=True)
class Scenes:
    """What a release in LoVR's form would freeze: clips, the up-to-date captions of whole videos,
    and the names of the videos."""

    project: Project
    rows: Sequence[Scene]
    full: Mapping[int, int]
    names: Mapping[int, str]
    choice: Choice = ALL

    @property
    def videos(self) -> list[int]:
        return list(dict.fromkeys(row.video_id for row in self.rows))

    def video(self, key: int) -> Named:
        return Named(self.names[key], video=key)

    def clip_texts(self) -> Mapping[int, Named]:
        return {row.caption_id: _named(row) for row in self.rows}

    def video_texts(self) -> Mapping[int, Named]:
        return {self.full[key]: self.video(key) for key in self.videos if key in self.full}

    def clips(self) -> Mapping[int, Named]:
        return {row.clip_id: _named(row) for row in self.rows}

    def texts(self) -> Mapping[int, Named]:
        return {**self.clip_texts(), **self.video_texts()}


def _named(row: Scene) -> Named:
    return Named(row.name, clip=row.clip_id)


def undescribed(content: Scenes, limit: float) -> Sequence[Named]:
    described = {row.clip_id for row in content.rows}
    clips = clips_to_describe(content.project).order_by("video_id", "start_frame", "pk")
    return [
        Named(name, clip=pk) for pk, name in clips.values_list("pk", "name") if pk not in described
    ]


def unlicensed(content: Scenes, limit: float) -> Sequence[Named]:
    unknown = {row.video_id for row in content.rows if is_unlicensed(row.license)}
    return [content.video(key) for key in content.videos if key in unknown]


def without_whole_caption(content: Scenes, limit: float) -> Sequence[Named]:
    if not content.choice.whole_captions:
        return []
    return [content.video(key) for key in content.videos if key not in content.full]


def still_to_verify(content: Scenes, limit: float) -> Sequence[Named]:
    clips = set(_open(content.project).values_list("clip", flat=True))
    return [_named(row) for row in content.rows if row.clip_id in clips]


def wholes_to_verify(content: Scenes, limit: float) -> Sequence[Named]:
    return named_captions(
        content.video_texts(),
        _open(content.project).filter(subject__isnull=False).values_list("subject", flat=True),
    )


def _open(project: Project) -> QuerySet[WorkItem]:
    return WorkItem.objects.filter(
        project=project, kind="verify", state=WorkItem.State.OPEN
    ).order_by()


def unverified(content: Scenes, limit: float) -> Sequence[Named]:
    """Return model captions that nobody has verified."""
    verified = that_count(
        Verification.objects.filter(caption__project=content.project), content.project, "reviewer"
    )
    captions = Caption.objects.filter(project=content.project, source=Caption.Source.MACHINE)
    unseen = captions.exclude(pk__in=verified.values("caption"))
    return named_captions(content.texts(), unseen.order_by().values_list("pk", flat=True))


def _equal_files(content: Scenes, limit: float) -> Sequence[Named]:
    clips = {row.clip_id: _named(row) for row in content.rows}
    return equal_files(content.project, clips, {key: content.video(key) for key in content.videos})


VERIFICATIONS = Page("review:verifications", "Verifications")
GATES = (
    PROJECT_LICENSE,
    video_licenses_gate(
        "Videos without a known license", "Set it on the page of one of their clips.", unlicensed
    ),
    Gate(
        "undescribed",
        "All clips described",
        "Clips without a caption, which stay out",
        "Caption them under Runs, or have them written by hand.",
        undescribed,
        level=Level.OFF,
        page=Page("inference:runs", "Runs"),
    ),
    Gate(
        "whole-captions",
        "Captions of whole videos",
        "Videos without a caption of the whole video that is up to date",
        "Fuse the captions of their clips under Runs.",
        without_whole_caption,
        page=Page("inference:runs", "Runs"),
    ),
    Gate(
        "verifications",
        "Open verifications",
        "Still to be verified",
        "Have them verified under My work.",
        still_to_verify,
        page=VERIFICATIONS,
    ),
    Gate(
        "whole-verifications",
        "Open verifications of whole videos",
        "Captions of whole videos still to be verified",
        "Have them verified under My work.",
        wholes_to_verify,
        page=VERIFICATIONS,
    ),
    Gate(
        "unverified",
        "Model captions verified by people",
        "Model captions that nobody has verified",
        "Hand them out under Threshold.",
        unverified,
        level=Level.OFF,
        page=Page("review:report_page", "Threshold", "threshold"),
    ),
    SHORT_CLIPS,
    SHORT_CAPTIONS,
    EQUAL_CAPTIONS,
    equal_files_gate(_equal_files),
    NEAR_DUPLICATES,
    REPORTS,
    COVERAGE,
    AGREEMENT,
)
