"""Nobody reads, on any page or in any file, what they are to write or judge without knowing it.

One world with open work of every kind that people do blind; each person opens every address that
there is, and every list in each of its forms, and no answer holds what is hidden from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import product
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.corpus.blindness import visible_captions
from annotate.corpus.services.sign_offs import open_sign_offs
from annotate.models import Caption, Clip, Membership, Project, User, Video, WorkItem
from annotate.signoff.services import submit_sign_off
from inference.planning.recipes import model_recipe
from inference.recipes import as_json
from review.capst.models import CapstItem, CapstRun
from review.captions.models import CaptionSet, SetCaption
from review.captions.services import add_set
from review.comparisons.models import System, SystemCaption, SystemPair
from review.identification.services import start_test
from review.studies.models import Study, StudyCaption
from tests.addresses import address_of, arguments_of
from tests.api.addresses import OPERATIONS, SOMETIMES
from tests.api.asking import program_of
from tests.cast import client_of, make_clip, make_person, session_of
from tests.inference.cast import make_model
from tests.inference.scored import score, score_run, write
from tests.one_of_everything import make_world
from tests.open_addresses import OWN_VOTE, OWN_WORK
from tests.review.comparisons.comparing import next_caption_pair
from tests.review.identification.identifying import make_complete
from tests.review.identification.identifying import take as take_test
from tests.review.ratings.rating import make_example
from tests.review.retrieval.vectors import embed, report_of
from tests.review.verification.verifying import hold_verification, verify
from tests.shared_world import kept_for_the_module
from tests.test_permissions import BY_ROLE, EVERY_MEMBER
from tests.work import hold, make_work, submit_write_up

pytestmark = pytest.mark.django_db

# Words and numbers that nothing else in the world holds.
WRITE_UP, MERGED = "zibetwriteup", "markhormerged"
FIXED, RATED = "vicunafixed", "rateltext"
TESTED, SIGNED = "okapitested", "quokkasigned"
# A sentence of a write-up that is compared, and of the caption that was merged from it.
SIDE = "serowside"
# In the file names of clips that people still rate or verify.
FILE = "mambafile"
# What Egret and Heron say (tests.review.comparisons.comparing), and what the first said before.
COMPARED = ("terge saw", "noreh saw", "terge drew")
MODELS = ("Egret", "Heron", "Vicunamodel", "Ratelmodel")
COMPARED_SCORE, VERIFIED_SCORE, RATED_SCORE = "0.6171", "0.7313", "0.5414"

# What each person may read nowhere outside the work that they hold.
HIDDEN = {
    "anna": {WRITE_UP, FIXED, VERIFIED_SCORE, RATED, RATED_SCORE, TESTED, FILE},
    "emil": {*COMPARED, COMPARED_SCORE, SIDE, TESTED, SIGNED},
    "una": {
        *(WRITE_UP, *COMPARED, COMPARED_SCORE, SIDE, FIXED, VERIFIED_SCORE, RATED, RATED_SCORE),
        *(TESTED, FILE),
    },
    "ari": {*COMPARED, COMPARED_SCORE, SIDE, FIXED, VERIFIED_SCORE, RATED, RATED_SCORE, TESTED},
    "ada": set(),
}
# Where Ada, from whom nothing is hidden, finds every marker.
SHOWING_ALL = {
    "annotate:clip",
    "annotate:guideline",
    "inference:clip_scores",
    "review:rating_examples",
}
# The pages on which people judge a text, and learn to: the text is there, and nothing about it.
WORK = re.compile(r"^/assignments/|^/p/[^/]+/ratings/training/|^/p/[^/]+/comparisons/votes/")
# Addresses of one's own votes tell the names once one asks for them, by POST.
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+")
LINK = re.compile(r'\b(?:href|src|hx-get|data-[a-z-]+)="(/[^"#]*)')


def spellings(marker: str) -> list[str]:
    """The marker, or a score as far as pages round it."""
    return [marker[:5], marker] if marker.startswith("0.") else [marker]


def make_blind_world() -> dict:
    world = make_world()
    project = Project.objects.get(slug=world["slug"])
    people = world["people"]
    people["una"] = make_person("Una", project, "annotator", "reviewer")
    people["ari"] = make_person("Ari", project, "admin", "reviewer")
    ben = User.objects.get(name="Ben")
    scoring = score_run(project, make_model(project, backend="lexical"))

    written = make_clip(project)
    submit_write_up(ben, make_work(written), overview=f"A {WRITE_UP} jumps.")

    compared = CaptionSet.objects.get(name="Egret", systems__round__ended_at=None).captions.get()
    clip, prediction = compared.clip, compared.caption
    make_work(clip, "merge", needed=0, state="done")
    human = write(clip, f"A {MERGED} jumps.", source="merged", author=people["emil"])
    draft = write(clip, "terge drew a dive.", provenance=[{"model": "Egret", "spec": 1, "run": 1}])
    score(clip, float(COMPARED_SCORE), scoring, caption=draft)
    make_example(project, caption=prediction, place=5)
    model = CapstRun.objects.get(pk=world["judging_id"]).extractor
    judging = CapstRun.objects.create(
        project=project,
        kind="capst",
        title="Egret",
        caption_set=compared.caption_set,
        extractor=model,
        extractor_recipe=as_json(model_recipe(model)),
        judge=model,
        judge_recipe=as_json(model_recipe(model)),
        state="done",
        is_planned=True,
    )
    judged = CapstItem.objects.create(
        run=judging, clip=clip, prediction=prediction, state="failed",
        reason=f"“{prediction.text}” is no answer.", reply=prediction.text,
        events_reference=human, objects_reference=human,
    )  # fmt: skip
    attempts = [
        {"model": "Egret", "text": prediction.text, "score": float(COMPARED_SCORE), "reason": ""}
    ]
    by_hand = hold(people["emil"], make_work(clip, "hand", context={"attempts": attempts}))
    held, _ = next_caption_pair(project, people["emil"])
    merged_from = enter_write_up(compared, write(clip, f"A {SIDE}.", source="human", author=ben))

    verified = write(
        make_clip(project), "A man opens a door. He waits. It rains.",
        provenance=[{"model": "Vicunamodel", "spec": 1, "run": 1}],
    )  # fmt: skip
    score(verified.clip, float(VERIFIED_SCORE), scoring, caption=verified)
    mended = {
        "verdict-0": "A", "correction-0": f"A {FIXED} opens a door.",
        "verdict-1": "ok", "verdict-2": "ok", "theme": "ok",
    }  # fmt: skip
    verify(hold_verification(ben, verified, people=5), verified, mended)

    rated = write(
        make_clip(project), f"A {RATED} jumps.",
        provenance=[{"model": "Ratelmodel", "spec": 1, "run": 1}],
    )  # fmt: skip
    score(rated.clip, float(RATED_SCORE), scoring, caption=rated)
    item = make_work(rated.clip, "rate", subject=rated.pk, needed=5)
    for number, caption in enumerate((rated, verified)):
        Clip.objects.filter(pk=caption.clip_id).update(name=f"{FILE} {number}")
        Video.objects.filter(pk=caption.clip.video_id).update(
            original_name=f"{FILE}.mp4", source_url=f"https://example.org/{FILE}"
        )
    study = Study.objects.create(project=project, kind="rating", people=5, per_rater=5)
    StudyCaption.objects.create(study=study, caption=rated, item=item)
    rating = hold(people["una"], item)

    tested = [
        make_complete(project, ben, word, subcategory="Tested")
        for word in (TESTED, "tapir", "civet", "genet")
    ]
    start_test(project=project, admin=None, kinds=["spatial"], options=4, people=5)
    picking = take_test(people["anna"], project)

    Project.objects.filter(pk=project.pk).update(sign_offs=2)
    project.refresh_from_db()
    with transaction.atomic():
        open_sign_offs(project)
    eva = make_person("Eva", project, "expert")
    first = hold(eva, WorkItem.objects.get(clip=tested[0], kind="signoff"))
    submit_sign_off(
        assignment_id=first.pk, annotator=eva, key=uuid4(), base_version=first.draft_version,
        content={"verdict": "agree", "comment": f"The {SIGNED} is right."},
    )  # fmt: skip

    Project.objects.filter(pk=project.pk).update(recall_by_human=False)
    project.refresh_from_db()
    for number, caption in enumerate((human, verified, rated)):
        embed(caption.clip, 1, number)
        embed(caption, 1, number)
    recall = report_of(project)

    # The other clips of the test hold no marker.
    by_ben = Caption.objects.filter(author=ben).exclude(clip__in=tested[1:])
    captions = [prediction, draft, human, verified, rated, merged_from, *by_ben]
    return world | {
        "project": project,
        "compared": prediction,
        "human": human,
        "own": {"anna": [picking.pk], "emil": [by_hand.pk, held.pk], "una": [rating.pk]},
        "ids": {
            "kind": ["signoff", "identify"],
            "caption_id": [caption.pk for caption in captions],
            "clip_id": [caption.clip_id for caption in captions],
            "video_id": [caption.clip.video_id for caption in captions],
            "set_id": [compared.caption_set_id],
            "judging_id": [judging.pk],
            "job_id": [judging.pk],
            "judged_id": [judged.pk],
            "verification_id": [verified.verifications.get().pk],
            "recall_id": [recall.pk],
            "way": ["v2t"],
            "asked_id": [
                key for caption in (verified, rated) for key in (caption.pk, caption.clip_id)
            ],
            "report_id": list(project.reports.values_list("pk", flat=True)),
        },
    }


def enter_write_up(compared: SetCaption, written: Caption) -> Caption:
    """Compare the write-up with other texts of its clip, and return a caption merged from it."""
    people = add_set(
        project=written.project, name="People", kind="general",
        captions={written.clip_id: written.pk}, admin=None,
    )  # fmt: skip
    systems = System.objects.filter(caption_set=compared.caption_set, round__ended_at=None)
    round = systems.get().round
    others = list(round.systems.all())
    system = System.objects.create(round=round, caption_set=people, name="People")
    SystemCaption.objects.create(system=system, clip=written.clip, caption=written)
    for other in others:
        SystemPair.objects.create(round=round, first=other, second=system, clips=1)
    merged = write(written.clip, f"{written.text} It rains.", source="merged")
    merged.parents.add(written)
    return merged


@pytest.fixture(scope="module")
def shared_world(django_db_setup, django_db_blocker):
    with kept_for_the_module(django_db_blocker):
        yield make_blind_world()


@pytest.fixture
def world(shared_world, db):
    return shared_world


def addresses(world: dict, person: str) -> Iterator[str]:
    """Every address that answers to GET, with each of the world's keys, and one's own work."""
    verbs = OWN_VOTE | {name: verb for name, (verb, _) in BY_ROLE.items()}
    names = {name for name, verb in verbs.items() if verb == "get"}
    for name in sorted(names & SHOWING_ALL if person == "ada" else names):
        keys = arguments_of(name)
        choices = [[world.get(key), *world["ids"].get(key, [])] for key in keys]
        for values in dict.fromkeys(product(*choices)):
            yield address_of(name, dict(zip(keys, values, strict=True)))
    for key in world["own"].get(person, []):
        yield reverse("annotate:work", args=[key])


def answers(world: dict, person: str) -> Iterator[tuple[str, str]]:
    """(address, headers and content) of each answer that the person gets, and of the lists
    that these lead to."""
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = session_of(world["people"][person])
    waiting = list(dict.fromkeys(addresses(world, person)))
    seen = {(address,) for address in waiting}
    while waiting:
        address = waiting.pop()
        response = client.get(address)
        assert response.status_code < 500, address
        if response.headers.get("Content-Type") == "application/zip":
            continue  # what is published is for all, and packed
        body = b"".join(response) if response.streaming else response.content
        text = f"{response.headers}\n{body.decode(errors='replace')}"
        yield address, unescape(text)
        if "html" not in response.headers.get("Content-Type", ""):
            continue
        for link in map(unescape, LINK.findall(text)):
            # Every path is in the table. Of its queries one of each shape is enough: another order
            # or another page shows no more of this world.
            path, query = urlsplit(link).path, sorted(parse_qs(urlsplit(link).query))
            if query and (path, *query) not in seen and path.startswith("/p/"):
                seen.add((path, *query))
                waiting.append(link)


@pytest.mark.parametrize("person", sorted(HIDDEN))
def test_no_answer_holds_what_is_hidden_from_this_person(world, person):
    leaks, read = [], set()
    for address, text in answers(world, person):
        markers = {m for m in markers_of_all() if any(s in text for s in spellings(m))}
        read |= markers
        if WORK.match(address):
            texts = {*COMPARED, RATED, WRITE_UP, TESTED}
            names = {name for name in MODELS if name in text}
            if markers & texts and (names or markers & (HIDDEN[person] - texts)):
                leaks.append((address, names, markers))
        elif markers & HIDDEN[person]:
            leaks.append((address, markers & HIDDEN[person]))
    assert leaks == []
    if person == "ada":
        assert read == markers_of_all()  # the markers are where they can be found


def api_answers(world: dict, person: str) -> Iterator[tuple[str, str]]:
    """(address, content) of each answer that the person's program gets from the API."""
    program = program_of(world["people"][person], world["project"])
    read = [name for name, (method, *_) in (OPERATIONS | SOMETIMES).items() if method == "get"]
    addresses = [f"work/{key}/" for key in world["own"].get(person, [])]
    for name in read:
        keys = arguments_of(name)
        choices = [[world.get(key), *world["ids"].get(key, [])] for key in keys]
        for values in dict.fromkeys(product(*choices)):
            addresses.append(address_of(name, dict(zip(keys, values, strict=True))))
    for address in addresses:
        answer = program.get(address)
        assert answer.status_code < 500, address
        assert answer.status_code != 429, address
        if not answer.streaming:
            # The fraction of a second may happen to be a hidden score.
            yield address, MOMENT.sub("", answer.text)


