"""The triplet pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from annotate.models import Membership, Project, Video
from review.errors import ReviewError
from review.modifications.models import Modification
from review.triplets.caps import Caps
from review.triplets.concentration import concentration_of
from review.triplets.corrections import corrections_since
from review.triplets.figures import figures_of
from review.triplets.forms import GenerateForm, HandOutForm, WordsForm
from review.triplets.models import SPLITS_APART, TripletSet
from review.triplets.possible import (
    LabeledClips,
    clips_by_label,
    text_clashes,
    usable_modifications,
)
from review.triplets.queries import (
    example_queries,
    listed_sets,
    newest_triplets,
    statistics_of,
)
from review.triplets.sets import refuse_incomplete
from review.triplets.source_counts import source_counts
from review.triplets.text_statistics import (
    WORD_COLUMNS,
    directions_of,
    text_groups,
    word_counts,
)
from review.triplets.train_plan import TrainPlan, plan_train
from review.triplets.verification import (
    added_clips,
    corrected_texts,
    verification_of,
    verified_by_set,
)

# The most corrections, and the most added clips, on a page; the newest are shown.
LISTED = 20


@dataclass(frozen=True)
class Going:
    """The progress of the set being generated, by modifications."""

    done: int
    of: int

    @property
    def percent(self) -> int:
        return 100 * self.done // max(self.of, 1)


def triplets_context(membership: Membership, form: GenerateForm | None = None) -> dict[str, Any]:
    project = membership.project
    modifications = usable_modifications(project)
    clashes = text_clashes(modifications) if membership.is_admin else []
    obstacle = None
    if membership.is_admin and not clashes:
        obstacle = _obstacle(project, modifications)
    context = {
        **sets_context(project),
        "membership": membership,
        "modifications": len(modifications),
        "form": form or generate_form(project),
        "clashes": clashes,
        "obstacle": obstacle,
        "outdated": sum(modification.is_outdated for modification in modifications),
    }
    if membership.is_admin and modifications:
        clips = clips_by_label(project)
        context |= {
            "source_counts": source_counts(clips, modifications),
            "plan": _plan(clips, modifications, form),
        }
    return context


def _plan(
    clips: LabeledClips, modifications: list[Modification], form: GenerateForm | None
) -> TrainPlan | None:
    """Return what the form's caps leave, at first without caps; None if the form is invalid."""
    if form and form.errors:
        return None
    typed: dict[str, Any] = form.cleaned_data if form else {"seed": 0, "other_sources": ""}
    apart = SPLITS_APART[typed["other_sources"]]
    return plan_train(
        clips,
        modifications,
        form.caps if form else Caps(),
        is_apart=Video.Split.TRAIN in apart,
        seed=typed["seed"],
    )


def _obstacle(project: Project, modifications: list[Modification]) -> ReviewError | None:
    """Return what must be fixed first."""
    try:
        refuse_incomplete(project, modifications)
    except ReviewError as error:
        return error
    return None


def generate_form(project: Project, data: Mapping[str, Any] | None = None) -> GenerateForm:
    """Return the form. Verdicts belong to their set, so that a new set must be verified again."""
    newest = newest_triplets(project)
    verified = newest and verified_by_set(project, Video.Split.values).get(newest.number)
    if not newest or not verified:
        return GenerateForm(data)
    left_behind = (
        f"Set {newest.number} has {verified} verified {'query' if verified == 1 else 'queries'}; "
        "a new set starts without them, and Retrieval uses the newest set."
    )
    return GenerateForm(data, left_behind=left_behind)


def sets_context(project: Project) -> dict[str, Any]:
    """Return the context of the part that refreshes itself."""
    sets = listed_sets(project)
    running = next(
        (triplet_set for triplet_set, _ in sets if triplet_set.state == TripletSet.State.RUNNING),
        None,
    )
    return {"project": project, "sets": sets, "running": running, "going": _going(running)}


def _going(running: TripletSet | None) -> Going | None:
    if running is None:
        return None
    modifications = usable_modifications(running.project)
    done = sum(modification.pk <= running.done_up_to for modification in modifications)
    return Going(done, len(modifications))


def set_context(
    membership: Membership, triplets: TripletSet, form: HandOutForm | None = None
) -> dict[str, Any]:
    context: dict[str, Any] = {
        "project": membership.project,
        "membership": membership,
        "triplets": triplets,
    }
    if triplets.state != TripletSet.State.FINISHED:
        return context
    statistics = statistics_of(triplets)
    parts, directions = concentration_of(triplets)
    return context | {
        "statistics": statistics,
        "is_clean": not (statistics.leaking or statistics.shared_videos or statistics.duplicates),
        "corrections": corrections_since(triplets),
        "concentration": parts,
        "directions": directions,
        "figures": figures_of(statistics),
        "groups": text_groups(directions_of(triplets)),
        "examples": example_queries(triplets),
        "verification": verification_of(triplets),
        "corrected": corrected_texts(membership, triplets, LISTED),
        "added": added_clips(membership, triplets, LISTED),
        "form": form or HandOutForm(),
    }


def words_context(membership: Membership, triplets: TripletSet, form: WordsForm) -> dict[str, Any]:
    """Return the words of the set's texts, in the order of the form."""
    rows = word_counts(directions_of(triplets))
    most = max((row.times for row in rows), default=1)
    column, is_ascending = form.column, form.is_ascending
    rows.sort(key=attrgetter(column), reverse=not is_ascending)
    return {
        "project": membership.project,
        "membership": membership,
        "triplets": triplets,
        "rows": rows,
        "most": most,
        "columns": [
            {
                "name": name.capitalize(),
                "is_word": name == "word",
                "state": ("ascending" if is_ascending else "descending") if name == column else "",
                "query": form.query(sort=name, ascending=name == column and not is_ascending),
            }
            for name in WORD_COLUMNS
        ],
    }
