"""Adding, changing, retiring and ordering the models of a project."""

import pytest

from annotate.models import AuditEvent
from inference.errors import InferenceError
from inference.models import ModelSpec
from inference.specs import services as specs
from tests.cast import make_clip, make_project
from tests.inference.cast import start_run
from tests.inference.outcomes import leave


@pytest.fixture(autouse=True)
def allowed(settings):
    settings.VERICAP_ALLOWED_MODELS = ["openai/clip-*"]
    settings.VERICAP_MODEL_SERVERS = {"hall": {"url": "http://127.0.0.1:9/v1", "key": "hidden"}}


@pytest.fixture
def clip_model(project, ada):
    return specs.add_model(
        project=project,
        backend="transformers-dual",
        name="CLIP",
        model_id="openai/clip-vit-base-patch32",
        admin=ada,
    )


def in_list(project) -> list[str]:
    listed = project.model_specs.filter(refine_order__isnull=False).order_by("refine_order")
    return list(listed.values_list("name", flat=True))


def drafts(project, ada, *names):
    return [
        specs.add_model(project=project, backend="opencv-draft", name=name, admin=ada)
        for name in names
    ]


def test_a_model_is_stored_with_all_its_parameters_and_audited(clip_model, ada):
    assert clip_model.parameters["batch_size"] == 8
    event = AuditEvent.objects.get(verb="add model")
    assert (event.actor, event.object_id) == (ada, clip_model.pk)
    assert event.after["model_id"] == "openai/clip-vit-base-patch32"


def test_it_refuses_a_model_that_is_not_on_the_list(project, ada):
    with pytest.raises(InferenceError, match="evil/model is not on the list of models"):
        specs.add_model(
            project=project,
            backend="transformers-vlm",
            name="Evil",
            model_id="evil/model",
            admin=ada,
        )
    assert not ModelSpec.objects.exists()


def test_it_refuses_a_wrong_parameter(project, ada):
    with pytest.raises(InferenceError, match=r"dimension is 3\. Keep it between 64 and 8192"):
        specs.add_model(
            project=project, backend="lexical", name="L", parameters={"dimension": 3}, admin=ada
        )


def test_it_refuses_a_name_that_is_taken(project, ada, clip_model):
    with pytest.raises(InferenceError, match="A model named CLIP exists already"):
        drafts(project, ada, "CLIP")


def test_another_project_may_use_the_same_name(ada, clip_model):
    assert drafts(make_project("Other"), ada, "CLIP")[0].name == "CLIP"


def test_the_built_in_models_are_added_once(project, ada):
    added = specs.add_built_in_models(project=project, admin=ada)
    again = specs.add_built_in_models(project=project, admin=ada)
    assert [spec.backend for spec in added] == [
        "opencv-draft",
        "lexical",
        "plain-joiner",
        "word-overlap",
    ]
    assert again == []


def test_a_change_marks_what_was_made_otherwise_as_stale(project, ada):
    make_clip(project)
    make_clip(project)
    (lexical,) = [specs.add_model(project=project, backend="lexical", name="Lexical", admin=ada)]
    run = leave(start_run(project=project, kind="embed", model=lexical), done=2)
    values = {"name": "Lexical", "parameters": {"dimension": 256}}
    assert specs.count_outdated_by(spec=lexical, **values) == 2
    assert set(run.items.values_list("stale_because", flat=True)) == {""}
    assert specs.change_model(spec=lexical, admin=ada, **values) == 2
    assert set(run.items.values_list("stale_because", flat=True)) == {"model"}
    event = AuditEvent.objects.get(verb="change model")
    assert event.before["parameters"] == {"dimension": 512}
    assert event.after["parameters"] == {"dimension": 256}
    assert event.after["results_out_of_date"] == 2


def test_a_new_name_makes_nothing_stale(project, ada):
    make_clip(project)
    (draft,) = drafts(project, ada, "Draft")
    run = leave(start_run(project=project, kind="caption", model=draft), done=1)
    assert specs.change_model(spec=draft, name="First draft", admin=ada) == 0
    assert run.items.get().stale_because == ""
    assert ModelSpec.objects.get().name == "First draft"


def test_the_same_again_is_no_change(clip_model, ada):
    specs.change_model(
        spec=clip_model, name="CLIP", model_id="openai/clip-vit-base-patch32", admin=ada
    )
    assert not AuditEvent.objects.filter(verb="change model").exists()


def test_a_retired_model_leaves_the_refine_list_and_starts_no_run(project, ada):
    make_clip(project)
    draft, second = drafts(project, ada, "Draft", "Second")
    for spec in (draft, second):
        specs.place_model(spec=spec, move="in", admin=ada)
    specs.set_in_use(spec=draft, in_use=False, admin=ada)
    assert in_list(project) == ["Second"]
    with pytest.raises(InferenceError, match="not among this project's models in use"):
        start_run(project=project, kind="caption", model=draft)
    specs.set_in_use(spec=draft, in_use=True, admin=ada)
    assert start_run(project=project, kind="caption", model=draft).total == 1


@pytest.mark.parametrize(
    ("name", "move", "after"),
    [
        ("B", "up", ["B", "A", "C"]),
        ("B", "down", ["A", "C", "B"]),
        ("A", "up", ["A", "B", "C"]),
        ("C", "down", ["A", "B", "C"]),
        ("B", "out", ["A", "C"]),
        ("B", "in", ["A", "B", "C"]),
        ("B", "sideways", ["A", "B", "C"]),
    ],
)
def test_the_refine_list_is_ordered(project, ada, name, move, after):
    for spec in drafts(project, ada, "A", "B", "C"):
        specs.place_model(spec=spec, move="in", admin=ada)
    spec = project.model_specs.get(name=name)
    specs.place_model(spec=spec, move=move, admin=ada)
    assert in_list(project) == after


def test_only_a_captioner_in_use_writes_captions_again(project, ada, clip_model):
    with pytest.raises(InferenceError, match="CLIP can't refine captions"):
        specs.place_model(spec=clip_model, move="in", admin=ada)


def test_no_key_of_a_server_is_stored_or_noted(project, ada):
    spec = specs.add_model(
        project=project,
        backend="openai-compatible",
        name="Hall",
        model_id="qwen",
        parameters={"server": "hall"},
        admin=ada,
    )
    stored = [spec.parameters, *AuditEvent.objects.values_list("before", "after")]
    assert "hidden" not in repr(stored)
