"""The Models page: what the project has, adding, changing, retiring, ordering."""

import pytest

from annotate.models import Caption
from inference.model_facts import WEIGHTS
from inference.models import ModelSpec, RefineAttempt
from inference.specs.api import ModelSerializer
from inference.specs.served_families import SERVED_FAMILIES
from inference.specs.services import add_model
from tests.cast import client_of, count_queries, make_clip
from tests.inference.cast import make_model, start_run
from tests.inference.outcomes import leave
from tests.markup import shows, squeezed

MODELS = "/p/dives/models/"
SECRET = "sk-nobody-may-see-this"


@pytest.fixture(autouse=True)
def allowed(settings):
    settings.VERICAP_ALLOWED_MODELS = ["openai/clip-*"]
    settings.VERICAP_MODEL_SERVERS = {"hall": {"url": "http://127.0.0.1:9/v1", "key": SECRET}}


def test_a_project_is_offered_the_built_in_models_until_it_has_them(project, ada):
    client = client_of(ada)
    assert "Add the built-in models" in client.get(MODELS).text
    only_joiner = add_model(project=project, backend="plain-joiner", name="Plain joiner", admin=ada)
    assert "Add the built-in models" in client.get(MODELS).text
    client.post(f"{MODELS}built-in/")
    assert ModelSpec.objects.get(backend="plain-joiner") == only_joiner
    names = list(ModelSpec.objects.values_list("name", flat=True))
    assert names == ["Lexical vectors", "Measured draft", "Plain joiner", "Word overlap"]
    page = client.get(MODELS).text
    assert "Add the built-in models" not in page
    assert "No download, no language model." in page


def test_the_kind_of_model_is_chosen_first(project, ada):
    page = client_of(ada).get(f"{MODELS}new/").text
    assert "?backend=openai-compatible" in page
    assert "Model server (OpenAI-compatible)" in page


def test_a_form_has_the_fields_of_its_backend_alone(project, ada):
    client = client_of(ada)
    lexical = client.get(f"{MODELS}new/?backend=lexical").text
    dual = client.get(f"{MODELS}new/?backend=transformers-dual").text
    assert "Numbers a vector. 64 to 8,192. Empty: 512." in lexical
    assert "Model id" not in lexical
    assert "May be loaded here: openai/clip-*." in dual
    assert "Dimension" not in dual


def test_a_model_on_a_server_begins_with_the_settings_of_its_family(project, ada):
    address = f"{MODELS}new/?backend=openai-compatible"
    client = client_of(ada)
    for key, family in SERVED_FAMILIES.items():
        form = client.get(f"{address}&family={key}").context["form"]
        begun = {field.name: field.value() for field in form.parameter_fields}
        # Each value is one that the form takes.
        data = begun | {"name": family.name, "model_id": "m", "parameter_server": "hall"}
        assert client.post(address, data).status_code == 302
        saved = ModelSpec.objects.get(name=family.name).parameters
        assert {name: saved[name] for name in family.values} == family.values
    assert client.get(f"{address}&family=unheard-of").context["family"] is None
    assert client.get(f"{MODELS}new/?backend=lexical&family=claude").context["family"] is None


def test_a_model_is_added(project, ada):
    client_of(ada).post(
        f"{MODELS}new/?backend=transformers-dual",
        {"name": "CLIP", "model_id": "openai/clip-vit-base-patch32", "parameter_batch_size": "4"},
    )
    spec = ModelSpec.objects.get()
    assert (spec.name, spec.model_id) == ("CLIP", "openai/clip-vit-base-patch32")
    assert (spec.parameters["batch_size"], spec.parameters["device"]) == (4, "auto")


def test_the_family_and_size_of_a_model_are_stated_and_outdate_nothing(project, ada):
    make_clip(project)
    spec = make_model(project, "lexical", name="Lexical")
    leave(start_run(project=project, kind="embed", model=spec), done=1)
    client, url = client_of(ada), f"{MODELS}{spec.pk}/"
    typed = {"name": "Lexical", "family": "MLLMs", "size": "1.5b"}
    assert client.post(url, typed).status_code == 302
    spec.refresh_from_db()
    assert (spec.family, spec.parameter_count) == ("MLLMs", 1_500_000_000)
    assert "MLLMs, 1.5B parameters" in client.get(MODELS).text
    assert 'value="1.5B"' in client.get(url).text
    refused = client.post(url, typed | {"size": "large"})
    assert refused.status_code == 422
    assert "Write the number of parameters as 7B, 1.5B or 427M." in refused.text


