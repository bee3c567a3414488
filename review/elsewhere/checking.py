"""Checks a file of results against the project: every row, before anything is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from annotate.datasets.faults import NO_ROWS, Faults, LeftOut
from annotate.models import Caption, Project
from inference.models import InferenceRun, ModelSpec, QualityScore
from inference.planning.plans import Subject, subjects_of
from inference.planning.recipes import hash_of, scorer_recipe
from inference.planning.replacement import replaced_by
from inference.planning.themes import themes_sentence
from inference.queries import BATCH_SIZE, cut_videos
from inference.recipes import Recipe, ScoreRecipe
from inference.words import KINDS as WORDS
from inference.words import counted
from review.captions.clip_names import clip_called, names_of_clips, shared_name_problem
from review.captions.exchange import PredictionsInvalid
from review.captions.predictions import MAX_FAULTS
from review.elsewhere.rows import Row, read_rows
from review.elsewhere.runs import digest_of, refuse_again
from review.elsewhere.statement import KINDS, Statement, model_of, recipe_of
from review.errors import ReviewError

Kind = InferenceRun.Kind


@dataclass(frozen=True)
class Result:
    """One row and its subject: a described clip, a video that is cut into clips, or a current
    caption."""

    row: Row
    subject: Subject


@dataclass(frozen=True)
class Checked:
    """A file without errors. `model` is unsaved if the project doesn't have it."""

    kind: str
    model: ModelSpec
    recipe: Recipe
    sha256: str
    results: list[Result]
    untouched: int
    left_out: LeftOut = NO_ROWS

    @property
    def noun(self) -> str:
        return counted(len(self.results), NOUNS[self.kind])


NOUNS = {
    Kind.CAPTION.value: ("caption", "captions"),
    Kind.FUSE.value: ("caption of a whole video", "captions of whole videos"),
    Kind.SCORE.value: ("score", "scores"),
}
SUBJECTS = {
    Kind.CAPTION.value: "clip",
    Kind.FUSE.value: "whole video",
    Kind.SCORE.value: "current caption",
}
NOT_DESCRIBED = (
    "is not described: it is cut into clips, or the project leaves it out. Remove the row."
)
NOT_CUT = "is not a video that is cut into clips. Remove the row, or import it as a caption."


def check_file(
    *,
    project: Project,
    kind: str,
    file: BinaryIO,
    file_name: str,
    stated: Statement,
    skips_bad: bool = False,
) -> Checked:
    """Check everything and store nothing. `skips_bad`: leave out rows with an error. Raises
    PredictionsInvalid with each row to fix, or ReviewError for the statement, the file as a whole,
    or a file that was imported before.
    """
    if kind not in KINDS:
        raise ReviewError(f"“{kind}” is not one of {', '.join(KINDS)}. Choose one.")
    model = model_of(project, kind, stated.model)
    recipe = recipe_of(project, kind, model, stated)
    sha256 = digest_of(file)
    refuse_again(project, kind, model, sha256)
    faults = Faults(file_name)
    subjects = {subject.pk: subject for subject in subjects_of(project, recipe)}
    rows = read_rows(file, file_name, faults, has_scores=kind == Kind.SCORE)
    if isinstance(recipe, ScoreRecipe):
        scorer = hash_of(scorer_recipe(recipe))
        results = _scores(project, list(rows), subjects, scorer, stated.variant, faults)
    elif kind == Kind.FUSE:
        wholes = _by_whole_clip(project, subjects)
        results = _captions(list(rows), wholes, NOT_CUT, _Finder(project, faults, "video"))
    else:
        results = _captions(list(rows), subjects, NOT_DESCRIBED, _Finder(project, faults))
    too_many = len(faults.collected) >= MAX_FAULTS
    if faults.collected and (too_many or not skips_bad or not results):
        raise PredictionsInvalid(faults.collected)
    if not results:
        raise ReviewError("The file has no row. Choose the file with the results.")
    untouched = len(subjects) - len(results)
    return Checked(kind, model, recipe, sha256, results, untouched, LeftOut(faults.collected))


