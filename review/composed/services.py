"""Import rankings made elsewhere, and remove rankings."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import sha256

from django.db import transaction
from django.utils import timezone

from annotate.audit import record_event
from annotate.models import Project, User
from review.composed.models import ImportedRanking
from review.composed.ranking_files import exported_ids, read_rankings
from review.errors import ReviewError
from review.triplets.models import TripletSet

Group = ImportedRanking.Group


@dataclass(frozen=True)
class RunFacts:
    """A model's facts in a row of TF-CoVR's Tables 2 and 3, and the run's seed."""

    name: str
    group: str = Group.ZERO_SHOT
    has_video: bool = True
    has_text: bool = True
    fusion: str = ""
    query_frames: int | None = None
    target_frames: int | None = None
    seed: int | None = None


@transaction.atomic
def import_ranking(
    *,
    triplets: TripletSet,
    facts: RunFacts,
    file_name: str,
    data: bytes,
    admin: User | None,
    verified_only: bool = False,
) -> ImportedRanking:
    """Store the rankings of a file for the set's test queries. Raises ReviewError."""
    if triplets.state != TripletSet.State.FINISHED:
        raise ReviewError("This set is not finished. Wait, then export it and rank its queries.")
    if not (facts.has_video or facts.has_text):
        raise ReviewError("modalities: the model uses the video, the text or both. Say which.")
    project = Project.objects.lock(triplets.project_id)
    mend = "Give another seed, or remove the earlier ones first."
    refuse_twice(triplets, facts, mend, verified_only=verified_only)
    clips = read_rankings(file_name, data, exported_ids(triplets, verified_only=verified_only))
    ranking = ImportedRanking.objects.create(
        project=project,
        triplets=triplets,
        is_verified_only=verified_only,
        clips=clips,
        file_name=file_name[:200],
        file_sha256=sha256(data).hexdigest(),
        created_by=admin,
        **asdict(facts),
    )
    record_event(
        actor=admin,
        verb="import rankings",
        subject=ranking,
        project=project,
        after={"name": facts.name, "set": triplets.number, "sha256": ranking.file_sha256},
    )
    return ranking


def refuse_twice(
    triplets: TripletSet, facts: RunFacts, mend: str, *, verified_only: bool = False
) -> None:
    """Raise ReviewError, which ends with `mend`, if the set has rankings of the same facts."""
    same = ImportedRanking.objects.filter(
        triplets=triplets, removed_at=None, is_verified_only=verified_only, **asdict(facts)
    )
    if same.exists():
        raise ReviewError(f"{same[0]} already has rankings for {triplets}. {mend}")


@transaction.atomic
def remove_ranking(*, ranking: ImportedRanking, admin: User | None) -> None:
    """Remove the ranking from the tables, but keep its row. Safe to repeat."""
    left = ImportedRanking.objects.filter(pk=ranking.pk, removed_at=None)
    if left.update(removed_at=timezone.now()):
        record_event(actor=admin, verb="remove rankings", subject=ranking, project=ranking.project)
