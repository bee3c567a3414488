"""Which votes of a round count, in which order, and the ratings computed from them."""

from datetime import timedelta

import evalica
import pytest
from django.utils import timezone

from annotate.models import Project
from metrics.pairwise import bradley_terry, elo
from review.comparisons.models import CaptionPair, Round, SystemCaption, SystemPair
from review.comparisons.services import change_vote
from review.reports.services import recompute
from tests.cast import count_queries, make_cast, make_clip, make_person, make_project
from tests.metrics.planted_votes import planted_votes
from tests.review.comparisons.comparing import next_caption_pair, start_round, vote, vote_for
from tests.review.comparisons.rounds import by_name, cast, change, leaderboard_of

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("counted_one_by_one"),
]
NAMES = ("Avocet", "Bittern", "Crane")
A, B, C = NAMES


@pytest.fixture(scope="module")
def made(kept):
    project = make_project()
    clips = [make_clip(project) for _ in range(6)]
    return {"project": project, **make_cast(project), "clips": clips}


@pytest.fixture
def clips(shared):
    return shared["clips"]


@pytest.fixture
def round(project, clips):
    return start_round(project, clips, NAMES)


def filtered(report) -> dict[str, list[int]]:
    return {why: keys for why, keys in report.result["filtered"].items() if keys}


def test_two_votes_by_hand(round, clips, rita):
    cast(round, A, B, "left", rita, clips[0])
    cast(round, B, A, "tie", rita, clips[1])
    report = leaderboard_of(round)
    # 1000 + 16, then 32 · (0.5 − 1 / (1 + 10^(−32 / 400))) less.
    ratings = by_name(report.result["elo"]["ratings"])
    assert ratings == pytest.approx({A: 1014.5305, B: 985.4695}, abs=1e-4)
    assert report.subject == str(round.pk)
    assert (report.inputs, report.result["elo"]["n_replays"]) == (2, 50)
    assert report.result["pairs"] == [
        {
            "first": str(round.systems.get(name=A).pk),
            "second": str(round.systems.get(name=B).pk),
            "votes": 2,
            "first_won": 1,
            "second_won": 0,
            "ties": 1,
            "both_bad": 0,
            "first_left": 1,
        }
    ]


def test_votes_of_reviewers_who_work_through_the_queue(project, round, rita, emil):
    for person in (rita, emil, rita, emil, rita, emil):
        vote_for(project, person, A)
    report = leaderboard_of(round)
    assert report.result["stored"]["count"] == report.inputs == 6
    assert by_name(report.result["elo"]["ratings"]).keys() == set(NAMES)
    assert next(iter(by_name(report.result["bradley_terry"]["ratings"]))) == A
    assert (
        f"system:{round.systems.get(name=A).pk} won every vote"
        in (report.result["bradley_terry"]["reason"])
    )


def test_the_ratings_are_those_of_evalica(round, clips):
    planted = planted_votes(n_votes=100, n_models=3, n_reviewers=5, n_clips=6)
    names = dict(zip(sorted(planted.true), NAMES, strict=True))
    for number, (left, right, outcome) in enumerate(planted.comparisons):
        cast(round, names[left], names[right], outcome, f"R{number}", clips[number % 6])
    report = leaderboard_of(round)
    winners = {"left": evalica.Winner.X, "right": evalica.Winner.Y, "tie": evalica.Winner.Draw}
    xs, ys, outcomes = zip(*planted.comparisons, strict=True)
    theirs = evalica.elo(xs, ys, [winners[o] for o in outcomes], initial=1000, k=32, base=10)
    ours = by_name(report.result["elo"]["ratings"])
    for model, score in theirs.scores.items():
        assert ours[names[model]] == pytest.approx(score, abs=1e-6)