def preview_sentences(project: Project, checked: Checked) -> list[str]:
    """Return sentences on what the import would do."""
    verb = "is" if len(checked.results) == 1 else "are"
    sentences = [
        f"{checked.noun} by {checked.model.name} {verb} imported as a finished "
        f"{WORDS[checked.kind].label.lower()} run, marked “made elsewhere”."
    ]
    if not checked.model.pk:
        sentences.append(f"{checked.model.name} is added to the models. It can’t be run here.")
    replacement = replaced_by(project, checked.kind, [result.subject for result in checked.results])
    sentences += replacement.sentences if replacement else []
    if checked.left_out.faults:
        sentences.append(checked.left_out.sentence)
    if checked.untouched:
        of = SUBJECTS[checked.kind]
        nouns = (f"other {of} is", f"other {of}s are")
        sentences.append(f"{counted(checked.untouched, nouns)} not in the file.")
    if theme := themes_sentence(project, checked.recipe):
        sentences.append(theme)
    return sentences


class _Finder:
    """Finds the clip of each row, once."""

    def __init__(self, project: Project, faults: Faults, noun: str = "clip") -> None:
        self.by_name, _, self.shared = names_of_clips(project)
        self.noun = noun
        self.places: dict[int, str] = {}
        self.faults = faults

    def find(self, row: Row) -> int | None:
        clip = clip_called(row.clip, self.by_name)
        name = repr(row.clip[:100])
        if problem := shared_name_problem(row.clip, self.by_name, self.shared):
            self._refuse(row, problem)
            return None
        if clip is None:
            self._refuse(row, f"The project has no {self.noun} {name}. Correct its name.")
        elif clip in self.places:
            self._refuse(row, f"{name} is already there, at {self.places[clip]}. Keep one.")
            return None
        else:
            self.places[clip] = row.place
        return clip

    def _refuse(self, row: Row, mend: str) -> None:
        self.faults.add(row.place, row.field, mend)


def _by_whole_clip(project: Project, videos: dict[int, Subject]) -> dict[int, Subject]:
    """Return the videos by the clip that spans each."""
    wholes = cut_videos(project).order_by().values_list("pk", "video_id")
    return {clip: videos[video] for clip, video in wholes if video in videos}


def _captions(
    rows: list[Row], subjects: dict[int, Subject], mend: str, finder: _Finder
) -> list[Result]:
    """Return the results. `subjects`: by clip. `mend`: how to fix a row about another clip."""
    results = []
    for row in rows:
        clip = finder.find(row)
        if clip in subjects:
            results.append(Result(row, subjects[clip]))
        elif clip is not None:
            finder.faults.add(row.place, row.field, f"{row.clip[:100]!r} {mend}")
    return results


def _scores(
    project: Project,
    rows: list[Row],
    subjects: dict[int, Subject],
    scorer: str,
    variant: str,
    faults: Faults,
) -> list[Result]:
    finder = _Finder(project, faults)
    captions = _current(list(subjects))
    scored = dict(
        QualityScore.objects.filter(project=project, scorer=scorer).values_list("caption", "value")
    )
    results = []
    for row in rows:
        clip = finder.find(row)
        if clip is None:
            continue
        if mend := _mend_score(row, captions.get(clip), scored, variant):
            faults.add(row.place, *mend)
        else:
            results.append(Result(row, subjects[captions[clip].pk]))
    return results


def _mend_score(
    row: Row, caption: Caption | None, scored: dict[int, float], variant: str
) -> tuple[str, str] | None:
    """Return the field and what to fix; None for a score that can be stored."""
    name = repr(row.clip[:100])
    if caption is None:
        return row.field, f"{name} has no current caption to score. Import its caption first."
    if row.text and row.text != caption.text.strip():
        return "caption", f"It is not the current caption of {name}. Import the caption first."
    if variant == "v3" and not -1 <= row.score <= 1:
        return "score", f"{row.score:g} is not between -1 and 1, as scores of v3 are. Correct it."
    if caption.pk in scored:
        value = scored[caption.pk]
        return "score", f"The caption already has a score of this scorer, {value:z.3f}. Remove it."
    return None


def _current(keys: list[int]) -> dict[int, Caption]:
    """Return these captions by clip."""
    captions: dict[int, Caption] = {}
    for start in range(0, len(keys), BATCH_SIZE):
        batch = Caption.objects.filter(pk__in=keys[start : start + BATCH_SIZE]).only("clip", "text")
        captions.update({caption.clip_id: caption for caption in batch})
    return captions
