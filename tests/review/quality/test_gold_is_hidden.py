"""Everything that a client receives of gold looks as it does of real work."""

from __future__ import annotations

import json
import re

import pytest
from django.urls import reverse

from annotate.corpus.services.opening import open_dynamics_check
from annotate.models import Assignment
from review.quality.models import QualityRule
from tests.api.asking import program_of
from tests.cast import client_of, make_person, make_video
from tests.hand_work import DYNAMIC
from tests.review.quality.known import KIND, ask, make_known
from tests.work import post_json

NUMBERS = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d+")
TOKEN = re.compile(r'(name="csrfmiddlewaretoken" value=|csrf-token" content=)"[^"]*"')


def plain(text: str) -> str:
    """The text without what differs between any two items: keys, times and tokens."""
    return NUMBERS.sub("0", TOKEN.sub("", text))


@pytest.fixture
def seen(project, ada, anna, rita):
    """All that Ben's browser gets of each item, by purpose."""
    ben = make_person("Ben", project, "annotator")
    make_known(project, ada, [anna, rita], "gold")
    ask(project, ada, gold_rate=0.5)
    QualityRule.objects.update(seed="steady")
    for _ in range(12):
        open_dynamics_check(make_video(project))
    client, program = client_of(ben), program_of(ben, project)
    page = client.post(reverse("annotate:claim", args=[project.slug, KIND]), follow=True)
    received = {"gold": [], "work": []}
    for _ in range(11):
        held = Assignment.objects.get(annotator=ben, state="held")
        saved = post_json(client, "save_draft", held, {"base_version": 0, "content": DYNAMIC})
        beat = post_json(client, "heartbeat", held, {"active_seconds": 1, "watched": [[0, 9]]})
        by_api = program.get(f"work/{held.pk}/")
        key = str(page.context["submit_key"])
        body = {"key": key, "base_version": 1, "content": DYNAMIC, "then": "next"}
        sent = post_json(client, "submit", held, body)
        done = client.get(reverse("annotate:work", args=[held.pk]))
        answers = (page, saved, beat, by_api, sent, done)
        received[held.item.purpose].append([plain(answer.text) for answer in answers])
        page = client.get(json.loads(sent.content)["next"])
    return received


def test_gold_looks_like_work(seen):
    [gold] = seen["gold"]
    assert [gold == work for work in seen["work"]].count(True) >= 8
    assert not any("gold" in text.casefold() for text in gold)
