"""Verifying a machine caption sentence by sentence (LoVR, section 3.2.2 and appendix B.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db import transaction

from annotate.corpus.precedence import current_keys
from annotate.corpus.services.precedence import accept_captions, settle_captions
from annotate.errors import AnnotateError, LeaseLost, WorkInvalid
from annotate.models import Assignment, Caption, CaptionRank, User, Video, WorkItem
from annotate.queue.content import Content
from annotate.queue.services import Submission, submits
from annotate.text.diff import DiffSpan
from annotate.text.parts import Problem
from annotate.text.sentences import SPLITTER, Sentence, split_sentences
from annotate.text.spans import Span, make_spans, with_times
from annotate.text.words import count_words
from inference.errors import InferenceError
from inference.queries import current_theme
from inference.themes.services import correct_theme
from review.reports.agreement_due import agreement_changed
from review.reports.models import Report
from review.reports.services import recompute_later
from review.studies.queries import in_threshold_studies
from review.verification.checks import problems_of
from review.verification.content import RIGHT_THEME, read_judgement, sentences_key
from review.verification.judgement import (
    Judgement,
    Verdict,
    caption_changes,
    count_errors,
    judged_times,
    rebuild,
)
from review.verification.models import MissingSegment, SentenceVerdict, Verification

AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgment of a caption by a reviewer, or by the `label` of an imported table. The caption's
    `sentences` are split here unless given.
    """

    caption: Caption
    judgement: Judgement
    reviewer: User | None = None
    assignment: Assignment | None = None
    label: str = ""
    sentences: Sequence[Sentence] = ()

    def __post_init__(self) -> None:
        if not self.sentences:
            object.__setattr__(self, "sentences", sentences_of(self.caption.text))


@lru_cache(maxsize=32)
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a caption. Cached, because splitting ten thousand sentences takes
    seconds.
    """
    return tuple(split_sentences(text))


def verified_caption(item: WorkItem) -> Caption:
    """Return the caption of the work. Raises AnnotateError if it is not of the item's clip."""
    caption = (
        Caption.objects.select_related("clip__video")
        .filter(pk=item.subject, clip=item.clip_id)
        .first()
    )
    if caption is None:
        raise AnnotateError("This work names no caption of its clip. Skip it, and tell an admin.")
    return caption


@submits(takes_late=True)
def submit_verification(submission: Submission) -> None:
    """Store the judgment, and the corrected caption as a child of the machine caption if it
    differs. If another caption has replaced the machine caption meanwhile, both are kept as a
    record.

    Raises WorkInvalid with what to fix, AnnotateError if the page showed other sentences,
    LeaseLost, or DraftConflict.
    """
    assignment, content = submission.assignment, submission.content
    caption = verified_caption(assignment.item)
    is_in_study = bool(in_threshold_studies([caption.pk]))
    is_late = not is_in_study and not current_keys([caption.pk])
    if submission.is_expired and not is_late:
        raise LeaseLost(
            "Your lease on this caption has ended, so nothing was submitted. Your text is kept."
        )
    judgement = _checked(caption, content)
    verification = record_verification(
        caption=caption, judgement=judgement, reviewer=submission.person, assignment=assignment
    )
    _correct_theme(caption.clip.video, content.get(RIGHT_THEME, ""), submission.person)
    submission.complete(is_late=is_late)
    submission.record(
        after={
            "content_errors": verification.content_errors,
            "topic_errors": verification.topic_errors,
            "corrected": verification.corrected_id,
            **({"is_late": True} if is_late else {}),
        },
    )
    if is_in_study:
        recompute_later(caption.project_id, Report.Name.THRESHOLD)
    agreement_changed(caption.project_id)


def checked_verification(item: WorkItem, content: Content) -> Judgement:
    """Return the complete judgment of the caption of the work. Raises WorkInvalid, which says what
    to fix, and AnnotateError if the page showed other sentences."""
    return _checked(verified_caption(item), content)


def _checked(caption: Caption, content: Content) -> Judgement:
    _check_sentences(caption, content)
    return _complete_judgement(caption, content)


def correction_changes(item: WorkItem, content: Content) -> list[DiffSpan] | None:
    """Return how the caption of the work would change if `content` were submitted as it is now,
    complete or not; None if the caption is too long to compare.

    Raises AnnotateError if there is no such caption, or the page showed other sentences.
    """
    caption = verified_caption(item)
    _check_sentences(caption, content)
    sentences = sentences_of(caption.text)
    judgement, _ = read_judgement(content, len(sentences))
    return caption_changes(caption.text, sentences, judgement)


