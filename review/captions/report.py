"""The word overlap of model captions with human ones (CaReBench, Table 12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, partial

from annotate.models import Caption, Project
from inference.queries import BATCH_SIZE
from metrics.overlap.compare import count_captions, how_made
from metrics.overlap.result import VERSION, CaptionCounts, Counted
from metrics.overlap.words import tokenizer_for
from review.captions import NAME
from review.captions.computing import N_BOOTSTRAP, SEED, Overlap, overlap_of
from review.captions.instructions import instructions_of
from review.captions.models import CaptionSet, SetCaption
from review.captions.queries import retired_sets
from review.captions.references import further_of_kind, human_references, references_digest
from review.reports.inputs import Inputs
from review.reports.models import Report
from review.reports.plain import AnyTable, Table
from review.reports.registry import ReportKind
from review.reports.results import parameters_of
from review.reports.stored import StoredKind
from review.reports.subjects import named_subject

METHOD = f"metrics.overlap {VERSION}"
# The human captions whose script decides how words are told apart.
TOKENIZER_SAMPLE = 100


@dataclass(frozen=True, kw_only=True)
class OverlapParameters:
    """`model`: the name of the set, with how its model was asked. `references`: the digest of the
    human captions. `further_references`: how many clips have beyond their first. The last five say
    how each number was made.
    """

    model: str
    set: int
    kind: str
    prompt: str
    frames: str
    theme: str
    references: str
    further_references: int | None = None
    bootstrap: int
    words: str
    bleu4: str
    meteor: str
    rouge_l: str
    cider: str


OVERLAP = StoredKind(NAME, Overlap, OverlapParameters)


def overlap_inputs(project: Project) -> Iterator[Inputs]:
    """Yield the inputs of each set in use that shares a clip with the human captions of its kind;
    the subject is the set's key."""
    references_of = cache(partial(human_references, project))
    tokenizer_of = cache(lambda kind: _tokenizer_of(references_of(kind)))
    sets = CaptionSet.objects.filter(project=project, is_used=True).select_related("run")
    for caption_set in sets.order_by("pk"):
        references = references_of(caption_set.kind)
        of_set = SetCaption.objects.filter(caption_set=caption_set)
        predicted = dict(of_set.values_list("clip", "caption"))
        if not predicted.keys().isdisjoint(references):
            further = further_of_kind(project, caption_set.kind, references)
            tokenizer = tokenizer_of(caption_set.kind)
            yield _inputs(caption_set, references, further, predicted, tokenizer)


def is_old(report: Report, digest: str) -> bool:
    """Return whether the human captions, given by their digest, or the method have changed since.
    The captions of a set never change."""
    references = parameters_of(report, OverlapParameters).references
    return references != digest or report.code_version != METHOD


def _inputs(
    caption_set: CaptionSet,
    references: dict[int, int],
    further: dict[int, list[int]],
    predicted: dict[int, int],
    tokenizer: str,
) -> Inputs:
    rows = [(clip, predicted.get(clip), human) for clip, human in references.items()]
    n_further = sum(map(len, further.values()))
    return Inputs(
        subject=str(caption_set.pk),
        method=METHOD,
        parameters=OverlapParameters(
            # Remove a signature's own separators from the name.
            model=caption_set.name.translate({ord("|"): " ", ord(":"): " "}),
            set=caption_set.pk,
            kind=caption_set.kind,
            **instructions_of(caption_set).for_signature,
            references=references_digest(references, further),
            # Only if a clip has several, so that other signatures stay unchanged.
            further_references=n_further if further else None,
            bootstrap=N_BOOTSTRAP,
            **how_made(tokenizer=tokenizer),
        ),
        labels=[rows, sorted(further.items())] if further else rows,
        count=sum(caption is not None for _, caption, _ in rows),
        compute=lambda: overlap_of(_counted(rows, further, tokenizer)),
        seed=SEED,
        tables=lambda: _tables(_counted(rows, further, tokenizer)),
    )


def _tokenizer_of(references: Mapping[int, int]) -> str:
    """Return the tokenizer for the script of the first human captions: captions never change, so
    it depends on their keys alone."""
    return tokenizer_for(_texts(list(references.values())[:TOKENIZER_SAMPLE]).values())


def _counted(
    rows: Sequence[tuple[int, int | None, int]],
    further: Mapping[int, Sequence[int]],
    tokenizer: str,
) -> Counted:
    """Return the counts. `further`: a clip's references beyond the first."""
    keys = {clip: [human, *further.get(clip, [])] for clip, _, human in rows}
    texts = _texts([key for of_clip in keys.values() for key in of_clip])
    own = _texts([caption for _, caption, _ in rows if caption is not None])
    return count_captions(
        {clip: own[caption] for clip, caption, _ in rows if caption is not None},
        {clip: [texts[key] for key in of_clip] for clip, of_clip in keys.items()},
        tokenizer=tokenizer,
    )


def _tables(counted: Counted) -> dict[str, AnyTable]:
    """Return the counts of each caption, which reveal no text."""
    columns = [field.name for field in fields(CaptionCounts)]
    without = [
        *((clip, "caption") for clip in counted.missing),
        *((clip, "reference") for clip in counted.without_reference),
    ]
    return {
        "captions": Table(
            columns, [[getattr(row, name) for name in columns] for row in counted.captions]
        ),
        "without": Table(("clip", "without"), without),
    }


def _texts(captions: Sequence[int]) -> dict[int, str]:
    """Return caption -> text."""
    texts: dict[int, str] = {}
    for start in range(0, len(captions), BATCH_SIZE):
        batch = Caption.objects.filter(pk__in=captions[start : start + BATCH_SIZE]).order_by()
        texts |= dict(batch.values_list("pk", "text"))
    return texts


KIND = ReportKind(
    NAME,
    "Overlap with human captions",
    overlap_inputs,
    Overlap,
    page="metrics",
    subject=named_subject,
    about=lambda made: f"captions “{made.model}”, {made.kind.replace('_', ' ')}",
    is_of_captions=True,
    retired=retired_sets,
    clip_counts=lambda result: [result.n],
)