def test_bradley_terry_is_clustered_by_reviewers_and_clips(round, clips, rita, emil, anna):
    rows, reviewer_keys, clip_keys = [], [], []
    reviewers = (rita, emil, anna)
    for number in range(18):
        left, right = [(A, B), (B, C), (C, A)][number % 3]
        outcome = ("left", "left", "right", "tie", "right")[number % 5]
        person = reviewers[number % 2 if number < 9 else 2]
        clip = clips[number // 3]
        cast(round, left, right, outcome, person, clip)
        rows.append((left, right, outcome))
        reviewer_keys.append(person.pk)
        clip_keys.append(clip.pk)
    result = leaderboard_of(round).result["bradley_terry"]
    expected = bradley_terry(rows, reviewer_keys, clip_keys)
    assert result["clustered_by"] == ("reviewers", "clips")
    assert result["n_clusters"] == (3, 6)
    for part in ("ratings", "low", "high"):
        assert by_name(result[part]) == pytest.approx(getattr(expected, part), abs=1e-6)


def test_a_changed_vote_counts_at_the_place_of_the_first(project, round, rita, emil):
    held, caption_pair = next_caption_pair(project, rita)
    first = vote(held, "left")
    vote_for(project, emil, B)
    vote_for(project, emil, C)
    changed = change_vote(caption_pair=caption_pair, reviewer=rita, content={"outcome": "right"})
    report = leaderboard_of(round)
    assert filtered(report) == {"changed": [first.pk]}
    assert report.inputs == 3
    names = [caption_pair.left.system.name, caption_pair.right.system.name]
    expected = elo([(*names, "right")])
    early = report.result["elo_path"][0]
    assert early["votes"] == 1
    ratings = by_name(early["ratings"])
    assert {name: ratings[name] for name in names} == pytest.approx(expected.ratings)
    assert report.result["stored"] == {"count": 4, "last": changed.pk}


def test_votes_are_ordered_by_their_time_and_then_by_their_key(round, clips, rita):
    late = cast(round, A, B, "left", rita, clips[0])
    early = cast(round, A, B, "right", rita, clips[1])
    # Rows are never changed: what was stored first may have been cast later.
    assert late.created_at <= early.created_at
    earlier = cast(round, A, B, "tie", rita, clips[2])
    type(earlier).objects.bulk_create(
        [
            type(earlier)(
                caption_pair=_bare(round, clips[3], rita),
                outcome="right",
                created_at=timezone.now() - timedelta(days=1),
            )
        ]
    )
    first = by_name(leaderboard_of(round).result["elo_path"][0]["ratings"])
    assert first == {A: 984.0, B: 1016.0}


def _bare(round, clip, person):
    left, right = SystemCaption.objects.filter(clip=clip, system__name__in=(A, B))
    pair = SystemPair.objects.get(first=left.system, second=right.system)
    return CaptionPair.objects.create(
        round=round, pair=pair, clip=clip, left=left, right=right, reviewer=person
    )


def test_filtered_votes_have_a_reason(round, clips, rita, emil):
    first = cast(round, A, B, "left", rita, clips[0])
    repeat = cast(round, B, A, "right", rita, clips[0], repeat_of=first)
    reported = cast(round, A, C, "left", rita, clips[1], reasons=["complete", "names_model"])
    SystemCaption.objects.filter(system__name=C, clip=clips[2]).update(names_its_model="Crane")
    detected = cast(round, B, C, "left", rita, clips[2])
    changed = cast(round, B, C, "both_bad", emil, clips[3])
    change(changed, "tie")
    again = cast(round, A, B, "left", "R1", clips[0]), cast(round, A, B, "tie", "R1", clips[0])
    bad = cast(round, A, B, "both_bad", emil, clips[0])
    report = leaderboard_of(round)
    assert filtered(report) == {
        "changed": [changed.pk],
        "names_model": [reported.pk, detected.pk],
        "repeat": [repeat.pk, again[1].pk],
    }
    assert report.inputs == 4
    assert report.result["pairs"][0]["both_bad"] == 1

    Round.objects.update(both_bad_is_tie=False)
    report = leaderboard_of(round)
    assert filtered(report)["both_bad"] == [bad.pk]
    assert report.inputs == 3
    assert "|both_bad:leave_out|" in report.signature


def test_the_first_of_several_reasons_counts(round, clips, rita):
    first = cast(round, A, B, "left", rita, clips[0])
    repeat = cast(round, B, A, "left", rita, clips[0], repeat_of=first, reasons=["names_model"])
    assert filtered(leaderboard_of(round)) == {"names_model": [repeat.pk]}
    change(repeat, "tie")
    report = leaderboard_of(round)
    assert filtered(report)["changed"] == [repeat.pk]
    assert len(filtered(report)["repeat"]) == 1


def test_a_round_whose_votes_are_all_filtered_has_no_ratings(round, clips, rita):
    cast(round, A, B, "left", rita, clips[0], reasons=["names_model"])
    report = leaderboard_of(round)
    assert report.inputs == 0
    assert report.result["elo"]["ratings"] == {}
    assert report.result["bradley_terry"]["reason"] == "There are no votes."
    assert (report.result["elo_path"], report.result["neighbours"]) == ([], [])


def test_models_that_no_vote_connects_have_no_ranks(project, clips, rita):
    round = start_round(project, clips, (*NAMES, "Dunlin"))
    cast(round, A, B, "left", rita, clips[0])
    cast(round, C, "Dunlin", "tie", rita, clips[0])
    result = leaderboard_of(round).result
    assert result["bradley_terry"]["ranks"] is None
    assert "No vote connects these groups" in result["bradley_terry"]["reason"]
    assert {neighbor["votes"] for neighbor in result["neighbours"]} == {None}


def test_each_category_has_its_own_votes(project, rita):
    dives = [make_clip(project, category="Sports") for _ in range(2)]
    homes = [make_clip(project, category="Home")]
    round = start_round(project, [*dives, *homes], NAMES)
    for clip in dives:
        cast(round, A, B, "left", rita, clip)
    cast(round, A, B, "right", rita, homes[0])
    sports, home = leaderboard_of(round).result["categories"]
    assert [sports["category"], sports["votes"], sports["clips"]] == ["Sports", 2, 2]
    assert [home["category"], home["votes"], home["clips"]] == ["Home", 1, 1]
    assert next(iter(by_name(sports["ratings"]))) == A
    assert next(iter(by_name(home["ratings"]))) == B


def test_the_paths_end_where_the_ratings_are(round, clips):
    for number in range(150):
        outcome = ("left", "right", "left", "tie")[number % 4]
        cast(round, *((A, B), (B, C), (A, C))[number % 3], outcome, f"R{number}", clips[number % 6])
    result = leaderboard_of(round).result
    assert len(result["elo_path"]) == 50
    assert result["elo_path"][-1]["votes"] == 150
    assert result["elo_path"][-1]["ratings"] == pytest.approx(result["elo"]["ratings"])
    last = result["bradley_terry_path"][-1]
    assert len(result["bradley_terry_path"]) == 12
    assert last["ratings"] == pytest.approx(result["bradley_terry"]["ratings"])


def test_it_is_recomputed_only_when_a_vote_has_come_in(round, clips, rita):
    cast(round, A, B, "left", rita, clips[0])
    before = leaderboard_of(round)
    assert leaderboard_of(round) == before
    cast(round, A, B, "tie", rita, clips[1])
    after = leaderboard_of(round)
    assert after.pk != before.pk
    assert (before.inputs, after.inputs) == (1, 2)


def test_a_round_without_votes_has_no_report(project, round):
    assert recompute(project=project, name="leaderboard") == []


def test_the_settings_of_the_round_are_used_and_signed(project, round, clips, rita):
    Round.objects.update(elo={**round.elo, "k": 16})
    cast(round, A, B, "left", rita, clips[0])
    report = leaderboard_of(round)
    assert by_name(report.result["elo"]["ratings"]) == {A: 1008.0, B: 992.0}
    assert report.signature.startswith(
        "leaderboard|round:1|cast:1|models:2|reviewers:1|clips:1|initial:1000|k:16|"
        "base:10|scale:400|floor:700|both_bad:tie|replays:50|interval:sandwich|"
        "prompts:0 and 3 unknown|theme:told 0 of 3|asked:"
    )
    assert "|labels:1|seed:0|method:metrics.pairwise 1, counting 3|inputs:" in report.signature
    assert "initial_sd" not in report.signature


def test_more_votes_take_no_more_queries(project, round, clips):
    def queries() -> int:
        anew = Project.objects.get(pk=project.pk)  # as a worker has it
        with count_queries() as count:
            recompute(project=anew, name="leaderboard")
        return int(count)

    person = make_person("Ida", project, "reviewer")
    cast(round, A, B, "left", person, clips[0])
    baseline = queries()
    for clip in clips[1:4]:
        cast(round, A, B, "left", person, clip)
    assert queries() == baseline
