"""The SHA-256 of a model's weights."""

from __future__ import annotations

import os
from hashlib import sha256

import pytest

from annotate.models import AuditEvent
from inference.backends.protocols import ModelSettings
from inference.weights import hash_of_weights, store_weights_hash
from tests.cast import make_project
from tests.inference.cast import make_model

A, B = (sha256(text).hexdigest() for text in (b"a", b"b"))


def test_several_files_have_the_hash_of_their_list(tmp_path):
    files = [tmp_path / "2.safetensors", tmp_path / "1.safetensors"]
    for file, content in zip(files, (b"b", b"a"), strict=True):
        file.write_bytes(content)
    listed = f"{A}  1.safetensors\n{B}  2.safetensors\n"
    assert hash_of_weights(files) == sha256(listed.encode()).hexdigest()
    assert (hash_of_weights(files[:1]), hash_of_weights([])) == (B, "")


def test_a_file_is_read_again_only_after_a_change(tmp_path):
    file = tmp_path / "model.safetensors"
    file.write_bytes(b"a")
    os.utime(file, (1, 1))
    assert hash_of_weights([file]) == A
    file.write_bytes(b"b")
    os.utime(file, (1, 1))
    assert hash_of_weights([file]) == A
    os.utime(file, (2, 2))
    assert hash_of_weights([file]) == B


def test_a_file_of_the_hubs_cache_is_named_by_its_hash(tmp_path):
    (tmp_path / "blobs").mkdir()
    (tmp_path / "blobs" / B).write_bytes(b"a")
    (tmp_path / "model.safetensors").symlink_to(tmp_path / "blobs" / B)
    assert hash_of_weights([tmp_path / "model.safetensors"]) == B


@pytest.mark.django_db
def test_every_model_with_these_weights_gets_the_hash_and_no_other(project):
    facts = {"model_id": "openai/clip", "revision": "1"}
    same = [
        make_model(each, "transformers-dual", **facts, weights_sha256=typed)
        for each, typed in ((project, "typed"), (make_project("Other"), ""))
    ]
    other = make_model(project, "transformers-dual", name="B", model_id="openai/clip")
    for _ in range(2):
        store_weights_hash(ModelSettings("transformers-dual", **facts), A)
    for spec in (*same, other):
        spec.refresh_from_db()
    assert [spec.weights_sha256 for spec in (*same, other)] == [A, A, ""]
    assert AuditEvent.objects.filter(verb="read weights").count() == 2
