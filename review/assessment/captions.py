"""People's judgments of machine captions, sentence by sentence: of the samples of threshold studies
(LoVR, appendix B.2), and of all other captions (appendix B.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from annotate.models import Caption, Project
from inference.queries import captions_in_force
from metrics.agreement import Label, krippendorff_alpha, percent_agreement
from review.assessment.quantities import (
    N_BOOTSTRAP,
    SEED,
    Base,
    Quantity,
    Ratio,
    agreement,
    share,
    undefined,
)
from review.assessment.videos import NO_TIME
from review.reports.questions import Task, rater_key
from review.studies.models import Study, StudyCaption
from review.threshold.report import asked_captions
from review.verification.agreement import SENTENCES, THEME
from review.verification.models import Verification

NO_STUDY = "No caption of a threshold study has been verified yet."
NO_SAMPLE = "There is no threshold study yet. Start one on the page Threshold."
NOT_CHECKED = "No caption outside the threshold studies has been verified yet."
NO_CAPTIONS = "No clip or whole video has a caption yet."
KINDS = (Caption.Kind.GENERAL, Caption.Kind.FULL_VIDEO)
LETTERS = {"A": "errors_a", "B": "errors_b", "C": "errors_c", "D": "topic_errors"}


class Judged(NamedTuple):
    """One verification, in the order of its columns below."""

    caption: int
    clip: int
    kind: str
    reviewer: int | None
    label: str
    sentences: int
    errors_a: int
    errors_b: int
    errors_c: int
    topic_errors: int
    content_errors: int
    content_error_sentences: int
    fits_theme: bool
    corrected: int | None
    seconds: int | None

    @property
    def rater(self) -> str:
        return rater_key(self.reviewer, self.label)

    @property
    def errors(self) -> int:
        return self.content_errors + self.topic_errors


COLUMNS = (
    *("caption", "caption__clip", "caption__kind", "reviewer", "label", "sentences"),
    *("errors_a", "errors_b", "errors_c", "topic_errors"),
    *("content_errors", "content_error_sentences", "fits_theme", "corrected"),
    "assignment__active_seconds",
)


def caption_rows(project: Project) -> tuple[list[Quantity], list[Quantity]]:
    """Return the rows of B.2 and of B.3."""
    rows = Verification.objects.of_project(project).order_by("caption", "pk")
    judged = [Judged(*row) for row in rows.values_list(*COLUMNS)]
    sample = StudyCaption.objects.filter(
        study__project=project, study__kind=Study.Kind.THRESHOLD
    ).order_by()
    drawn = set(sample.values_list("caption", flat=True))
    of_studies = [row for row in judged if row.caption in drawn]
    others = [row for row in judged if row.caption not in drawn]
    return _study_rows(project, of_studies), _corrected_rows(project, others)


def _study_rows(project: Project, judged: Sequence[Judged]) -> list[Quantity]:
    people = {
        caption: sample.people
        for captions in asked_captions(project).values()
        for caption, sample in captions.items()
    }
    by_caption = _by_caption(judged)
    complete = sum(len(by_caption.get(key, ())) >= number for key, number in people.items())
    every_base = Base(len(people), len(judged), _people(judged))
    return [
        share("study_complete", complete, every_base, NO_SAMPLE),
        *_error_rows("study", judged, NO_STUDY),
        *_agreement_rows("study", project, judged, NO_STUDY),
        _seconds("study_seconds", judged, NO_STUDY),
    ]


def _corrected_rows(project: Project, judged: Sequence[Judged]) -> list[Quantity]:
    current = {
        (clip, kind)
        for kind in KINDS
        for clip in captions_in_force(project, kind).order_by().values_list("clip", flat=True)
    }
    checked = current & {(row.clip, row.kind) for row in judged}
    by_caption = _by_caption(judged)
    corrected = sum(any(row.corrected is not None for row in rows) for rows in by_caption.values())
    base = _base(judged)
    of_current = Base(len(current), base.judgments, base.people)
    return [
        share("check_captions", len(checked), of_current, NO_CAPTIONS),
        share("check_corrected", corrected, base, NOT_CHECKED),
        *(
            _ratio(judged, column, "sentences").quantity(
                f"check_{letter}",
                Base(sum(row.sentences for row in judged), base.judgments, base.people),
                NOT_CHECKED,
            )
            for letter, column in LETTERS.items()
        ),
        *_error_rows("check", judged, NOT_CHECKED),
        *_agreement_rows("check", project, judged, NOT_CHECKED),
        _seconds("check_seconds", judged, NOT_CHECKED),
    ]


def _error_rows(part: str, judged: Sequence[Judged], nothing: str) -> list[Quantity]:
    """Return errors per judgment. A sentence with A and B has two content errors, or one."""
    base = _base(judged)
    columns = ("content_errors", "content_error_sentences", "topic_errors")
    off_theme = sum(not row.fits_theme for row in judged)
    of_judgments = Base(len(judged), base.judgments, base.people)
    return [
        *(_ratio(judged, name).quantity(f"{part}_{name}", base, nothing) for name in columns),
        share(f"{part}_off_theme", off_theme, of_judgments, nothing),
    ]


def _agreement_rows(
    part: str, project: Project, judged: Sequence[Judged], nothing: str
) -> list[Quantity]:
    names = [f"{part}_{name}" for name in ("equal", "alpha", "theme_alpha", "counts_alpha")]
    if not judged:
        return [undefined(name, nothing) for name in names]
    captions = {row.caption for row in judged}
    sentences, theme = (_labels(task, project, captions) for task in (SENTENCES, THEME))
    counts: list[Label] = [(row.rater, row.caption, row.errors) for row in judged]
    alpha = partial(krippendorff_alpha, n_bootstrap=N_BOOTSTRAP, seed=SEED)
    measures = (
        percent_agreement(sentences, n_bootstrap=N_BOOTSTRAP, seed=SEED),
        alpha(sentences),
        alpha(theme),
        alpha(counts, "interval"),
    )
    return [agreement(name, measure) for name, measure in zip(names, measures, strict=True)]


def _labels(task: Task, project: Project, captions: set[int]) -> Sequence[Label]:
    """Return the answers to the task's first question about these captions."""
    rows = [row for row in task.read(project) if row[0] in captions]
    return task.ask(rows).questions[0].labels


def _ratio(judged: Sequence[Judged], column: str, per: str = "") -> Ratio:
    """Return the sums of a column by caption, over those of the column `per` or over judgments.
    Captions without a sentence have no share."""
    sums, sizes = [], []
    for rows in _by_caption(judged).values():
        size = sum(getattr(row, per) for row in rows) if per else len(rows)
        if size:
            sums.append(sum(getattr(row, column) for row in rows))
            sizes.append(size)
    return Ratio(sums, sizes)


def _seconds(key: str, judged: Sequence[Judged], nothing: str) -> Quantity:
    timed = [row for row in judged if row.seconds]
    base = Base(len(timed), len(timed), _people(timed))
    ratio = Ratio([row.seconds or 0 for row in timed], [1] * len(timed))
    return ratio.quantity(key, base, NO_TIME if judged else nothing)


def _base(judged: Sequence[Judged]) -> Base:
    return Base(len(_by_caption(judged)), len(judged), _people(judged))


def _people(judged: Iterable[Judged]) -> int:
    return len({row.rater for row in judged})


def _by_caption(judged: Sequence[Judged]) -> dict[int, list[Judged]]:
    """Return the verifications by caption; they are sorted by it."""
    return {key: list(rows) for key, rows in groupby(judged, key=lambda row: row.caption)}
