"""What a test of the connection says about servers of many kinds."""

from __future__ import annotations

import json

import pytest

from inference.backends.protocols import ModelSettings
from inference.backends.server_check import colors_in
from inference.backends.server_report import Sight
from inference.models import RegisteredServer
from inference.servers import checks
from tests.cast import client_of
from tests.inference.backends.loopback import completion, fails, says, sends_json

pytestmark = pytest.mark.django_db
SEEN = "Blue, yellow, red, green"


def answering(chat, *, models=("m", "n"), vectors=False):
    """Answer each address of a server; `chat` answers a question by its body."""

    def answer(received, out):
        if received.path.endswith("/models"):
            reply = sends_json({"data": [{"id": model} for model in models]})
        elif received.path.endswith("/embeddings"):
            reply = sends_json({"data": [{"embedding": [3, 4]}]}) if vectors else fails(404)
        else:
            reply = chat(received.body)
        reply(received, out)

    return answer


def sees_all(body):
    content = body["messages"][-1]["content"]
    reply = completion("Hello." if isinstance(content, str) else SEEN)
    return sends_json(reply | {"usage": {"prompt_tokens": len(content), "completion_tokens": 9}})


def sees_nothing(body):
    is_text = isinstance(body["messages"][-1]["content"], str)
    return says("Hello.") if is_text else fails(400, "image_url is not a valid content type")


def guesses(body):
    return says("Red, green, blue and yellow." if "image_url" in json.dumps(body) else "Hello.")


def thinks(body):
    return says("<think>Hm, red?</think>" + SEEN)


def refuses_temperature(body):
    unsupported = "Unsupported parameter: 'temperature'"
    return fails(400, unsupported) if "temperature" in body else sees_all(body)


@pytest.fixture
def check(register, loopback, ada):
    """Ask for a test as a superuser, and do it as a worker."""
    ada.is_superuser = True
    ada.save()

    def check(answer, model_id="", **fields):
        loopback.answers = [answer]
        row = register(loopback.url, **fields)
        checks.request_check(server=row, model_id=model_id, superuser=ada)
        row.refresh_from_db()
        assert checks.is_checking(row)
        assert "A worker asks" in client_of(ada).get(f"/servers/{row.pk}/report/").text
        checks.run_check(server_id=row.pk)
        row.refresh_from_db()
        return checks.report_of(row), client_of(ada).get(f"/servers/{row.pk}/").text

    return check


@pytest.mark.parametrize(
    ("chat", "understood", "facts"),
    [
        (sees_all, 3, {"thinks": False, "left_out": ()}),
        (sees_nothing, 0, {"thinks": False}),
        (guesses, 0, {"thinks": False}),
        (thinks, 3, {"thinks": True}),
        (refuses_temperature, 3, {"left_out": ("temperature",)}),
    ],
)
def test_it_says_what_a_server_understands(check, chat, understood, facts):
    report, page = check(answering(chat))
    assert (report.problem, report.models, report.model_id) == ("", ("m", "n"), "m")
    assert sum(sight.is_understood for sight in report.sights) == understood
    assert [sight.form for sight in report.sights] == ["pictures", "timed pictures", "video"]
    assert (report.writes, report.embeds) == (True, False)
    assert {name: getattr(report, name) for name in facts} == facts
    assert page.count(">Understood<") == understood


@pytest.mark.parametrize(
    ("model_id", "clip_as", "warns"),
    [("m", "video", True), ("m", "pictures", False), ("n", "video", False)],
)
def test_a_caption_run_is_warned_of_a_form_that_is_not_understood(check, model_id, clip_as, warns):
    def sees_pictures(body):
        return fails(400, "video_url?") if "video_url" in json.dumps(body) else sees_all(body)

    check(answering(sees_pictures))
    parameters = {"server": "hosted", "clip_as": clip_as}
    warning = checks.warning_about(ModelSettings("openai-compatible", model_id, "", parameters))
    assert warning.startswith("In the last test of hosted, m did not understand a clip") == warns
    assert bool(warning) == warns


def test_it_says_how_many_tokens_a_clip_takes(check):
    report, _ = check(answering(sees_all))
    assert report.sights[0] == Sight("pictures", True, SEEN, 9)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (fails(401, "Incorrect API key"), "hosted refuses the key (status 401)"),
        (answering(lambda body: fails(401, "no"), models=("m",)), "hosted refuses the key"),
        (answering(lambda body: fails(404, "no model m")), "hosted doesn’t know this model"),
        (answering(sees_all, models=()), "The server lists no models. Enter the id of one."),
    ],
)
def test_it_says_why_nothing_can_be_asked(check, answer, sentence):
    report, page = check(answer)
    assert report.problem.startswith(sentence)
    assert ">Not understood<" not in page


def test_a_server_that_only_embeds_has_no_problem(check):
    report, page = check(answering(lambda body: fails(400, "not a chat model"), vectors=True))
    assert (report.problem, report.writes, report.embeds) == ("", False, True)
    assert "It makes vectors." in page


def test_an_unreadable_key_is_said(check, settings, register):
    register("https://h.example/v1", name="old")
    settings.SECRET_KEY = "another" * 9
    row = RegisteredServer.objects.get()
    RegisteredServer.objects.update(check_result={"waiting": ""})
    checks.run_check(server_id=row.pk)
    row.refresh_from_db()
    assert checks.report_of(row).problem.startswith("The key of old can't be read")


@pytest.mark.parametrize(
    ("answer", "colors"),
    [
        ("**Blue**, yellow, then RED and green.", ["blue", "yellow", "red", "green"]),
        ("blue, blue, yellow", ["blue", "yellow"]),
        ("I can't see any pictures.", []),
    ],
)
def test_colors_are_read_from_an_answer(answer, colors):
    assert colors_in(answer) == colors
