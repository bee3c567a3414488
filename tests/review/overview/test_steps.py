"""The steps of each protocol, from counts alone."""

from dataclasses import replace

import pytest

from review.overview.facts import Facts, Imports, Pace, Queries, RunFacts, Scores, Votes, WorkFacts
from review.overview.forecasts import forecasts_of
from review.overview.lanes import lanes_of
from review.overview.steps import Step, next_step

KINDS = (
    *("write", "merge", "split", "signoff", "dynamics", "hand", "verify", "rate"),
    *("pair", "modify", "triplet", "compare", "identify", "elements"),
)


def facts(protocol="carebench", *, work=None, **fields) -> Facts:
    """A project without work, whose members may do all of it."""
    nobody = {kind: WorkFacts(able=3, roles="annotator") for kind in KINDS}
    values = {
        "videos": 4, "clips": 4, "imports": Imports(videos=4), "unlicensed": 0,
        "has_license": True, "runs": (), "complete": 0, "released": 0, "release": "",
        "votes": Votes(),
    }  # fmt: skip
    return Facts(protocol=protocol, work=nobody | (work or {}), **{**values, **fields})


def run(key, total, done=0, **fields) -> RunFacts:
    kind = key.partition("-")[0]
    return RunFacts(key, kind, kind.capitalize(), total, done, ("clip", "clips"), **fields)


LOVR_RUNS = ("segment", "theme", "caption", "score", "refine", "fuse")


def lovr_runs(**changed) -> tuple[RunFacts, ...]:
    runs = {key: run(key, 0) for key in LOVR_RUNS} | {"embed-clips": run("embed-clips", 0)}
    return tuple((runs | changed).values())


def step_of(facts, key) -> Step:
    return next(step for lane in lanes_of(facts) for step in lane.steps if step.key == key)


def counts(step):
    return step.done, step.in_progress, step.waiting, step.stuck, step.later


def test_each_clip_is_at_one_place_of_a_step():
    """Ten clips: six open, of which two are held, three written; one isn't open yet."""
    write = WorkFacts(open=6, done=3, held=2, places=8, able=2, needed=2)
    step = step_of(facts(clips=10, work={"write": write}), "write")
    assert counts(step) == (3, 2, 4, 0, 1)
    assert (step.total, step.left, step.places) == (10, 7, 8 + 2)
    merge = step_of(facts(clips=10, work={"write": write}), "merge")
    assert (counts(merge), merge.state) == ((0, 0, 0, 0, 10), "later")


@pytest.mark.parametrize(
    ("work", "stuck", "reason", "page"),
    [
        (
            WorkFacts(open=4, roles="expert"),
            4, "Nobody has the role expert.", "annotate:members",
        ),
        (
            WorkFacts(open=4, able=1, needed=2, roles="annotator"),
            4,
            "Each needs 2 people, and 1 member may do it, by the role annotator.",
            "annotate:members",
        ),
        (
            WorkFacts(open=4, able=2, stranded=1, roles="annotator"),
            1, "1 skipped by everybody who may do it.", "review:activity",
        ),
    ],
)  # fmt: skip
def test_work_without_people_is_stuck(work, stuck, reason, page):
    step = step_of(facts(work={"merge": work}), "merge")
    assert (step.stuck, step.reasons, step.state) == (stuck, (reason,), "stuck")
    assert step.action.page == page
    assert next_step(lanes_of(facts(work={"merge": work}))).key == "merge"


