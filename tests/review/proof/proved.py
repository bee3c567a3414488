"""A project with a report of every kind that a release computes again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, cycle, product
from pathlib import Path

from annotate.models import Caption, Clip, Project, User
from review.comparisons.models import System
from review.identification.services import end_test, start_test
from review.reports.registry import REPORTS
from review.reports.services import recompute
from review.rounds.services import end_round
from review.studies.models import Study, StudyCaption
from tests.cast import make_person
from tests.media import PLAYABLE, attach_media
from tests.review.agreement.agreeing import call_dynamic, label_sentences, rate_all
from tests.review.capst.capst_runs import judge, predictions, start, word_overlap
from tests.review.cast import make_short_project
from tests.review.comparisons.comparing import start_round
from tests.review.comparisons.rounds import cast
from tests.review.composed.retrieval import ask
from tests.review.identification.identifying import make_complete, pick_all
from tests.review.leaderboard.correlation import capst
from tests.review.retrieval.vectors import KINDS, SPACE, embed
from tests.review.threshold.studying import scored_captions

NAMES = ("Avocet", "Bittern", "Crane")
OUTCOMES = ("left", "right", "left", "tie", "both_bad")
WORDS = ("boat", "horse", "kettle", "ladder", "violin")


def make_proved(media: Path) -> Project:
    """A project with complete clips, and everything that reports are computed from."""
    project = make_short_project()
    make_person("Olaf")  # so that nobody's key is the number that a release has instead
    rita, ada = make_person("Rita", project, "reviewer"), make_person("Ada", project, "admin")
    anna, ben = (make_person(name, project, "annotator") for name in ("Anna", "Ben"))
    clips = [
        make_complete(project, ben, word, category="Home", subcategory="Things", **PLAYABLE)
        for word in WORDS
    ]
    for clip in clips:
        attach_media(clip.video, media)
    verify_study(project)
    start_test(project=project, admin=None, kinds=["spatial"], options=4, people=1)
    pick_all(anna, project, wrong=2)
    end_test(project=project, admin=None)
    compare(project, clips, (rita, ada, "Kim Doe"))
    rate_all(project, (rita, ada), [(5, 4), (3, 3), (0, 1), (4, 2), (None, 5), (2, 2)])
    study = Study.objects.get(project=project, kind="rating")
    for caption in Caption.objects.filter(ratings__study=study).distinct():
        StudyCaption.objects.create(study=study, caption=caption)
    for clip, is_dynamic in product(clips[:3], (True, False)):
        call_dynamic(clip, anna if is_dynamic else ben, is_dynamic or clip == clips[0])
    embed_texts(clips)
    embed_texts(clips, model="Eider", space="b" * 64)
    texts = dict.fromkeys(clips[:2], "A red boat and a kettle.")
    judge(run=start(project, predictions(project, "Dunlin", texts), word_overlap(project)))
    judge(run=start(project, None, word_overlap(project)))
    ask(project)
    for name in (*REPORTS, "correlation"):  # It follows reports that come after it.
        recompute(project=project, name=name)
    return project


def compare(project: Project, clips: Sequence[Clip], people: Sequence[User | str]) -> None:
    """Votes of a round that has ended, and of one that is still running."""
    round = start_round(project, clips, NAMES)
    votes = product(combinations(NAMES, 2), clips, people)
    for (pair, clip, person), outcome in zip(votes, cycle(OUTCOMES), strict=False):
        cast(round, *pair, outcome, person, clip)
    end_round(round=round, admin=None)
    for place, system in enumerate(System.objects.filter(round=round)):
        capst(project, system.caption_set, 0.4 + 0.1 * place, 0.5 - 0.2 * place**2)
    running = start_round(project, clips, ("Egret", "Finch"))
    for clip, person in product(clips, people):
        cast(running, "Egret", "Finch", "left", person, clip)


def embed_texts(clips: Sequence[Clip], model: str = "CARE", space: str = SPACE) -> None:
    """Vectors of clips and of their texts; a temporal text finds another clip first."""
    vectors = [
        (1.0, 0.0, 0.1),
        (0.0, 1.0, 0.2),
        (-1.0, 0.1, 0.3),
        (0.4, -1.0, 0.0),
        (0.3, 0.3, 1.0),
    ]
    for place, clip in enumerate(clips):
        embed(clip, *vectors[place], model=model, space=space)
        for kind in KINDS:
            text = Caption.objects.get(clip=clip, kind=kind, source__in=("merged", "human"))
            vector = vectors[place if kind != "temporal" else (place + 1) % len(vectors)]
            embed(text, *vector, model=model, space=space)


def verify_study(project: Project) -> None:
    """A study of scores in two waves, whose captions people have verified."""
    scores = scored_captions(project, [0.05 * number for number in range(1, 13)])
    study = Study.objects.create(
        project=project,
        kind="threshold",
        people=2,
        strata=4,
        scorer=scores[0].scorer,
        waves=2,
        wave=2,
    )
    for number, score in enumerate(scores):
        wave = {"wave": 1 + number % 2, "probability": 0.5 + number / 32, "even": 0.5}
        StudyCaption.objects.create(study=study, caption=score.caption, score=score, **wave)
        for person, most in (("R1", 4), ("R2", 3)):
            wrong = max(0, most - number // 3)
            label_sentences(score.caption, person, *["A"] * wrong, *[""] * (4 - wrong))
