"""Load the current reports of everything on the page, and find the outdated ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotate.models import Project
from metrics.capst import PRESETS
from review.capst.queries import category_marks_of_runs, outdated_clips
from review.capst.report import METHOD as CAPST_METHOD
from review.capst.report import finished_runs
from review.capst.results import CAPST
from review.captions.instructions import instructions_of_sets
from review.captions.references import current_digest
from review.captions.report import OVERLAP
from review.captions.report import is_old as overlap_is_old
from review.comparisons.models import Round, System
from review.comparisons.queries import category_marks_of_votes
from review.composed import NAME as COMPOSED_RETRIEVAL_NAME
from review.composed.report import COMPOSED
from review.elements.queries import references
from review.leaderboard.report import METHOD as LEADERBOARD_METHOD
from review.leaderboard.results import LEADERBOARD, StoredLeaderboard
from review.reports.instructions import Instructions
from review.reports.registry import REPORTS
from review.reports.stored import (
    AnyStored,
    StoredKind,
    StoredReports,
    reports_in_use,
)
from review.retrieval.counts import current_counts
from review.retrieval.report import recall_input
from review.retrieval.report_rebias import REBIAS, has_both_halves, rebias_input
from review.retrieval.results import RECALL
from review.summary import NAME
from review.summary.computing import Gaps, UnifiedScores
from review.summary.results import UNIFIED_GAPS, UNIFIED_SCORES

KINDS: tuple[StoredKind[Any, Any], ...] = (
    RECALL,
    REBIAS,
    CAPST,
    OVERLAP,
    LEADERBOARD,
    COMPOSED,
    UNIFIED_SCORES,
    UNIFIED_GAPS,
)
TABLED = frozenset(kind.name for kind in KINDS)


@dataclass(frozen=True)
class Loaded(StoredReports):
    """All data of the tables of metrics.

    `set_names`: the names of sets of captions. `round`: the newest with ratings; `systems` has the
    names of its systems by their keys in reports. `asked`: the model's instructions of each set of
    captions.
    """

    set_names: Mapping[int, str] = field(default_factory=dict)
    round: Round | None = None
    systems: Mapping[str, str] = field(default_factory=dict)
    asked: Mapping[int, Instructions] = field(default_factory=dict)
    asked_of_systems: Mapping[str, Instructions] = field(default_factory=dict)

    def captions_of(self, stored: AnyStored) -> str:
        """Return the full name of the report's set, as the tables show it."""
        return self.set_names.get(stored.about or 0, stored.parameters.model)


def load(project: Project, names: Collection[str] = TABLED) -> Loaded:
    """Load only the reports of these names, in a constant number of queries."""
    by_kind: dict[StoredKind[Any, Any], Sequence[AnyStored]] = {
        kind: reports_in_use(project, kind) for kind in KINDS if kind.name in names
    }
    rounds = [int(stored.report.subject) for stored in by_kind.get(LEADERBOARD, ())]
    round = Round.objects.filter(pk__in=rounds).order_by("-pk").first()
    systems = System.objects.filter(round=round).values_list("pk", "name", "caption_set")
    instructions = instructions_of_sets(project)
    return Loaded(
        by_kind=by_kind,
        old=old_reports(project, StoredReports(by_kind, set()), round),
        set_names={key: stored.name for key, stored in instructions.items()},
        round=round,
        systems={str(key): name for key, name, _ in systems},
        asked=instructions,
        asked_of_systems={str(key): instructions[of_set] for key, _, of_set in systems},
    )


def old_reports(project: Project, loaded: StoredReports, round: Round | None) -> set[int]:
    """Return the keys of outdated reports: labels, vectors, captions or the method have changed, or
    a report that they use is outdated.
    """
    old = _old_retrieval(project, loaded) | _old_captioning(project, loaded)
    if round is not None:
        rated = loaded.of_subject(LEADERBOARD).get(str(round.pk))
        if rated and _has_other_votes(project, round, rated):
            old.add(rated.report.pk)
    unified = unified_of(loaded)
    for name, stored in ((COMPOSED_RETRIEVAL_NAME, loaded.of(COMPOSED)), (NAME, unified)):
        if stored:
            hashes = {inputs.subject: inputs.hash for inputs in REPORTS[name].inputs_of(project)}
            old |= _unlike(stored, hashes)
    return old | {
        score.report.pk for score in unified if not made_of(score.numbers).isdisjoint(old)
    }


def unified_of(loaded: StoredReports) -> list[AnyStored]:
    """Return the reports of unified scores and of gaps."""
    return [*loaded.of(UNIFIED_SCORES), *loaded.of(UNIFIED_GAPS)]


def _has_other_votes(project: Project, round: Round, stored: StoredLeaderboard) -> bool:
    """Return whether there are newer votes, or their categories or the counting have changed."""
    if stored.report.code_version != LEADERBOARD_METHOD:
        return True
    return stored.numbers.category_marks != category_marks_of_votes(project, round)


def made_of(unified: UnifiedScores | Gaps) -> set[int]:
    """Return the keys of the reports that unified scores or gaps were computed from."""
    if isinstance(unified, Gaps):
        used = {row.recall for row in (unified.baseline, *unified.models)}
        return used if unified.elements_from is None else used | {unified.elements_from}
    return {key for row in unified.models for key in (row.recall, row.capst) if key is not None}


def _old_retrieval(project: Project, loaded: StoredReports) -> set[int]:
    if not loaded.of(RECALL) and not loaded.of(REBIAS):
        return set()
    counted = current_counts(project)
    settings = [setting for setting in counted.settings if setting.kinds]
    recalls = {
        setting.subject: recall_input(project, setting, counted.categories).hash
        for setting in settings
    }
    biases = {
        setting.subject: rebias_input(project, setting).hash
        for setting in settings
        if has_both_halves(setting)
    }
    return _unlike(loaded.of(RECALL), recalls) | _unlike(loaded.of(REBIAS), biases)


def _old_captioning(project: Project, loaded: StoredReports) -> set[int]:
    old = set()
    overlaps = loaded.of(OVERLAP)
    for kind in {overlap.parameters.kind for overlap in overlaps}:
        digest = current_digest(project, kind)
        old |= {
            overlap.report.pk
            for overlap in overlaps
            if overlap.parameters.kind == kind and overlap_is_old(overlap.report, digest)
        }
    judged = loaded.of(CAPST)
    marks = category_marks_of_runs(stored.numbers.run for stored in judged) if judged else {}
    old |= {
        stored.report.pk
        for stored in judged
        if stored.report.code_version != CAPST_METHOD
        or stored.numbers.category_marks != marks.get(stored.numbers.run, [])
    }
    newest = {(run.caption_set_id, run.preset): run.pk for run in finished_runs(project)}
    for preset in PRESETS:
        of_preset = [stored for stored in judged if stored.parameters.preset == preset]
        if of_preset:
            outdated = outdated_clips(project, preset, of_preset, references(project, preset))
            old |= {key for key, clips in outdated.items() if clips}
            old |= {
                stored.report.pk
                for stored in of_preset
                if newest.get((stored.about, preset)) != stored.numbers.run
            }
    return old


def _unlike(stored: Sequence[AnyStored], hashes: Mapping[str, str]) -> set[int]:
    return {
        report.report.pk
        for report in stored
        if report.report.inputs_hash != hashes.get(report.report.subject)
    }
