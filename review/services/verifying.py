"""Verifying a machine caption sentence by sentence (LoVR, section 3.2.2 and appendix B.3)."""

from __future__ import annotations

from functools import lru_cache
from uuid import UUID

from django.db import transaction

from annotate.content import Content
from annotate.errors import AnnotateError, WorkInvalid
from annotate.models import Assignment, Caption, User, WorkItem
from annotate.services.audit import record_event
from annotate.services.queue import complete, lock_for_submit
from annotate.text.sentences import SPLITTER, Sentence, split_sentences
from annotate.text.words import count_words
from review.models import MissingSegment, Report, SentenceVerdict, Study, Verification
from review.services.recomputing import recompute_later
from review.verification import Judgement, Verdict, count_errors, rebuild
from review.verification_checks import problems_of
from review.verification_content import read_judgement, sentences_key


@lru_cache(maxsize=32)
def sentences_of(text: str) -> tuple[Sentence, ...]:
    """The sentences of a caption. Kept for a while: ten thousand of them take seconds to find."""
    return tuple(split_sentences(text))


def verified_caption(item: WorkItem) -> Caption:
    """The caption that the work is about. Raises AnnotateError when it names none of its clip."""
    caption = (
        Caption.objects.select_related("clip__video")
        .filter(pk=item.subject, clip=item.clip_id)
        .first()
    )
    if caption is None:
        raise AnnotateError("This work names no caption of its clip. Skip it, and tell an admin.")
    return caption


@transaction.atomic
def submit_verification(
    *, assignment_id: int, annotator: User, key: UUID, base_version: int, content: Content
) -> Assignment:
    """Store the judgement, and the corrected caption as a child of the machine's if it differs.

    Raises WorkInvalid with what to mend, AnnotateError when the page showed other sentences,
    LeaseLost, or DraftConflict.
    """
    assignment, done_before = lock_for_submit(
        assignment_id=assignment_id, annotator=annotator, key=key, base_version=base_version
    )
    if done_before:
        return assignment
    caption = verified_caption(assignment.item)
    if content.get("sentences") != sentences_key(caption.pk):
        raise AnnotateError(
            "The sentences have changed since this page was loaded. Reload it and check them again."
        )
    judgement = _complete_judgement(caption, content)
    verification = record_verification(
        caption=caption, judgement=judgement, reviewer=annotator, assignment=assignment
    )
    complete(assignment, key=key, content=content)
    record_event(
        actor=annotator,
        verb="submit",
        subject=assignment,
        project=assignment.item.project,
        after={
            "content_errors": verification.content_errors,
            "topic_errors": verification.topic_errors,
            "corrected": verification.corrected_id,
        },
    )
    if caption.studies.filter(study__kind=Study.Kind.THRESHOLD).exists():
        recompute_later(caption.project_id, Report.Name.THRESHOLD)
    return assignment


def record_verification(
    *,
    caption: Caption,
    judgement: Judgement,
    reviewer: User | None = None,
    assignment: Assignment | None = None,
    label: str = "",
) -> Verification:
    """The one place that writes verifications. The judgement has no problems left; a `label`
    stands for the person where an imported table is all there is of them."""
    if judgement.fits_theme is None:
        raise ValueError("The judgement does not say whether the caption keeps to the theme.")
    sentences = sentences_of(caption.text)
    counts = count_errors(judgement.verdicts)
    verification = Verification.objects.create(
        caption=caption,
        reviewer=reviewer,
        label=label,
        assignment=assignment,
        corrected=_corrected(caption, rebuild(caption.text, sentences, judgement), assignment),
        splitter=SPLITTER,
        fits_theme=judgement.fits_theme,
        sentences=counts.sentences,
        errors_a=counts.a,
        errors_b=counts.b,
        errors_c=counts.c,
        content_errors=counts.content_errors,
        content_error_sentences=counts.content_error_sentences,
        topic_errors=counts.topic_errors,
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
            for number, (sentence, verdict) in enumerate(
                zip(sentences, judgement.verdicts, strict=True)
            )
        ],
        batch_size=1000,
    )
    MissingSegment.objects.bulk_create(
        MissingSegment(
            verification=verification,
            place=missing.place,
            text=missing.text,
            start_frame=missing.start_frame,
            end_frame=missing.end_frame,
        )
        for missing in judgement.missing
    )
    return verification


def _frames(verdict: Verdict) -> dict[str, int | None]:
    start, end = verdict.span or (None, None)
    return {"start_frame": start, "end_frame": end}


def _complete_judgement(caption: Caption, content: Content) -> Judgement:
    sentences = sentences_of(caption.text)
    judgement, unreadable = read_judgement(content, len(sentences))
    clip = caption.clip
    known = {problem.field for problem in unreadable}
    due = problems_of(judgement, sentences, frames=clip.frames, fps=clip.video.fps)
    problems = [*unreadable, *(problem for problem in due if problem.field not in known)]
    if problems:
        raise WorkInvalid(problems)
    return judgement


def _corrected(caption: Caption, text: str, assignment: Assignment | None) -> Caption | None:
    if text == caption.text:
        return None
    corrected = Caption.objects.create(
        project_id=caption.project_id,
        clip_id=caption.clip_id,
        kind=caption.kind,
        source=Caption.Source.CORRECTED,
        text=text,
        word_count=count_words(text),
        author=assignment.annotator if assignment else None,
        assignment=assignment,
    )
    corrected.parents.add(caption)
    return corrected
