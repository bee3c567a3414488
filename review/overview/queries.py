"""The board's counts. The number of queries doesn't depend on the size of the project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Count, Q, Sum

from annotate.corpus.clip_stages import described
from annotate.dynamics.queries import undecided_videos
from annotate.jobs.queries import item_counts
from annotate.jobs.workers import LastBeats, last_beats
from annotate.kinds import Kind, all_facts, all_kinds, kind_facts
from annotate.models import Assignment, Membership, Project, Video, WorkItem
from annotate.models.jobs import ACTIVE, OPEN_STATES, AbstractJobItem, Job
from annotate.queue.kinds import people_needed
from inference import words
from inference.models import InferenceRun, ModelSpec
from inference.planning.left_out import small_clips
from inference.planning.lovr_needs import Scoring, scoring_of
from inference.planning.need import Need
from inference.planning.needs import key_of_run, needs_of
from inference.queries import DEFAULT_THRESHOLD, clips_to_describe
from inference.runs.services import ROLE_OF_KIND, fits_kind
from review.activity.queries import imports_to_fix, mark_stranded, unfinished_work
from review.captions.models import CaptionSet
from review.frozen.models import Release
from review.leaderboard import NAME as LEADERBOARD_NAME
from review.modifications.models import Modification
from review.modifications.queries import directions_without_text
from review.overview.facts import (
    Facts,
    Imports,
    Queries,
    RunFacts,
    Scores,
    Votes,
    WorkFacts,
)
from review.pairs.models import LabelPair
from review.releases.gates.shared import is_unlicensed
from review.releases.queries import latest_release
from review.reports.models import Report
from review.rounds.queries import rounds_of, votes_and_asked
from review.triplets.models import TripletSet
from review.verification.completeness import Progress, progress_of

State = WorkItem.State
STRANDED_LISTED = 50
UNDONE = (Assignment.State.HELD, Assignment.State.RETURNED, Assignment.State.PAUSED)


def facts_of(project: Project) -> Facts:
    """Count everything now."""
    has_complete_clips = project.pipeline.release.content == "clips"
    progress = progress_of(project, complete=None if has_complete_clips else 0)
    scoring = scoring_of(project)
    needs = needs_of(project, scoring)
    release = latest_release(project)
    complete, released = _releasable(project, progress, release)
    unsigned = _unsigned(project, progress, complete)
    small, why_small = small_clips(project) if "write" in project.pipeline.keys else (0, "")
    licenses = list(
        project.videos.order_by()
        .values_list("license")
        .annotate(imported=Count("pk"), kept=Count("pk", filter=Q(excluded_because="")))
    )
    return Facts(
        protocol=project.protocol,
        videos=sum(kept for _, _, kept in licenses),
        clips=progress.clips,
        imports=_imports(project, sum(imported for _, imported, _ in licenses)),
        unlicensed=sum(kept for license, _, kept in licenses if is_unlicensed(license)),
        has_license=bool(project.license.strip()),
        work=_work(project, progress),
        runs=tuple(_runs(project, needs)),
        complete=complete - unsigned,
        released=released,
        release=release.version if release else "",
        votes=_votes(project),
        scores=_scores(scoring),
        queries=_queries(project),
        small=small,
        why_small=why_small,
        published=progress.published,
        undecided=_undecided(project, progress),
        sign_offs=project.sign_offs,
        unsigned=unsigned,
    )


def _imports(project: Project, videos: int) -> Imports:
    files = imports_to_fix(project)
    return Imports(
        videos=videos,
        running=files["running"],
        failed=files["refused"],
        stopped=files["stopped"],
        dismissed=files["dismissed"],
    )


def _undecided(project: Project, progress: Progress) -> int:
    """Return how many videos an admin has to decide about. No query without finished checks."""
    return undecided_videos(project).count() if progress.items["dynamics", State.DONE] else 0


def _unsigned(project: Project, progress: Progress, complete: int) -> int:
    """Return how many complete clips experts still have to sign off."""
    if not project.sign_offs:
        return 0
    return max(0, complete - progress.items["signoff", State.DONE])


def _work(project: Project, progress: Progress) -> dict[str, WorkFacts]:
    """Return the counts of each kind of work. Seven queries."""
    held = _by_kind(
        Assignment.objects.filter(
            item__project=project,
            item__purpose=WorkItem.Purpose.WORK,
            item__state=State.OPEN,
            state__in=UNDONE,
        ).values_list("item__kind", "item")
    )
    open_items = WorkItem.objects.filter(project=project, state=State.OPEN).order_by()
    places = dict(open_items.values_list("kind").annotate(slots=Sum("open_slots")))
    needed = dict(open_items.values_list("kind").annotate(needed=Sum("needed")))
    _, skipped = unfinished_work(project)
    stranded = [
        stuck.hold.item.kind
        for stuck in mark_stranded(project, skipped[:STRANDED_LISTED])
        if stuck.is_stranded
    ]
    members = list(Membership.objects.filter(project=project, user__is_active=True))
    able = {
        facts.kind: {member.user_id for member in members if member.has_role(*facts.roles)}
        for facts in all_facts()
    }
    counts: dict[str, WorkFacts] = {}
    for kind in all_kinds():
        opened = progress.items[kind, State.OPEN]
        counts[kind] = WorkFacts(
            open=opened,
            waiting=progress.items[kind, State.WAITING],
            done=progress.items[kind, State.DONE],
            held=len(set(held.get(kind, ()))),
            places=(places.get(kind) or 0) + len(held.get(kind, ())),
            stranded=stranded.count(kind),
            able=len(able[kind]),
            roles=" or ".join(kind_facts(kind).roles),
            barred=_barred(project, kind, able),
            needed=_people_needed(project, kind, needed.get(kind) or 0, opened),
        )
    return counts


def _people_needed(project: Project, kind: Kind, needed: int, opened: int) -> int:
    """Return how many people an item of this kind needs, rounded up where items differ."""
    if opened:
        return -(-needed // opened)
    return people_needed(project, kind) or 1


def _barred(project: Project, kind: Kind, able: Mapping[str, set[int]]) -> int:
    """Return how many of those who may do this kind of work at least did an earlier step of each
    item, of the steps that each passes: nobody merges or signs off their own work.
    """
    earlier = kind_facts(kind).barred_by if kind_facts(kind).is_clip_step else ()
    barred = [people_needed(project, step) - len(able[step] - able[kind]) for step in earlier]
    return max([0, *barred])


def _by_kind(rows: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    kinds: dict[str, list[int]] = {}
    for kind, item in rows:
        kinds.setdefault(kind, []).append(item)
    return kinds


def _runs(project: Project, needs: list[Need]) -> list[RunFacts]:
    """Return each need with its newest run. At most five queries."""
    newest = _newest_runs(project, needs)
    active = [run for run in newest.values() if run.is_active]
    counts = item_counts(active) if active else {}
    beats = last_beats() if active else LastBeats({})
    specs = list(ModelSpec.objects.filter(project=project, is_active=True))
    facts = []
    for need in needs:
        run = newest.get(need.key)
        of_run = (counts.get(run.pk) or run.counts) if run else {}
        silence = beats.silence_in(run.queue) if run and run.is_active else None
        has_worker = bool(of_run.get(AbstractJobItem.State.RUNNING))
        facts.append(
            RunFacts(
                key=need.key,
                kind=need.kind,
                label=label_of(need),
                total=need.total,
                done=need.done,
                noun=need.noun,
                query={"kind": need.kind, **need.options, "next": "1"},
                is_optional=need.is_optional,
                waits_for=need.waits_for,
                left_out=need.left_out,
                outdated=need.outdated,
                notes=need.notes,
                has_model=need.kind not in ROLE_OF_KIND
                or any(fits_kind(spec, need.kind) for spec in specs),
                run=run.pk if run else None,
                is_active=bool(run and run.is_active),
                is_failed=bool(run and run.state == InferenceRun.State.FAILED),
                reason=run.reason if run else "",
                unfinished=_unfinished(run, need, of_run),
                failed=of_run.get(AbstractJobItem.State.FAILED, 0),
                silence=str(silence) if silence and not has_worker else "",
            )
        )
    return facts


def _unfinished(run: InferenceRun | None, need: Need, counts: Mapping[str, int]) -> int:
    """Return the items that an active run will still do; all that is left before it is planned."""
    if run is None or not run.is_active:
        return 0
    if not run.is_planned:
        return max(need.left, need.outdated, 1)
    return sum(counts.get(state, 0) for state in OPEN_STATES)


def _newest_runs(project: Project, needs: list[Need]) -> dict[str, InferenceRun]:
    """Return the newest run for each need, by its key: of those that work now, if there are any.
    Canceled runs don't count.
    """
    runs = InferenceRun.objects.filter(project=project, kind__in={need.kind for need in needs})
    runs = runs.exclude(state=InferenceRun.State.CANCELLED).order_by("pk")
    keys = {need.key for need in needs}
    rows = runs.only("kind", "state", "reason", "queue", "is_planned", "counts", "recipe")
    return {
        key_of_run(run, keys): run for run in sorted(rows, key=lambda run: (run.is_active, run.pk))
    }


def label_of(need: Need) -> str:
    """Return what people call the run, such as "Embed captions"."""
    label = words.KINDS[need.kind].label
    return f"{label} {words.SUBJECTS[need.options['of']]}" if need.options else label


def _releasable(project: Project, progress: Progress, release: Release | None) -> tuple[int, int]:
    """Return the sizes of the next and the newest release: clips, or sets of triplets."""
    content = project.pipeline.release.content
    if content == "triplets":
        sets = TripletSet.objects.filter(project=project, state=TripletSet.State.FINISHED)
        older = sets.filter(finished_at__lte=release.created_at) if release else sets.none()
        return sets.count(), older.count()
    released = release.clip_count if release else 0
    if content == "clips":
        return progress.complete, released
    return described(clips_to_describe(project)).count(), released


def _votes(project: Project) -> Votes:
    sets = CaptionSet.objects.filter(project=project, is_used=True).count()
    newest = rounds_of(project).first()
    if newest is None:
        return Votes(sets=sets)
    votes, planned = votes_and_asked(newest)
    return Votes(
        sets,
        newest.number,
        votes,
        planned,
        is_open=newest.ended_at is None,
        counted=Report.objects.newest(project, LEADERBOARD_NAME)
        .filter(subject=str(newest.pk))
        .values_list("inputs", flat=True)
        .first(),
    )


def _scores(scoring: Scoring) -> Scores:
    return Scores(scoring.name, scoring.threshold, DEFAULT_THRESHOLD)


def _queries(project: Project) -> Queries:
    """Count TF-CoVR's steps; nothing where a protocol has none of them. Six queries."""
    if "labels" not in project.pipeline.keys:
        return Queries()
    kept = Video.objects.filter(project=project, excluded_because="")
    labeled = kept.filter(clips__label__isnull=False)
    texts = Modification.objects.filter(pair__project=project)
    newest = TripletSet.objects.filter(project=project).first()
    states = TripletSet.State
    return Queries(
        **labeled.aggregate(
            labeled=Count("clips", filter=Q(clips__label__isnull=False)),
            without_split=Count("pk", filter=Q(split=""), distinct=True),
        ),
        pairs=LabelPair.objects.filter(project=project).count(),
        directions=WorkItem.objects.filter(project=project, kind="modify")
        .exclude(state=State.CANCELLED)
        .count(),
        without_text=directions_without_text(project).count(),
        accepted=texts.filter(state=Modification.State.ACCEPTED).count(),
        triplets=newest.triplet_count if newest and newest.state == states.FINISHED else 0,
        is_generating=bool(newest and newest.state == states.RUNNING),
        jobs=dict(
            Job.objects.filter(project=project, state__in=ACTIVE)
            .order_by("pk")
            .values_list("kind", "pk")
        ),
        reason=newest.reason if newest and newest.state == states.STOPPED else "",
    )
