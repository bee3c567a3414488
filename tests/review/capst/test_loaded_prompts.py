"""Prompts of the official settings from a file."""

import json
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.models import AuditEvent
from review.capst.loaded_prompts import parse_prompts, read_relations
from review.capst.models import CapstPrompts
from review.capst.prompts import Malformed
from review.capst.queries import prompts_in_use
from review.capst.recipes import make_judge
from review.capst.services import load_prompts, use_own_prompts
from review.errors import ReviewError
from tests.cast import client_of
from tests.review.capst.capst_runs import server_model

PROMPTS = {
    "events": 'Which events? {text} As {"events": []}',
    "objects": "Which objects? {text}",
    "judge_events": "Description: {text} Events: {elements}",
    "judge_objects": "Objects: {elements} Description: {text}",
}
FILE = json.dumps(PROMPTS).encode()


def test_the_places_are_filled_once_and_other_braces_stay():
    loaded = parse_prompts(FILE)
    assert loaded.extraction("A {elements} dive.", "events") == (
        'Which events? A {elements} dive. As {"events": []}'
    )
    assert loaded.judging("A {elements} dive.", ["{text}"], "objects") == (
        'Objects: ["{text}"] Description: A {elements} dive.'
    )
    assert loaded.extraction("A.", "objects", "It is not JSON.").endswith(
        "could not be used. It is not JSON. Answer again."
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{", "The file isn’t JSON"),
        (b"[]", "The file must be one JSON object with events, objects, judge_events"),
        (json.dumps({**PROMPTS, "objects": ""}).encode(), "objects: The prompt is missing"),
        (json.dumps({**PROMPTS, "events": "Which?"}).encode(), "events: Write {text} exactly once"),
        (
            json.dumps({**PROMPTS, "judge_events": "{text}"}).encode(),
            "judge_events: Write {elements} exactly once",
        ),
        (json.dumps({**PROMPTS, "more": "x"}).encode(), "“more” is not a prompt"),
    ],
)
def test_a_fault_names_the_prompt_and_the_fix(data, reason):
    with pytest.raises(ReviewError) as error:
        parse_prompts(data)
    assert str(error.value).startswith(reason)


def test_the_codes_replies_are_read_in_their_order():
    reply = {
        "events": [
            {"event": "a dive", "relationship": "entailment", "reason": "It says so."},
            {"event": "a jump", "relationship": "neutral", "reason": ""},
        ]
    }
    assert read_relations(json.dumps(reply), "events", 2) == [
        ("entailment", "It says so."),
        ("neutral", ""),
    ]
    with pytest.raises(Malformed, match="It has 2 events; 3 were asked for"):
        read_relations(json.dumps(reply), "events", 3)
    with pytest.raises(Malformed, match="not an object with the one list"):
        read_relations(json.dumps(reply), "objects", 2)


@pytest.mark.django_db
def test_the_newest_file_counts_until_the_own_prompts_are_taken_again(project, ada):
    load_prompts(project=project, data=FILE, file_name="a.json", admin=ada)
    other = json.dumps({**PROMPTS, "events": "Other: {text}"}).encode()
    newer = load_prompts(project=project, data=other, file_name="b.json", admin=ada)
    assert prompts_in_use(project) == newer
    use_own_prompts(project=project, admin=ada)
    assert prompts_in_use(project) is None
    verbs = [event.verb for event in AuditEvent.objects.order_by("pk")]
    assert verbs == ["load CapST prompts", "load CapST prompts", "use own CapST prompts"]


@pytest.mark.django_db
def test_the_hash_is_named_whatever_the_model_is_called(project):
    loaded = parse_prompts(FILE)
    judge = replace(make_judge(server_model(project), loaded), model_id="a" * 100)
    assert judge.how_asked[:60].endswith(f"prompts of file {loaded.sha256[:8]}")


@pytest.mark.django_db
class TestPage:
    def send(self, project, ada, data):
        url = reverse("review:load_capst_prompts", args=[project.slug])
        file = SimpleUploadedFile("prompts.json", data)
        return client_of(ada).post(url, {"prompts": file}, follow=True)

    def test_an_admin_loads_prompts_and_goes_back(self, project, ada):
        page = self.send(project, ada, FILE).text
        assert CapstPrompts.objects.get().sha256 in page
        own = reverse("review:use_own_capst_prompts", args=[project.slug])
        page = client_of(ada).post(own, follow=True).text
        assert "The prompts are Vericap’s own." in page

    def test_a_wrong_file_is_refused_with_its_reason(self, project, ada):
        response = self.send(project, ada, b"[]")
        assert response.status_code == 422
        assert "must be one JSON object" in response.text
        assert not CapstPrompts.objects.exists()
