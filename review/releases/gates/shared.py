"""Gates on what every protocol releases: license, texts, files and agreement."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Protocol

from django.db.models import Count
from django.db.models.functions import MD5

from annotate.corpus.clip_names import folded_name
from annotate.corpus.near_duplicates import open_pairs
from annotate.models import Caption, Clip, ClipFile, Project, Video
from annotate.text.file_names import is_reserved_name
from review.agreement import NAME as AGREEMENT_NAME
from review.agreement.report import AgreementResult, is_of, state_of
from review.agreement.words import TASKS
from review.proof.coverage import partial_reports
from review.proof.freezing import outdated_reports
from review.releases.choice import Choice
from review.releases.gates.gate import Gate, Limit, Named, Page, always
from review.releases.models import Level
from review.reports.models import Report
from review.reports.results import OldResult, result_of

UNSAFE = set('/\\:*?"<>|')  # in the name of a file
NO_LICENSE = {"", "unknown"}
ALPHA = "krippendorff_alpha"


class Content(Protocol):
    """What a release would freeze: its project, the choice, and its texts under the name of their
    clip or video, by caption key."""

    @property
    def project(self) -> Project: ...

    @property
    def choice(self) -> Choice: ...

    def texts(self) -> Mapping[int, Named]: ...

    def clips(self) -> Mapping[int, Named]:
        """Return the clips by their keys."""


def same_names(content: Content, limit: float) -> Sequence[Named]:
    clips = content.clips().values()
    times = Counter(folded_name(clip.name) for clip in clips)
    return [clip for clip in clips if times[folded_name(clip.name)] > 1]


def unsafe_names(content: Content, limit: float) -> Sequence[Named]:
    return [clip for clip in content.clips().values() if not is_safe_name(clip.name)]


def is_safe_name(name: str) -> bool:
    is_plain = not (UNSAFE & set(name)) and name.isprintable() and not name.startswith(".")
    return is_plain and not is_reserved_name(name)


def short_clips(content: Content, limit: float) -> Sequence[Named]:
    short = Clip.objects.filter(project=content.project, duration_ms__lt=1000 * limit)
    clips = content.clips()
    keys = short.order_by("pk").values_list("pk", flat=True)
    return [clips[key] for key in keys if key in clips]


def project_license(content: Content, limit: float) -> Sequence[Named]:
    project = content.project
    return [] if project.license.strip() else [Named(project.name)]


def is_unlicensed(license: str) -> bool:
    return license.strip().casefold() in NO_LICENSE


def short_captions(content: Content, limit: float) -> Sequence[Named]:
    short = Caption.objects.filter(project=content.project, word_count__lt=limit)
    return named_captions(content.texts(), short.order_by().values_list("pk", flat=True))


def named_captions(texts: Mapping[int, Named], captions: Iterable[int]) -> list[Named]:
    """Return the clips and videos of those captions that the release has, without repeats."""
    return list(dict.fromkeys(texts[key] for key in sorted(captions) if key in texts))


def equal_captions(content: Content, limit: float) -> Sequence[Named]:
    """Return clips, or videos, with exactly the same text."""
    texts = content.texts()
    captions = Caption.objects.filter(project=content.project).order_by()
    repeated = (
        captions.values(digest=MD5("text"))
        .annotate(clips=Count("clip", distinct=True))
        .filter(clips__gt=1)
    )
    rows = captions.annotate(digest=MD5("text")).filter(digest__in=repeated.values("digest"))
    keys = rows.values_list("digest", "kind", "pk")
    return together(
        ((digest, kind), texts[pk]) for digest, kind, pk in keys.order_by("pk") if pk in texts
    )


def equal_files(
    project: Project, clips: Mapping[int, Named], videos: Mapping[int, Named]
) -> list[Named]:
    """Return clips that are files, and videos, with the same bytes as another one. A file that no
    build has read yet has no hash and isn't compared."""
    wholes = Video.objects.filter(project=project).exclude(playback_sha256="").order_by("pk")
    parts = ClipFile.objects.filter(clip__project=project).order_by("pk")
    hashes = [
        (sha256, videos[pk])
        for pk, sha256 in wholes.values_list("pk", "playback_sha256")
        if pk in videos
    ]
    hashes += [
        (sha256, clips[pk]) for pk, sha256 in parts.values_list("clip", "sha256") if pk in clips
    ]
    return together(hashes)


def near_duplicates(content: Content, limit: float) -> Sequence[Named]:
    """Return the first released clip of each video that looks like another released one, where no
    admin has kept both; the clips of a pair next to each other."""
    clips = content.clips()
    pairs = list(open_pairs(content.project).values_list("first", "second"))
    in_pairs = Clip.objects.filter(video__in={video for pair in pairs for video in pair})
    by_video: dict[int, Named] = {}
    for key, video in in_pairs.order_by("start_frame", "pk").values_list("pk", "video"):
        if key in clips:
            by_video.setdefault(video, clips[key])
    return together(
        (pair, by_video[video]) for pair in pairs if by_video.keys() >= set(pair) for video in pair
    )


