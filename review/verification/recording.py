"""Store judgments of captions, with the corrected captions (LoVR, appendix B.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db import transaction

from annotate.corpus.precedence import current_keys
from annotate.corpus.services.precedence import accept_captions, settle_captions
from annotate.models import Assignment, Caption, CaptionRank, User
from annotate.text.sentences import SPLITTER, Sentence, split_sentences
from annotate.text.spans import Span, make_spans, with_times
from annotate.text.words import count_words
from review.studies.queries import in_threshold_studies
from review.verification.judgment import Judgment, Verdict, count_errors, judged_times, rebuild
from review.verification.models import MissingSegment, SentenceVerdict, Verification

BATCH_SIZE = 1000


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgment of a caption by a reviewer, or by the `label` of an imported table. The caption's
    `sentences` are split here unless given. `is_counted`: not by a program that doesn't count.
    """

    caption: Caption
    judgment: Judgment
    reviewer: User | None = None
    assignment: Assignment | None = None
    label: str = ""
    sentences: Sequence[Sentence] = ()
    is_counted: bool = True
    saw_pre_tags: bool | None = None

    def __post_init__(self) -> None:
        if not self.sentences:
            object.__setattr__(self, "sentences", sentences_of(self.caption.text))


@lru_cache(maxsize=32)
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a caption. Cached, because splitting ten thousand sentences takes
    seconds.
    """
    return tuple(split_sentences(text))


def record_verification(
    *,
    caption: Caption,
    judgment: Judgment,
    reviewer: User | None = None,
    assignment: Assignment | None = None,
    label: str = "",
    is_counted: bool = True,
    saw_pre_tags: bool | None = None,
) -> Verification:
    """Store one judgment as `record_verifications` does."""
    judged = Judged(
        caption,
        judgment,
        reviewer,
        assignment,
        label=label,
        is_counted=is_counted,
        saw_pre_tags=saw_pre_tags,
    )
    return record_verifications([judged])[0]


@transaction.atomic
def record_verifications(judged: Sequence[Judged]) -> list[Verification]:
    """Store verifications with their corrected captions, in a fixed number of statements. All
    verifications are written here. The judgments must be without problems.

    A correction becomes current if the caption that it corrects is current, and is a record
    otherwise.
    """
    captions = {judgment.caption.pk for judgment in judged}
    corrected = _record_corrected(judged, current_keys(captions), in_threshold_studies(captions))
    verifications = Verification.objects.bulk_create(
        [_verification(judgment, corrected.get(place)) for place, judgment in enumerate(judged)],
        batch_size=BATCH_SIZE,
    )
    SentenceVerdict.objects.bulk_create(
        [
            SentenceVerdict(
                verification=verification,
                number=number,
                start=sentence.start,
                end=sentence.end,
                types=verdict.code,
                correction=verdict.correction,
                is_deleted=verdict.is_deleted,
                **_frames(verdict),
            )
            for verification, judgment in zip(verifications, judged, strict=True)
            for number, (sentence, verdict) in enumerate(
                zip(judgment.sentences, judgment.judgment.verdicts, strict=True)
            )
        ],
        batch_size=BATCH_SIZE,
    )
    MissingSegment.objects.bulk_create(
        [
            MissingSegment(
                verification=verification,
                place=missing.place,
                text=missing.text,
                start_frame=missing.start_frame,
                end_frame=missing.end_frame,
            )
            for verification, judgment in zip(verifications, judged, strict=True)
            for missing in judgment.judgment.missing
        ],
        batch_size=BATCH_SIZE,
    )
    return verifications


def _verification(judged: Judged, corrected: Caption | None) -> Verification:
    if judged.judgment.fits_theme is None:
        raise ValueError("Answer whether the caption matches the theme.")
    counts = count_errors(judged.judgment.verdicts)
    return Verification(
        project_id=judged.caption.project_id,
        caption=judged.caption,
        reviewer=judged.reviewer,
        label=judged.label,
        assignment=judged.assignment,
        corrected=corrected,
        saw_pre_tags=judged.saw_pre_tags,
        splitter=SPLITTER,
        fits_theme=judged.judgment.fits_theme,
        sentences=counts.sentences,
        errors_a=counts.a,
        errors_b=counts.b,
        errors_c=counts.c,
        content_errors=counts.content_errors,
        content_error_sentences=counts.content_error_sentences,
        topic_errors=counts.topic_errors,
    )


def _record_corrected(
    judged: Sequence[Judged], current: set[int], sampled: set[int]
) -> dict[int, Caption]:
    """Store corrections and return the corrected captions by the index of their judgment. If the
    caption has no changes, return nothing for it, and accept the caption if it is `current`. Of
    several corrections of a caption the first counts.

    The correction of a caption in a threshold study is a proposal, because such a study counts
    errors, and several people correct the same caption (LoVR, appendix B.2). So is that of a
    program that doesn't count, which accepts no caption either.
    """
    corrected: dict[int, Caption] = {}
    late: set[int] = set()
    accepted: set[int] = set()
    replaced: set[int] = set()
    for place, judgment in enumerate(judged):
        caption = judgment.caption
        text = rebuild(caption.text, judgment.sentences, judgment.judgment)
        is_proposal = caption.pk in sampled or not judgment.is_counted
        is_current = caption.pk in current - replaced and not is_proposal
        if text == caption.text:
            accepted |= {caption.pk} if is_current else set()
        else:
            late |= set() if is_current or is_proposal else {place}
            replaced |= {caption.pk} if judgment.is_counted else set()
            corrected[place] = Caption(
                project_id=caption.project_id,
                clip_id=caption.clip_id,
                kind=Caption.Kind.PROPOSAL if is_proposal else caption.kind,
                source=Caption.Source.CORRECTED,
                text=text,
                word_count=count_words(text),
                spans=_spans(text, judgment) or None,
                author=judgment.reviewer,
                provenance=[{"label": judgment.label}] if judgment.label else [],
                assignment=judgment.assignment,
            )
    Caption.objects.bulk_create(corrected.values(), batch_size=BATCH_SIZE)
    parents = Caption.parents.through
    parents.objects.bulk_create(
        [
            parents(from_caption=child, to_caption=judged[place].caption)
            for place, child in corrected.items()
        ],
        batch_size=BATCH_SIZE,
    )
    settle_captions([child for place, child in corrected.items() if place not in late])
    settle_captions([corrected[place] for place in sorted(late)], CaptionRank.Because.LATE)
    accept_captions(accepted, CaptionRank.Because.VERIFIED)
    return corrected


def _spans(text: str, judgment: Judged) -> list[Span]:
    """Return the times of the corrected caption's sentences."""
    caption = judgment.caption
    sentences = [sentence.text for sentence in judgment.sentences]
    timed = with_times(caption.text, caption.spans, sentences)
    return make_spans(text, judged_times(timed, judgment.judgment))


def _frames(verdict: Verdict) -> dict[str, int | None]:
    start, end = verdict.span or (None, None)
    return {"start_frame": start, "end_frame": end}
