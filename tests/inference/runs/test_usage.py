"""What a run uses on a model server, item by item."""

from __future__ import annotations

import json
from decimal import Decimal

import numpy as np
import pytest

from annotate.models import Caption
from config.environment import Secret
from inference.backends.servers import ModelServer
from inference.backends.usage import Usage, counting, note_reply
from inference.loading import forget_models
from inference.models import ModelSpec, RegisteredServer, ServedModel
from inference.runs.preview import preview_run
from inference.runs.usage import used_by
from tests.cast import client_of
from tests.inference.backends.loopback import KEY, completion, fails, running, sends_json
from tests.inference.cast import make_model, run_through, start_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def loopback(settings):
    forget_models()  # a model of another test would ask that test's server
    with running() as server:
        settings.VERICAP_MODEL_SERVERS = {"loop": {"url": server.url, "key": Secret(KEY)}}
        yield server


@pytest.fixture
def served(project, loopback):
    parameters = {"server": "loop", "tries": 1}
    return make_model(project, "openai-compatible", model_id="m", parameters=parameters)


@pytest.fixture
def clips(project, rendered_media, clips):
    """Clips of 10, 9, 8, 7 and 6 frames, so that requests tell them apart."""
    for number, clip in enumerate(clips):
        clip.end_frame -= number
        clip.save()
    return clips


def caption_of(clip, text):
    return Caption.objects.create(
        project=clip.project, clip=clip, text=text, word_count=1, kind="general", source="machine"
    )


def reply(text, tokens_in, tokens_out, reason="stop"):
    usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}
    return sends_json(completion(text, reason) | {"usage": usage})


def test_each_item_has_its_own_tokens_and_a_failed_one_too(project, served, clips, loopback):
    """The reply to 7 frames is cut off, that to 8 is an error, that to 9 doesn't say."""

    def answer(received, out):
        frames = len(received.body["messages"][-1]["content"]) - 1
        answers = {
            7: reply("A clip", 700, 64, "length"),
            8: fails(500),
            9: sends_json(completion("A clip.")),
        }
        answers.get(frames, reply("A clip.", 100 * frames, frames))(received, out)

    loopback.answers = [answer]
    options = {"sampling": {"kind": "every", "step": 1}}
    run = run_through(start_run(project=project, kind="caption", model=served, options=options))
    columns = ("clip__end_frame", "clip__start_frame", "tokens_in", "tokens_out", "pictures")
    rows = {end - start: numbers for end, start, *numbers in run.items.values_list(*columns)}
    assert rows == {
        6: [600, 6, 6],
        7: [700, 64, 7],
        8: [None, None, 0],
        9: [None, None, 9],
        10: [1000, 10, 10],
    }
    again = run_through(start_run(project=project, kind="caption", model=served, options=options))
    reused = again.items.filter(state="skipped")
    assert set(reused.values_list("tokens_in", "pictures")) == {(None, 0)}


def test_keywords_count_for_the_caption_that_they_are_of(project, served, clips, loopback):
    captions = [caption_of(clip, "dog " * (n + 1)) for n, clip in enumerate(clips[:3])]

    def answer(received, out):
        dogs = received.prompt.count("dog") - 2
        reply("dog", dogs, 1)(received, out)

    loopback.answers = [answer]
    encoder = make_model(project, "lexical")
    options = {"keyword_model": served.pk}
    run = run_through(start_run(project=project, kind="score", model=encoder, options=options))
    tokens = dict(run.items.values_list("caption", "tokens_in"))
    assert tokens == {caption.pk: n + 1 for n, caption in enumerate(captions)}


def price(model_id, **prices):
    server, _ = RegisteredServer.objects.get_or_create(name="loop", urls="http://127.0.0.1")
    served, _ = ServedModel.objects.update_or_create(
        server=server, model_id=model_id, defaults=prices
    )
    return served


