"""The lanes of each protocol. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from review.overview.facts import Facts, Votes
from review.overview.steps import (
    ADMIN,
    CLIPS,
    MODELS,
    PEOPLE,
    VIDEOS,
    Action,
    Lane,
    Step,
    counted,
    missing_people,
    people_step,
    run_step,
)


def lanes_of(facts: Facts) -> list[Lane]:
    """Return the lanes of the project's protocol, and the one of comparisons."""
    return [*_LANES[facts.protocol](facts), Lane("Comparisons", _comparisons(facts))]


def _carebench(facts: Facts) -> Iterator[Lane]:
    clips = facts.clips
    steps = [
        _import(facts),
        people_step(facts, "write", "Write", CLIPS, of=clips),
        people_step(facts, "merge", "Merge", CLIPS, of=clips, after="write"),
        people_step(facts, "split", "Split", CLIPS, of=clips, after="merge"),
    ]
    if facts.work["signoff"].all:
        steps.append(people_step(facts, "signoff", "Sign off", CLIPS, of=clips, after="split"))
    yield Lane("Human captions", (*steps, _release(facts)))
    yield Lane("Evaluation", (*_more(facts, ("elements", "identify")), *_runs(facts)))


def _lovr(facts: Facts) -> Iterator[Lane]:
    runs = {run.key: run_step(run) for run in facts.runs}
    ours = [runs[key] for key in ("segment", "theme", "caption", "score", "refine", "fuse")]
    segment, theme, caption, score, refine, fuse = ours
    # Human captions are neither scored nor refined.
    score, refine = (
        replace(step, noun=("model caption", "model captions")) for step in (score, refine)
    )
    adopt = _threshold(facts, score)
    if adopt.waiting and not refine.in_progress:
        refine = replace(refine, waiting=0, stuck=0, later=refine.left, reasons=(), action=None)
    yield Lane(
        "Captions",
        (
            _import(facts),
            segment,
            people_step(facts, "dynamics", "Check dynamics", VIDEOS),
            theme,
            caption,
            score,
            people_step(facts, "verify", "Verify", ("caption", "captions")),
            adopt,
            refine,
            people_step(facts, "hand", "Write by hand", CLIPS),
            fuse,
            _release(facts),
        ),
    )
    rate = people_step(facts, "rate", "Rate", ("caption", "captions"))
    if not rate.total and fuse.done:
        action = Action("Start a rating study", "review:report_page", ("ratings",))
        rate = replace(rate, action=action, is_optional=True)
    embedding = [_embedding(step, facts) for key, step in runs.items() if key.startswith("embed")]
    yield Lane("Evaluation", (rate, *embedding))


def _tfcovr(facts: Facts) -> Iterator[Lane]:
    queries, pair = facts.queries, facts.work["pair"]
    compared = Step(
        "compare-labels", "Compare labels", ADMIN, ("label pair", "label pairs"),
        done=queries.pairs,
        waiting=int(queries.labeled > 0 and not queries.pairs),
        action=Action("Compare labels", "review:label_pairs") if queries.labeled else None,
    )  # fmt: skip
    judge = people_step(facts, "pair", "Judge label pairs", ("label pair", "label pairs"))
    if queries.pairs and not pair.all:
        action = Action("Hand out label pairs", "review:label_pairs")
        judge = replace(judge, who=ADMIN, waiting=1, action=action)
    missing = queries.without_text
    write = Step(
        "write-texts", "Write modification texts", MODELS, ("text", "texts"),
        done=max(0, queries.directions - missing),
        waiting=missing,
        action=Action("Write texts", "review:modifications") if missing else None,
    )  # fmt: skip
    yield Lane(
        "Composed queries",
        (
            _labels(facts),
            _splits(facts),
            compared,
            judge,
            write,
            people_step(facts, "modify", "Accept texts", ("text", "texts")),
            _triplets(facts),
            people_step(facts, "triplet", "Verify triplets", ("query", "queries")),
            _release(facts),
        ),
    )
    yield Lane("Evaluation", tuple(_runs(facts)))


_LANES = {"carebench": _carebench, "lovr": _lovr, "tfcovr": _tfcovr}


def _import(facts: Facts) -> Step:
    reasons: tuple[str, ...] = ()
    action = Action("Upload videos", "annotate:upload")
    if facts.imports_failed:
        reasons = (f"{counted(facts.imports_failed, ('file', 'files'))} failed to import.",)
        action = Action("See the imports", "annotate:imports")
    return Step(
        "import", "Import", ADMIN, VIDEOS,
        done=facts.videos,
        in_progress=facts.imports_running,
        waiting=int(not (facts.videos or facts.imports_running or facts.imports_failed)),
        stuck=facts.imports_failed,
        reasons=reasons,
        action=action,
    )  # fmt: skip


def _labels(facts: Facts) -> Step:
    step = _import(facts)
    if not facts.queries.labeled and not step.stuck:
        waiting = int(not facts.imports_running)
        action = Action("Import labeled clips", "annotate:dataset")
        return replace(step, title="Import labeled clips", waiting=waiting, done=0, action=action)
    return replace(step, title="Import labeled clips", noun=CLIPS, done=facts.queries.labeled)


