"""Bytes that a file of another kind, a damaged file or an attacker has."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Iterator
from random import Random

import numpy as np
import pyarrow
from pyarrow import parquet

DEEP = b"[" * 100_000
ROW = {"video": "a.mp4", "clip": "a", "label": "1", "caption": "A.", "score": 1, "url": "a.mp4"}
TEXTS = (
    *("", " ", "\0", "\ufeff", "a", "a\0b", "\ud800", "\r", "\n\n", ",", ";;", "\t", '"', '"a"b'),
    *("null", "1", '"a"', "[]", "{}", "[[]]", "[{}]", "[null]", "[1]", '{"a": 1}', "{", "[{]"),
    *('{"video": {}}', '[{"clip": [], "label": {}}]', '{"a": 1, "a": 1}', "NaN", "[1e999]"),
    *('{"database": {"a": {"annotations": 1}}}', '{"database": []}', '{"a": {"segments": 1}}'),
    *('[{"video": "\\ud800", "caption": "\\ud800"}]', '{"a\\u0000": "b"}', "9" * 5000),
    *('{"a\\u0000": {"sentences": ["A"], "timestamps": [1]}}', '{"a\\ud800_1": "\\ud800"}'),
    *('{"sentences": [1]}', '{"a": {"sentences": 1, "timestamps": 1}}', '[{"messages": [1]}]'),
    *('[{"data": {}, "annotations": [{"result": [{"value": 1}]}]}]', '[{"enCap": 1}]'),
    *('[{"annotation_id": 1, "annotator": 1, "caption": [[1]]}]', '[{"result": 1, "task": {}}]'),
    *("WEBVTT", "WEBVTT\n\n-->", "WEBVTT\n\n99:99 --> 1\nx", "1\n0:0:0 --> 9:9:9\n", "a 1 2##"),
    *("Clabel: 0", "a_E_1_2_A_3_4 5", "video,caption\n\ud800,\ud800", "a,a\n1,2", 'a\n"' * 99),
)


def hostile() -> list[bytes]:
    """Return the same bytes each time."""
    texts = [text.encode("utf-8", "surrogatepass") for text in TEXTS]
    encoded = [b"video,caption\na.mp4,A.".decode().encode(kind) for kind in ("utf-16", "utf-32")]
    seeds = [*_tables(), *_json(), _parquet(), _zip(), _npz(), _safetensors()]
    seeds.append(gzip.compress(seeds[3]))
    return [
        *texts,
        *encoded,
        *(
            b"\x80\x04.",
            b"\xff\xfe\x00",
            b"PK\x05\x06" + bytes(18),
            b"PAR1",
            b"PAR1PAR1",
            bytes(64),
        ),
        *(DEEP, b'{"a":' * 100_000, b'{"query": ' + DEEP),
        *seeds,
        *(damaged for number, seed in enumerate(seeds) for damaged in _damaged(seed, number)),
    ]


def _damaged(data: bytes, seed: int) -> Iterator[bytes]:
    random = Random(seed)
    yield data[: len(data) // 2]
    yield data[len(data) // 3 :]
    for _ in range(12):
        changed = bytearray(data)
        for _ in range(random.randint(1, 6)):
            changed[random.randrange(len(changed))] = random.randrange(256)
        yield bytes(changed)


def _tables() -> Iterator[bytes]:
    for sign in ",;\t":
        lines = [sign.join(ROW), sign.join(map(str, ROW.values())), sign.join('"x' for _ in ROW)]
        yield "\n".join(lines).encode()


def _json() -> Iterator[bytes]:
    yield json.dumps([ROW, {**ROW, "caption": ["A.", 1, None]}]).encode()
    yield "\n".join(json.dumps({**ROW, key: {"a": [1]}}) for key in ROW).encode()
    yield json.dumps(
        {"0": ["a"], "a": [1], "b": {"timestamps": [[0, 1]], "sentences": ["A"]}}
    ).encode()


def _parquet() -> bytes:
    data = io.BytesIO()
    columns = {
        "video": ["a", "b"],
        "caption": [["A."], None],
        "category": [1, 2],
        "cap": [{"a": 1}] * 2,
    }
    parquet.write_table(pyarrow.table(columns), data)
    return data.getvalue()


def _zip() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/clip.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nA.")
        archive.writestr("a/clips.csv", "clip,label\na,1")
        archive.writestr("a/clips.jsonl", json.dumps(ROW))
    return data.getvalue()


def _npz() -> bytes:
    data = io.BytesIO()
    np.savez(data, clips=np.ones((2, 2), np.float32), clip_ids=np.array(["a", "b"]))
    return data.getvalue()


def _safetensors() -> bytes:
    header = {"clips": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0, 4]}}
    text = json.dumps({"__metadata__": {"clip_ids": '["a"]'}, **header}).encode()
    return len(text).to_bytes(8, "little") + text + bytes(4)
