"""Find videos whose frames look alike, and keep both where an admin says that they differ."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from annotate.audit import record_event
from annotate.errors import AnnotateError
from annotate.models import NearDuplicate, User, Video

# Mean number of different bits of 64. Re-encodings of rendered films at other sizes and bit rates
# differ from their originals by at most 3.25, films of different scenes by at least 26.75.
MAX_DISTANCE = 6.0


def record_near_duplicates(video: Video) -> int:
    """Store the pairs of this video and similar videos of its project, and return their number.
    Call it in a transaction that has locked the project.

    It compares the video with every other one, so its time grows with their number. Parts of one
    long video aren't compared, because a calm scene looks alike throughout.
    """
    from annotate.media.hash_distances import hash_distances, read_hashes  # in workers only

    if not video.frame_hashes:
        return 0
    others = Video.objects.filter(project=video.project_id).exclude(pk=video.pk)
    others = others.exclude(frame_hashes="").order_by("pk")
    if video.cut_from:
        others = others.exclude(cut_from=video.cut_from)
    rows = list(others.values_list("pk", "frame_hashes"))
    hashes = read_hashes([stored for _, stored in rows])
    distances = hash_distances(read_hashes([video.frame_hashes])[0], hashes)
    pairs = [
        NearDuplicate(
            project_id=video.project_id,
            first_id=min(video.pk, key),
            second_id=max(video.pk, key),
            distance=distance,
        )
        for (key, _), distance in zip(rows, distances.tolist(), strict=True)
        if distance <= MAX_DISTANCE
    ]
    NearDuplicate.objects.bulk_create(pairs, ignore_conflicts=True)
    return len(pairs)


@transaction.atomic
def keep_both(*, pair: NearDuplicate, admin: User) -> NearDuplicate:
    """Settle the pair: both videos stay in the benchmark. Raises AnnotateError."""
    pair = _lock(pair)
    if pair.kept_at:
        raise AnnotateError("Both are kept already. Nothing was changed.")
    return _decide(pair, admin, "keep both")


@transaction.atomic
def undo_keep_both(*, pair: NearDuplicate, admin: User) -> NearDuplicate:
    """Open the pair again. Raises AnnotateError."""
    pair = _lock(pair)
    if pair.kept_at is None:
        raise AnnotateError("The pair is open already. Nothing was changed.")
    return _decide(pair, admin, "undo keep both")


def _lock(pair: NearDuplicate) -> NearDuplicate:
    pairs = NearDuplicate.objects.select_for_update(of=("self",), no_key=True)
    return pairs.select_related("project", "first", "second").get(pk=pair.pk)


def _decide(pair: NearDuplicate, admin: User, verb: str) -> NearDuplicate:
    is_kept = verb == "keep both"
    pair.kept_by, pair.kept_at = (admin, timezone.now()) if is_kept else (None, None)
    pair.save(update_fields=["kept_by", "kept_at"])
    record_event(
        actor=admin,
        verb=verb,
        subject=pair,
        project=pair.project,
        after={"videos": [pair.first.original_name, pair.second.original_name]},
    )
    return pair
