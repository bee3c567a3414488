"""Starting a run from its page."""

import pytest

from annotate.models import Caption
from inference.models import InferenceRun, ModelSpec, QualityScore
from inference.planning.options import OPTIONS
from inference.planning.presets import options_for
from inference.planning.recipes import hash_of, scorer_recipe
from inference.planning.services import plan_items
from inference.recipes import read_recipe
from tests.cast import client_of, count_queries, make_clip, make_project, make_video
from tests.inference.cast import make_model, run_through, start_run
from tests.inference.outcomes import leave
from tests.markup import shows, squeezed

NEW = "/p/dives/runs/new/"
CAPTION = f"{NEW}?kind=caption"


@pytest.fixture
def clips(project):
    return [make_clip(project) for _ in range(3)]


@pytest.fixture
def draft(project):
    return make_model(project, name="Draft")


@pytest.fixture
def vlm(project, settings):
    """A captioner that sees whatever frames are chosen."""
    settings.VERICAP_ALLOWED_MODELS = ["Qwen/*", "openai/*"]
    return make_model(project, "transformers-vlm", name="Qwen", model_id="Qwen/Qwen2.5-VL")


def form(model=None, **changed) -> dict:
    """What a browser sends when nothing but the model is touched."""
    fields = {
        "sampling": "middle",
        "sampling-middle-count": "32",
    }
    return fields | ({"model": str(model.pk)} if model else {}) | changed


def test_seven_kinds_are_offered_with_their_papers(project, ada):
    page = client_of(ada).get(NEW).text
    assert [f"?kind={kind}" in page for kind in OPTIONS] == [True] * 7
    assert shows(page, "LoVR, section 3.2.2")


def test_only_models_that_can_do_it_are_offered(project, ada, clips, draft):
    make_model(project, "lexical", name="Vectors")
    make_model(project, name="Old draft", is_active=False)
    page = client_of(ada).get(CAPTION).text
    assert shows(page, "Draft")
    assert "Vectors" not in page
    assert "Old draft" not in page


def test_without_a_fitting_model_it_leads_to_the_models(project, ada, clips):
    page = client_of(ada).get(CAPTION).text
    assert shows(page, "No model can do this")
    assert shows(page, 'href="/p/dives/models/"')


def test_segmentation_has_the_papers_values(project, ada):
    make_video(project)
    page = client_of(ada).get(f"{NEW}?kind=segment").text
    values = {"min_video_seconds": 900, "min_scene_seconds": 5, "min_clips": 40}
    assert [f'name="{name}" value="{value}"' in page for name, value in values.items()] == (
        [True] * 3
    )
    assert "Empty: 34 (content)" in page
    assert shows(page, '<strong class="number">1</strong> video to work on')


def test_transnetv2_is_offered_with_a_model_of_its_kind(project, ada):
    make_video(project)

    def offered():
        form = client_of(ada).get(f"{NEW}?kind=segment").context["form"]
        return [name for name, _ in form.fields["cut_detector"].choices]

    assert offered() == ["content", "adaptive", "threshold", "hash", "histogram"]
    shots = make_model(project, "transnetv2", name="Shots")
    assert offered()[-1] == "transnetv2"
    response = client_of(ada).post(f"{NEW}?kind=segment", {"cut_detector": "transnetv2"})
    run = InferenceRun.objects.get()
    assert (response.status_code, run.model) == (302, shots)


def test_a_run_is_started_with_the_defaults_of_the_paper(project, ada, clips, vlm):
    response = client_of(ada).post(CAPTION, form(vlm))
    run = InferenceRun.objects.get()
    assert response.headers["Location"] == f"/p/dives/runs/{run.pk}/"
    assert (run.kind, run.model, run.is_planned, run.created_by) == ("caption", vlm, False, ada)
    assert run.recipe["options"] == options_for(project, "caption").as_dict()


