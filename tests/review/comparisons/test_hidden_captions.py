"""The shortcut for all clips of a round hides the same captions as the check of each clip."""

from __future__ import annotations

import random

import pytest

from annotate.corpus.blindness import hidden_captions
from annotate.models import Membership
from review.comparisons import blindness
from review.comparisons.models import SystemCaption, SystemPair
from review.rounds.services import end_round
from tests.cast import make_clip
from tests.review.comparisons.comparing import next_caption_pair, start_round, vote

pytestmark = pytest.mark.django_db

WITHOUT_SHORTCUT = blindness._IS_TO_COMPARE.replace(blindness._ANY_COULD_BE_GIVEN, "1 = 0")
NAMES = ("Egret", "Heron", "Ibis")


def hidden(project, person, monkeypatch) -> set[int]:
    """Return the keys of the captions hidden from the person; both ways must agree."""
    membership = Membership.objects.select_related("project").get(project=project, user=person)
    quick = set(hidden_captions(membership).values_list("pk", flat=True))
    with monkeypatch.context() as patch:
        patch.setattr(blindness, "_IS_TO_COMPARE", WITHOUT_SHORTCUT)
        assert set(hidden_captions(membership).values_list("pk", flat=True)) == quick
    return quick


@pytest.mark.parametrize("seed", range(4))
def test_both_ways_agree_while_people_vote_and_see_names(project, rita, emil, seed, monkeypatch):
    draw = random.Random(seed)
    clips = [make_clip(project) for _ in range(4)]
    assert WITHOUT_SHORTCUT != blindness._IS_TO_COMPARE
    names_shown = "after_vote" if seed % 2 else "after_round"
    round = start_round(project, clips, NAMES, names_shown=names_shown, votes_per_pair=2)
    first = SystemCaption.objects.filter(system__round=round).order_by("pk").first()
    SystemCaption.objects.filter(pk=first.pk).update(names_its_model="egret")
    sizes = {len(hidden(project, rita, monkeypatch))}
    for _ in range(7):
        if claim := next_caption_pair(project, draw.choice([rita, emil])):
            vote(claim[0], draw.choice(["left", "tie"]))
        sizes.add(len(hidden(project, rita, monkeypatch)))
        hidden(project, emil, monkeypatch)
    end_round(round=round, admin=None)
    assert hidden(project, rita, monkeypatch) == set()
    start_round(project, clips, [f"{name} 2" for name in NAMES])
    assert hidden(project, rita, monkeypatch)
    assert len(sizes) > 1 or names_shown == "after_round"


def test_a_clip_whose_only_pair_is_full_is_readable(project, rita, monkeypatch):
    clips = [make_clip(project) for _ in range(2)]
    round = start_round(project, clips)
    assert len(hidden(project, rita, monkeypatch)) == 4
    SystemPair.objects.filter(round=round).update(given=round.votes_per_pair)
    assert hidden(project, rita, monkeypatch) == set()