def test_what_is_stated_of_weights_outdates_nothing(project, ada, settings):
    settings.VERICAP_ALLOWED_MODELS = ["openai/*"]
    make_clip(project)
    spec = make_model(project, "transformers-dual", name="CLIP", model_id="openai/clip")
    leave(start_run(project=project, kind="embed", model=spec), done=1)
    client, url = client_of(ada), f"{MODELS}{spec.pk}/"
    typed = {
        "name": "CLIP",
        "model_id": "openai/clip",
        "weights_source": "openai/clip on Hugging Face",
        "weights_license": "MIT",
        "weights_sha256": "ab" * 32,
    }
    assert client.post(url, typed).status_code == 302
    page = client.get(MODELS).text
    assert shows(page, "openai/clip on Hugging Face, license MIT")
    assert "abababababab…" in page
    refused = client.post(url, typed | {"weights_sha256": "AB"})
    assert (refused.status_code, "64 digits" in refused.text) == (422, True)
    spec.refresh_from_db()
    stored = ModelSerializer(spec).data
    assert [stored[name] for name in WEIGHTS] == list(typed.values())[2:]


def test_a_model_that_ran_elsewhere_is_added_for_tables_alone(project, ada):
    client = client_of(ada)
    fields = {"name": "CARE", "model_id": "CaReBench/CaRe-7B", "family": "MLLMs", "size": "7B"}
    page = client.post(f"{MODELS}new/?backend=elsewhere", fields, follow=True)
    assert "CARE is added." in page.text
    spec = ModelSpec.objects.get()
    assert (spec.backend, spec.parameter_count) == ("elsewhere", 7_000_000_000)
    changed = client.post(f"{MODELS}{spec.pk}/", fields | {"size": ""})
    assert changed.status_code == 302
    spec.refresh_from_db()
    assert spec.parameter_count is None


@pytest.mark.parametrize(
    ("backend", "changed", "sentence"),
    [
        ("transformers-dual", {"model_id": "evil/model"}, "is not on the list of models that may"),
        ("transformers-dual", {"model_id": ""}, "This field is required."),
        ("transformers-dual", {"parameter_batch_size": "0"}, "Keep it between 1 and 512."),
        ("transformers-dual", {"parameter_batch_size": "x"}, "Enter a whole number."),
        ("transformers-dual", {"name": ""}, "This field is required."),
        ("openai-compatible", {"parameter_server": "elsewhere"}, "Select a valid choice."),
        ("openai-compatible", {"parameter_server": ""}, "Choose a server. Named here: hall."),
    ],
)
def test_a_wrong_field_says_what_to_do_and_keeps_what_was_typed(
    project, ada, backend, changed, sentence
):
    fields = {
        "name": "My model",
        "model_id": "openai/clip-vit-base-patch32",
        "parameter_server": "hall",
    }
    response = client_of(ada).post(f"{MODELS}new/?backend={backend}", fields | changed)
    assert response.status_code == 422
    assert sentence in response.text
    assert changed.get("name", "My model") in response.text
    assert not ModelSpec.objects.exists()


def test_a_taken_name_is_refused(project, ada):
    make_model(project, name="Draft")
    response = client_of(ada).post(f"{MODELS}new/?backend=opencv-draft", {"name": "Draft"})
    assert response.status_code == 422
    assert "A model named Draft exists already. Choose another name." in response.text


def test_no_key_of_a_server_is_shown(project, ada):
    spec = make_model(project, "openai-compatible", model_id="qwen", parameters={"server": "hall"})
    client = client_of(ada)
    pages = [
        client.get(url).text
        for url in (MODELS, f"{MODELS}{spec.pk}/", f"{MODELS}new/?backend=openai-compatible")
    ]
    assert all("hall" in page for page in pages)
    assert not any(SECRET in page for page in pages)
    assert not any("127.0.0.1:9" in page for page in pages)


