"""Servers that refuse parameters, as the services word it: what is left out, and remembered."""

from __future__ import annotations

import pytest

from inference.backends.protocols import BackendError, Generation
from inference.backends.replies import left_out_of
from inference.models import ServerDialect
from inference.registry import Backend, checked_parameters, stated_parameters
from tests.inference.backends.loopback import fails, says, sends_json

pytestmark = pytest.mark.django_db

DRAWN = Generation(temperature=0.9, top_p=0.5, max_tokens=64, seed=3, repetition_penalty=1.05)
ALL = {"max_tokens", "temperature", "top_p", "seed", "repetition_penalty"}


def openai(name, message):
    return {"error": {"message": message, "type": "invalid_request_error", "param": name}}


GPT = {
    "max_tokens": openai(
        "max_tokens",
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
        "'max_completion_tokens' instead.",
    ),
    "temperature": openai(
        "temperature",
        "Unsupported value: 'temperature' does not support 0.9 with this model. Only the default "
        "(1) value is supported.",
    ),
    "top_p": openai("top_p", "Unsupported parameter: 'top_p' is not supported with this model."),
    "repetition_penalty": openai(
        None, "Unrecognized request argument supplied: repetition_penalty"
    ),
}
GEMINI = {
    name: [
        {
            "error": {
                "code": 400,
                "message": f'Invalid JSON payload received. Unknown name "{name}": Cannot find '
                "field.",
                "status": "INVALID_ARGUMENT",
            }
        }
    ]
    for name in ("seed", "repetition_penalty")
}
CLAUDE = openai(
    None,
    "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
)
PYDANTIC = {
    "detail": [
        {
            "type": "extra_forbidden",
            "loc": ["body", "seed"],
            "msg": "Extra inputs are not permitted",
        }
    ]
}


def takes(refusals, *, both=None, status=400):
    """Return a server that refuses these parameters, and temperature beside top_p with `both`."""

    def answer(received, out):
        sent = set(received.body)
        refusal = next((reply for name, reply in refusals.items() if name in sent), None)
        if both and {"temperature", "top_p"} <= sent:
            refusal = both
        (sends_json(refusal, status=status) if refusal else says("A dog runs."))(received, out)

    return answer


@pytest.mark.parametrize(
    ("server", "sent"),
    [
        (takes(GPT), {"max_completion_tokens", "seed"}),
        (takes(GEMINI), {"max_tokens", "temperature", "top_p"}),
        (takes({}, both=CLAUDE), ALL - {"top_p"}),
        (takes({"seed": PYDANTIC}, status=422), ALL - {"seed"}),
        (takes({}), ALL),
    ],
    ids=["GPT-5", "Gemini", "Claude 4", "pydantic", "vLLM"],
)
def test_a_refused_parameter_is_left_out_and_remembered(load, loopback, server, sent):
    loopback.answers = [server]
    [reply] = load().complete(["What is it?"], DRAWN)
    assert reply == "A dog runs."
    assert set(loopback.received[-1].body) - {"model", "messages"} == sent
    assert set(left_out_of(reply)) == ALL - sent - {"max_tokens"}
    # Another worker asks in the same way at once.
    before = len(loopback.received)
    load().complete(["first", "second"], DRAWN)
    assert len(loopback.received) == before + 2
    assert ServerDialect.objects.exists() == (sent != ALL)


@pytest.mark.parametrize(
    "message",
    [
        "'max_tokens' or 'max_completion_tokens' is too large: 64. This model's maximum context "
        "length is 32 tokens.",
        "temperature must be below 1",
        "The model doesn't support pictures.",
    ],
)
def test_a_refusal_of_anything_else_changes_nothing(load, loopback, message):
    loopback.answers = [fails(400, message)]
    [error] = load().complete(["What is it?"], DRAWN)
    assert error.code == "refused"
    assert len(loopback.received) == 1
    assert not ServerDialect.objects.exists()


def test_a_server_that_refuses_without_end_is_left_alone(load, loopback):
    loopback.answers = [
        sends_json(openai(name, f"Unsupported parameter: {name}"), status=400)
        for name in (*["max_tokens"] * 2, "max_completion_tokens", *["temperature"] * 2)
    ]
    [error] = load().complete(["What is it?"], DRAWN)
    assert isinstance(error, BackendError)
    assert not ServerDialect.objects.exists()


def test_an_admin_can_name_what_is_left_out_and_what_is_added(load, loopback):
    body = '{"reasoning_effort": "low"}'
    load(left_out="temperature, seed", extra_body=body).complete(["What is it?"], DRAWN)
    [received] = loopback.received
    assert set(received.body) - {"model", "messages"} == ALL - {"temperature", "seed"} | {
        "reasoning_effort"
    }
    assert received.body["reasoning_effort"] == "low"


def test_a_recipe_states_only_what_differs_from_earlier_versions():
    backend = Backend.OPENAI_COMPATIBLE
    usual = stated_parameters(backend, checked_parameters(backend, {"server": "loop"}))
    assert {"left_out", "extra_body"}.isdisjoint(usual)
    body = '{"reasoning_effort": "low"}'
    changed = checked_parameters(backend, {"server": "loop", "extra_body": body})
    assert stated_parameters(backend, changed) == {**usual, "extra_body": body}


class TestEveryRequestRefused:
    """A run must stop once instead of failing on each of its clips."""

    def test_the_same_refusal_of_the_first_requests_concerns_all(self, load, loopback):
        loopback.answers = [fails(400, "Pictures are not enabled for this account.")]
        model = load()
        first = model.complete(["a", "b", "c"], DRAWN)
        assert {error.concerns_all for error in first} == {False}
        [error] = model.complete(["d"], DRAWN)
        assert error.concerns_all
        assert "Pictures are not enabled for this account." in str(error)

    def test_a_server_that_has_answered_refuses_single_requests(self, load, loopback):
        loopback.answers = [says("A dog runs."), fails(400, "This prompt is not allowed.")]
        model = load()
        model.complete(["a"], DRAWN)
        errors = model.complete(list("bcdefg"), DRAWN)
        assert {error.concerns_all for error in errors} == {False}

    @pytest.mark.parametrize(("status", "code"), [(402, None), (429, "insufficient_quota")])
    def test_an_account_without_credit_stops_a_run(self, load, loopback, status, code):
        reply = {"error": {"message": "You exceeded your current quota.", "code": code}}
        loopback.answers = [sends_json(reply, status=status)]
        [error] = load(tries=3).complete(["a"], DRAWN)
        assert (error.code, error.concerns_all, len(loopback.received)) == ("no_credit", True, 1)
