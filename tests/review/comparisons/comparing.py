"""Rounds of blind comparisons for tests: models' captions, votes, and the forms that send them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from django.urls import reverse

from annotate.models import Assignment, Caption, Clip, Membership, Project, User
from annotate.queue import services as queue
from annotate.text.words import count_words
from review.captions.models import CaptionSet
from review.captions.services import add_set
from review.comparisons.content import shown_on
from review.comparisons.models import CaptionPair, Round, Vote
from review.comparisons.pairing import prepare_caption_pairs
from review.comparisons.services import caption_pair_of, submit_vote
from review.rounds.services import open_round
from tests.cast import client_of


def predict(clip: Clip, text: str, model: str = "Heron") -> Caption:
    return Caption.objects.create(
        project_id=clip.project_id,
        clip=clip,
        kind=Caption.Kind.PREDICTION,
        source=Caption.Source.IMPORTED,
        text=text,
        word_count=count_words(text),
        provenance=[{"model": model}],
    )


def make_set(project: Project, name: str, clips: Sequence[Clip], text: str = "") -> CaptionSet:
    """Store a set with `text` as the caption of every clip; without it, one for each clip."""
    captions = {
        clip.pk: predict(clip, text or f"{name.lower()[::-1]} saw {clip.name}", name).pk
        for clip in clips
    }
    return add_set(project=project, name=name, kind="general", captions=captions, admin=None)


def start_round(
    project: Project, clips: Sequence[Clip], names: Sequence[str] = ("Egret", "Heron"), **settings
) -> Round:
    """Open a round of made-up models; no votes are repeated or shared unless `settings` say so."""
    sets = [make_set(project, name, clips) for name in names]
    options = {"votes_per_pair": 100, "repeat_percent": 0, "shared_percent": 0, **settings}
    return open_round(project=project, admin=None, sets=sets, **options)


def next_caption_pair(project: Project, person: User) -> tuple[Assignment, CaptionPair] | None:
    """Claim what the queue gives this person: an assignment and its pair of captions."""
    membership = Membership.objects.select_related("user", "project").get(
        project=project, user=person
    )
    prepare_caption_pairs(membership)
    held = queue.claim_next(membership=membership, kind="compare")
    if held is None:
        return None
    held = Assignment.objects.select_related("item").get(pk=held.pk)
    return held, caption_pair_of(held.item)


def vote(
    held: Assignment,
    outcome: str = "left",
    *,
    signature: str | None = None,
    key=None,
    **content: str,
) -> Vote:
    caption_pair = CaptionPair.with_known_answers.get(pk=held.item.subject)
    held.refresh_from_db(fields=["draft_version"])
    submit_vote(
        assignment_id=held.pk,
        annotator=held.annotator,
        key=key or uuid4(),
        base_version=held.draft_version,
        content={
            "outcome": outcome,
            "shown": shown_on(caption_pair) if signature is None else signature,
            **content,
        },
    )
    return Vote.objects.current().get(caption_pair=caption_pair)


def vote_for(project: Project, person: User, winner: str) -> Vote | None:
    """Vote on the next pair: for the model `winner`, or a tie if the pair is without it."""
    claim = next_caption_pair(project, person)
    if claim is None:
        return None
    held, caption_pair = claim
    sides = {caption_pair.left.system.name: "left", caption_pair.right.system.name: "right"}
    return vote(held, sides.get(winner, "tie"))


def page(person, held):
    return client_of(person).get(reverse("annotate:work", args=[held.pk]))


def form(held, **content):
    """Return what the page's form sends."""
    held.refresh_from_db()
    signature = shown_on(CaptionPair.objects.get(pk=held.item.subject))
    base = {"key": str(uuid4()), "base_version": held.draft_version, "shown": signature}
    return {**base, **content}


def submit(person, held, **content):
    url = reverse("annotate:submit", args=[held.pk])
    return client_of(person).post(url, form(held, **content))