def test_what_is_chosen_goes_into_the_recipe(project, ada, clips, vlm):
    chosen = form(
        vlm,
        prompt="Say what moves.",
        temperature="0.5",
        use_theme="on",
        sampling="every",
        **{"sampling-every-step": "12"},
    )
    client_of(ada).post(CAPTION, chosen)
    options = InferenceRun.objects.get().recipe["options"]
    assert options["prompt"] == "Say what moves."
    assert (options["temperature"], options["use_theme"]) == (0.5, True)
    assert options["sampling"] == {"kind": "every", "step": 12}


def test_a_model_that_sees_its_own_frames_says_so(project, ada, clips, draft):
    assert shows(
        squeezed(client_of(ada).get(CAPTION).text), "It always sees 120 pairs, 2 frames apart"
    )


@pytest.mark.parametrize("kind", ["segment", "embed", "score"])
def test_every_kind_starts_with_what_its_page_shows(project, ada, clips, vlm, kind):
    Caption.objects.create(
        project=project, clip=clips[0], kind="general", source="human", text="A.", word_count=1
    )
    clip_model = make_model(project, "transformers-dual", model_id="openai/clip")
    model = None if kind == "segment" else clip_model
    preset = OPTIONS[kind]().as_dict().get("sampling", {"kind": "seconds"})
    sampling = {f"sampling-{preset['kind']}-{n}": v for n, v in preset.items() if n != "kind"}
    fields = form(model, sampling=preset["kind"], **sampling)
    client_of(ada).post(f"{NEW}?kind={kind}", fields)
    assert InferenceRun.objects.get().recipe["options"] == OPTIONS[kind]().as_dict()


@pytest.mark.parametrize(
    ("changed", "label", "sentence"),
    [
        ({"model": ""}, "Model", "Choose a model."),
        ({"model": "999999"}, "Model", "Choose a listed model."),
        ({"temperature": "3"}, "Temperature", "Keep it between 0 and 2."),
        ({"seed": "x"}, "Seed", "Enter a whole number."),
        ({"sampling": "sometimes"}, "Frames", "Choose how frames are taken."),
        ({"sampling-middle-count": "0"}, "Frames", "Give whole numbers from 1."),
        ({"sampling-middle-count": "few"}, "Frames", "Give whole numbers from 1."),
        (
            {
                "sampling": "seconds",
                "sampling-seconds-low": "99",
                "sampling-seconds-high": "64",
            },
            "Frames",
            "The fewest frames can&#x27;t be more than the most.",
        ),
    ],
)
def test_a_wrong_field_says_what_to_do_and_keeps_the_rest(
    project, ada, clips, draft, changed, label, sentence
):
    response = client_of(ada).post(CAPTION, form(draft, prompt="Kept words.") | changed)
    assert response.status_code == 422
    assert sentence in response.text
    assert shows(response.text, "Kept words.")
    assert response.text.count(f"Fix the marked fields first: {label}.") == 1
    assert ('<details class="card" open>' in response.text) == ("model" not in changed)
    assert not InferenceRun.objects.exists()


def test_what_can_not_be_started_says_why(project, ada, draft):
    response = client_of(ada).post(CAPTION, form(draft, prompt="Kept words."))
    assert response.status_code == 422
    assert response.text.count("No clips yet. Import videos first.") == 1
    assert shows(response.text, "Kept words.")


def test_the_very_same_run_is_not_started_twice(project, ada, clips, draft):
    client = client_of(ada)
    client.post(CAPTION, form(draft))
    assert "An identical run is in progress" in client.post(CAPTION, form(draft)).text
    assert InferenceRun.objects.count() == 1


def preview(ada, draft, kind="caption", **changed) -> str:
    return client_of(ada).post(f"{NEW}preview/?kind={kind}", form(draft, **changed)).text


def test_the_preview_counts_what_is_to_be_done(project, ada, clips, draft):
    assert shows(preview(ada, draft), '<strong class="number">3</strong> clips to work on.')
    assert shows(
        client_of(ada).get(CAPTION).text, '<strong class="number">3</strong> clips to work on.'
    )


