"""The pages of one run: its clips with their shares, and one clip with every judgment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import QueryDict

from annotate.corpus.blindness import hidden_captions
from annotate.jobs.progress import progress_of
from annotate.models import Caption, Membership
from annotate.models.jobs import AbstractJobItem
from metrics.capst import ClipScores, score_clip
from review.capst.models import CapstItem, CapstRun
from review.capst.queries import items_page
from review.capst.recipes import extractor_of, formats_in_words, judge_of, recipe_fault
from review.capst.results import JudgedList, judgments_of, sample_of
from review.captions.instructions import instructions_of
from review.elements.models import Extraction
from review.reports.instructions import theme_notice

State = AbstractJobItem.State
TABS = (State.WAITING, State.RUNNING, State.DONE, State.FAILED, State.CANCELLED)
JUDGED = (State.DONE, State.FAILED)


@dataclass(frozen=True)
class ItemRow:
    item: CapstItem
    scores: ClipScores | None


@dataclass(frozen=True)
class JudgedElement:
    element: str
    relationship: str
    reason: str

    @property
    def is_entailed(self) -> bool:
        return self.relationship == "entailment"


@dataclass(frozen=True)
class ShownList:
    """One list with its judgments. Without judgments, `judged` is empty and `failure` says why;
    `elements` may still be present.
    """

    kind: str
    side: str
    judged: list[JudgedElement]
    elements: list[str]
    failure: str
    found_by: str

    @property
    def entailed(self) -> int:
        return sum(element.is_entailed for element in self.judged)


def run_context(membership: Membership, run: CapstRun, query: QueryDict) -> dict[str, Any]:
    state = query.get("state", "")
    state = state if state in TABS else ""
    page = items_page(run, state, query.get("page"))
    instructions = [instructions_of(run.caption_set)] if run.caption_set else []
    return {
        "project": membership.project,
        "membership": membership,
        "run": run,
        "progress": progress_of([run])[run.pk],
        "page": page,
        "rows": [_row(run, item) for item in page.object_list],
        "state": state,
        "states": [(each.value, each.label) for each in TABS],
        "query": f"state={state}" if state else "",
        # A reason can quote a caption, and the page names its model.
        "hides_reasons": _hides_reasons(membership, page),
        **_models(run),
        "reply_formats": formats_in_words(run.reply_formats),
        "asked_models": instructions,
        "asked_notice": theme_notice(instructions),
    }


def _models(run: CapstRun) -> dict[str, str]:
    """Return how the run's models were asked, or as `recipe_fault` why that can't be read."""
    if fault := recipe_fault(run):
        return {"extractor": "", "judge": "", "recipe_fault": fault}
    judge = judge_of(run)
    return {"extractor": extractor_of(run).how_asked, "judge": judge.how_asked if judge else ""}


def _hides_reasons(membership: Membership, items: Sequence[CapstItem]) -> bool:
    captions = {caption for item in items if item.reason for caption in _captions_of(item)}
    return bool(captions) and _hidden(membership, captions).exists()


def _hidden(membership: Membership, captions: Iterable[int]) -> QuerySet[Caption]:
    return hidden_captions(membership, Caption.objects.filter(pk__in=list(captions)))


def _captions_of(item: CapstItem) -> set[int]:
    keys = {item.events_reference_id, item.objects_reference_id, item.prediction_id}
    return {key for key in keys if key is not None}


def _row(run: CapstRun, item: CapstItem) -> ItemRow:
    if run.caption_set_id is None or item.state not in JUDGED:
        return ItemRow(item, None)
    sample = sample_of(item.clip_id, item.clip.video.category, judgments_of(item.results))
    return ItemRow(item, score_clip(sample, run.preset))


def clip_context(membership: Membership, run: CapstRun, item: CapstItem) -> dict[str, Any]:
    """Return the context. People who still vote on captions of the clip don't get the prediction,
    nor what may quote it: the judge's last reply, and the reason why it was no answer.
    """
    item.run = run
    captions = Caption.objects.in_bulk(_captions_of(item))
    hidden = set(_hidden(membership, captions).values_list("pk", flat=True))
    is_shown = not hidden
    return {
        "project": membership.project,
        "membership": membership,
        "run": run,
        "item": item,
        "clip": item.clip,
        "is_shown": is_shown,
        "prediction": captions.get(item.prediction_id) if is_shown else None,
        "references": [
            captions[key]
            for key in dict.fromkeys([item.events_reference_id, item.objects_reference_id])
            if key not in hidden
        ],
        "parts": _parts(item) if is_shown and item.state in JUDGED else [],
        **_models(run),
    }


def _parts(item: CapstItem) -> list[tuple[str, list[ShownList]]]:
    """Return (kind, its lists) for kinds with results."""
    kinds = [(kind, judged.sides) for kind, judged in judgments_of(item.results).kinds]
    keys = {judged_list.extraction for _, sides in kinds for _, judged_list in sides} - {None}
    extractions = Extraction.objects.select_related("author").in_bulk(keys)
    return [
        (kind, [_shown_list(kind, side, judged_list, extractions) for side, judged_list in sides])
        for kind, sides in kinds
    ]


def _shown_list(
    kind: str, side: str, judged_list: JudgedList, extractions: Mapping[int, Extraction]
) -> ShownList:
    extraction = extractions.get(judged_list.extraction or 0)
    judged = [
        JudgedElement(element, *judgment)
        for element, judgment in zip(
            judged_list.elements or [], judged_list.judged or [], strict=False
        )
    ]
    by = ""
    if extraction:
        by = f"checked by {extraction.author}" if extraction.author else extraction.method
    return ShownList(
        kind,
        side,
        judged,
        [] if judged else list(judged_list.elements or []),
        judged_list.failure,
        by,
    )
