"""The lanes of each protocol. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from review.modifications.runs import WRITE_MODIFICATIONS
from review.overview.facts import Facts
from review.overview.shared_steps import (
    comparison_steps,
    import_step,
    release_step,
    without_small,
)
from review.overview.steps import (
    ADMIN,
    CLIPS,
    MODELS,
    VIDEOS,
    Action,
    Lane,
    State,
    Step,
    counted,
    people_step,
    run_step,
    skipped,
)
from review.pairs.comparison import COMPARE_LABELS
from review.triplets.sets import GENERATE_TRIPLETS

REJECTED = "Every judged pair was rejected. Compare labels again with other limits."
MODEL_CAPTIONS = ("model caption", "model captions")


def lanes_of(facts: Facts) -> list[Lane]:
    """Return the lanes of the project's protocol, and the one of comparisons."""
    return [*_LANES[facts.protocol](facts), Lane("Comparisons", comparison_steps(facts))]


def _carebench(facts: Facts) -> Iterator[Lane]:
    clips = facts.clips - facts.small - facts.published
    steps = [
        import_step(facts),
        without_small(people_step(facts, "write", "Write", CLIPS, of=clips), facts),
        people_step(facts, "merge", "Merge", CLIPS, of=clips, after="write"),
        people_step(facts, "split", "Split", CLIPS, of=clips, after="merge"),
    ]
    if facts.sign_offs or facts.work["signoff"].all:
        steps.append(people_step(facts, "signoff", "Sign off", CLIPS, of=clips, after="split"))
    yield Lane("Human captions", (*steps, release_step(facts)))
    yield Lane("Evaluation", (*_more(facts, ("elements", "identify")), *_runs(facts)))


def _lovr(facts: Facts) -> Iterator[Lane]:
    runs = {run.key: run_step(run) for run in facts.runs}
    ours = [runs[key] for key in ("segment", "theme", "caption", "score", "refine", "fuse")]
    segment, theme, caption, score, refine, fuse = ours
    # Human captions are neither scored nor refined.
    score, refine = (replace(step, noun=MODEL_CAPTIONS) for step in (score, refine))
    dynamics = _dynamics(facts)
    has_begun = bool(caption.done or caption.outdated or caption.in_progress)
    if segment.is_optional:
        segment = skipped(segment, "The clips were imported one by one.")
        if not facts.work["dynamics"].all:
            dynamics = skipped(dynamics, "No video was cut here.")
    if has_begun and not (theme.done or theme.in_progress):
        theme = replace(theme, is_skipped=True, waiting=0, stuck=0, later=0)
    verify, adopt = _verify(facts, score), _threshold(facts, score)
    hand = people_step(facts, "hand", "Write by hand", CLIPS)
    if caption.is_settled and not score.total:
        none = "No clip has a model caption."
        score, verify, adopt, refine = (
            step if step.done else skipped(step, none) for step in (score, verify, adopt, refine)
        )
    elif adopt.done and score.is_settled and not refine.total:
        refine = skipped(refine, "Every scored caption reaches the threshold.")
    if refine.is_settled and not hand.total:
        hand = skipped(hand, "No caption has to be written by hand.")
    if hand.is_settled and not fuse.total:
        fuse = skipped(fuse, "No video is cut into clips.")
    steps = (
        *(import_step(facts), segment, dynamics, theme, caption, score, verify, adopt, refine),
        *(hand, fuse),
    )
    yield Lane("Captions", (*steps, release_step(facts, steps, verify)))
    rate = people_step(facts, "rate", "Rate", ("caption", "captions"))
    if not rate.total and fuse.done:
        action = Action("Start a rating study", "review:report_page", ("ratings",))
        rate = replace(rate, action=action, is_optional=True, needs_start=True)
    embedding = [_embedding(step, facts) for key, step in runs.items() if key.startswith("embed")]
    yield Lane("Evaluation", (rate, *embedding))


