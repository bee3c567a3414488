"""Votes on known pairs change no number but what is said of the people who cast them."""

from __future__ import annotations

import re

from django.urls import reverse

from annotate.models import Clip
from review.comparisons.models import SystemPair, Vote
from review.comparisons.queries import category_marks_of_votes, counted_up_to, votes_to_count
from review.comparisons.services import caption_pair_of, change_vote
from review.leaderboard.files import vote_rows
from review.people.queries import votes as votes_of_people
from review.proof.freezing import freeze_reports
from review.quality.answering import take_training
from review.quality.models import GivenAnswer, QualityRule
from review.quality.services import let_in
from review.reliability.answers import READ
from review.reports.models import Report
from review.reports.registry import REPORTS
from review.reports.services import recompute
from review.rounds.queries import listed_rounds, votes_and_asked, votes_by_reviewer
from review.rounds.services import end_round
from tests.cast import client_of, make_person
from tests.report_addresses import REPORT_FILES
from tests.review.comparisons.comparing import make_set
from tests.review.quality.known import answer, make_known_pairs, take
from tests.review.quality.known_pairs import (
    COMPARE,
    GOLD,
    TEXTS,
    TRAINING,
    ask,
    begin,
    better,
    make_sets,
    member,
    open_gold,
    preferring,
    worse,
)
from tests.review.reports.addresses import address

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')
TIME = re.compile(r"\d\d:\d\d:\d\d UTC")


def numbers_of(project, round, ada) -> dict[str, object]:
    """All that is computed of votes, or shown of them to others than those who cast them."""
    for name in REPORTS:
        recompute(project=project, name=name)
    client, slug = client_of(ada), project.slug
    pages = {
        "comparisons": reverse("review:comparisons", args=[slug]),
        "round": reverse("review:comparison_round", args=[slug, round.pk]),
        "overview": reverse("review:overview", args=[slug]),
    }
    # Agreement is below, as frozen: its page has a section about reliability, which rests on gold.
    for page in ("leaderboard", "correlation", "metrics", "assessment"):
        pages[page] = address(page, project)
    for file in REPORT_FILES["leaderboard round_id"]:
        pages[file] = address(f"leaderboard:{file}", project, round.pk)
    rounds = list(listed_rounds(project).values("pk", "votes", "clip_count", "models"))
    pairs = SystemPair.objects.filter(round=round).order_by("pk")
    # Of reports, what a release freezes of them; reliability rests on gold, as it says.
    frozen = freeze_reports(project, left_out={"reliability": "It rests on gold."})
    return {
        **{name: steady(body_of(client.get(url))) for name, url in pages.items()},
        "frozen": frozen,
        "reliability of the round": Report.objects.newest(project, "reliability")
        .filter(subject=f"round:{round.pk}")
        .values_list("inputs_hash", "result")
        .get(),
        "votes for reliability": READ[COMPARE](project),
        "votes for attention": votes_of_people(project),
        "progress": (votes_by_reviewer(round), votes_and_asked(round), rounds),
        "counted": (votes_to_count(project).count(), counted_up_to(project, round.pk)),
        "pairs": list(pairs.values("given", "first_left", "decided", "first_points")),
        "marks": category_marks_of_votes(project, round),
    }


def body_of(answer) -> str:
    assert answer.status_code == 200
    return b"".join(answer).decode() if answer.streaming else answer.text


def steady(page: str) -> str:
    """The page without its token and the time at which it was made."""
    return TIME.sub("", TOKEN.sub("", page))


def test_votes_on_known_pairs_count_nowhere(project, ada, rita, emil):
    sets, ben = make_sets(project), make_person("Ben", project, "reviewer")
    training, *gold = make_known_pairs(project, ada, rita, sets, TRAINING, GOLD, GOLD)
    ask(project, ada, pass_share=0.5, gold_rate=0.5, gold_least=9)
    QualityRule.objects.update(gold_rate=0)
    ibis = make_set(project, "Ibis", Clip.objects.filter(project=project), "A dive.")
    round = begin(project, ada, [*sets, ibis], votes_per_pair=9)
    for person in (rita, emil):
        let_in(project=project, person=person, kind=COMPARE, admin=ada)
        for preferred in ("Egret", "Egret", "Heron", "Egret", "Heron", "Egret"):
            held = take(person, project, COMPARE)
            answer(held, preferring(held, TEXTS[preferred]))
    before = numbers_of(project, round, ada)
    assert before["counted"][0] == 10 + 3  # of this round, and of that before it
    for known_answer in gold:
        held = open_gold(round, known_answer, emil)
        answer(held, preferring(held, worse(known_answer)))
        content = preferring(held, better(known_answer))
        change_vote(caption_pair=caption_pair_of(held.item), reviewer=emil, content=content)
    held = take_training(membership=member(ben, project), kind=COMPARE)
    answer(held, preferring(held, better(training)))
    assert Vote.with_known_answers.count() == Vote.objects.count() + 4
    assert GivenAnswer.objects.count() == 3
    after = numbers_of(project, round, ada)
    assert [name for name in before if before[name] != after[name]] == []
    end_round(round=round, admin=ada)
    assert len(list(vote_rows(round, member(ada, project)))) == 12
