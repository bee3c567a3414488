"""Models on a server: what becomes of a request that gets no usable text."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from email.utils import formatdate

import pytest

from config.environment import Secret
from inference.backends import model_http
from inference.backends.protocols import BackendError, Generation
from tests.inference.backends.loopback import (
    NOON,
    completion,
    drips,
    fails,
    keeps_silent,
    running,
    says,
    sends,
    sends_json,
)

pytestmark = pytest.mark.django_db

GREEDY = Generation()


def only_error(model) -> BackendError:
    [error] = model.complete(["What is it?"], GREEDY)
    assert isinstance(error, BackendError)
    return error


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_passing_failure_is_tried_again(load, loopback, pauses, status):
    loopback.answers = [fails(status), fails(status), says("At last.")]
    assert load().complete(["What is it?"], GREEDY) == ["At last."]
    assert len(loopback.received) == 3
    assert pauses == [1.0, 2.0]


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "refused"),
        (401, "key_refused"),
        (403, "key_refused"),
        (404, "not_found"),
        (413, "too_much"),
        (422, "refused"),
        (501, "refused"),
    ],
)
def test_a_lasting_failure_is_not_tried_again(load, loopback, status, code):
    loopback.answers = [fails(status, "It is so.")]
    error = only_error(load())
    assert (error.code, error.transient, len(loopback.received)) == (code, False, 1)
    assert '"It is so." ' in str(error)


@pytest.mark.parametrize(("status", "code"), [(429, "busy"), (500, "server_failed")])
def test_it_gives_up_after_the_last_try(load, loopback, pauses, status, code):
    loopback.answers = [fails(status, "Out of memory.")]
    error = only_error(load(tries=3))
    assert (error.code, error.transient, len(loopback.received)) == (code, True, 3)
    assert '"Out of memory."' in str(error)
    assert pauses == [1.0, 2.0]


def limit(name, reset, remaining="0"):
    return [f"x-ratelimit-reset-{name}: {reset}", f"x-ratelimit-remaining-{name}: {remaining}"]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        (["Retry-After: 7"], 7.0),
        (["Retry-After: 0"], 0.0),
        (["Retry-After: 1.5"], 1.5),
        (["Retry-After: 86400"], 60.0),
        ([f"Retry-After: {formatdate(NOON + 20, usegmt=True)}"], 20.0),
        ([f"Retry-After: {formatdate(NOON + 20)}"], 20.0),
        ([f"Retry-After: {formatdate(NOON - 20, usegmt=True)}"], 0.0),
        ([f"Retry-After: {formatdate(NOON + 86400, usegmt=True)}"], 60.0),
        (["Retry-After: soon"], 1.0),
        (["Retry-After: -5"], 1.0),
        (["Retry-After: nan"], 1.0),
        (["retry-after-ms: 250", "Retry-After: 1"], 0.25),
        (["retry-after-ms: soon", "Retry-After: 3"], 3.0),
        (["Retry-After: 3", *limit("requests", "9s")], 3.0),
        (limit("requests", "1.5s") + limit("tokens", "20ms"), 1.5),
        (limit("requests", "6m0s", "59") + limit("tokens", "12s"), 12.0),
        (limit("tokens", "1h2m3s"), 60.0),
        (["x-ratelimit-reset-tokens: 8"], 8.0),
        (limit("requests", "9s", "5"), 1.0),
        (limit("requests", "9 apples"), 1.0),
    ],
)
def test_it_waits_as_long_as_a_full_server_asks(load, loopback, pauses, headers, seconds):
    loopback.answers = [fails(429, "Slow down.", *headers), says("At last.")]
    assert load().complete(["What is it?"], GREEDY) == ["At last."]
    assert pauses == [seconds]


def test_a_date_without_a_zone_is_in_gmt_wherever_the_worker_runs(load, pauses, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        load().retries.pause(1, {"Retry-After": formatdate(NOON + 20)})
    finally:
        monkeypatch.undo()
        time.tzset()
    assert pauses == [20.0]


def test_pauses_differ_between_requests_that_failed_together(load, pauses):
    model = load()
    for jitter in (0.0, 1.0):
        retries = replace(model.retries, jitter=lambda jitter=jitter: jitter)
        retries.pause(3)
        retries.pause(9)
        retries.pause(1, {"Retry-After": "10"})
    assert pauses == [4.0, 30.0, 10.0, 2.0, 15.0, 11.0]


def test_a_silent_server_times_out_and_is_tried_again(load, loopback, pauses):
    loopback.answers = [keeps_silent(loopback), says("At last.")]
    assert load(timeout=0.2).complete(["What is it?"], GREEDY) == ["At last."]
    assert pauses == [1.0]


def test_a_server_that_stays_silent_is_a_time_out(load, loopback):
    loopback.answers = [keeps_silent(loopback)]
    error = only_error(load(timeout=0.2, tries=2))
    assert (error.code, error.transient, len(loopback.received)) == ("timeout", True, 2)


def test_a_reply_that_never_ends_is_a_time_out(load, loopback):
    loopback.answers = [drips(loopback, b" ", pause=0.05)]
    started = time.monotonic()
    error = only_error(load(timeout=0.3, tries=1))
    assert (error.code, error.transient) == ("timeout", True)
    assert time.monotonic() - started < 3


def test_a_huge_reply_is_not_read_to_its_end(load, loopback, monkeypatch):
    monkeypatch.setattr(model_http, "MAX_REPLY", 1024 * 1024)
    loopback.answers = [drips(loopback, b" " * 65536, pause=0.0)]
    error = only_error(load(timeout=20))
    assert (error.code, error.transient, len(loopback.received)) == ("too_large", False, 1)


def test_a_huge_error_is_read_at_its_beginning(load, loopback):
    loopback.answers = [sends(b"x" * 4_000_000, status=400, kind="text/plain")]
    error = only_error(load())
    assert (error.code, len(str(error)) < 600) == ("refused", True)


def test_a_compressed_reply_is_not_unpacked(load, loopback):
    loopback.answers = [sends(b"\x1f\x8b\x08", "Content-Encoding: gzip")]
    assert only_error(load()).code == "wrong_shape"
    assert loopback.received[0].headers["accept-encoding"] == "identity"


def test_a_compressed_error_keeps_its_status(load, loopback):
    loopback.answers = [sends(b"packed", "Content-Encoding: gzip", status=404)]
    error = only_error(load())
    assert error.code == "not_found"
    assert "packed" not in str(error)


def test_a_reply_that_stops_half_way_is_tried_again(load, loopback):
    whole = json.dumps(completion("A dog runs.")).encode()
    loopback.answers = [sends(whole[:40], length=len(whole)), says("At last.")]
    assert load().complete(["What is it?"], GREEDY) == ["At last."]
    loopback.answers = [sends(whole[:40], length=len(whole))]
    error = only_error(load(tries=2))
    assert (error.code, error.transient) == ("broken_off", True)


def test_an_unreachable_server_gives_one_error_a_request(load, settings, pauses):
    settings.VERICAP_MODEL_SERVERS = {"loop": {"url": "http://127.0.0.1:1/v1", "key": Secret("")}}
    model = load(tries=2)
    errors = model.complete(["One?", "Two?", "Three?"], GREEDY)
    assert [(error.code, error.transient) for error in errors] == [("unreachable", True)] * 3
    assert pauses == [1.0] * 3


@pytest.mark.parametrize(
    ("answer", "code", "transient"),
    [
        (sends(json.dumps(completion("A dog")).encode()[:-9]), "broken_json", True),
        (sends(b"[" * 200_000), "broken_json", True),
        (sends(b"<html><h1>Sign in</h1></html>", kind="text/html"), "not_json", False),
        (sends(b""), "not_json", False),
        (sends(b'"A dog runs."'), "wrong_shape", False),
        (sends(b"\xff\xfe"), "not_json", False),
        (sends_json([]), "wrong_shape", False),
        (sends_json({}), "wrong_shape", False),
        (sends_json({"choices": []}), "wrong_shape", False),
        (sends_json({"choices": None}), "wrong_shape", False),
        (sends_json({"choices": ["A dog"]}), "wrong_shape", False),
        (sends_json({"choices": [{"text": "A dog"}]}), "wrong_shape", False),
        (says(7), "wrong_shape", False),
        (sends_json({"error": {"message": "No GPU."}}), "server_error", False),
        (says(None), "empty", False),
        (says(""), "empty", False),
        (says(" \n"), "empty", False),
        (says("A dog runs and", "length"), "cut_off", False),
        (says(None, "length"), "cut_off", False),
        (says("", "content_filter"), "filtered", False),
        (says("A dog\0 runs."), "not_text", False),
        (says("A dog \ud83d runs."), "not_text", False),
    ],
)
def test_a_reply_without_a_usable_text_says_what_is_wrong(load, loopback, answer, code, transient):
    loopback.answers = [answer]
    error = only_error(load(tries=1))
    assert (error.code, error.transient) == (code, transient)
    assert str(error).startswith("loop ")
    assert str(error).endswith(".")


def test_a_refusal_in_the_models_own_words_is_passed_on(load, loopback):
    reply = completion(None)
    reply["choices"][0]["message"]["refusal"] = "I don't describe people."
    loopback.answers = [sends_json(reply)]
    error = only_error(load())
    assert error.code == "empty"
    assert '"I don\'t describe people."' in str(error)


def test_a_redirect_is_not_followed(load, loopback):
    with running() as elsewhere:
        loopback.answers = [sends(b"", f"Location: {elsewhere.url}/chat/completions", status=307)]
        assert only_error(load()).code == "moved"
        assert elsewhere.received == []
