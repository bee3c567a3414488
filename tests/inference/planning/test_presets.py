"""Captions of a model under test are asked for as the protocol's paper asks for them."""

import pytest

from inference.kinds.caption import CaptionWork
from inference.models import InferenceRun
from inference.planning.options import CaptionOptions, RefineOptions
from inference.planning.presets import options_for
from inference.recipes import read_recipe
from tests.cast import client_of, make_clip, make_person, make_project
from tests.inference.cast import make_model, start_run

pytestmark = pytest.mark.django_db

ANSWER = {"category": "Sports & Exercise", "subcategory": "platform_diving"}


@pytest.fixture(params=["carebench", "tfcovr", "lovr"])
def project(request, db):
    return make_project(protocol=request.param)


def job_of(project):
    run = start_run(project=project, kind="caption", model=make_model(project))
    [job] = CaptionWork(read_recipe(run.recipe), None).describe(list(run.items.all()))
    return job


def test_each_protocol_asks_as_its_paper_does(project):
    caption = options_for(project, "caption")
    if project.protocol == "lovr":
        assert caption == CaptionOptions()
        assert caption.use_theme
        return
    frames = {"carebench": "32 frames, evenly spread", "tfcovr": "12 frames, evenly spread"}
    assert (caption.prompt, caption.system) == ("Describe the video in detail.", "")
    assert (str(caption.sampling), caption.use_theme) == (frames[project.protocol], False)
    assert (caption.temperature, caption.max_tokens, caption.repetition_penalty) == (0, 512, 1.2)


def test_the_page_of_a_new_run_names_the_paper_of_its_settings(project):
    ada = make_person("Ada", project, "admin")
    page = client_of(ada).get(f"/p/{project.slug}/runs/new/?kind=caption").text
    papers = {"lovr": "LoVR, section 3.2.1", "carebench": "CaReBench, section 5.2</span>"}
    assert papers.get(project.protocol, "CaReBench, section 5.2, with 12 frames") in page
    assert ("LoVR, section" in page) is (project.protocol == "lovr")


def test_only_lovr_tells_a_model_what_the_video_is_about(project):
    make_clip(project, **ANSWER)
    prompt = job_of(project).prompt
    assert ("platform diving" in prompt) is (project.protocol == "lovr")


def test_the_page_starts_with_the_preset(project, settings):
    settings.VERICAP_ALLOWED_MODELS = ["Qwen/*"]
    model = make_model(project, "transformers-vlm", name="Qwen", model_id="Qwen/Qwen2.5-VL")
    make_clip(project, **ANSWER)
    ada = make_person("Ada", project, "admin")
    page = client_of(ada).get(f"/p/{project.slug}/runs/new/?kind=caption").text
    is_checked = 'name="use_theme"' in page and "checked" in page.split('name="use_theme"')[1][:80]
    assert is_checked is (project.protocol == "lovr")
    start_run(project=project, kind="caption", model=model, options={"temperature": 0.5})
    options = InferenceRun.objects.get().recipe["options"]
    assert options == {**options_for(project, "caption").as_dict(), "temperature": 0.5}


def test_refinement_tells_no_theme_where_captioning_does_not(project):
    assert options_for(project, "refine").use_theme is (project.protocol == "lovr")
    assert isinstance(options_for(project, "refine"), RefineOptions)


def test_tf_covr_embeds_12_frames_and_the_others_32(project):
    frames = 12 if project.protocol == "tfcovr" else 32
    assert str(options_for(project, "embed").sampling) == f"{frames} frames, evenly spread"
