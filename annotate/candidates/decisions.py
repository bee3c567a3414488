"""Select candidates, reject them with a reason, and undo either; withdraw and take back clips."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from annotate.audit import record_event
from annotate.candidates.forms import REJECT, SELECT, TAKE_BACK, WITHDRAW
from annotate.candidates.starting import start_cutting
from annotate.corpus.services.exclusion import take_back_clip, withdraw_clip
from annotate.errors import AnnotateError
from annotate.models import Candidate, Clip, Project, User
from annotate.models.corpus import MAX_REASON_LENGTH

State = Candidate.State
CUT_ALREADY = "{name} is a clip already. Withdraw it, with a reason: its texts and drafts are kept."


def decide_candidates(
    project: Project, admin: User, *, candidate: Sequence[int], action: str, reason: str
) -> int:
    """Select or reject the candidates of these keys; return how many were decided. Raises
    AnnotateError, with nothing changed.
    """
    if action == SELECT:
        return select_candidates(project=project, keys=candidate, admin=admin)
    return reject_candidates(project=project, keys=candidate, reason=reason, admin=admin)


def decide_candidate(candidate: Candidate, admin: User, *, action: str, reason: str) -> None:
    """Select, reject, withdraw or take back a candidate, or undo its decision. Raises
    AnnotateError.
    """
    if action in (SELECT, REJECT):
        keys = [candidate.pk]
        decide_candidates(candidate.project, admin, candidate=keys, action=action, reason=reason)
    elif action == WITHDRAW:
        withdraw_candidate(candidate=candidate, reason=reason, admin=admin)
    elif action == TAKE_BACK:
        take_back_candidate(candidate=candidate, admin=admin)
    else:
        undo_decision(candidate=candidate, admin=admin)


@transaction.atomic
def select_candidates(*, project: Project, keys: Sequence[int], admin: User) -> int:
    """Select candidates, which a worker then cuts into clips; return how many weren't before.
    Raises AnnotateError, with nothing changed.
    """
    changed = 0
    for candidate in _lock(project, keys):
        if candidate.state == State.SELECTED:
            continue
        _refuse_short(candidate)
        _refuse_second_label(candidate)
        _change(candidate, State.SELECTED, "", admin)
        changed += 1
    if changed:
        start_cutting(project, admin)
    return changed


@transaction.atomic
def reject_candidates(*, project: Project, keys: Sequence[int], reason: str, admin: User) -> int:
    """Reject candidates that aren't clips yet; return how many. Raises AnnotateError, with nothing
    changed.
    """
    reason = _checked(reason)
    candidates = _lock(project, keys)
    for candidate in candidates:
        _refuse_clip(candidate)
        _change(candidate, State.REJECTED, reason, admin)
    return len(candidates)


@transaction.atomic
def undo_decision(*, candidate: Candidate, admin: User) -> None:
    """Make a candidate undecided again, unless it is a clip already. Raises AnnotateError."""
    [locked] = _lock(candidate.project, [candidate.pk])
    if locked.state == State.UNDECIDED:
        raise AnnotateError(f"{locked.name} is undecided already. Nothing was changed.")
    _refuse_clip(locked)
    _change(locked, State.UNDECIDED, "", admin)


@transaction.atomic
def withdraw_candidate(*, candidate: Candidate, reason: str, admin: User) -> None:
    """Withdraw the clip of a selected candidate. Raises AnnotateError."""
    [locked] = _lock(candidate.project, [candidate.pk])
    withdraw_clip(clip=_clip_of(locked), reason=_checked(reason), admin=admin)


@transaction.atomic
def take_back_candidate(*, candidate: Candidate, admin: User) -> None:
    """Take back the withdrawn clip of a candidate. Raises AnnotateError."""
    [locked] = _lock(candidate.project, [candidate.pk])
    take_back_clip(clip=_clip_of(locked), admin=admin)


def _lock(project: Project, keys: Sequence[int]) -> list[Candidate]:
    rows = Candidate.objects.select_for_update(of=("self",)).select_related("video", "project")
    candidates = list(rows.filter(project=project, pk__in=keys).order_by("pk"))
    if not candidates:
        raise AnnotateError("Choose candidates first.")
    return candidates


def _change(candidate: Candidate, state: Candidate.State, reason: str, admin: User) -> None:
    before = {"state": candidate.state, "reason": candidate.reason}
    candidate.state, candidate.reason = state, reason
    candidate.decided_by, candidate.decided_at = admin, timezone.now()
    candidate.save(update_fields=["state", "reason", "decided_by", "decided_at"])
    record_event(
        actor=admin,
        verb="decide candidate",
        subject=candidate,
        project=candidate.project,
        before=before,
        after={"state": state, "reason": reason},
    )


def _refuse_short(candidate: Candidate) -> None:
    shortest = candidate.project.min_clip_seconds
    if candidate.seconds < shortest:
        raise AnnotateError(
            f"{candidate.name} is {candidate.seconds:.2f} s long; the project's clips have at "
            f"least {shortest:g} s. Reject it, or change the limit under Settings."
        )


def _refuse_second_label(candidate: Candidate) -> None:
    same = Candidate.objects.filter(
        video=candidate.video_id,
        start_frame=candidate.start_frame,
        end_frame=candidate.end_frame,
        state=State.SELECTED,
    )
    if other := same.exclude(pk=candidate.pk).first():
        raise AnnotateError(
            f"{candidate.name} has the frames of {other.name}, which is selected as "
            f"{other.subcategory}. A clip has one subcategory: reject one of them."
        )


def _refuse_clip(candidate: Candidate) -> None:
    if candidate.cut_id is not None:
        raise AnnotateError(CUT_ALREADY.format(name=candidate.name))


def _clip_of(candidate: Candidate) -> Clip:
    clip = Clip.objects.filter(video=candidate.cut_id, start_frame=0).order_by("-end_frame").first()
    if clip is None:
        raise AnnotateError(f"{candidate.name} isn't a clip yet. Undo its selection instead.")
    return clip


def _checked(reason: str) -> str:
    reason = " ".join(reason.split())
    if not reason:
        raise AnnotateError("Give a reason, so that others can follow the decision.")
    if len(reason) > MAX_REASON_LENGTH:
        raise AnnotateError(f"Shorten the reason to {MAX_REASON_LENGTH} characters.")
    return reason