def test_a_caption_run_can_be_limited_to_five_clips(project, ada, clips, draft):
    for _ in range(4):
        make_clip(project)
    page = preview(ada, draft, scope="few")
    assert shows(page, '<strong class="number">5</strong> clips to work on.')
    assert shows(page, "2 clips beyond the first five are left out.")
    run = start_run(project=project, kind="caption", model=draft, options={}, scope="few")
    assert {item.clip for item in plan_items(run)} == {*clips, *project.clips.order_by("pk")[3:5]}


def test_the_preview_knows_what_the_same_recipe_has_done(project, ada, clips, draft):
    leave(start_run(project=project, kind="caption", model=draft), done=2, state="done")
    html = preview(ada, draft)
    assert shows(html, '<strong class="number">1</strong> clip to work on.')
    assert shows(html, "2 are already done with exactly this recipe and are not repeated.")
    assert "out of date" not in html


def test_the_preview_counts_what_another_recipe_would_outdate(project, ada, clips, draft):
    run = leave(start_run(project=project, kind="caption", model=draft), done=2, state="done")
    html = preview(ada, draft, prompt="Say what moves.")
    assert shows(html, '<strong class="number">3</strong> clips to work on.')
    assert shows(html, "2 earlier results will be marked as out of date: the prompt was changed.")
    assert set(run.items.values_list("stale_because", flat=True)) == {""}
    assert InferenceRun.objects.count() == 1


def test_only_what_is_missing_leaves_out_what_the_model_has_done(project, ada, clips, draft):
    leave(start_run(project=project, kind="caption", model=draft), done=2, state="done")
    html = preview(ada, draft, prompt="Say what moves.", only_missing="on")
    assert shows(html, '<strong class="number">1</strong> clip to work on.')
    assert shows(html, "2 are left out, as this model has done them before.")
    client_of(ada).post(CAPTION, form(draft, prompt="Say what moves.", only_missing="on"))
    assert len(plan_items(InferenceRun.objects.first())) == 1


def test_the_preview_of_a_wrong_form_asks_to_fix_it(project, ada, clips, draft):
    html = preview(ada, draft, temperature="9")
    assert shows(html, "Fix the marked fields first. Temperature: Keep it between 0 and 2.")


def test_the_preview_without_a_model_asks_for_one(project, ada, clips, draft):
    assert "Choose a model to see how much it would do." in preview(ada, None)


def test_nothing_is_left_to_do_where_the_same_recipe_has_done_everything(
    project, ada, clips, draft
):
    leave(start_run(project=project, kind="caption", model=draft), done=3, state="done")
    client = client_of(ada)
    for html in (client.get(CAPTION).text, preview(ada, draft)):
        assert shows(html, "Nothing to do: all 3 clips were already done with exactly this recipe")
        assert shows(html, 'aria-disabled="true">Nothing to do</button>')
    changed = preview(ada, draft, prompt="Say what moves.")
    assert shows(
        changed, 'id="start-run" aria-describedby="preview" hx-swap-oob="true">Start the run<'
    )
    client.post(CAPTION, form(draft))
    assert run_through(InferenceRun.objects.first()).state == "done"


@pytest.mark.parametrize(
    ("of", "message"),
    [
        ("full_video", "No video has a caption of the whole video yet. Run fuse first."),
        ("spatial", "No clip has a spatial caption yet: people split them."),
        ("temporal", "No clip has a temporal caption yet: people split them."),
    ],
)
def test_captions_are_there_before_they_are_embedded(project, ada, clips, of, message):
    lexical = make_model(project, "lexical")
    fields = form(lexical, of=of)
    counted = client_of(ada).post(f"{NEW}preview/?kind=embed", fields)
    assert message in counted.text
    refused = client_of(ada).post(f"{NEW}?kind=embed", fields)
    assert refused.status_code == 422
    assert refused.text.count(message) == 1
    assert "Import videos" not in refused.text


def test_refining_without_a_list_says_so(project, ada, clips):
    make_model(project, "lexical")
    page = client_of(ada).get(f"{NEW}?kind=refine").text
    assert shows(page, "The refinement order is empty.")


