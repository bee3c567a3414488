"""The full-video caption: joined at the edges, everything else untouched."""

from __future__ import annotations

import pytest

from annotate.jobs.services.working import work_on
from annotate.models import Caption
from inference.backends.protocols import BackendError
from inference.models import FusionJoint
from inference.planning.prompts import join_prompt
from tests.cast import make_clip, make_video
from tests.inference.cast import make_model, run_through, start_run, states

pytestmark = pytest.mark.django_db


class Joiner:
    """A text model; it joins as told, or by marking both paragraphs."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.prompts = []
        self.batches = []

    def complete(self, prompts, generation, *, system=""):
        self.prompts += prompts
        self.batches.append(len(prompts))
        reply = self.replies.pop(0) if self.replies else "<one>\n\n<two>"
        if isinstance(reply, KeyboardInterrupt):
            raise reply
        return [reply] * len(prompts)


@pytest.fixture
def joiner(project, load, settings):
    settings.VERICAP_MODEL_SERVERS = {"here": object()}
    load["openai-compatible"] = Joiner()
    return load


@pytest.fixture
def text_model(project):
    return make_model(project, "openai-compatible", model_id="qwen", parameters={"server": "here"})


@pytest.fixture
def video(project):
    return make_video(project, frames=90)


@pytest.fixture
def captions(project, video, write):
    parts = [
        make_clip(project, video=video, start_frame=n * 30, end_frame=n * 30 + 30) for n in range(3)
    ]
    # Written out of order: the clips' order counts, not the captions'.
    last = write(parts[2], "c1")
    first = write(parts[0], "a1\n\na2\na3")
    return [first, write(parts[1], "b1\nb2"), last]


def fuse(project, text_model, **options):
    return start_run(project=project, kind="fuse", model=text_model, options=options)


def full_video() -> Caption:
    return Caption.objects.get(kind="full_video")


def test_only_the_paragraphs_at_a_joint_change(project, text_model, captions, joiner, video):
    joiner["openai-compatible"] = Joiner("A3\n\nB1", "B2\n\nC1")
    run = run_through(fuse(project, text_model))
    assert states(run) == ["done"]
    fused = full_video()
    assert fused.text == "a1\n\na2\n\nA3\n\nB1\n\nB2\n\nC1"
    assert list(fused.parents.order_by("pk")) == sorted(captions, key=lambda c: c.pk)
    assert (fused.clip.start_frame, fused.clip.end_frame, fused.source) == (0, 90, "machine")


def test_the_model_sees_the_end_of_one_caption_and_the_start_of_the_next(
    project, text_model, captions, joiner
):
    model = joiner["openai-compatible"] = Joiner("A3\n\nB1", "B2\n\nC1")
    run_through(fuse(project, text_model))
    assert ["a3" in model.prompts[0], "b1" in model.prompts[0]] == [True, True]
    assert ["b2" in model.prompts[1], "c1" in model.prompts[1]] == [True, True]


@pytest.mark.parametrize("reply", ["only one", "one\n\ntwo\n\nthree", "  ", "\n\n"])
def test_a_reply_that_is_not_two_paragraphs_is_tried_again(
    project, text_model, captions, joiner, reply
):
    joiner["openai-compatible"] = Joiner(reply, "A3\n\nB1", "B2\n\nC1")
    run_through(fuse(project, text_model))
    joint = FusionJoint.objects.get(number=0)
    assert (joint.tries, joint.is_flagged, joint.joined_before) == (2, False, "A3")


def test_a_joint_that_never_comes_right_is_kept_unjoined_and_flagged(
    project, text_model, captions, joiner
):
    wrong = [BackendError("cut_off", "Cut off."), "no", "no"]
    joiner["openai-compatible"] = Joiner(*wrong, "B2\n\nC1")
    run = run_through(fuse(project, text_model))
    joint = FusionJoint.objects.get(number=0)
    assert (joint.is_flagged, joint.joined_before, joint.joined_after) == (True, "a3", "b1")
    assert full_video().text == "a1\n\na2\n\na3\n\nb1\n\nB2\n\nC1"
    assert run.items.get().note == "6 words, 2 joints, 1 kept unjoined"


def test_the_prompt_of_a_joint_is_part_of_the_recipe(project, text_model, captions, joiner):
    first = run_through(fuse(project, text_model))
    model = joiner["openai-compatible"] = Joiner()
    prompt = "Join {second} to {first}."
    again = run_through(fuse(project, text_model, prompt=prompt))
    assert model.prompts[0] == "Join b1 to a3."
    assert again.recipe["options"]["prompt"] == prompt
    assert (states(again), first.items.get().stale_because) == (["done"], "prompt")


def test_a_paragraph_with_a_place_holder_stays_as_it_is():
    assert join_prompt("{first}/{second}", "See {second}.", "So.") == "See {second}./So."


def test_fusing_continues_at_the_next_joint_after_a_worker_was_killed(
    project, text_model, captions, joiner
):
    joiner["openai-compatible"] = Joiner("A3\n\nB1", KeyboardInterrupt())
    run = fuse(project, text_model)
    with pytest.raises(KeyboardInterrupt):
        work_on(job_id=run.pk)
    model = joiner["openai-compatible"] = Joiner("B2\n\nC1")
    run.items.update(state="waiting")
    run_through(run)
    assert len(model.prompts) == 1
    assert full_video().text == "a1\n\na2\n\nA3\n\nB1\n\nB2\n\nC1"


def test_the_next_joints_of_several_videos_are_asked_for_at_once(
    project, text_model, joiner, write
):
    for length in (3, 2, 4):
        video = make_video(project, frames=30 * length)
        for n in range(length):
            clip = make_clip(project, video=video, start_frame=n * 30, end_frame=n * 30 + 30)
            write(clip, f"caption {n}")
    model = joiner["openai-compatible"] = Joiner()
    run = run_through(fuse(project, text_model))
    assert states(run) == ["done"] * 3
    # The shortest video's only joint, since a worker begins with one video; then the next joints of
    # both others, and the last of the longest.
    assert model.batches == [1, 2, 2, 1]


def test_the_rule_that_is_no_language_model_joins_too(project, captions, load):
    from inference.backends.plain_joiner import load as load_joiner
    from inference.planning.recipes import model_recipe, settings_of

    plain = make_model(project, "plain-joiner")
    load["plain-joiner"] = load_joiner(settings_of(model_recipe(plain)))
    run_through(fuse(project, plain))
    assert full_video().text.startswith("a1\n\na2\n\na3")


def test_a_clip_without_a_caption_is_named(project, text_model, captions, joiner, video):
    bare = make_clip(project, video=video, start_frame=5, end_frame=25)
    run = run_through(fuse(project, text_model))
    item = run.items.get()
    assert (item.code, bare.name in item.reason) == ("missing_captions", True)


def test_captions_that_change_meanwhile_are_not_mixed(project, text_model, captions, joiner, write):
    run = fuse(project, text_model)
    write(captions[1].clip, "newer")
    run_through(run)
    assert run.items.get().code == "changed"


def test_a_recaptioned_clip_makes_the_fusion_stale(project, text_model, captions, joiner, write):
    run_through(fuse(project, text_model))
    write(captions[1].clip, "newer\nand longer")
    again = run_through(fuse(project, text_model))
    assert states(again) == ["done"]
    assert Caption.objects.filter(kind="full_video").count() == 2
