"""Models in a worker's memory."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from inference.backends.protocols import BackendError, ModelSettings
from inference.devices import processor_name
from inference.loading import batch_size_of, device_of, forget_models, load_model

LEXICAL = ModelSettings("lexical", "", "", {"dimension": 64})


@pytest.fixture(autouse=True)
def _nothing_loaded():
    forget_models()
    yield
    forget_models()


@pytest.fixture
def loads(monkeypatch):
    """The settings of each model that was really loaded, one after the other."""
    loaded: list[ModelSettings] = []

    def load(settings):
        loaded.append(settings)
        return SimpleNamespace(settings=settings)

    monkeypatch.setattr("inference.backends.lexical.load", load)
    return loaded


def of_dimension(dimension: int) -> ModelSettings:
    return ModelSettings("lexical", "", "", {"dimension": dimension})


def test_a_model_is_loaded_once_a_process(loads):
    first = load_model(LEXICAL)
    assert load_model(of_dimension(64)) is first
    assert loads == [LEXICAL]


def test_the_model_that_was_not_used_longest_makes_room(loads, settings):
    settings.VERICAP_MODELS_IN_MEMORY = 2
    small, large = load_model(of_dimension(64)), load_model(of_dimension(128))
    assert load_model(of_dimension(64)) is small
    load_model(of_dimension(256))
    assert load_model(of_dimension(64)) is small
    assert load_model(of_dimension(128)) is not large
    assert [s.parameters["dimension"] for s in loads] == [64, 128, 256, 128]


def test_an_id_off_the_list_is_not_loaded_even_if_a_row_names_it(settings):
    settings.VERICAP_ALLOWED_MODELS = ["openai/clip-*"]
    with pytest.raises(BackendError) as refused:
        load_model(ModelSettings("transformers-dual", "evil/clip"))
    assert refused.value.code == "not_allowed"
    assert "VERICAP_ALLOWED_MODELS" in str(refused.value)


def test_a_worker_without_the_library_says_how_to_get_it(settings, monkeypatch):
    settings.VERICAP_ALLOWED_MODELS = ["tiny/*"]
    monkeypatch.delitem(sys.modules, "inference.backends.transformers_dual", raising=False)
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(BackendError) as refused:
        load_model(ModelSettings("transformers-dual", "tiny/clip"))
    assert refused.value.code == "not_installed"
    assert "pip install -r requirements-models.txt" in str(refused.value)


@pytest.mark.parametrize(
    ("parameters", "size"), [({"batch_size": 16}, 16), ({"parallel": 4}, 4), ({}, 2)]
)
def test_how_many_items_go_at_a_time(parameters, size):
    assert batch_size_of(ModelSettings("lexical", "", "", parameters)) == size


def test_a_device_is_named_without_loading_the_model(loads, settings):
    assert device_of(LEXICAL) == processor_name()
    served = ModelSettings("openai-compatible", "qwen", "", {"server": "lab"})
    assert device_of(served) == "Server lab"
    assert loads == []


def test_a_processor_has_a_name_on_any_machine(monkeypatch, tmp_path):
    info = tmp_path / "cpuinfo"
    info.write_text("processor : 0\nmodel name : Abacus 9\nmodel name : Abacus 9\n")
    monkeypatch.setattr("inference.devices.CPU_INFO", info)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert processor_name.__wrapped__() == "Abacus 9, 2 cores"
    monkeypatch.setattr("inference.devices.CPU_INFO", tmp_path / "none")
    monkeypatch.setattr("platform.processor", lambda: "")
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert processor_name.__wrapped__() == "riscv64, 1 core"
