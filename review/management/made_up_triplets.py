"""Take the demo's dives from similar labels to verified triplets and two ranked retrievals.

Who judged is made up, and so is when; the judgments follow the dive numbers, which are true of the
drawn clips.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence

from annotate.models import Assignment, Clip, Project, User, WorkItem
from annotate.models.jobs import Job
from annotate.queue.content import Content
from annotate.text.words import find_words
from fixtures.demo_dives import SEED, change
from review.composed.services import RunFacts, import_ranking
from review.management.finished_lovr import finish_job
from review.management.hand_work import do_work, spread
from review.management.past import days_ago
from review.modifications.services import direction_of, submit_modification
from review.pairs.models import LabelPair
from review.pairs.services import submit_pair_verdict
from review.triplets.models import ComposedQuery, TripletSet
from review.triplets.queries import test_gallery, test_queries
from review.triplets.sets import GENERATE_TRIPLETS, start_triplet_set
from review.triplets.verdicts import hand_out_queries, submit_triplet_verdict

Kind = WorkItem.Kind
LEFT_PAIRS, LEFT_TEXTS = 4, 3  # left for people who try the demo
HANDED_OUT, VERIFIED = 16, 8
PEOPLE = 2


def make_triplets(*, project: Project, people: Mapping[str, User], admin: User) -> None:
    """Do every step of TF-CoVR's pipeline after the pairs are handed out, unless that is done."""
    if project.triplet_sets.exists():
        return
    experts = people["emil"], people["rita"]
    _judge_pairs(project, experts)
    _write_texts(project, experts)
    with days_ago(7):
        triplets = start_triplet_set(project=project, seed=SEED, most_targets=10, admin=admin)
        finish_job(Job.objects.get(project=project, kind=GENERATE_TRIPLETS))
        triplets.refresh_from_db()
        for split, most in (("test", HANDED_OUT), ("validation", HANDED_OUT // 2)):
            hand_out_queries(
                triplets=triplets, split=split, most=most, people=PEOPLE, admin=admin, seed=SEED
            )
    _verify(project, (people["anna"], people["rita"]))
    with days_ago(0.2):
        _rank(triplets, admin)


def _judge_pairs(project: Project, experts: Sequence[User]) -> None:
    """Judge two labels as a change if exactly one detail differs, otherwise reject the pair."""
    items = list(project.work_items.filter(kind=Kind.PAIR).order_by("-priority", "pk"))
    works = [(item, expert) for item in items[:-LEFT_PAIRS] for expert in experts]
    days = spread(len(works), first=12.5, last=9)
    for (item, expert), ago in zip(works, days, strict=True):
        pair = LabelPair.objects.select_related("first", "second").get(pk=item.subject)
        _, changes = change(pair.first.key, pair.second.key)
        kind = "temporal" if changes == 1 else "reject"
        do_work(item, expert, submit_pair_verdict, {"kind": kind}, days=ago, minutes=0.7)


def _write_texts(project: Project, experts: Sequence[User]) -> None:
    items = list(project.work_items.filter(kind=Kind.MODIFY, state="open").order_by("pk"))
    written = items[: len(items) - LEFT_TEXTS]
    for place, (item, ago) in enumerate(
        zip(written, spread(len(written), first=9, last=7.2), strict=True)
    ):
        do_work(item, experts[place % 2], submit_modification, _text, days=ago, minutes=1.5)


def _text(assignment: Assignment) -> Content:
    direction = direction_of(assignment.item)
    text, _ = change(direction.source.key, direction.target.key)
    return {"decision": "edit", "text": text, "proposal": ""}


def _verify(project: Project, people: Sequence[User]) -> None:
    """Have half of the queries verified by everybody, and one more by the first person only."""
    items = list(project.work_items.filter(kind=Kind.TRIPLET).order_by("-priority", "pk"))
    works = [(item, person) for item in items[:VERIFIED] for person in people]
    works += [(item, people[0]) for item in items[VERIFIED : VERIFIED + 1]]
    for (item, person), ago in zip(works, spread(len(works), first=6.6, last=0.3), strict=True):
        do_work(item, person, submit_triplet_verdict, _verdict, days=ago, minutes=2)


def _verdict(assignment: Assignment) -> Content:
    query = ComposedQuery.objects.get(pk=assignment.item.subject)
    answers = dict.fromkeys(("right", "enough", "needed"), "yes")
    return answers | {f"target-{row.target_id}": "valid" for row in query.targets.all()}


def _rank(triplets: TripletSet, admin: User) -> None:
    """Import the rankings of two systems that need no model: by chance, and by words in common."""
    queries = test_queries(triplets)
    gallery = test_gallery(triplets.project, queries)
    words = _words_of_clips(gallery)
    names = dict(Clip.objects.filter(pk__in=gallery).values_list("pk", "name"))
    chance = random.Random(SEED)
    by_chance, by_words = {}, {}
    for number, query in enumerate(sorted(queries, key=lambda query: query.key)):
        others = [clip for clip in gallery if clip != query.clip]
        asked = words[query.clip] + Counter(_words(query.text))
        by_chance[str(number)] = [names[clip] for clip in chance.sample(others, len(others))]
        nearest = sorted(others, key=lambda clip: (-(asked & words[clip]).total(), clip))
        by_words[str(number)] = [names[clip] for clip in nearest]
    for name, fusion, ranking in (
        ("Chance", "", by_chance),
        ("Words in common with the label", "Sum of words", by_words),
    ):
        import_ranking(
            triplets=triplets,
            facts=RunFacts(name, fusion=fusion, seed=SEED),
            file_name="made-by-the-demo.json",
            data=json.dumps(ranking).encode(),
            admin=admin,
        )


def _words(text: str) -> list[str]:
    return [word.text.lower() for word in find_words(text)]


def _words_of_clips(clips: Sequence[int]) -> dict[int, Counter[str]]:
    """Return the words of each clip's label, which describes the clip, by dive number."""
    labeled = Clip.objects.filter(pk__in=clips).values_list("pk", "label__caption")
    return {clip: Counter(_words(caption)) for clip, caption in labeled}
