"""The state that shows whether clips or captions have changed since they were counted."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Case, Count, F, Max, Q, Sum, When

from annotate.models import Caption, CaptionRank, Clip, Project, Video

DESCRIBING = (
    Caption.Kind.GENERAL,
    Caption.Kind.SPATIAL,
    Caption.Kind.TEMPORAL,
    Caption.Kind.FULL_VIDEO,
)
# An index has the newest of these; for the halves of a split, compare the number.
NEWEST = (Caption.Kind.GENERAL, Caption.Kind.FULL_VIDEO)


@dataclass(frozen=True)
class CorpusState:
    """Counts and greatest keys, which indexes hold. Captions and clips are never changed, so that
    others are more, fewer or newer; of ranks, videos and clips what can change is summed up too."""

    clips: int
    last_clip: int
    captions: int
    last_caption: int
    ranks: int
    rank_sum: int
    chosen_sum: int
    excluded: int
    min_clip_seconds: float
    min_frame_side: int


def corpus_state(project: Project) -> CorpusState:
    """Read the state in five statements."""
    clips = Clip.objects.filter(project=project).aggregate(
        number=Count("pk"),
        last=Max("pk"),
        excluded=Sum("pk", filter=~Q(excluded_because=""), default=0),
    )
    captions = Caption.objects.filter(project=project, kind__in=DESCRIBING).order_by()
    newest = Caption.objects.filter(project=project, kind__in=NEWEST).order_by("-pk")
    ranks = CaptionRank.objects.filter(caption__project=project).aggregate(
        number=Count("pk"),
        total=Sum("rank"),
        chosen=Sum(Case(When(is_chosen=True, then=F("caption_id")), default=0)),
    )
    excluded = Video.objects.filter(project=project).exclude(excluded_because="")
    return CorpusState(
        clips=clips["number"],
        last_clip=clips["last"] or 0,
        captions=captions.count(),
        last_caption=newest.values_list("pk", flat=True).first() or 0,
        ranks=ranks["number"],
        rank_sum=int(ranks["total"] or 0),
        chosen_sum=int(ranks["chosen"] or 0),
        excluded=sum(excluded.order_by().values_list("pk", flat=True)) + int(clips["excluded"]),
        min_clip_seconds=float(project.min_clip_seconds),
        min_frame_side=project.min_frame_side,
    )