@pytest.mark.parametrize(
    ("fields", "expected", "reason", "label"),
    [
        ({}, (3, 0, 7, 0, 0), "", "New caption run"),
        ({"has_model": False}, (3, 0, 0, 7, 0), "No model in use can do this.", "Models"),
        (
            {"run": 5, "is_failed": True, "reason": "The server doesn’t answer."},
            (3, 0, 0, 7, 0), "Run 5 failed: The server doesn’t answer.", "See run 5",
        ),
        (
            {"run": 5, "failed": 2},
            (3, 0, 5, 2, 0), "Run 5 failed for 2 clips.", "See run 5",
        ),
        ({"run": 5, "is_active": True, "unfinished": 6}, (3, 6, 1, 0, 0), "", "See run 5"),
        (
            {"run": 5, "is_active": True, "unfinished": 6, "silence": "No worker has responded."},
            (3, 0, 1, 6, 0), "No worker has responded.", "See run 5",
        ),
        (
            {"waits_for": "Cut the videos first."},
            (3, 0, 0, 0, 7), "Cut the videos first.", None,
        ),
    ],
)  # fmt: skip
def test_a_run_says_what_it_waits_for(fields, expected, reason, label):
    step = step_of(
        facts("lovr", runs=lovr_runs(caption=run("caption", 10, 3, **fields))), "caption"
    )
    assert counts(step) == expected
    assert step.reasons == ((reason,) if reason else ())
    assert (step.action.label if step.action else None) == label


def test_the_board_says_which_captions_models_score_and_why_more_are_embedded_than_clips():
    embed = replace(run("embed-captions", 9, 9), noun=("caption", "captions"))
    runs = (*lovr_runs(score=run("score", 3, 3)), embed)
    more_captions = facts("lovr", runs=runs)
    assert step_of(more_captions, "score").noun == ("model caption", "model captions")
    assert step_of(more_captions, "embed-captions").reasons == (
        "Earlier captions of a clip count, too.",
    )
    as_many = replace(more_captions, clips=9)
    assert step_of(as_many, "embed-captions").reasons == ()


def test_failures_that_are_mended_are_forgotten():
    done = run("caption", 10, 10, run=5, failed=2)
    assert step_of(facts("lovr", runs=lovr_runs(caption=done)), "caption").state == "done"


def test_captions_are_scored_before_a_threshold_is_adopted_before_they_are_refined():
    scores = Scores("EVQAScore", None)
    verified = {"verify": WorkFacts(done=3, able=3)}
    partly_scored = facts("lovr", work=verified, scores=scores, runs=lovr_runs(
        caption=run("caption", 10, 10), score=run("score", 10, 4), refine=run("refine", 3),
    ))  # fmt: skip
    assert next_step(lanes_of(partly_scored)).key == "score"
    scored = replace(partly_scored, runs=lovr_runs(
        caption=run("caption", 10, 10), score=run("score", 10, 10),
        refine=run("refine", 3, waits_for="Adopt a threshold first."),
    ))  # fmt: skip
    adopt = next_step(lanes_of(scored))
    assert (adopt.key, adopt.reasons) == (
        "threshold", ("No threshold is adopted. Refine would use 0.2.",),
    )  # fmt: skip
    assert step_of(scored, "refine").later == 3
    adopted = replace(
        scored,
        scores=Scores("EVQAScore", 0.31),
        runs=lovr_runs(
            caption=run("caption", 10, 10),
            score=run("score", 10, 10),
            refine=run("refine", 3),
        ),
    )
    refine = next_step(lanes_of(adopted))
    assert (refine.key, refine.waiting) == ("refine", 3)
    assert step_of(adopted, "threshold").reasons == ("0.31 for EVQAScore.",)


def test_the_first_unfinished_step_comes_first_whoever_does_it():
    verified = {"verify": WorkFacts(done=1, able=3)}
    work = {"hand": WorkFacts(open=2, places=2, able=1), **verified}
    done = {
        "runs": lovr_runs(
            segment=run("segment", 1, 1), caption=run("caption", 4, 4), score=run("score", 4, 4),
            refine=run("refine", 1, 1), fuse=run("fuse", 1, 1),
        ),
        "scores": Scores("EVQAScore", 0.3),
    }  # fmt: skip
    by_hand = facts("lovr", work=work, complete=4, **done)
    assert next_step(lanes_of(by_hand)).key == "hand"
    held = replace(by_hand, work={**by_hand.work, "hand": WorkFacts(open=2, held=2, able=1)})
    assert next_step(lanes_of(held)).state == "in progress"
    nothing_else = facts(
        "lovr",
        work={"dynamics": WorkFacts(done=1, able=3), "hand": WorkFacts(done=2, able=1), **verified},
        complete=4, released=1, release="0.1.0", **done,
    )  # fmt: skip
    release = next_step(lanes_of(nothing_else))
    assert (release.title, release.done, release.waiting) == ("Release 0.1.0", 1, 3)


