"""Judges on servers that refuse a JSON schema: the run is done, and says how it was asked."""

import json

import pytest
from django.urls import reverse

from review.capst.models import CapstRun, JudgeReply
from review.capst.report import capst_inputs
from tests.inference.backends.loopback import refuses_formats, says
from tests.review.capst.capst_runs import (
    judge,
    predictions,
    server_model,
    start,
    thinks,
)

pytestmark = pytest.mark.django_db

DEEPSEEK = {"error": {"message": "This response_format type is unavailable now"}}


def talkative(received, out):
    """The same answers as `thinks`, with prose around them."""

    class Kept:
        body = b""

        def write(self, data):
            self.body += data

    kept = Kept()
    thinks(received, kept)
    reply = json.loads(kept.body.partition(b"\r\n\r\n")[2])
    says(f"Here you are:\n{reply['choices'][0]['message']['content']}\nDone.")(received, out)


@pytest.mark.parametrize(
    ("refused", "answer", "reply_format"),
    [
        ([], thinks, "json_schema"),
        (["json_schema"], thinks, "json_object"),
        (["json_schema", "json_object"], talkative, "text"),
    ],
)
def test_a_run_is_judged_in_the_format_that_the_server_takes(
    project, model, captions, server, refused, answer, reply_format
):
    server.answers = [refuses_formats(*refused, body=DEEPSEEK, then=answer)]
    run = judge(run=start(project, captions, model))
    assert (run.state, [item.state for item in run.items.all()]) == ("done", ["done"])
    assert run.reply_formats == {"elements": [reply_format], "judgements": [reply_format]}
    assert set(JudgeReply.objects.values_list("reply_format", flat=True)) == {reply_format}
    # One refusal for each format that the server doesn't take, and none for later requests.
    assert len(server.received) == 8 + len(refused)


def test_replies_in_another_format_are_not_paid_for_again(project, model, captions, clip, server):
    judge(run=start(project, captions, model))
    requests_before = len(server.received)
    server.answers = [refuses_formats("json_schema", body=DEEPSEEK, then=thinks)]
    other = predictions(project, "Model B", {clip: captions.captions.get().caption.text})
    run = judge(run=start(project, other, model))
    assert len(server.received) == requests_before
    assert run.reply_formats == {"elements": ["json_schema"], "judgements": ["json_schema"]}


def test_a_reply_that_is_no_json_is_refused_with_one_reason(project, model, captions, server):
    server.answers = [
        refuses_formats("json_schema", "json_object", body=DEEPSEEK, then=says("I'd rather not."))
    ]
    run = judge(run=start(project, captions, model))
    item = run.items.get()
    assert item.state == "failed"
    assert item.reason.startswith("Events of the human caption: It is not JSON. ")
    assert item.reply == "I'd rather not."


def test_the_page_of_the_run_names_the_formats_or_the_unreadable_recipe(
    project, model, captions, server, client, ada
):
    client.force_login(ada)
    server.answers = [refuses_formats("json_schema", body=DEEPSEEK, then=thinks)]
    run = judge(run=start(project, captions, model))
    page = client.get(reverse("review:capst_run", args=[project.slug, run.pk])).content.decode()
    assert "Replies: JSON objects, checked here." in " ".join(page.split())
    run.reply_formats = {"elements": ["json_schema", "text"], "judgements": ["json_schema"]}
    run.save()
    page = client.get(reverse("review:capst_run", args=[project.slug, run.pk])).content.decode()
    assert (
        "Replies: elements as JSON with a schema that the server enforces and plain text, checked "
        "here; judgments as JSON with a schema that the server enforces." in " ".join(page.split())
    )
    CapstRun.objects.filter(pk=run.pk).update(judge_recipe={"spec": 1})
    assert list(capst_inputs(project)) == []
    pages = [("capst_run", [run.pk]), ("capst_clip", [run.pk, run.items.get().pk])]
    for name, keys in pages:
        text = client.get(reverse(f"review:{name}", args=[project.slug, *keys])).text
        assert "The stored recipe can’t be read: Object missing required field" in text


def test_other_questions_ask_for_no_format(project, server):
    """Keywords and modifications are plain text, which every server takes."""
    from inference.backends.protocols import Generation
    from inference.loading import load_model
    from inference.registry import model_settings

    load_model(model_settings(server_model(project))).complete(["Keywords?"], Generation())
    assert "response_format" not in server.received[0].body