def test_a_run_costs_what_its_models_cost_when_it_started(project, served, clips, loopback):
    """40 frames in all, at 100 tokens each and one token out each."""

    def answer(received, out):
        frames = len(received.body["messages"][-1]["content"]) - 1
        reply("A clip.", 100 * frames, frames)(received, out)

    loopback.answers = [answer]
    options = {"sampling": {"kind": "every", "step": 1}}

    def preview():
        return preview_run(project=project, kind="caption", model=served, options=options).cost

    def captions(temperature):
        chosen = options | {"temperature": temperature}
        return start_run(project=project, kind="caption", model=served, options=chosen)

    assert preview() == ""
    first = run_through(captions(0.1))
    assert used_by(first).words == ("4,000 tokens in and 40 out, 40 pictures. No price set.")
    assert preview() == (
        "About 4,000 tokens in and 40 out for 5 clips, from 5 items of run "
        f"{first.pk}; no price set."
    )
    price("m", input_price=Decimal("100"), output_price=Decimal("1000"))
    priced = captions(0.2)
    price("m", input_price=Decimal("9"), picture_price=Decimal("25"))
    assert used_by(run_through(priced)).words == ("$0.44: 4,000 tokens in and 40 out, 40 pictures.")
    # 4,000 tokens in at 9, 40 out at 1,000 and 40 pictures at 25.
    assert preview() == f"About $1.08 for 5 clips, from 5 items of run {priced.pk}."


def test_a_server_that_does_not_say_is_named_as_such(project, served, clips, loopback, ada):
    price("m", input_price=Decimal("100"))
    loopback.answers = [sends_json(completion("A clip."))]
    options = {"sampling": {"kind": "every", "step": 5}}
    run = run_through(start_run(project=project, kind="caption", model=served, options=options))
    page = client_of(ada).get(f"/p/dives/runs/{run.pk}/")
    assert "The server doesn’t say how many tokens it used, 10 pictures." in page.text
    assert run.items.filter(cost__isnull=False).count() == 0


USED = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}


@pytest.mark.parametrize(
    ("stated", "tokens"),
    [
        (USED, (20, 5)),
        (USED | {"completion_tokens_details": {"reasoning_tokens": 3}}, (20, 5)),
        (USED | {"total_tokens": 85}, (20, 65)),  # Gemini and Grok: 60 of reasoning
        ({"prompt_tokens": 7, "total_tokens": 7}, (7, 0)),  # of embeddings
        ({"prompt_tokens": 7}, (None, None)),
        (USED | {"prompt_tokens": -1}, (None, None)),
        (USED | {"prompt_tokens": "20"}, (None, None)),
        (USED | {"prompt_tokens": 2**40}, (None, None)),
        ([20, 5], (None, None)),
    ],
)
def test_usage_is_read_as_each_service_states_it(stated, tokens):
    used: list[Usage] = []
    with counting(lambda place, usage: used.append(usage)):
        body = json.dumps({"usage": stated}).encode()
        note_reply(body, ModelServer("loop", "http://x"), "m", 3)
    assert used == [Usage("loop", "m", 3, *tokens)]


class Near:
    """An encoder that finds every text good which says so."""

    dimension = 2

    def encode_frames(self, clip):
        return np.tile(np.array([1, 0], np.float32), (len(clip.frames), 1))

    def encode_texts(self, texts):
        return [np.array([1, 0] if "good" in text else [0, 1], np.float32) for text in texts]


def test_all_attempts_of_refine_count_for_their_clip(project, served, clips, loopback, monkeypatch):
    """Clips of 7 and 9 frames need one attempt, those between and around them all three."""

    def answer(received, out):
        frames = len(received.body["messages"][-1]["content"]) - 1
        reply("good" if frames in {7, 9} else "bad", frames, 1)(received, out)

    loopback.answers = [answer]
    monkeypatch.setattr("inference.kinds.scoring.load_model", lambda settings: Near())
    encoder = make_model(project, "lexical")
    for clip in clips:
        caption_of(clip, "bad")
    run_through(start_run(project=project, kind="score", model=encoder))
    ModelSpec.objects.filter(pk=served.pk).update(refine_order=1)
    options = {"caption_sampling": {"kind": "every", "step": 1}}
    run = run_through(start_run(project=project, kind="refine", model=encoder, options=options))
    columns = ("clip__end_frame", "clip__start_frame", "tokens_in", "tokens_out")
    rows = {end - start: sums for end, start, *sums in run.items.values_list(*columns)}
    assert rows == {6: [18, 3], 7: [7, 1], 8: [24, 3], 9: [9, 1], 10: [30, 3]}