def together(rows: Iterable[tuple[Hashable, Named]]) -> list[Named]:
    """Return what shares a key with another, the members of a group next to each other."""
    groups: dict[Hashable, dict[Named, None]] = defaultdict(dict)
    for key, named in rows:
        groups[key][named] = None
    return list(
        dict.fromkeys(named for group in groups.values() if len(group) > 1 for named in group)
    )


def low_agreement(content: Content, limit: float) -> Sequence[Named]:
    """Return the questions whose alpha is below the limit, not defined or not up to date."""
    project = content.project
    reports = Report.objects.newest(project, AGREEMENT_NAME).order_by("subject")
    names: list[str] = []
    for report in reports:
        words = TASKS[report.subject]
        try:
            result = result_of(report, AgreementResult)
        except OldResult:
            names.append(f"{words.title} (to be computed again)")
            continue
        is_late = not is_of(report, state_of(project, report))
        for question in result.questions:
            title = words.questions[question.name].title
            alpha = next(m.value for m in question.measures if m.measure == ALPHA)
            if alpha is None:
                names.append(f"{title} (nothing to compare)")
            elif alpha < limit:
                names.append(f"{title} ({alpha:z.2f}{', of earlier labels' if is_late else ''})")
            elif is_late:
                names.append(f"{title} ({alpha:z.2f}, of earlier labels)")
    return [Named(name) for name in names or (["not computed yet"] if not reports else [])]


def late_reports(content: Content, limit: float) -> Sequence[Named]:
    """Return the reports that the release would be built without, as their inputs have changed."""
    unwanted = content.choice.left_out_reports
    return [
        Named(title, report=report.pk)
        for title, report in outdated_reports(content.project, unwanted)
    ]


def reports_on_fewer(content: Content, limit: float) -> Sequence[Named]:
    """Return the reports that the release would have although they don't cover all its clips."""
    clips = content.clips()
    partial = partial_reports(content.project, clips, content.choice.left_out_reports)
    return [
        Named(f"{title} covers {number:,} of {len(clips):,} clips", report=report.pk)
        for title, report, number in partial
    ]


NAMES = (
    Gate(
        "same-names",
        "Different file names",
        "With the same file name",
        "A clip can’t be renamed: archive one of them.",
        same_names,
        fixed=always(Level.BLOCK),
    ),
    Gate(
        "safe-names",
        "Safe file names",
        "With characters that a file name can't have, or a name that Windows reserves",
        "A clip can’t be renamed: archive these.",
        unsafe_names,
        fixed=always(Level.BLOCK),
    ),
)
PROJECT_LICENSE = Gate(
    "project-license",
    "License of the project",
    "The project has no license",
    "Set one under Settings.",
    project_license,
    page=Page("annotate:project_settings", "Settings"),
)
SHORT_CLIPS = Gate(
    "short-clips",
    "Length of clips",
    "Shorter than {limit} seconds",
    "Archive it on the clip’s page.",
    short_clips,
    limit=Limit("Seconds at least", 0, 600, default=0.5, step=0.1),
)
SHORT_CAPTIONS = Gate(
    "short-captions",
    "Length of captions",
    "With a caption of fewer than {limit} words",
    "Open the clip and have the text corrected.",
    short_captions,
    limit=Limit("Words at least", 1, 300, default=5),
)
EQUAL_CAPTIONS = Gate(
    "equal-captions",
    "Captions that are equal, letter by letter",
    "With exactly the text of another clip or video",
    "Look at both, then have one of them corrected, or archive one.",
    equal_captions,
)
NEAR_DUPLICATES = Gate(
    "near-duplicates",
    "Videos that look alike",
    "Clips of videos that look like another one",
    "Keep both, or archive one, under Near-duplicates.",
    near_duplicates,
    page=Page("annotate:near_duplicates", "Near-duplicates"),
)
AGREEMENT = Gate(
    "agreement",
    "Agreement (Krippendorff’s alpha)",
    "Agreement below {limit}, not computed or not up to date",
    "Open Agreement, which says what is missing, and recompute it.",
    low_agreement,
    level=Level.OFF,
    limit=Limit("Alpha at least", -1, 1, default=0.667, step=0.001),
    page=Page("review:report_page", "Agreement", "agreement"),
)
REPORTS = Gate(
    "reports",
    "Reports that are up to date",
    "Reports whose labels have changed, which the release would leave out",
    "Open each and choose Recompute, unless the release may do without it.",
    late_reports,
    listed=20,
)
COVERAGE = Gate(
    "coverage",
    "Reports on all clips",
    "Reports on fewer clips than the release has",
    "Judge or embed the other clips and recompute the report, or release it so: the release says "
    "what it covers.",
    reports_on_fewer,
    listed=20,
)


def video_licenses_gate(wrong: str, fix: str, find: Callable[..., Sequence[Named]]) -> Gate:
    return Gate("video-licenses", "Licenses of the videos", wrong, fix, find)


def equal_files_gate(find: Callable[..., Sequence[Named]]) -> Gate:
    return Gate(
        "equal-files",
        "Files that are equal, byte by byte",
        "With exactly the file of another clip or video",
        "Archive one of them.",
        find,
    )
