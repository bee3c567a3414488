"""Backends that other packages bring."""

from __future__ import annotations

import sys

import pytest

from inference.plugins import Plugin, installed_plugins
from inference.registry import BUILT_IN

METADATA = "Metadata-Version: 2.1\nName: our-models\nVersion: 1.2\nSummary: Our captioner\n"


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a package that names these entry points, without its code."""

    def install(*entries):
        folder = tmp_path / "our_models-1.2.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(METADATA)
        lines = ["[vericap.backends]", *entries]
        (folder / "entry_points.txt").write_text("\n".join(lines))
        monkeypatch.syspath_prepend(str(tmp_path))

    return install


def test_a_package_names_its_backends_without_being_imported(install):
    install("ours = our_models.backend [captioner,text,gpu]", "small = our_models.small [encoder]")
    assert installed_plugins(BUILT_IN) == [
        Plugin(
            "ours", "our_models.backend", ("captioner", "text"), True,
            "Our captioner (our-models 1.2)",
        ),
        Plugin(
            "small", "our_models.small", ("encoder",), False, "Our captioner (our-models 1.2)"
        ),
    ]  # fmt: skip
    assert "our_models" not in sys.modules


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("lexical = our_models.backend [encoder]", "name that is taken"),
        ("ours = our_models.backend", "can nothing"),
        ("ours = our_models.backend [painter]", "can painter"),
    ],
)
def test_a_backend_that_cant_be_used_stops_the_start(install, entry, words):
    install(entry)
    with pytest.raises(ValueError, match=words):
        installed_plugins(BUILT_IN)
