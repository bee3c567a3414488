"""A model names the theme of each video, prompts for captions name it, a person's theme wins."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from annotate.models import AuditEvent, Caption, Project
from inference.backends import plain_joiner
from inference.backends.protocols import BackendError
from inference.errors import InferenceError
from inference.models import RunItem, VideoTheme
from inference.queries import current_theme
from inference.runs.preview import preview_run
from inference.themes.services import correct_theme
from tests.inference.cast import make_model, run_through, start_run

pytestmark = pytest.mark.django_db


class Reader:
    """A captioner that says back what it was asked, or gives the reply of the test."""

    def __init__(self):
        self.prompts: list[str] = []
        self.lengths: list[int] = []
        self.reply: object = "“Cooking\nat home”"

    def caption(self, requests, generation):
        self.prompts += [request.prompt for request in requests]
        self.lengths += [request.clip.length for request in requests]
        return [self.reply for _ in requests]


@pytest.fixture
def project(project):
    project.protocol = "lovr"
    project.save()
    return project


@pytest.fixture
def reader(load, settings):
    settings.VERICAP_ALLOWED_MODELS = ["*"]
    load["transformers-vlm"] = Reader()
    return load["transformers-vlm"]


@pytest.fixture
def vlm(project):
    return make_model(project, "transformers-vlm", model_id="org/vlm")


@pytest.fixture
def video(clips):
    video = clips[0].video
    video.category, video.subcategory = "Food", ""
    video.save()
    return video


def name_theme(project, vlm, **options):
    return run_through(start_run(project=project, kind="theme", model=vlm, options=options))


def caption(project, vlm, **options):
    return run_through(start_run(project=project, kind="caption", model=vlm, options=options))


def test_a_model_names_the_theme_of_the_whole_video_with_its_recipe(project, vlm, video, reader):
    run = name_theme(project, vlm, prompt="What is it about?")
    theme = VideoTheme.objects.get()
    assert (theme.video, theme.text, theme.author) == (video, "Cooking at home", None)
    assert theme.item.run == run
    assert run.recipe["options"]["prompt"] == "What is it about?"
    assert (reader.prompts, reader.lengths) == (["What is it about?"], [video.frames])
    assert name_theme(project, vlm, prompt="What is it about?").reason.startswith("Everything")
    name_theme(project, vlm, prompt="Name the topic.")
    assert [item.stale_because for item in run.items.all()] == ["prompt"]


@pytest.mark.parametrize(
    ("reply", "code"), [("x" * 301, "too_long"), ("\n", "empty_reply"), ("“”", "empty_reply")]
)
def test_a_reply_that_is_no_theme_fails_its_video(project, vlm, video, reader, reply, code):
    reader.reply = reply
    assert name_theme(project, vlm).items.get().code == code
    reader.reply = BackendError("cut_off", "Cut off.")
    assert name_theme(project, vlm).items.get().code == "cut_off"
    assert not VideoTheme.objects.exists()


def test_prompts_name_the_theme_and_until_there_is_one_the_category(project, vlm, video, reader):
    caption(project, vlm, prompt="Describe.")
    assert reader.prompts[0].endswith("is about: Food")
    name_theme(project, vlm)
    del reader.prompts[:]
    run = caption(project, vlm, prompt="Describe.")
    assert [prompt.rpartition(": ")[2] for prompt in reader.prompts] == ["Cooking at home"] * 2
    assert {item.theme.text for item in run.items.all()} == {"Cooking at home"}
    caption(project, vlm, prompt="Describe.", use_theme=False)
    assert reader.prompts[-1] == "Describe."


def test_a_new_theme_makes_captions_with_an_earlier_theme_out_of_date(
    project, vlm, video, reader, ada, load
):
    first = caption(project, vlm)
    name_theme(project, vlm)
    why = {*first.items.values_list("stale_because", flat=True)}
    second = caption(project, vlm)
    assert (why, {*second.items.values_list("stale_because", flat=True)}) == ({"theme"}, {""})
    joiner = make_model(project, "plain-joiner")
    load["plain-joiner"] = plain_joiner.PlainJoiner()
    fused = run_through(start_run(project=project, kind="fuse", model=joiner))
    correct_theme(video=video, text="Baking bread", person=ada)
    assert {*second.items.values_list("stale_because", flat=True)} == {"theme"}
    assert fused.items.get().stale_because == "input"
    # Stale again, and fresh again with the theme of their prompts.
    without_theme = caption(project, vlm, use_theme=False)
    assert {*second.items.values_list("stale_because", flat=True)} == {"prompt"}
    caption(project, vlm)
    assert {*second.items.values_list("stale_because", flat=True)} == {"theme"}
    assert {*without_theme.items.values_list("stale_because", flat=True)} == {"prompt"}
    correct_theme(video=video, text="Cooking at home", person=ada)
    assert {*second.items.values_list("stale_because", flat=True)} == {""}


def test_no_run_replaces_a_theme_given_by_a_person(project, vlm, video, reader, ada):
    name_theme(project, vlm)
    machine_theme = VideoTheme.objects.get()
    correction = correct_theme(video=video, text="  Baking\nbread ", person=ada)
    facts = (correction.text, correction.author, correction.replaces)
    assert facts == ("Baking bread", ada, machine_theme)
    event = AuditEvent.objects.get(verb="correct theme")
    assert event.before == {"theme": "Cooking at home", "key": machine_theme.pk}
    assert (event.actor, event.after["theme"]) == (ada, "Baking bread")
    preview = preview_run(project=project, kind="theme", model=vlm, options={"prompt": "Topic?"})
    assert preview.themes == "1 theme given by people stays."
    reader.reply = "Cleaning"
    name_theme(project, vlm, prompt="Topic?")
    assert VideoTheme.objects.first().text == "Cleaning"
    assert current_theme(video) == correction


def test_an_earlier_recipe_names_the_video_again(project, vlm, video, reader):
    name_theme(project, vlm, prompt="One?")
    reader.reply = "Travel"
    name_theme(project, vlm, prompt="Two?")
    reader.reply = "Cooking again"
    name_theme(project, vlm, prompt="One?")
    assert current_theme(video).text == "Cooking again"


def test_the_preview_says_what_a_caption_run_tells(project, vlm, video, reader):
    preview = preview_run(project=project, kind="caption", model=vlm, options={})
    assert preview.themes.startswith("1 video of 1 without a theme: the model is told the category")
    name_theme(project, vlm)
    preview = preview_run(project=project, kind="caption", model=vlm, options={})
    assert preview.themes == "The model is told the theme of 1 video."


def test_in_carebench_prompts_do_not_name_the_theme_by_default(project, vlm, video, reader):
    Project.objects.update(protocol="carebench")
    project.refresh_from_db()
    name_theme(project, vlm)
    run = caption(project, vlm)
    assert reader.prompts[-1] == "Describe the video in detail."
    assert {*run.items.values_list("theme", "stale_because")} == {(None, "")}


def test_a_model_that_reads_no_prompt_is_given_no_theme(project, video, vlm, reader, load):
    draft = make_model(project)
    load["opencv-draft"] = Reader()
    run = caption(project, draft)
    name_theme(project, vlm)
    assert {*run.items.values_list("stale_because", flat=True)} == {""}
    assert caption(project, draft).reason.startswith("Everything was already done")


def test_the_measured_draft_names_what_it_measures(project, video):
    name_theme(project, make_model(project))
    theme = current_theme(video)
    assert theme.text.startswith("Measured, not recognized: ")
    assert theme.text.endswith(", 1 shot")
    run = theme.item.run
    assert run.recipe["options"]["sampling"]["kind"] == "pairs"


def test_prompts_of_refine_name_the_theme_too(project, vlm, video, reader, write, encoder, ada):
    vlm.refine_order = 1
    vlm.save()
    name_theme(project, vlm)
    for clip in video.clips.all():
        write(clip, "bad splash")
    run_through(start_run(project=project, kind="score", model=encoder))
    reader.reply = "A good dish."
    options = {"prompt": "Describe.", "attempts": 1}
    run = run_through(start_run(project=project, kind="refine", model=encoder, options=options))
    assert reader.prompts[-1].endswith("is about: Cooking at home")
    correct_theme(video=video, text="Baking", person=ada)
    items = RunItem.objects.filter(run=run)
    assert {*items.values_list("stale_because", flat=True)} == {"theme"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" \n", "The theme is empty. Say in a few words what the video is about."),
        ("x" * 301, "The theme has 301 letters. Shorten it to 300."),
        ("Baking", "This is the theme already. Nothing was changed."),
    ],
)
def test_a_correction_that_says_nothing_is_refused(project, video, ada, text, message):
    correct_theme(video=video, text="Baking", person=ada)
    with pytest.raises(InferenceError) as refusal:
        correct_theme(video=video, text=text, person=ada)
    assert (str(refusal.value), VideoTheme.objects.count()) == (message, 1)


def test_a_theme_is_never_changed(project, video, ada):
    theme = correct_theme(video=video, text="Baking", person=ada)
    with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
        VideoTheme.objects.filter(pk=theme.pk).update(text="Travel")
    assert not Caption.objects.exists()
