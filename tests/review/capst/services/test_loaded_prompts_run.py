"""A run with the official settings asks with the loaded prompts."""

import json

import pytest

from review.capst.models import CapstRun, JudgeReply
from review.capst.report import capst_inputs
from review.capst.services import load_prompts
from tests.inference.backends.loopback import says
from tests.review.capst.capst_runs import judge, start
from tests.review.capst.test_loaded_prompts import FILE

pytestmark = pytest.mark.django_db


def answer(received, out):
    """Find one element in each text, and call every element entailed."""
    prompt = received.prompt
    kind = "events" if "vents" in prompt else "objects"
    if prompt.startswith("Which"):
        reply = {kind: ["a thing"]}
    else:
        judgment = {kind[:-1]: "a thing", "relationship": "entailment", "reason": "It says so."}
        reply = {kind: [judgment]}
    says(json.dumps(reply))(received, out)


def test_it_asks_with_the_loaded_prompts_and_names_their_hash(
    project, model, captions, server, ada
):
    loaded = load_prompts(project=project, data=FILE, file_name="paper.json", admin=ada)
    server.answers = [answer]
    run = judge(run=start(project, captions, model, preset="official"))
    assert (run.state, [item.state for item in run.items.all()]) == ("done", ["done"])
    assert all(len(received.body["messages"]) == 1 for received in server.received), (
        "no system prompt"
    )
    assert JudgeReply.objects.exists()
    [inputs] = capst_inputs(project)
    assert inputs.parameters.prompts == loaded.sha256
    assert f"prompts of file {loaded.sha256[:8]}" in inputs.parameters.judge


def test_the_default_choices_keep_the_own_prompts(project, model, captions, ada):
    load_prompts(project=project, data=FILE, file_name="paper.json", admin=ada)
    start(project, captions, model)
    assert "prompts" not in CapstRun.objects.get().judge_recipe
