"""Write vectors for TF-CoVR's loader: one pickled dict {video id: tensor} after another.

The loader needs tensors of PyTorch, so each vector is the call `torch.FloatTensor([…])` in pickle's
protocol 2. That needs no PyTorch here, and opens in every version of it. Only written, never read:
reading a pickle runs the code that it names. Pure.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

# The opcodes of protocol 2, in the words of Python's pickletools.
PROTO, STOP = b"\x80\x02", b"."
EMPTY_DICT, EMPTY_LIST, MARK, SETITEMS, APPENDS = b"}", b"]", b"(", b"u", b"e"
BINUNICODE, BINFLOAT = b"X", b"G"
TUPLE1, REDUCE = b"\x85", b"R"
FLOAT_TENSOR = b"ctorch\nFloatTensor\n"


def pickled_vectors(batches: Iterable[Sequence[tuple[str, bytes]]]) -> Iterator[bytes]:
    """Yield a pickled dict for each batch of (id, vector); vectors are float32, little-endian."""
    for batch in batches:
        items = b"".join(_text(name) + _tensor(vector) for name, vector in batch)
        yield PROTO + EMPTY_DICT + MARK + items + SETITEMS + STOP


def _text(text: str) -> bytes:
    encoded = text.encode()
    return BINUNICODE + struct.pack("<I", len(encoded)) + encoded


def _tensor(vector: bytes) -> bytes:
    numbers = np.frombuffer(vector, dtype="<f4").astype(float)
    floats = b"".join(BINFLOAT + struct.pack(">d", number) for number in numbers)
    return FLOAT_TENSOR + EMPTY_LIST + MARK + floats + APPENDS + TUPLE1 + REDUCE
