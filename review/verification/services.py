"""Verifying a machine caption sentence by sentence (LoVR, section 3.2.2 and appendix B.3)."""

from __future__ import annotations

from annotate.corpus.precedence import current_keys
from annotate.errors import AnnotateError, LeaseLost, WorkInvalid
from annotate.models import Caption, User, Video, WorkItem
from annotate.queue.content import Content
from annotate.queue.queries import caption_asked_about
from annotate.queue.services import Submission, submits
from annotate.text.diff import DiffSpan
from annotate.text.parts import Problem
from inference.errors import InferenceError
from inference.queries import current_theme
from inference.themes.services import correct_theme
from review.reports.agreement_due import agreement_changed
from review.reports.services import recompute_later
from review.studies.queries import in_threshold_studies
from review.verification.checks import problems_of
from review.verification.content import RIGHT_THEME, read_judgment, sentences_key
from review.verification.judgment import Judgment, caption_changes
from review.verification.pre_tags import PreTags, pre_tags, tags_offered
from review.verification.recording import record_verification, sentences_of


@submits(takes_late=True)
def submit_verification(submission: Submission) -> None:
    """Store the judgment, and the corrected caption as a child of the machine caption if it
    differs. If another caption has replaced the machine caption in the meantime, both are kept as a
    record.

    Raises WorkInvalid with what to fix, AnnotateError if the page showed other sentences,
    LeaseLost, or DraftConflict.
    """
    assignment, content = submission.assignment, submission.content
    caption = caption_asked_about(assignment.item)
    is_in_study = bool(in_threshold_studies([caption.pk]))
    is_late = not is_in_study and not current_keys([caption.pk])
    if submission.is_expired and not is_late:
        raise LeaseLost(
            "Your hold on this caption has ended, so nothing was submitted. Your text is kept."
        )
    judgment = _checked(caption, content)
    verification = record_verification(
        caption=caption,
        judgment=judgment,
        reviewer=submission.person,
        assignment=assignment,
        is_counted=assignment.is_counted,
        saw_pre_tags=tags_offered(submission.item, submission.project, submission.person, caption),
    )
    if assignment.is_counted:
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
        recompute_later(caption.project_id, "threshold")
    agreement_changed(caption.project_id)


def checked_verification(item: WorkItem, content: Content) -> Judgment:
    """Return the complete judgment of the caption of the work. Raises WorkInvalid, which says what
    to fix, and AnnotateError if the page showed other sentences."""
    return _checked(caption_asked_about(item), content)


def _checked(caption: Caption, content: Content) -> Judgment:
    _check_sentences(caption, content)
    return _complete_judgment(caption, content)


def correction_changes(
    item: WorkItem, content: Content, person: User
) -> tuple[list[DiffSpan] | None, PreTags | None]:
    """Return how the caption of the work would change if `content` were submitted as it is now,
    complete or not, None if the caption is too long to compare; and the tags of a program that the
    person may see beside their verdicts.

    Raises AnnotateError if there is no such caption, or the page showed other sentences.
    """
    caption = caption_asked_about(item)
    _check_sentences(caption, content)
    sentences = sentences_of(caption.text)
    judgment, _ = read_judgment(content, len(sentences))
    changes = caption_changes(caption.text, sentences, judgment)
    return changes, pre_tags(item, person, caption, judgment.verdicts)


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


def _check_sentences(caption: Caption, content: Content) -> None:
    if content.get("sentences") != sentences_key(caption.pk):
        raise AnnotateError(
            "The sentences have changed since this page was loaded. Reload it and check them again."
        )


def _complete_judgment(caption: Caption, content: Content) -> Judgment:
    sentences = sentences_of(caption.text)
    judgment, unreadable = read_judgment(content, len(sentences))
    clip = caption.clip
    fields_known = {problem.field for problem in unreadable}
    noun = "video" if caption.kind == Caption.Kind.FULL_VIDEO else "clip"
    due = problems_of(judgment, sentences, frames=clip.frames, fps=clip.video.fps, noun=noun)
    problems = [*unreadable, *(problem for problem in due if problem.field not in fields_known)]
    if problems:
        raise WorkInvalid(problems)
    return judgment