def _splits(facts: Facts) -> Step:
    missing = facts.queries.without_split
    return Step(
        "split-videos", "Split the videos", ADMIN, VIDEOS,
        done=facts.videos - missing if facts.queries.labeled else 0,
        waiting=missing,
        action=Action("Split the videos", "review:split_videos") if missing else None,
    )  # fmt: skip


def _triplets(facts: Facts) -> Step:
    queries = facts.queries
    is_due = queries.accepted > 0 and not (queries.triplets or queries.is_generating)
    is_stopped = bool(queries.reason)
    return Step(
        "triplets", "Generate triplets", ADMIN, ("triplet", "triplets"),
        done=queries.triplets,
        in_progress=int(queries.is_generating),
        waiting=int(is_due and not is_stopped),
        stuck=int(is_stopped),
        reasons=(queries.reason,) if is_stopped else (),
        action=Action("Generate triplets", "review:triplets") if queries.accepted else None,
    )  # fmt: skip


def _threshold(facts: Facts, score: Step) -> Step:
    scores = facts.scores
    is_due = bool(scores.name) and scores.threshold is None and not score.waiting
    reasons: tuple[str, ...] = ()
    if is_due:
        reasons = (f"No threshold is adopted. Refine would use {scores.default:g}.",)
    elif scores.threshold is not None:
        reasons = (f"{scores.threshold:g} for {scores.name}.",)
    return Step(
        "threshold", "Adopt a threshold", ADMIN, ("threshold", "thresholds"),
        done=int(scores.threshold is not None),
        waiting=int(is_due),
        later=int(scores.threshold is None and not is_due),
        reasons=reasons,
        action=Action("Adopt a threshold", "review:report_page", ("threshold",)),
    )  # fmt: skip


def _runs(facts: Facts) -> Iterator[Step]:
    return (_embedding(run_step(run), facts) for run in facts.runs)


def _embedding(step: Step, facts: Facts) -> Step:
    """Add why more captions than clips are embedded, if so."""
    if step.run != "embed" or step.noun == CLIPS or step.total <= facts.clips:
        return step
    return replace(step, reasons=(*step.reasons, "Earlier captions of a clip count, too."))


def _more(facts: Facts, kinds: Sequence[str]) -> Iterator[Step]:
    titles = {"elements": "Check elements", "identify": "Identify clips"}
    for kind in kinds:
        if facts.work[kind].all:
            yield people_step(facts, kind, titles[kind], ("text", "texts"))


def _release(facts: Facts) -> Step:
    fresh = max(0, facts.complete - facts.released)
    reasons = []
    if facts.complete and not facts.has_license:
        reasons.append("The project states no license.")
    if facts.complete and facts.unlicensed:
        reasons.append(f"The license of {counted(facts.unlicensed, VIDEOS)} is unknown.")
    noun = ("set of triplets", "sets of triplets") if facts.protocol == "tfcovr" else CLIPS
    title = f"Release {facts.release}" if facts.release else "Release"
    return Step(
        "release", title, ADMIN, noun,
        done=min(facts.released, facts.complete) if facts.complete else facts.released,
        waiting=fresh,
        reasons=tuple(reasons),
        action=Action("Build a release", "review:release_studio") if facts.complete else None,
        comes_last=True,
    )  # fmt: skip


def _left_out(votes: Votes) -> tuple[str, ...]:
    """Return a sentence on how many votes of an ended round the leaderboard counts, unless it
    counts all.
    """
    if votes.counted is None or votes.counted == votes.votes:
        return ()
    return (
        "Repeats and replaced votes are left out here. "
        f"{votes.counted:,} of them count; Leaderboard → Votes says why the others don’t.",
    )


def _comparisons(facts: Facts) -> tuple[Step, ...]:
    votes = facts.votes
    sets = Step(
        "model-captions", "Model captions", ADMIN, ("set", "sets"),
        done=votes.sets,
        action=Action("Add model captions", "review:report_page", ("caption-sets",)),
        is_optional=True,
    )  # fmt: skip
    work = facts.work["compare"]
    may_open = votes.sets >= 2 and not votes.is_open
    if not votes.is_open:
        needs = ("A round needs two sets of model captions.",)
        compare = Step(
            "compare", "Compare", ADMIN, ("vote", "votes"),
            done=votes.votes,
            reasons=_left_out(votes) if may_open or votes.round else needs,
            action=Action("Open a round", "review:comparisons") if may_open else None,
            is_optional=True,
        )  # fmt: skip
        return sets, compare
    left = max(0, votes.planned - votes.votes)
    stuck, reasons, action = missing_people(replace(work, open=left, stranded=0))
    held = min(work.held, left)
    stuck = min(stuck, left)
    compare = Step(
        "compare", f"Compare, round {votes.round}", PEOPLE, ("vote", "votes"),
        done=votes.votes,
        in_progress=0 if stuck else held,
        waiting=left - stuck - (0 if stuck else held),
        stuck=stuck,
        reasons=reasons,
        action=action if left else Action("See the round", "review:comparisons"),
        work="compare",
        places=left,
    )  # fmt: skip
    return sets, compare
