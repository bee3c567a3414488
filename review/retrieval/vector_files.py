"""Open vector files, .npz or .safetensors. Contents are checked before they are read, and never
unpickled.

docs/formats.md lists the arrays.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import BinaryIO

from review.errors import ReviewError
from review.retrieval.vector_arrays import CAPTION_VECTORS, Layout, VectorFile
from review.retrieval.vector_npz import open_npz
from review.retrieval.vector_safetensors import open_safetensors

SUFFIXES = (".npz", ".safetensors")


def open_vectors(file: BinaryIO, name: str, layout: Layout = CAPTION_VECTORS) -> VectorFile:
    """Read headers and ids, but no vectors. `file` must be seekable, and stay open. Raises
    ReviewError, which names the error and its fix.
    """
    match PurePath(name).suffix.lower():
        case ".npz":
            return open_npz(file, layout)
        case ".safetensors":
            return open_safetensors(file, layout)
    raise ReviewError(
        f"{name[:100]} is neither .npz nor .safetensors. Save it in one of these formats."
    )


__all__ = ["SUFFIXES", "VectorFile", "open_vectors"]