@pytest.mark.parametrize("person", sorted(HIDDEN))
def test_what_a_page_hides_the_api_hides(world, person, settings):
    settings.VERICAP_API_REQUESTS_PER_MINUTE = 10**6
    leaks, read = [], set()
    for address, text in api_answers(world, person):
        markers = {m for m in markers_of_all() if any(s in text for s in spellings(m))}
        read |= markers
        if address.startswith("work/"):  # the judged text, and nothing of where it comes from
            assert not any(name in text for name in MODELS), address
            markers -= {*COMPARED, RATED, TESTED}
            assert not any(name in text for name in ("Ben", "Eva")), address
        if markers & HIDDEN[person]:
            leaks.append((address, markers & HIDDEN[person]))
    assert leaks == []
    if person == "ada":  # the crawl reaches what could leak
        assert {WRITE_UP, FIXED, RATED, *COMPARED} <= read


def markers_of_all() -> set[str]:
    return {MERGED}.union(*HIDDEN.values())


def may_read(membership, caption):
    return visible_captions(membership, Caption.objects.filter(pk=caption.pk)).exists()


def test_a_caption_is_hidden_only_from_people_who_could_still_compare_it(world):
    project, prediction = world["project"], world["compared"]

    def readers(caption):
        members = Membership.objects.filter(project=project).select_related("project", "user")
        return {member.user.name for member in members if may_read(member, caption)}

    assert readers(prediction) == {"Anna", "Ben", "Ada"}
    assert readers(world["human"]) >= {"Anna", "Ben", "Ada", "Emil", "Rita", "Una", "Ari"}