def _correct_theme(video: Video, text: str, person: User) -> None:
    """Store the right theme of the video, unless the field is empty or has the current theme. The
    theme of another person stays: the text remains in the draft, and an admin decides.
    """
    corrected = " ".join(text.split())
    theme = current_theme(video) if corrected else None
    if theme is None or corrected == theme.text:
        return
    if theme.author not in (None, person):
        return
    try:
        correct_theme(video=video, text=text, person=person)
    except InferenceError as error:
        raise WorkInvalid([Problem(RIGHT_THEME, str(error))]) from error


def record_verification(
    *,
    caption: Caption,
    judgement: Judgement,
    reviewer: User | None = None,
    assignment: Assignment | None = None,
    label: str = "",
) -> Verification:
    """Store one judgment as `record_verifications` does."""
    return record_verifications([Judged(caption, judgement, reviewer, assignment, label)])[0]


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
        batch_size=AT_ONCE,
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
                zip(judgment.sentences, judgment.judgement.verdicts, strict=True)
            )
        ],
        batch_size=AT_ONCE,
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
            for missing in judgment.judgement.missing
        ],
        batch_size=AT_ONCE,
    )
    return verifications


def _verification(judged: Judged, corrected: Caption | None) -> Verification:
    if judged.judgement.fits_theme is None:
        raise ValueError("Answer whether the caption matches the theme.")
    counts = count_errors(judged.judgement.verdicts)
    return Verification(
        project_id=judged.caption.project_id,
        caption=judged.caption,
        reviewer=judged.reviewer,
        label=judged.label,
        assignment=judged.assignment,
        corrected=corrected,
        splitter=SPLITTER,
        fits_theme=judged.judgement.fits_theme,
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
    """Return the corrected captions by the index of their judgment. Without changes there is none,
    and the person accepts the caption if it is `current`. Of several corrections of a caption the
    first counts.

    The correction of a caption in a threshold study is a proposal, because such a study counts
    errors, and several people correct the same caption (LoVR, appendix B.2).
    """
    corrected: dict[int, Caption] = {}
    late: set[int] = set()
    accepted: set[int] = set()
    replaced: set[int] = set()
    for place, judgment in enumerate(judged):
        caption = judgment.caption
        text = rebuild(caption.text, judgment.sentences, judgment.judgement)
        is_current = caption.pk in current - replaced - sampled
        if text == caption.text:
            accepted |= {caption.pk} if is_current else set()
        else:
            late |= set() if is_current or caption.pk in sampled else {place}
            replaced.add(caption.pk)
            corrected[place] = Caption(
                project_id=caption.project_id,
                clip_id=caption.clip_id,
                kind=Caption.Kind.PROPOSAL if caption.pk in sampled else caption.kind,
                source=Caption.Source.CORRECTED,
                text=text,
                word_count=count_words(text),
                spans=_spans(text, judgment) or None,
                author=judgment.reviewer,
                provenance=[{"label": judgment.label}] if judgment.label else [],
                assignment=judgment.assignment,
            )
    Caption.objects.bulk_create(corrected.values(), batch_size=AT_ONCE)
    parents = Caption.parents.through
    parents.objects.bulk_create(
        [
            parents(from_caption=child, to_caption=judged[place].caption)
            for place, child in corrected.items()
        ],
        batch_size=AT_ONCE,
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
    return make_spans(text, judged_times(timed, judgment.judgement))


def _frames(verdict: Verdict) -> dict[str, int | None]:
    start, end = verdict.span or (None, None)
    return {"start_frame": start, "end_frame": end}


def _check_sentences(caption: Caption, content: Content) -> None:
    if content.get("sentences") != sentences_key(caption.pk):
        raise AnnotateError(
            "The sentences have changed since this page was loaded. Reload it and check them again."
        )


def _complete_judgement(caption: Caption, content: Content) -> Judgement:
    sentences = sentences_of(caption.text)
    judgement, unreadable = read_judgement(content, len(sentences))
    clip = caption.clip
    fields_known = {problem.field for problem in unreadable}
    due = problems_of(judgement, sentences, frames=clip.frames, fps=clip.video.fps)
    problems = [*unreadable, *(problem for problem in due if problem.field not in fields_known)]
    if problems:
        raise WorkInvalid(problems)
    return judgement