def _tfcovr(facts: Facts) -> Iterator[Lane]:
    queries, pair = facts.queries, facts.work["pair"]
    is_rejected = pair.done > 0 and not (pair.open or pair.waiting or queries.directions)
    compared = Step(
        "compare-labels", "Compare labels", ADMIN, ("label pair", "label pairs"),
        done=queries.pairs,
        needs_start=(queries.labeled > 0 and not queries.pairs) or is_rejected,
        reasons=(REJECTED,) if is_rejected else (),
        action=Action("Compare labels", "review:label_pairs") if queries.labeled else None,
    )  # fmt: skip
    compared = _worked_on(compared, facts, COMPARE_LABELS)
    judge = people_step(facts, "pair", "Judge label pairs", ("label pair", "label pairs"))
    if queries.pairs and not pair.all:
        action = Action("Hand out label pairs", "review:label_pairs")
        judge = replace(judge, who=ADMIN, needs_start=True, action=action)
    missing = queries.without_text
    write = Step(
        "write-texts", "Write modification texts", MODELS, ("text", "texts"),
        done=max(0, queries.directions - missing),
        waiting=missing,
        action=Action("Write texts", "review:modifications") if missing else None,
    )  # fmt: skip
    write = _worked_on(write, facts, WRITE_MODIFICATIONS)
    verify = people_step(facts, "triplet", "Verify triplets", ("query", "queries"))
    if queries.triplets and not facts.work["triplet"].all:
        action = Action("Hand out queries", "review:triplets")
        reasons = ("Nobody has been given a query to verify yet.",)
        verify = replace(verify, who=ADMIN, needs_start=True, action=action, reasons=reasons)
    steps = (
        *(import_step(facts), _labels(facts), _splits(facts), compared, judge, write),
        people_step(facts, "modify", "Accept texts", ("text", "texts")),
        *(_worked_on(_triplets(facts), facts, GENERATE_TRIPLETS), verify),
    )
    yield Lane("Composed queries", (*steps, release_step(facts, steps, verify)))
    yield Lane("Evaluation", tuple(_runs(facts)))


_LANES = {"carebench": _carebench, "lovr": _lovr, "tfcovr": _tfcovr}


def _labels(facts: Facts) -> Step:
    labeled = facts.queries.labeled
    step = Step(
        "labels", "Import labeled clips", ADMIN, CLIPS,
        done=labeled,
        needs_start=facts.videos > 0 and not labeled,
    )  # fmt: skip
    if not facts.videos:
        return step
    reasons = () if labeled else ("No clip has a label yet.",)
    action = Action("Import labeled clips", "annotate:dataset")
    return replace(step, action=action, reasons=reasons)


def _dynamics(facts: Facts) -> Step:
    step = people_step(facts, "dynamics", "Check dynamics", VIDEOS)
    if not facts.undecided:
        return step
    number = facts.undecided
    verb = "is" if number == 1 else "are"
    return replace(
        step,
        done=max(0, step.done - number),
        stuck=step.stuck + number,
        reasons=(*step.reasons, f"{counted(number, VIDEOS)} {verb} undecided: people disagree."),
        action=Action("Undecided videos", "annotate:disputed_videos"),
    )


def _verify(facts: Facts, score: Step) -> Step:
    """Return the check of a sample of the model captions, which an admin hands out."""
    step = people_step(facts, "verify", "Verify", ("caption", "captions"))
    if facts.work["verify"].all:
        return step
    if score.state != State.DONE:
        return step
    return replace(
        step,
        who=ADMIN,
        needs_start=True,
        reasons=("Nobody has been given a caption to verify yet.",),
        action=Action("Start a study", "review:report_page", ("threshold",)),
    )


def _splits(facts: Facts) -> Step:
    missing = facts.queries.without_split
    return Step(
        "split-videos", "Split the videos", ADMIN, VIDEOS,
        done=facts.videos - missing if facts.queries.labeled else 0,
        waiting=missing,
        action=Action("Split the videos", "review:split_videos") if missing else None,
    )  # fmt: skip


def _worked_on(step: Step, facts: Facts, kind: str) -> Step:
    """Return the step as in progress, if a job of this kind does it now."""
    job = facts.queries.jobs.get(kind)
    if job is None:
        return step
    return replace(
        step,
        in_progress=max(1, step.waiting),
        waiting=0,
        needs_start=False,
        action=Action("See the job", "annotate:job", (job,)),
    )


def _triplets(facts: Facts) -> Step:
    queries = facts.queries
    is_due = queries.accepted > 0 and not (queries.triplets or queries.is_generating)
    is_stopped = bool(queries.reason)
    return Step(
        "triplets", "Generate triplets", ADMIN, ("triplet", "triplets"),
        done=queries.triplets,
        in_progress=int(queries.is_generating),
        needs_start=is_due and not is_stopped,
        stuck=int(is_stopped),
        reasons=(queries.reason,) if is_stopped else (),
        action=Action("Generate triplets", "review:triplets") if queries.accepted else None,
    )  # fmt: skip


def _threshold(facts: Facts, score: Step) -> Step:
    scores = facts.scores
    is_due = scores.threshold is None and score.state == State.DONE
    reasons: tuple[str, ...] = ()
    if is_due:
        reasons = (f"No threshold is adopted. Refine would use {scores.default:g}.",)
    elif scores.threshold is not None:
        reasons = (f"{scores.threshold:g} for {scores.name}.",)
    adopt = Action("Adopt a threshold", "review:report_page", ("threshold",))
    return Step(
        "threshold", "Adopt a threshold", ADMIN, ("threshold", "thresholds"),
        done=int(scores.threshold is not None),
        waiting=int(is_due),
        later=int(scores.threshold is None and not is_due),
        reasons=reasons,
        action=adopt if is_due or scores.threshold is not None else None,
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