def test_all_votes_cast_ask_for_the_end_of_the_round():
    votes = Votes(sets=2, round=1, votes=30, planned=30, is_open=True)
    compare = step_of(facts(votes=votes), "compare")
    assert (compare.state, compare.action.label) == ("ready", "End the round")
    assert compare.reasons == (
        "All votes are cast. Ending the round counts those that still wait to be counted.",
    )


def test_a_run_that_does_again_what_was_done_is_in_progress():
    again = run("caption", 10, 10, run=5, is_active=True, unfinished=4)
    step = step_of(facts("lovr", runs=lovr_runs(caption=again)), "caption")
    assert (counts(step), step.state) == ((6, 4, 0, 0, 0), "in progress")


def test_a_release_names_unknown_licenses():
    step = step_of(facts(complete=3, has_license=False, unlicensed=2), "release")
    assert step.reasons == (
        "The project states no license.",
        "The license of 2 videos of the project is unknown.",
    )


def test_what_is_optional_is_never_next():
    theme = run("theme", 4, is_optional=True)
    assert next_step(lanes_of(facts("lovr", runs=lovr_runs(theme=theme)))) is None


@pytest.mark.parametrize(
    ("queries", "work", "key"),
    [
        (Queries(), {}, "labels"),
        (Queries(labeled=9, without_split=4), {}, "split-videos"),
        (Queries(labeled=9), {}, "compare-labels"),
        (Queries(labeled=9, pairs=12), {}, "pair"),
        (Queries(labeled=9, pairs=12, directions=4, without_text=3), {"pair": 2}, "write-texts"),
        (Queries(labeled=9, pairs=12, directions=4, accepted=4), {"pair": 2}, "triplets"),
    ],
)
def test_composed_queries_are_made_step_by_step(queries, work, key):
    done = {kind: WorkFacts(done=number, able=2) for kind, number in work.items()}
    assert next_step(lanes_of(facts("tfcovr", queries=queries, work=done))).key == key


def test_a_generation_that_stopped_is_stuck():
    queries = Queries(labeled=9, pairs=12, accepted=4, reason="No clip is in a split.")
    step = step_of(facts("tfcovr", queries=queries), "triplets")
    assert (step.state, step.reasons) == ("stuck", ("No clip is in a split.",))


def test_an_ended_round_says_how_many_votes_count():
    ended = Votes(sets=2, round=1, votes=1842, planned=1842, counted=1797)
    assert step_of(facts(votes=ended), "compare").reasons == (
        "Repeats and replaced votes are left out here. "
        "1,797 of them count; Leaderboard → Votes says why the others don’t.",
    )
    everything = replace(ended, counted=1842)
    assert step_of(facts(votes=everything), "compare").reasons == ()


def test_comparisons_need_two_sets_and_then_votes():
    assert step_of(facts(votes=Votes(sets=1)), "compare").action is None
    assert step_of(facts(votes=Votes(sets=2)), "compare").action.label == "Open a round"
    voting = facts(
        votes=Votes(sets=2, round=1, votes=30, planned=100, is_open=True),
        work={"compare": WorkFacts(open=2, held=2, able=2)},
    )
    assert counts(step_of(voting, "compare")) == (30, 2, 68, 0, 0)
    nobody = replace(voting, work={**voting.work, "compare": WorkFacts(roles="reviewer")})
    assert counts(step_of(nobody, "compare")) == (30, 0, 0, 70, 0)


def test_a_step_ends_no_sooner_than_the_one_that_it_waits_for():
    """Ten clips, of which eight are to be written at one a day; merges are quick."""
    write = WorkFacts(open=8, done=2, places=8, able=2)
    merge = WorkFacts(open=1, done=1, places=1, able=2)
    [lane, *_] = lanes_of(facts(clips=10, work={"write": write, "merge": merge}))
    pace = Pace(per_day={"write": [1] * 6, "merge": [9, 8, 9, 8, 9, 8], "split": [5] * 6})
    ends = {key: forecast.expected for key, forecast in forecasts_of(lane, pace).items()}
    assert ends == {"write": 8, "merge": 8, "split": 8}