def test_refining_says_what_is_under_the_threshold_and_who_writes_it_again(
    project, ada, clips, draft
):
    make_model(project, name="Second")
    for place, spec in enumerate(ModelSpec.objects.order_by("-name"), 1):
        ModelSpec.objects.filter(pk=spec.pk).update(refine_order=place)
    scorer = make_model(project, "lexical")
    for clip in clips:
        Caption.objects.create(
            project=project, clip=clip, kind="general", source="machine", text="A.", word_count=1
        )
    run = start_run(project=project, kind="score", model=scorer)
    for item, value in zip(run.items.all(), (0.1, 0.199, 0.2), strict=True):
        QualityScore.objects.create(
            project=project,
            item=item,
            caption=item.caption,
            clip=item.caption.clip,
            scorer=hash_of(scorer_recipe(read_recipe(run.recipe))),
            value=value,
        )
    page = client_of(ada).get(f"{NEW}?kind=refine&model={scorer.pk}").text
    assert shows(
        page, '<strong class="number">2</strong> clips to work on, under the threshold of 0.200.'
    )
    assert shows(page, "Rewritten by Second, then Draft.")
    assert shows(page, "Frames for the score")
    assert shows(page, "Frames for new captions")


def test_a_run_like_an_earlier_one_starts_from_its_settings(project, ada, clips, draft):
    run = start_run(
        project=project, kind="caption", model=draft, options={"prompt": "Say what moves."}
    )
    page = client_of(ada).get(f"{CAPTION}&like={run.pk}&model={draft.pk}").text
    assert shows(page, "Say what moves.")
    assert shows(page, f"as in run {run.pk}")


def test_an_earlier_run_of_another_project_is_not_read(project, ada, clips, draft):
    other = make_project("Other")
    make_clip(other)
    run = start_run(
        project=other, kind="caption", model=make_model(other), options={"prompt": "Secret."}
    )
    assert "Secret." not in client_of(ada).get(f"{CAPTION}&like={run.pk}").text


@pytest.mark.parametrize("number", [1, 3])
def test_the_page_costs_the_same_at_any_number_of_clips(project, ada, draft, number):
    for _ in range(number):
        make_clip(project)
        make_model(project, name=f"Draft {ModelSpec.objects.count()}")
    client, url = client_of(ada), f"{CAPTION}&model={draft.pk}"
    client.get(url)
    with count_queries() as count:
        client.get(url)
    assert count == 10


def test_a_large_project_is_counted_after_the_page_is_there(
    project, ada, clips, draft, monkeypatch
):
    monkeypatch.setattr("inference.runs.new_run_page.MAX_COUNTED_AT_ONCE", 2)
    page = client_of(ada).get(CAPTION).text
    assert shows(page, "Counting what there is to do…")
    assert shows(page, 'hx-trigger="load, input from:#new-run delay:500ms"')
    assert shows(preview(ada, draft), '<strong class="number">3</strong> clips to work on.')


@pytest.mark.parametrize(
    ("backends", "sentence"),
    [
        ([], "needs a model that names keywords"),
        (["plain"], "keywords by plain, every 30th frame, whole frames, because no object"),
        (["plain", "transformers-detector"], "every 30th frame, regions by transformers-detector."),
    ],
)
def test_lovrs_preset_says_what_it_compares(project, ada, clips, settings, backends, sentence):
    make_model(project, "lexical", name="lexical")
    for name in backends:
        backend = "openai-compatible" if name == "plain" else name
        make_model(project, backend, name=name, model_id="a", parameters={})
    client = client_of(ada)
    assert shows(client.get(f"{NEW}?kind=score").text, "Set up EVQAScore as LoVR ran it")
    page = client.get(f"{NEW}?kind=score&preset=lovr")
    assert shows(page.text, sentence)
    keys = dict(ModelSpec.objects.values_list("name", "pk"))
    form = page.context["form"]
    assert [form[name].value() for name in ("keyword_model", "detector", "keywords_at_most")] == [
        keys.get("plain", 0),
        keys.get("transformers-detector", 0),
        100 if backends else 20,
    ]
