"""What a build would freeze now, compared with the last release.

In a large project a worker reads it (`jobs.py`), and pages show the kept comparison with its time:
182,370 triplets take 2 s on quiet cores, and 40,804 captions of 1,394 words on busy ones half a
minute (`bench/RESULTS.md`). A build never uses it: it reads everything itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Max
from django.utils import timezone

from annotate.models import AuditEvent, Caption, Project
from annotate.models.jobs import Job
from inference.runs.new_run_page import takes_long_to_count
from review.frozen.models import Release
from review.releases.archives import PACK_RELEASE
from review.releases.choice import Choice
from review.releases.difference import Difference, is_identical, is_patch
from review.releases.gates.clips import Clips
from review.releases.gates.findings import gate_states
from review.releases.gates.gate import Finding, GateState, Named
from review.releases.gates.scenes import Scenes
from review.releases.gates.triplets import Triplets
from review.releases.queries import choice_of, described_clips, latest_release, next_release
from review.releases.triplet_tally import Tally
from review.studio.card import CardContent, card_content
from review.studio.changes import Captions, captions_now
from review.studio.services import COMPARE_RELEASE
from review.triplets.queries import newest_triplets
from review.verification.completeness import Progress, progress_of

# Comparing this many takes half a second.
MAX_TRIPLETS_AT_ONCE = 20_000
KEPT_SECONDS = 24 * 3600
# For this long after the last job, opening the page starts none.
RECENT = timedelta(seconds=30)
# Raise it when a stored dataclass changes or moves.
VERSION = 3
# Jobs that don't change the content of a release.
WITHOUT_EFFECT = (COMPARE_RELEASE, PACK_RELEASE)


@dataclass(frozen=True)
class Comparison:
    """What is compared: the choice and the gates of a project, and its last release."""

    project: Project
    previous: Release | None
    choice: Choice
    states: Sequence[GateState]

    @property
    def key(self) -> str:
        parts = [
            self.previous and self.previous.pk,
            self.choice.as_json(),
            [[state.gate.name, state.level, state.limit] for state in self.states],
        ]
        digest = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
        return f"next-release-{VERSION}-{self.project.pk}-{digest[:16]}"


@dataclass(frozen=True)
class Checked:
    """What a build at this time would freeze: so many `clips`, and for a set of triplets the
    `tally`. `captions`: those of the names that the difference adds or changes, by kind.
    `clip_keys`: for triplets, the key of each clip. `left_out` and `taken_down`: complete clips
    that the choice leaves out and that were taken down. `card`: the dataset card's data, in
    comparisons by a worker. `changes`: the result of `newest_changes` before the content was read.
    """

    at: datetime
    clips: int
    difference: Difference
    findings: Sequence[Finding]
    suggested: str
    is_identical: bool
    is_patch: bool
    left_out: int = 0
    taken_down: int = 0
    tally: Tally | None = None
    triplets: Mapping[str, Any] | None = None
    described: tuple[int, int] | None = None
    progress: Progress | None = None
    captions: Mapping[str, Captions] = field(default_factory=dict)
    clip_keys: Mapping[str, int] = field(default_factory=dict)
    card: CardContent | None = None
    changes: str = ""

    @property
    def blocks(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.blocks]

    @property
    def warnings(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.warns]

    @property
    def passed(self) -> list[Finding]:
        return [finding for finding in self.findings if not finding.count]

    @property
    def can_build(self) -> bool:
        return bool(self.clips) and not self.blocks and not self.is_identical


def comparison_of(project: Project) -> Comparison:
    return Comparison(project, latest_release(project), choice_of(project), gate_states(project))


def takes_long(project: Project) -> bool:
    """Return whether a worker has to compare the project."""
    if project.pipeline.release.content == "triplets":
        triplets = newest_triplets(project)
        if triplets and triplets.triplet_count > MAX_TRIPLETS_AT_ONCE:
            return True
    return takes_long_to_count(project)


def newest_changes(project: Project) -> str:
    """Return a text that changes with the project: its newest audit event and caption, and the last
    end of a job. People's work and settings write audit events. Results of a running job other than
    captions count when it ends. Three statements; the newest rows are at one end of an index."""
    newest = (
        AuditEvent.objects.filter(project=project).aggregate(newest=Max("pk")),
        Caption.objects.filter(project=project).aggregate(newest=Max("created_at")),
        Job.objects.filter(project=project)
        .exclude(kind__in=WITHOUT_EFFECT)
        .aggregate(newest=Max("finished_at")),
    )
    return " ".join(str(row["newest"]) for row in newest)


def is_current(checked: Checked, project: Project) -> bool:
    """Return whether nothing is known to have changed since."""
    return checked.changes == newest_changes(project)


def check(comparison: Comparison, *, is_kept: bool = False) -> Checked:
    """Read what a build would freeze, compare it and run the checks. `is_kept`: include the data
    for a page that reads it later."""
    project, at = comparison.project, timezone.now()
    changes = newest_changes(project) if is_kept else ""
    following = next_release(project, comparison.previous, comparison.states, comparison.choice)
    content, difference = following.content, following.difference
    triplets = content if isinstance(content, Triplets) else None
    left_out = len(content.left_out) if isinstance(content, Clips) else 0
    taken_down = content.taken_down if isinstance(content, Clips) else 0
    clips = len(following.rows)
    return Checked(
        at=at,
        clips=clips,
        difference=difference,
        findings=following.findings,
        suggested=str(following.suggested),
        is_identical=is_identical(difference, comparison.previous, comparison.choice),
        is_patch=is_patch(comparison.previous, difference),
        left_out=left_out,
        taken_down=taken_down,
        tally=_counts(triplets.tally) if triplets else None,
        triplets=_about_set(triplets),
        described=described_clips(project) if isinstance(content, Scenes) else None,
        progress=progress_of(project, complete=clips + left_out + taken_down)
        if isinstance(content, Clips)
        else None,
        captions={}
        if isinstance(content, Triplets)
        else captions_now(content, {*difference.added, *difference.changed}),
        clip_keys={clip.name: clip.key for clip in triplets.rows} if triplets else {},
        card=card_content(content, comparison.choice) if is_kept else None,
        changes=changes,
    )


def _counts(tally: Tally) -> Tally:
    """Return it without the queries that it names."""
    return Tally(queries=tally.queries, triplets=tally.triplets, verified=tally.verified)


def _about_set(content: Triplets | None) -> dict[str, Any] | None:
    if content is None or content.plan is None:
        return None
    triplets = content.plan.triplets
    return {"number": triplets.number, "triplet_count": triplets.triplet_count}


def keep(comparison: Comparison, checked: Checked) -> None:
    """Keep it for the pages, with the gates by name and the names that pages list."""
    findings = [
        (finding.gate.name, list(finding.listed), finding.count) for finding in checked.findings
    ]
    cache.set(comparison.key, (replace(checked, findings=[]), findings), KEPT_SECONDS)


def read_kept(comparison: Comparison) -> Checked | None:
    """Return a worker's last comparison with this choice and these gates, or None."""
    kept: tuple[Checked, list[tuple[str, list[Named], int]]] | None = cache.get(comparison.key)
    if kept is None:
        return None
    checked, findings = kept
    states = {state.gate.name: state for state in comparison.states}
    return replace(
        checked,
        findings=[Finding(states[name], listed, count) for name, listed, count in findings],
    )
