"""Rounds that ask where the ranking is least certain: chances, draws, weights, who sees them."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from django.urls import reverse

from annotate.models import Membership, WorkItem
from annotate.models.jobs import Job
from metrics.design import pair_probabilities
from metrics.pairwise import bradley_terry
from review.comparisons import chances
from review.comparisons.cast import VOTES_AT_ONCE
from review.comparisons.chances import draw_pairs
from review.comparisons.models import CaptionPair, Round, Vote
from review.comparisons.pairing import prepare_caption_pairs, votes_ahead
from review.leaderboard.report import leaderboard_inputs
from review.proof.verifying.comparing import differences
from review.proof.verifying.folder import Folder
from review.proof.verifying.kinds import RECOMPUTED
from review.proof.verifying.tables import ReportInputs, StoredReport
from review.reports.plain import Table, plain_value
from review.reports.queries import COMPUTE_REPORTS
from review.rounds.services import end_round
from tests.api.asking import program_of
from tests.cast import client_of, count_queries, make_cast, make_clip, make_project
from tests.review.comparisons.comparing import next_caption_pair, page, start_round, vote, vote_for
from tests.review.comparisons.rounds import cast, leaderboard_of
from tests.review.reports.addresses import address

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
A, B, C = NAMES = ("Avocet", "Bittern", "Crane")
UNCERTAIN = Round.NextPair.UNCERTAIN
# Of A and B, A and C, B and C.
PROBABILITIES = (0.2, 0.3, 0.5)


@pytest.fixture(scope="module")
def made(kept):
    project = make_project()
    clips = [make_clip(project) for _ in range(10)]
    return {"project": project, **make_cast(project), "clips": clips}


@pytest.fixture
def clips(shared):
    return shared["clips"]


@pytest.fixture
def round(project, clips):
    return start_round(project, clips, NAMES, next_pair=UNCERTAIN, votes_per_pair=4)


@pytest.fixture
def voted(round, clips, rita, emil):
    return vote_on_all(round, clips, (rita, emil), PROBABILITIES)


def vote_on_all(round, clips, people, probabilities) -> Round:
    """End the round after a vote on every pair and clip: A is the best, B and C are close."""
    outcomes = ("left", "left", "tie", "right", "left")
    for place, clip in enumerate(clips):
        for pair, probability in zip(combinations(NAMES, 2), probabilities, strict=True):
            outcome = "left" if A in pair and place % 4 else outcomes[place % 5]
            cast(round, *pair, outcome, people[place % 2], clip, probability=probability)
    return end_round(round=round, admin=None)


def test_counted_votes_set_the_chances_of_the_next_pairs(round, clips, rita):
    for clip in clips[:8]:
        cast(round, B, A, "right", rita, clip)
    cast(round, C, B, "tie", rita, clips[0])
    cast(round, A, C, "left", rita, clips[1])
    assert round.chances == {}
    leaderboard_of(round)  # counts ten votes
    round.refresh_from_db()
    wins, ties = np.zeros((3, 3)), np.zeros((3, 3))
    wins[0, 1], wins[0, 2], ties[1, 2], ties[2, 1] = 8, 1, 1, 1
    pairs = list(round.pairs.values_list("first__name", "second__name"))
    assert pairs == list(combinations(NAMES, 2))
    keys = [str(key) for key in round.pairs.values_list("pk", flat=True)]
    assert [round.chances[key] for key in keys] == pytest.approx(pair_probabilities(wins, ties))
    assert sum(round.chances.values()) == pytest.approx(1)
    assert min(round.chances.values()) >= 0.5 / 3
    assert min(round.chances, key=round.chances.get) == keys[0]


def test_a_vote_keeps_the_probability_of_its_pair_among_those_left(project, round, rita):
    keys = list(round.pairs.values_list("pk", flat=True))
    round.chances = dict(zip(map(str, keys), PROBABILITIES, strict=True))
    round.save(update_fields=["chances"])
    vote_for(project, rita, A)
    stored = Vote.objects.get()
    chance = round.chances[str(stored.caption_pair.pair_id)]
    assert stored.probability == stored.caption_pair.probability == chance
    drawn = list(draw_pairs(round, {keys[0]: 0, keys[1]: 3, keys[2]: 1}))
    assert len(drawn) == 2
    among_two = {keys[1]: 0.3 / 0.8, keys[2]: 0.5 / 0.8}
    assert drawn[0].probability == pytest.approx(among_two[drawn[0].pair.pk])
    assert drawn[1].probability == 1


def test_inverse_weights_undo_the_draws(round, monkeypatch):
    monkeypatch.setattr(chances, "_RANDOM", random.Random(3))
    keys = list(round.pairs.values_list("pk", flat=True))
    round.chances = dict(zip(map(str, keys), PROBABILITIES, strict=True))
    left = dict.fromkeys(keys, 9)
    firsts = [next(draw_pairs(round, left)) for _ in range(1500)]
    drawn = Counter(first.pair.pk for first in firsts)
    assert [drawn[key] / 1500 for key in keys] == pytest.approx(PROBABILITIES, abs=0.04)
    weights = Counter()
    for pair, probability in firsts:
        weights[pair.pk] += 1 / (3 * probability)
    assert [weights[key] / 1500 for key in keys] == pytest.approx([1 / 3] * 3, rel=0.1)


def test_the_round_ends_with_all_its_votes_however_they_are_spread(project, round, rita, emil):
    member = Membership.objects.get(project=project, user=emil)
    assert votes_ahead(member) == 12
    for person in (rita, emil) * 6:
        assert vote_for(project, person, A)
    assert votes_ahead(member) == 0
    assert next_caption_pair(project, emil) is None
    assert sum(round.pairs.values_list("given", flat=True)) == 12


def test_the_next_pair_takes_as_many_queries_as_in_a_plain_round(project, round, rita):
    member = Membership.objects.select_related("user", "project").get(project=project, user=rita)
    counts = []
    for next_pair in (UNCERTAIN, "even"):
        Round.objects.update(next_pair=next_pair)
        with count_queries() as queries:
            prepare_caption_pairs(member)
        assert CaptionPair.objects.filter(reviewer=rita).count() == 2
        counts.append(int(queries))
        WorkItem.objects.all().delete()
        CaptionPair.objects.all().delete()
    assert counts[0] == counts[1]


def test_a_repeat_has_no_probability_and_no_pair_comes_twice(project, clips, rita):
    start_round(project, clips, NAMES, next_pair=UNCERTAIN, repeat_percent=20)
    for _ in range(18):
        assert vote_for(project, rita, A)
    own = CaptionPair.objects.filter(votes__isnull=False)
    first_time = own.filter(repeat_of=None)
    assert first_time.count() < 18
    assert not first_time.filter(probability=None).exists()
    assert not own.exclude(repeat_of=None).exclude(probability=None).exists()
    assert len(set(first_time.values_list("pair", "clip"))) == first_time.count()


def test_a_worker_counts_every_complete_step_only_where_pairs_are_drawn(
    project, clips, rita, django_capture_on_commit_callbacks
):
    jobs = []
    for settings in ({"next_pair": UNCERTAIN}, {}):
        names = [f"{name} {len(jobs)}" for name in NAMES]
        running = start_round(project, clips, names, **settings)
        for clip in clips[: VOTES_AT_ONCE - 1]:
            cast(running, *names[:2], "left", rita, clip)
        with django_capture_on_commit_callbacks(execute=True):
            vote_for(project, rita, names[0])
        jobs.append(Job.objects.filter(kind=COMPUTE_REPORTS, lane="leaderboard").count())
        Job.objects.all().delete()
        running.refresh_from_db()
        end_round(round=running, admin=None)
    assert jobs == [1, 0]


def test_a_plain_round_stores_no_probability_and_has_no_weights(project, clips, rita):
    plain = start_round(project, clips, NAMES)
    for clip in clips[1:]:
        cast(plain, A, B, "left", rita, clip)
    assert vote_for(project, rita, A)
    report = leaderboard_of(plain)
    plain.refresh_from_db()
    assert (plain.next_pair, plain.chances) == ("even", {})
    assert not CaptionPair.objects.exclude(probability=None).exists()
    assert not Vote.objects.exclude(probability=None).exists()
    assert "weights" not in report.signature
    assert not {"weights", "pairs"} & report.parameters.keys()
    assert "effective" not in report.result
    [inputs] = leaderboard_inputs(project)
    assert inputs.tables().keys() == {"votes"}


def test_the_leaderboard_weights_votes_by_the_inverse_probability(voted):
    report = leaderboard_of(voted)
    votes = Vote.objects.order_by("pk").values_list(
        *("caption_pair__left__system", "caption_pair__right__system", "outcome"),
        *("caption_pair__reviewer", "caption_pair__clip", "probability"),
    )
    rows = [(str(left), str(right), outcome) for left, right, outcome, *_ in votes]
    raters, shown_clips, probabilities = list(zip(*votes, strict=True))[3:]
    weights = [1 / (3 * probability) for probability in probabilities]
    by_hand = bradley_terry(rows, raters, shown_clips, weights)
    for part in ("ratings", "low", "high"):
        stored = report.result["bradley_terry"][part]
        assert stored == pytest.approx(getattr(by_hand, part), rel=1e-9)
    plain = bradley_terry(rows, raters, shown_clips)
    assert by_hand.ratings != pytest.approx(plain.ratings, abs=1)
    # Ten votes of each pair: 10 (5/3 + 10/9 + 2/3) squared, over the sum of the squares.
    sums = 10 * (5 / 3 + 10 / 9 + 2 / 3), 10 * (25 / 9 + 100 / 81 + 4 / 9)
    assert report.result["effective"] == pytest.approx(sums[0] ** 2 / sums[1])
    assert "|weights:inverse probability|pairs:3|" in report.signature


def test_equal_probabilities_weigh_as_in_a_plain_round(round, clips, rita, emil):
    voted = vote_on_all(round, clips, (rita, emil), [1 / 3] * 3)
    even = leaderboard_of(voted)
    assert even.result["effective"] == pytest.approx(even.inputs)
    Round.objects.update(next_pair="even")
    plain = leaderboard_of(Round.objects.get())
    assert plain.pk != even.pk
    part = even.result["bradley_terry"]["ratings"]
    assert part == pytest.approx(plain.result["bradley_terry"]["ratings"])


def recomputed_from(tables, report, folder):
    """The result that a release computes from these tables."""
    for name, table in tables.items():
        rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        (folder / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    stored = StoredReport(
        report="leaderboard", subject=report.subject, simulated=False, computed_at="",
        parameters=report.parameters, labels=0, seed=0, method="", inputs_hash="", signature="",
        result=report.result, inputs={name: name for name in tables}, recomputed=True,
    )  # fmt: skip
    return plain_value(RECOMPUTED["leaderboard"].compute(ReportInputs(Folder(folder), stored)))


def test_a_release_proves_the_weighted_ratings(voted, project, tmp_path):
    report = leaderboard_of(voted)
    [inputs] = leaderboard_inputs(project)
    tables = dict(inputs.tables())
    recomputed = recomputed_from(tables, report, tmp_path)
    result = json.loads(json.dumps(report.result))
    assert list(differences(result, recomputed)) == []
    first, *others = tables["probabilities"].rows
    tables["probabilities"] = Table(("vote", "probability"), [(first[0], 0.9), *others])
    changed = recomputed_from(tables, report, tmp_path)
    keys = {difference.key.split(".")[0] for difference in differences(result, changed)}
    assert {"bradley_terry", "effective"} <= keys
    assert "elo" not in keys


def test_the_page_says_that_votes_are_weighted(voted, rita):
    report = leaderboard_of(voted)
    text = client_of(rita).get(address("leaderboard", voted.project, voted.pk)).text
    effective = f"{report.result['effective']:.0f}"
    assert f"<div><dt>Effective votes</dt><dd>{effective}</dd></div>" in text
    assert "Elo has no weights: here every vote counts" in " ".join(text.split())
    Round.objects.update(next_pair="even")
    leaderboard_of(Round.objects.get())
    plain = client_of(rita).get(address("leaderboard", voted.project, voted.pk)).text
    assert "Effective votes" not in plain
    assert "weights" not in plain


def test_voters_see_neither_chances_nor_probabilities(project, round, rita):
    keys = map(str, round.pairs.values_list("pk", flat=True))
    odd = (0.2137, 0.3246, 0.4617)
    round.chances = dict(zip(keys, odd, strict=True))
    round.save(update_fields=["chances"])
    held, caption_pair = next_caption_pair(project, rita)
    texts = [page(rita, held).text]
    vote(held)
    program = program_of(rita, project, "work")
    for url in (
        reverse("review:votes", args=[project.slug]),
        reverse("review:vote", args=[project.slug, caption_pair.pk]),
        reverse("review:report_page", args=[project.slug, "leaderboard"]),
    ):
        texts.append(client_of(rita).get(url).text)
    response = program.get(f"rounds/{round.pk}/")
    assert response.json()["next_pair"] == "uncertain"
    texts += [response.text, program.get("votes/").text]
    for text in texts:
        assert not any(str(number) in text for number in (*odd, "probability", "chances"))
