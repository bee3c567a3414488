"""Write vectors with their ids and their space as .npz or .safetensors, as `vector_files` reads
them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import BytesIO

import numpy as np

from review.retrieval.vector_arrays import SPACE


def npz_content(
    ids: Mapping[str, Sequence[str]], vectors: Mapping[str, np.ndarray], space: str
) -> bytes:
    """Return an .npz file. `vectors`: arrays of (rows, dimension), stored as float32."""
    content = BytesIO()
    arrays: dict[str, np.ndarray] = {name: np.array(of, dtype=str) for name, of in ids.items()}
    arrays |= {name: numbers.astype("<f4") for name, numbers in vectors.items()}
    np.savez(content, allow_pickle=False, **arrays, **{SPACE: np.array(space)})
    return content.getvalue()


def safetensors_content(
    ids: Mapping[str, Sequence[str]], vectors: Mapping[str, np.ndarray], space: str
) -> bytes:
    """Return a .safetensors file, whose metadata has the ids as JSON lists."""
    metadata = {name: json.dumps(list(of), ensure_ascii=False) for name, of in ids.items()}
    header: dict[str, object] = {"__metadata__": metadata | {SPACE: space, "format": "np"}}
    blocks, end = [], 0
    for name, numbers in vectors.items():
        block = np.ascontiguousarray(numbers, dtype="<f4").tobytes()
        header[name] = {
            "dtype": "F32",
            "shape": list(numbers.shape),
            "data_offsets": [end, end + len(block)],
        }
        blocks.append(block)
        end += len(block)
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *blocks])


WRITERS = {"npz": npz_content, "safetensors": safetensors_content}