def test_the_table_names_every_kind_of_address(world):
    assert EVERY_MEMBER - set(HIDDEN) == {"rita"}  # Una is a reviewer too, and may read less
    assert not set(OWN_WORK) & set(BY_ROLE)


@pytest.mark.parametrize("page", ["annotate:clip", "inference:clip_scores"])
def test_a_page_about_a_clip_asks_for_its_captions_alone(world, page):
    """By the index on clips: SQLite prefers the one on projects, and reads all captions by it."""
    clip = world["compared"].clip_id
    client = client_of(world["people"]["ari"])
    with CaptureQueriesContext(connection) as queries:
        assert client.get(reverse(page, args=[world["slug"], clip])).status_code == 200
    statements = [query["sql"] for query in queries if 'FROM "annotate_caption"' in query["sql"]]
    assert statements
    assert [sql for sql in statements if '"annotate_caption"."project_id" =' in sql] == []


def test_an_admin_who_only_watches_reads_what_they_work_on_no_more(world):
    """Nothing is hidden from them until they have taken work themselves."""
    ada = Membership.objects.get(user=world["people"]["ada"], project=world["project"])
    clip = world["compared"].clip
    assert may_read(ada, world["compared"])
    held = hold(ada.user, make_work(clip, "compare", subject=10**9))
    assert not may_read(ada, world["compared"])
    held.delete()
    assert may_read(ada, world["compared"])
