"""Projects with gold among work of each kind: the kind, and a right answer to each subject."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction

from annotate.corpus.services.opening import open_dynamics_check
from annotate.corpus.services.sign_offs import open_sign_offs
from annotate.models import WorkItem
from review.comparisons.content import shown_on
from review.comparisons.models import CaptionPair
from review.pairs.services import hand_out_pairs
from review.quality.services import add_known_answer, set_rule
from review.rounds.services import open_round
from review.triplets.models import ComposedQuery
from review.triplets.verdicts import hand_out_queries
from tests.cast import make_clip, make_person, make_video
from tests.hand_work import DYNAMIC, machine_caption
from tests.review.comparisons.comparing import make_set
from tests.review.identification.identifying import make_complete
from tests.review.quality.known import (
    KIND,
    RULE,
    answer,
    ask,
    make_known,
    make_known_pairs,
)
from tests.review.ratings.rating import (
    describe,
    hold_rating,
    make_examples,
    open_study,
    rate,
)
from tests.review.triplets.triplets import (
    labelled_clip,
    make_label,
    make_pair,
    make_triplet,
    modify,
)
from tests.review.triplets.verifying_triplets import all_valid
from tests.review.verification.verifying import (
    form_data,
    hold_verification,
    open_verification,
    verify,
)
from tests.work import hold

TEXT = "A diver jumps. She turns twice."
AGREED = {"verdict": "agree", "comment": ""}
CAPTIONS = {"Egret": "A diver jumps.", "Heron": "Somebody jumps."}
# How many items a person works through.
ITEMS = 7


def dynamics_world(project, ada, anna, rita):
    for _ in range(2):
        make_known(project, ada, [anna, rita], "gold")
    for _ in range(ITEMS):
        open_dynamics_check(make_video(project))
    ask(project, ada, gold_rate=0.5)
    return KIND, lambda _: DYNAMIC


def verify_world(project, ada, anna, rita):
    judged = {"verdict-0": "ok", "verdict-1": "ok", "theme": "ok"}
    corrected = judged | {"verdict-0": "A", "correction-0": "A diver waits."}
    for content in (judged, corrected):
        caption = machine_caption(make_clip(project), TEXT)
        held = hold_verification(anna, caption)
        verify(held, caption, content)
        add_known_answer(
            project=project, kind="verify", source_id=held.pk, purpose="gold",
            explanation="", admin=ada,
        )  # fmt: skip
    for _ in range(ITEMS):
        open_verification(machine_caption(make_clip(project), TEXT))
    set_rule(project=project, kind="verify", admin=ada, requirements=replace(RULE, gold_rate=0.5))
    return "verify", lambda subject: form_data(type(caption)(pk=subject), judged)


def compare_world(project, ada, anna, rita):
    """Pairs that Rita voted on in an earlier round are hidden in the next one."""
    clips = [make_clip(project) for _ in range(12)]
    sets = [make_set(project, name, clips, text) for name, text in CAPTIONS.items()]
    make_known_pairs(project, ada, rita, sets, "gold", "gold")
    open_round(
        project=project, admin=ada, sets=sets, votes_per_pair=50, repeat_percent=0, shared_percent=0
    )
    set_rule(project=project, kind="compare", admin=ada, requirements=replace(RULE, gold_rate=0.5))
    return "compare", lambda caption_pair: {
        "outcome": "left", "shown": shown_on(CaptionPair.with_known_answers.get(pk=caption_pair)),
    }  # fmt: skip


def rate_world(project, ada, anna, rita):
    """Ratings that only one person is asked for, so that gold comes from finished ones."""
    make_examples(project)
    captions = describe(project, ITEMS + 2)
    open_study(project, len(captions), people=1, per_rater=len(captions))
    for caption in captions[:2]:
        held = hold_rating(anna, caption)
        rate(held, 3)
        add_known_answer(
            project=project, kind="rate", source_id=held.pk, purpose="gold",
            explanation="", admin=ada,
        )  # fmt: skip
    set_rule(project=project, kind="rate", admin=ada, requirements=replace(RULE, gold_rate=0.5))
    return "rate", lambda _: {"value": "3"}


def sign_off_world(project, ada, anna, rita):
    project.sign_offs = 1
    project.save()
    for number in range(ITEMS + 2):
        make_complete(project, anna, f"kite {number}")
    with transaction.atomic():
        open_sign_offs(project)
    eva = make_person("Eva", project, "expert")
    for item in WorkItem.objects.filter(kind="signoff").order_by("pk")[:2]:
        held = answer(hold(eva, item), AGREED)
        add_known_answer(
            project=project, kind="signoff", source_id=held.pk, purpose="gold",
            explanation="", admin=ada,
        )  # fmt: skip
    set_rule(project=project, kind="signoff", admin=ada, requirements=replace(RULE, gold_rate=0.5))
    return "signoff", lambda _: AGREED


def pair_world(project, ada, anna, rita):
    for number in range(0, 2 * ITEMS + 4, 2):
        labels = [make_label(project, str(key)) for key in (number, number + 1)]
        for label in labels:
            labelled_clip(project, label, "train")
        make_pair(*labels, kind="")
    eva = make_person("Eva", project, "expert")
    hand_out_pairs(project=project, least=0.0, people=1, admin=None)
    for item in WorkItem.objects.filter(kind="pair").order_by("pk")[:2]:
        held = answer(hold(eva, item), {"kind": "temporal"})
        add_known_answer(
            project=project, kind="pair", source_id=held.pk, purpose="gold",
            explanation="", admin=ada,
        )  # fmt: skip
    set_rule(project=project, kind="pair", admin=ada, requirements=replace(RULE, gold_rate=0.5))
    return "pair", lambda _: {"kind": "temporal"}


def triplet_world(project, ada, anna, rita):
    source, target = make_label(project, "1"), make_label(project, "2")
    change, goal = modify(source, target), labelled_clip(project, target, "test")
    queries = [
        make_triplet(labelled_clip(project, source, "test"), change, goal).query
        for _ in range(ITEMS + 2)
    ]
    hand_out_queries(
        triplets=queries[0].triplets, split="test", most=len(queries), people=1, admin=None
    )
    for item in WorkItem.objects.filter(kind="triplet").order_by("pk")[:2]:
        corrected = {"enough": "no", "corrected": "show a pike"}
        query = ComposedQuery.objects.get(pk=item.subject)
        held = answer(hold(rita, item), all_valid(query) | corrected)
        add_known_answer(
            project=project, kind="triplet", source_id=held.pk, purpose="gold",
            explanation="", admin=ada,
        )  # fmt: skip
    set_rule(project=project, kind="triplet", admin=ada, requirements=replace(RULE, gold_rate=0.5))
    return "triplet", lambda subject: all_valid(ComposedQuery.objects.get(pk=subject))


WORLDS = (
    *(dynamics_world, verify_world, compare_world, rate_world, sign_off_world, pair_world),
    triplet_world,
)