def test_a_change_that_outdates_results_is_shown_before_it_is_saved(project, ada):
    make_clip(project)
    make_clip(project)
    spec = make_model(project, "lexical", name="Lexical")
    run = leave(start_run(project=project, kind="embed", model=spec), done=2)
    client, url = client_of(ada), f"{MODELS}{spec.pk}/"
    response = client.post(url, {"name": "Lexical", "parameter_dimension": "256"})
    assert response.status_code == 422
    assert "2 results of this model become out of date with this change." in squeezed(response.text)
    assert 'value="256"' in response.text
    spec.refresh_from_db()
    assert spec.parameters == {}
    client.post(url, {"name": "Lexical", "parameter_dimension": "256", "confirmed": "2"})
    spec.refresh_from_db()
    assert spec.parameters == {"dimension": 256}
    assert set(run.items.values_list("stale_because", flat=True)) == {"model"}


def test_a_change_that_outdates_nothing_is_saved_at_once(project, ada):
    spec = make_model(project, "lexical", name="Lexical")
    response = client_of(ada).post(f"{MODELS}{spec.pk}/", {"name": "Words"}, follow=True)
    assert "Words is saved." in response.text
    spec.refresh_from_db()
    assert spec.name == "Words"


def test_a_model_is_retired_and_brought_back(project, ada):
    spec = make_model(project)
    client = client_of(ada)
    client.post(f"{MODELS}{spec.pk}/use/")
    spec.refresh_from_db()
    assert not spec.is_active
    assert "Bring back" in client.get(MODELS).text
    client.post(f"{MODELS}{spec.pk}/use/", {"in_use": "1"})
    spec.refresh_from_db()
    assert spec.is_active


def test_the_refine_list_is_ordered_from_the_page(project, ada):
    first, second = make_model(project, name="First"), make_model(project, name="Second")
    client = client_of(ada)
    for spec in (first, second):
        client.post(f"{MODELS}{spec.pk}/place/", {"move": "in"})
    client.post(f"{MODELS}{second.pk}/place/", {"move": "up"})
    order = ModelSpec.objects.order_by("refine_order").values_list("name", flat=True)
    assert list(order) == ["Second", "First"]


def test_what_can_not_write_captions_is_refused_in_the_list(project, ada):
    spec = make_model(project, "lexical", name="Lexical")
    response = client_of(ada).post(f"{MODELS}{spec.pk}/place/", {"move": "in"}, follow=True)
    assert "Lexical can&#x27;t refine captions." in response.text


def test_the_runs_of_a_model_are_all_in_which_it_had_a_part(project, ada):
    Caption.objects.create(
        project=project,
        clip=make_clip(project),
        kind="general",
        source="machine",
        text="A.",
        word_count=1,
    )
    scorer = make_model(project, "lexical", name="Words")
    namer = make_model(
        project,
        "openai-compatible",
        name="Namer",
        model_id="qwen",
        parameters={"server": "hall"},
    )
    writer = make_model(project, name="Writer")
    options = {"keyword_model": namer.pk}
    run = start_run(project=project, kind="score", model=scorer, options=options)
    for number in (1, 2):
        RefineAttempt.objects.create(item=run.items.get(), number=number, model=writer)
    start_run(project=project, kind="embed", model=scorer)
    page = client_of(ada).get(MODELS).text
    counts = [
        page.split(f'id="model-{spec.pk}"')[1].split('data-label="Runs">')[1].split("<")[0]
        for spec in (scorer, namer, writer)
    ]
    assert counts == ["2", "1", "1"]


@pytest.mark.parametrize("number", [1, 3])
def test_the_page_costs_the_same_at_any_number(project, ada, number):
    for n in range(number):
        make_model(project, name=f"Model {n}")
    client = client_of(ada)
    client.get(MODELS)
    with count_queries() as count:
        client.get(MODELS)
    assert count == 7


def test_a_model_whose_package_is_gone_can_be_looked_at_and_retired(project, ada):
    spec = make_model(project, "our-captioner", name="Ours")
    client = client_of(ada)
    says = "The package that brought it isn’t installed here."
    assert says in squeezed(client.get(MODELS).text)
    client.post(f"{MODELS}{spec.pk}/use/")
    spec.refresh_from_db()
    assert not spec.is_active
