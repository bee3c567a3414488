"""Everything that a client receives looks the same for gold and for real work."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise, product
from urllib.parse import quote

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.corpus.clip_stages import stage_choices
from annotate.corpus.services.opening import open_dynamics_check
from annotate.kinds import all_kinds
from annotate.models import Assignment
from annotate.queue.services import skip
from review.quality.models import QualityRule
from review.quality.services import add_known_answer
from tests.api.asking import program_of
from tests.cast import client_of, count_queries, make_person, make_video
from tests.hand_work import DYNAMIC
from tests.review.quality.gold_worlds import CAPTIONS, WORLDS, sign_off_world
from tests.review.quality.known import (
    KIND,
    answer,
    ask,
    seed_for,
    take,
)
from tests.review.ratings.rating import (
    train,
)
from tests.work import post_json

# What Ben gets, one after another, and whether he skips it.
ORDER = ("work", "work", "gold", "work", "work", "work", "gold")
SKIPPED = (4, 5, 6)
LOOKED_AT = (1, 2, 3)
ALWAYS = ("my work", "numbers", "own work")
GROWING = (*ALWAYS, "votes", "votes of program")  # lists that get longer with each item
# Statements that a reply may take more or fewer than another; a statement takes less than 1 ms.
FEW_MORE = 8
SIGNATURE = re.compile(r'((?:name="shown" value=|"shown": ?))"[^"]*"')
NUMBERS = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{64}\b|\d+")
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')
SOURCES = re.compile(r'(?:src|href|data-[a-z-]+|poster)="([^"]*(?:videos|clips|media)/[^"]*)"')
# Which of the two is on the left is drawn, of gold as of other pairs.
DRAWN = re.compile("|".join(CAPTIONS.values()))


def plain(text: str) -> str:
    """The text without what differs between any two items: keys, times, tokens, signatures
    and sides."""
    return NUMBERS.sub("0", DRAWN.sub("caption", SIGNATURE.sub("", TOKEN.sub("", text))))


@dataclass
class Received:
    """All that a browser and a program get of one item, by request, and what the server needed.

    `replies` have status, headers and body without numbers, and `statements` how many SQL
    statements each took.
    """

    assignment: int = 0
    subject: int = 0
    purpose: str = ""
    replies: dict[str, tuple] = field(default_factory=dict)
    statements: dict[str, int] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)

    def keep(self, name, ask):
        with count_queries() as count:
            answer = ask()
        headers = {key: plain(value) for key, value in answer.headers.items()}
        headers.pop("Content-Length", None)  # it counts the digits of numbers and tokens
        headers["ETag"] = "ETag" in headers  # a hash of the body
        self.replies[name] = (answer.status_code, headers, plain(answer.text))
        self.statements[name] = int(count)
        return answer


def look_at_lists(item, client, project, held):
    """Note how the lists of what the work is about name its subject."""
    slug, subject = project.slug, held.item.subject
    if held.item.kind == "pair":
        page = client.get(reverse("review:label_pairs", args=[slug]))
        [row] = [row for row, _ in page.context["rows"] if row.pair.pk == subject]
        item.replies["row"] = (row.pair.kind, row.pair.decided_at, row.votes, row.is_asked)
        for name in ("none", "temporal"):
            page = client.get(reverse("review:label_pairs", args=[slug]) + f"?decision={name}")
            keys = [row.pair.pk for row, _ in page.context["rows"]]
            item.replies[f"decided {name}"] = subject in keys
    if held.item.kind == "triplet":
        page = client.get(reverse("review:triplet_set", args=[slug, 1]))
        listed = [verdict.query_id for verdict in page.context["corrected"]]
        item.replies["corrected"] = subject in listed


def look_around(item, client, program, project, clip):
    """Open everything about the clip before answering: its pages, the lists that it could be in,
    Find, and what a program gets."""
    stages = [stage for stage, _ in stage_choices(list(all_kinds()))]
    short = quote(clip.short_name)
    pages = {
        name: reverse(name, args=[project.slug, key])
        for name, key in (
            ("annotate:clip", clip.pk),
            ("inference:clip_scores", clip.pk),
            ("inference:video", clip.video_id),
        )
    }
    corpus, find = (reverse(n, args=[project.slug]) for n in ("annotate:corpus", "review:find"))
    pages |= {f"stage {stage}": f"{corpus}?q={short}&stage={stage}" for stage in ("", *stages)}
    pages["find"] = f"{find}?q={short}"
    for name, address in pages.items():
        item.keep(name, lambda address=address: client.get(address))
    asked = [f"clips/{clip.pk}/", f"videos/{clip.video_id}/", f"captions/?clip={clip.pk}"]
    asked += [f"clips/?q={short}&stage={stage}" for stage in stages]
    for address in asked:
        name = f"program {plain(address)}"
        item.keep(name, lambda address=address: program.get(address))


def work_through(item, client, program, project, kind, content_of, clock, *, skips, lists, looks):
    """Take the next item, save and submit it, or skip it; look at it and at the `lists` around it.

    Each takes as long as any other by the `clock`: a list says who was quick.
    """
    slug = project.slug
    item.keep("claim", lambda: client.post(reverse("annotate:claim", args=[slug, kind])))
    held = Assignment.objects.select_related("item").get(state="held")
    item.assignment, item.subject, item.purpose = held.pk, held.item.subject, held.item.purpose
    work, content = reverse("annotate:work", args=[held.pk]), content_of(held.item.subject)

    def post(name, **body):
        return item.keep(name, lambda: post_json(client, name.split()[0], held, body))

    page = item.keep("page", lambda: client.get(work))
    item.sources = [plain(source) for source in SOURCES.findall(page.text)]
    item.keep("program", lambda: program.get(f"work/{held.pk}/"))
    if looks:
        look_around(item, client, program, project, held.item.clip)
        look_at_lists(item, client, project, held)
    clock.shift(10)
    post("heartbeat", active_seconds=10, watched=[])
    post("save_draft that is stale", base_version=7, content={})
    post("save_draft", base_version=0, content=content)
    if skips:
        post("skip", skip_reason="Too dark to see")
    else:
        body = {"key": str(page.context["submit_key"]), "base_version": 1, "then": "no"}
        post("submit of nothing", content={}, **body)
        post("submit", content=content, **body)
        post("submit again", content=content, **body)
        item.keep("done", lambda: client.get(work))
        if kind == "compare":
            vote = reverse("review:vote", args=[slug, held.item.subject])
            item.keep("vote", lambda: client.get(vote))
    addresses = {"my work": "annotate:my_work", "numbers": "review:own_numbers"}
    if kind == "compare" and not skips:
        addresses["votes"] = "review:votes"
        if lists:
            item.keep("votes of program", lambda: program.get("votes/"))
    for name, address in addresses.items() if lists else ():
        item.keep(name, lambda address=address: client.get(reverse(address, args=[slug])))
    if lists:
        item.keep("own work", lambda: program.get("work/?limit=1"))


@pytest.fixture(params=WORLDS)
def received(request, project, ada, anna, rita, time_machine):
    """What Ben gets for each item."""
    roles = ("expert",) if request.param is sign_off_world else ("annotator", "reviewer")
    ben = make_person("Ben", project, *roles)
    kind, content_of = request.param(project, ada, anna, rita)
    train(ben, project)
    QualityRule.objects.update(seed=seed_for(ben, ORDER))
    client, program = client_of(ben), program_of(ben, project)
    items = [Received() for _ in ORDER]
    time_machine.move_to(timezone.now(), tick=False)
    for number, item in enumerate(items):
        # After the first item lists have parts that they get once.
        how = {"skips": number in SKIPPED, "lists": number > 0, "looks": number in LOOKED_AT}
        work_through(item, client, program, project, kind, content_of, time_machine, **how)
    return items


def test_gold_looks_like_work(received):
    assert tuple(item.purpose for item in received) == ORDER
    work = [item for item in received if item.purpose == "work"]
    for item in received:
        if item.purpose == "work":
            continue
        assert item.sources in [other.sources for other in work]
        for name, reply in item.replies.items():
            others = [other for other in work if name in other.replies]
            assert others, name
            if name not in GROWING:
                assert reply in [other.replies[name] for other in others], name
            usual_counts = {str(other.replies[name]).casefold().count("gold") for other in others}
            assert str(reply).casefold().count("gold") in usual_counts, name
            usual = [other.statements.get(name, 0) for other in others]
            most = max(usual) + FEW_MORE
            assert min(usual) - FEW_MORE <= item.statements.get(name, 0) <= most, name
    # Keys of holds come one after another, whatever the item is.
    assert {later.assignment - item.assignment for item, later in pairwise(received)} == {1}
    for name in ALWAYS:
        sizes = [len(item.replies[name][2]) for item in received[1:]]
        submitted_gold, submitted, _, skipped, skipped_gold = (
            later - size for size, later in pairwise(sizes)
        )
        assert abs(submitted_gold - submitted) <= 20, name
        assert abs(skipped_gold - skipped) <= 20, name
    if voted := [item for item in received if "vote" in item.replies]:
        # So do keys of votes, which their addresses have, and no vote is missing in a list.
        assert {later.subject - item.subject for item, later in pairwise(received)} == {1}
        for name in ("votes", "votes of program"):
            sizes = [len(item.replies[name][2]) for item in voted if name in item.replies]
            grown = [later - size for size, later in pairwise(sizes)]
            assert max(grown) - min(grown) <= 20, name


def test_the_order_of_clips_tells_nothing(project, ada, anna, rita):
    for _ in range(50):
        open_dynamics_check(make_video(project))
    # Gold is what the queue gave first: in the order of keys, the clips with the lowest numbers.
    for _ in range(8):
        held = take(anna, project)
        answer(held, DYNAMIC)
        answer(take(rita, project), DYNAMIC)
        add_known_answer(
            project=project, kind=KIND, source_id=held.pk, purpose="gold",
            explanation="", admin=ada,
        )  # fmt: skip
    ask(project, ada, gold_rate=0.5)
    ben = make_person("Ben", project, "annotator")
    claims = []
    while held := take(ben, project):
        claims.append((held.item.clip_id, held.item.purpose))
        skip(assignment_id=held.pk, annotator=ben, reason="Too dark to see")
    gold = [clip for clip, purpose in claims if purpose == "gold"]
    work = [clip for clip, purpose in claims if purpose == "work"]
    assert (len(gold), len(work)) == (8, 42)
    # Chance leaves each of these bounds less often than once in 10,000 runs.
    descents = sum(later < clip for clip, later in pairwise(work))
    assert 12 <= descents <= 29
    lower = sum(clip < other for clip, other in product(gold, work))
    assert 0.05 <= lower / (len(gold) * len(work)) <= 0.95
