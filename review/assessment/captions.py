"""People's judgments of machine captions, sentence by sentence: of the samples of threshold studies
(LoVR, appendix B.2), and of all other captions (appendix B.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import NamedTuple

from metrics.agreement import Label, krippendorff_alpha, percent_agreement
from review.assessment.quantities import (
    N_BOOTSTRAP,
    NO_TIME,
    SEED,
    Base,
    Quantity,
    Ratio,
    Timed,
    agreement,
    seconds,
    share,
    undefined,
)

NO_STUDY = "No caption of a threshold study has been verified yet."
NO_SAMPLE = "There is no threshold study yet. Start one on the page Threshold."
NOT_CHECKED = "No caption outside the threshold studies has been verified yet."
NO_CAPTIONS = "No clip or whole video has a caption yet."
# (rater, (caption, start, end), types)
SentenceLabel = tuple[str, tuple[int, int, int], str]
LETTERS = {"A": "errors_a", "B": "errors_b", "C": "errors_c", "D": "topic_errors"}


class Judged(NamedTuple):
    """One verification. `is_drawn`: its caption is in the sample of a threshold study.
    `has_current`: its clip or whole video has a current caption of this kind."""

    caption: int
    clip: int
    kind: str
    rater: str
    sentences: int
    errors_a: int
    errors_b: int
    errors_c: int
    topic_errors: int
    content_errors: int
    content_error_sentences: int
    fits_theme: bool
    is_corrected: bool
    seconds: int | None
    is_drawn: bool
    has_current: bool

    @property
    def errors(self) -> int:
        return self.content_errors + self.topic_errors


@dataclass(frozen=True)
class CaptionChecks:
    """`judged`: sorted by caption, as `sentences` are. `people_per_caption`: how many people were
    asked about each caption of a study. `current`: the number of clips and whole videos with a
    current caption.
    """

    current: int
    judged: Sequence[Judged] = ()
    sentences: Sequence[SentenceLabel] = ()
    people_per_caption: Mapping[int, int] = field(default_factory=dict)


def study_rows(checks: CaptionChecks) -> list[Quantity]:
    """Return the rows of B.2."""
    judged = [row for row in checks.judged if row.is_drawn]
    by_caption = _by_caption(judged)
    people = checks.people_per_caption
    complete = sum(len(by_caption.get(key, ())) >= number for key, number in people.items())
    every_base = Base(len(people), len(judged), _people(judged))
    return [
        share("study_complete", complete, every_base, NO_SAMPLE),
        *_error_rows("study", judged, NO_STUDY),
        *_agreement_rows("study", checks, judged, NO_STUDY),
        _seconds("study_seconds", judged, NO_STUDY),
    ]


def corrected_rows(checks: CaptionChecks) -> list[Quantity]:
    """Return the rows of B.3."""
    judged = [row for row in checks.judged if not row.is_drawn]
    checked = {(row.clip, row.kind) for row in judged if row.has_current}
    by_caption = _by_caption(judged)
    corrected = sum(any(row.is_corrected for row in rows) for rows in by_caption.values())
    base = _base(judged)
    of_current = Base(checks.current, base.judgments, base.people)
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
        *_agreement_rows("check", checks, judged, NOT_CHECKED),
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
    part: str, checks: CaptionChecks, judged: Sequence[Judged], nothing: str
) -> list[Quantity]:
    names = [f"{part}_{name}" for name in ("equal", "alpha", "theme_alpha", "counts_alpha")]
    if not judged:
        return [undefined(name, nothing) for name in names]
    captions = {row.caption for row in judged}
    sentences = [label for label in checks.sentences if label[1][0] in captions]
    theme: list[Label] = [
        (row.rater, row.caption, "fits" if row.fits_theme else "off") for row in judged
    ]
    counts: list[Label] = [(row.rater, row.caption, row.errors) for row in judged]
    alpha = partial(krippendorff_alpha, n_bootstrap=N_BOOTSTRAP, seed=SEED)
    measures = (
        percent_agreement(sentences, n_bootstrap=N_BOOTSTRAP, seed=SEED),
        alpha(sentences),
        alpha(theme),
        alpha(counts, "interval"),
    )
    return [agreement(name, measure) for name, measure in zip(names, measures, strict=True)]


def _ratio(judged: Sequence[Judged], column: str, per: str = "") -> Ratio:
    """Return the sums of a column by caption, divided by those of the column `per` or by the
    judgments. Captions without a sentence have no share."""
    sums, sizes = [], []
    for rows in _by_caption(judged).values():
        size = sum(getattr(row, per) for row in rows) if per else len(rows)
        if size:
            sums.append(sum(getattr(row, column) for row in rows))
            sizes.append(size)
    return Ratio(sums, sizes)


def _seconds(key: str, judged: Sequence[Judged], nothing: str) -> Quantity:
    times = [Timed(row.seconds, row.rater) for row in judged if row.seconds]
    return seconds(key, times, NO_TIME if judged else nothing)


def _base(judged: Sequence[Judged]) -> Base:
    return Base(len(_by_caption(judged)), len(judged), _people(judged))


def _people(judged: Iterable[Judged]) -> int:
    return len({row.rater for row in judged})


def _by_caption(judged: Sequence[Judged]) -> dict[int, list[Judged]]:
    """Return the verifications by caption; they are sorted by it."""
    return {key: list(rows) for key, rows in groupby(judged, key=lambda row: row.caption)}
