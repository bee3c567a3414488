"""Servers that refuse a JSON schema, or JSON altogether: what is asked instead, and remembered."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from inference.backends.protocols import BackendError, Generation
from inference.backends.replies import format_of
from inference.backends.reply_formats import FORMATS, unwrapped
from inference.models import ServerDialect
from tests.inference.backends.loopback import fails, refuses_formats, says, sends_json

pytestmark = pytest.mark.django_db

SCHEMA = {
    "type": "object",
    "properties": {"events": {"type": "array", "items": {"type": "string"}}},
    "required": ["events"],
    "additionalProperties": False,
}
AS_JSON = Generation(json_schema=SCHEMA)
REPLY = '{"events": ["a dog runs"]}'
# As the services word it that hosts DeepSeek, OpenAI's older models, LM Studio and FastAPI.
DEEPSEEK = {
    "error": {
        "message": "This response_format type is unavailable now",
        "type": "invalid_request_error",
        "param": None,
        "code": "invalid_request_error",
    }
}
OPENAI = {
    "error": {
        "message": "Invalid parameter: 'response_format' of type 'json_schema' is not supported "
        "with this model."
    }
}
FASTAPI = {"detail": [{"loc": ["body", "response_format"], "msg": "Extra inputs are forbidden"}]}


def formats_in(received):
    return [request.body.get("response_format", {}).get("type", "text") for request in received]


@pytest.mark.parametrize(
    ("status", "refusal"), [(400, DEEPSEEK), (400, OPENAI), (422, FASTAPI), (400, {})]
)
def test_a_server_that_refuses_a_schema_is_asked_for_an_object(load, loopback, status, refusal):
    loopback.answers = [
        refuses_formats("json_schema", body=refusal, status=status, then=says(REPLY))
    ]
    [reply] = load().complete(["Which events? Answer in JSON."], AS_JSON)
    assert (reply, format_of(reply)) == (REPLY, "json_object")
    assert formats_in(loopback.received) == ["json_schema", "json_object"]


def test_a_server_that_refuses_an_object_too_is_asked_for_text(load, loopback):
    loopback.answers = [
        refuses_formats(
            "json_schema",
            "json_object",
            body=DEEPSEEK,
            then=says(f"<think>Is {{a dog}} an event?</think>\nHere it is:\n```json\n{REPLY}\n```"),
        )
    ]
    [reply] = load().complete(["Which events? Answer in JSON."], AS_JSON)
    assert (reply, format_of(reply)) == (REPLY, "text")
    assert formats_in(loopback.received) == ["json_schema", "json_object", "text"]


def test_a_server_that_knows_nothing_but_schemas_keeps_getting_them(load, loopback):
    loopback.answers = [refuses_formats("json_object", body=DEEPSEEK, then=says(REPLY))]
    [reply] = load().complete(["Which events?"], AS_JSON)
    assert format_of(reply) == "json_schema"
    assert formats_in(loopback.received) == ["json_schema"]


def test_a_prompt_that_does_not_ask_for_json_gets_the_schema_in_words(load, loopback):
    """Services refuse json_object where no message mentions JSON."""
    loopback.answers = [refuses_formats("json_schema", body=DEEPSEEK, then=says(REPLY))]
    load().complete(["Which events?"], AS_JSON)
    strict, loose = loopback.received
    assert strict.prompt == "Which events?"
    assert loose.prompt == (
        "Which events?\n\nAnswer with one JSON object and nothing else. Its JSON schema: "
        + json.dumps(SCHEMA)
    )


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (fails(401, "response_format: no key"), "key_refused"),
        (fails(403, "json_schema"), "key_refused"),
        (fails(404, "no such model for json_schema"), "not_found"),
        (fails(429, "too many requests with response_format"), "busy"),
        (fails(500, "json_schema"), "server_failed"),
        (fails(413, "json_schema"), "too_much"),
        (fails(400, "This model's maximum context length is 4096 tokens"), "refused"),
        (fails(422, "temperature must be below 1"), "refused"),
    ],
)
def test_nothing_but_a_refused_format_leads_to_another(load, loopback, answer, code):
    loopback.answers = [answer]
    [reply] = load(tries=1).complete(["Which events?"], AS_JSON)
    assert isinstance(reply, BackendError)
    assert reply.code == code
    assert formats_in(loopback.received) == ["json_schema"]
    assert not ServerDialect.objects.exists()


def test_a_request_that_fails_in_every_format_says_so_once(load, loopback):
    loopback.answers = [sends_json(DEEPSEEK, status=400)]
    [reply] = load().complete(["Which events?"], AS_JSON)
    assert formats_in(loopback.received) == list(FORMATS)
    assert str(reply).startswith(
        'loop refuses the request (status 400): "This response_format type is unavailable now".'
    )
    assert not ServerDialect.objects.exists()


class TestMemory:
    def test_a_model_asks_a_server_about_its_formats_once(self, load, loopback):
        loopback.answers = [refuses_formats("json_schema", body=DEEPSEEK, then=says(REPLY))]
        model = load()
        for prompt in ("first", "second"):
            model.complete([prompt], AS_JSON)
        assert formats_in(loopback.received) == ["json_schema", "json_object", "json_object"]

    def test_the_next_worker_does_not_ask_again(self, load, loopback):
        loopback.answers = [refuses_formats("json_schema", body=DEEPSEEK, then=says(REPLY))]
        load().complete(["first"], AS_JSON)
        load().complete(["second"], AS_JSON)  # a process of its own would load its own model
        assert formats_in(loopback.received)[2:] == ["json_object"]
        [row] = ServerDialect.objects.all()
        assert (row.server, row.model_id, row.reply_format) == ("loop", "m", "json_object")

    def test_after_a_week_the_strictest_format_is_tried_again(self, load, loopback):
        loopback.answers = [refuses_formats("json_schema", body=DEEPSEEK, then=says(REPLY))]
        load().complete(["first"], AS_JSON)
        ServerDialect.objects.update(learned_at=timezone.now() - timedelta(days=8))
        loopback.answers = [says(REPLY)]
        load().complete(["second"], AS_JSON)
        assert formats_in(loopback.received)[2:] == ["json_schema"]
        assert ServerDialect.objects.get().reply_format == "json_schema"

    def test_a_server_that_moves_is_another_server(self, load, loopback, settings):
        loopback.answers = [refuses_formats("json_schema", body=DEEPSEEK, then=says(REPLY))]
        load().complete(["first"], AS_JSON)
        settings.VERICAP_MODEL_SERVERS["loop"]["url"] += "/"
        load().complete(["second"], AS_JSON)
        assert formats_in(loopback.received)[2:] == ["json_schema", "json_object"]

    def test_a_format_that_is_refused_later_is_unlearned(self, load, loopback):
        loopback.answers = [refuses_formats("json_schema", body=DEEPSEEK, then=says(REPLY))]
        model = load()
        model.complete(["first"], AS_JSON)
        loopback.answers = [refuses_formats("json_object", body=DEEPSEEK, then=says(REPLY))]
        model.complete(["second"], AS_JSON)
        assert formats_in(loopback.received)[2:] == ["json_object", "json_schema"]
        assert ServerDialect.objects.get().reply_format == "json_schema"


class TestReadingText:
    @pytest.mark.parametrize(
        ("reply", "object_in_it"),
        [
            (REPLY, REPLY),
            (f"Sure! {REPLY} I hope this helps.", REPLY),
            (f'First I thought of {{"events": 3}}, but: {REPLY}', REPLY),
            (f"{REPLY} See also {{}}.", REPLY),
            ('Only {"events": 3} here', '{"events": 3}'),  # the reader says what is wrong with it
            ("No object at all", "No object at all"),
            ("{" * 5000, "{" * 5000),
        ],
    )
    def test_the_object_that_fits_is_taken_out_of_a_text(self, reply, object_in_it):
        assert unwrapped(reply, SCHEMA) == object_in_it

    @pytest.mark.parametrize(
        "misfit",
        [
            {},
            {"events": "a"},
            {"events": ["a", 1]},
            {"events": ["a", True]},
            {"events": [], "note": 1},
        ],
    )
    def test_an_object_that_does_not_fit_is_taken_only_where_none_does(self, misfit):
        fitting, other = '{"events": ["a"]}', json.dumps(misfit)
        assert unwrapped(f"{fitting} and {other}", SCHEMA) == fitting
        assert unwrapped(f"Only {other}", SCHEMA) == other
