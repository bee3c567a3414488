"""Runs requests in batches sorted by length; answers keep their order, and failures
stay separate.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from inference.backends.protocols import BackendError, ClipFrames, Vectors

Request = TypeVar("Request")
Ready = TypeVar("Ready")
Answer = TypeVar("Answer")
Whole = TypeVar("Whole")
Part = TypeVar("Part")
Item = TypeVar("Item")


def answer_each(
    requests: Sequence[Request],
    prepare: Callable[[Request], Ready],
    length: Callable[[Ready], int],
    model: Callable[[list[Ready]], Sequence[Answer | BackendError]],
    *,
    size: int,
    shape: Callable[[Ready], Hashable] = lambda _: None,
) -> list[Answer | BackendError]:
    """Return one answer per request, in order.

    `prepare` prepares one request, and `model` answers up to `size` of them at once. Requests of
    one `shape` and similar `length` share a batch to reduce padding. The longest come first, so
    that a lack of memory shows at the start. A failed batch is repeated one request at a time.
    """
    answers: list[Answer | BackendError | None] = [None] * len(requests)
    ready: list[tuple[int, Ready]] = []
    for place, request in enumerate(requests):
        try:
            ready.append((place, prepare(request)))
        except Exception as error:
            answers[place] = as_backend_error(error)
    ready.sort(key=lambda item: -length(item[1]))
    alike: dict[Hashable, list[tuple[int, Ready]]] = {}
    for item in ready:
        alike.setdefault(shape(item[1]), []).append(item)
    for batch in _parts(alike.values(), size):
        for (place, _), answer in zip(batch, run(model, [r for _, r in batch]), strict=True):
            answers[place] = answer
    return [answer for answer in answers if answer is not None]


def _parts(groups: Iterable[list[Item]], size: int) -> Iterator[list[Item]]:
    for group in groups:
        for start in range(0, len(group), size):
            yield group[start : start + size]


def run(
    model: Callable[[list[Ready]], Sequence[Answer | BackendError]], batch: list[Ready]
) -> Sequence[Answer | BackendError]:
    """Return the model's answers; if it fails on the batch, request by request."""
    try:
        return model(batch)
    except Exception as error:
        failure = as_backend_error(error)
    # The tensors of the failed call are freed only after the `except` block.
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    if len(batch) == 1:
        return [failure]
    return [run(model, [item])[0] for item in batch]


def as_backend_error(error: Exception) -> BackendError:
    if isinstance(error, BackendError):
        # Without the traceback, which would keep every tensor of the failed call in memory.
        return error.with_traceback(None)
    # On a GPU torch raises a special class, on a CPU a RuntimeError with this text.
    too_big = isinstance(error, (torch.OutOfMemoryError, MemoryError))
    if too_big or "allocate memory" in str(error):
        return BackendError(
            "out_of_memory",
            "The memory of the device is too small for this request. Lower batch_size or "
            "max_pixels of the model, or sample fewer frames.",
        )
    return BackendError(
        "model_failed", f"The model failed on this request: {type(error).__name__}: {error}"
    )


def check_frames(clip: ClipFrames) -> ClipFrames:
    frames = clip.frames
    good = (
        isinstance(frames, np.ndarray)
        and frames.dtype == np.uint8
        and frames.ndim == 4
        and frames.shape[-1] == 3
        and frames.size > 0
    )
    if not good:
        description = f"{getattr(frames, 'dtype', type(frames).__name__)} {np.shape(frames)}"
        raise BackendError(
            "bad_frames",
            f"The clip's frames are not pictures: {description} instead of uint8 "
            "(n, height, width, 3). Restore the playback file from a backup.",
        )
    return clip


def stacked(vectors: Sequence[Vectors | BackendError]) -> Vectors:
    """Return (n, dimension); raises the first BackendError in the list."""
    for vector in vectors:
        if isinstance(vector, BackendError):
            raise vector
    return np.stack([vector for vector in vectors if not isinstance(vector, BackendError)])


def units(vectors: torch.Tensor) -> list[Vectors | BackendError]:
    """Return `vectors` (n, dimension) in float32, with each row scaled to length 1."""
    return [unit(row) for row in vectors.float().cpu().numpy()]


def unit(vector: NDArray[np.float32]) -> Vectors | BackendError:
    length = float(np.linalg.norm(vector))
    if not np.isfinite(length) or length == 0:
        return BackendError(
            "bad_vector",
            "The model's vector has no length or is not finite. Set dtype to float32 or bfloat16.",
        )
    return (vector / length).astype(np.float32)


def mean_of_parts(
    wholes: Sequence[Whole],
    parts_of: Callable[[Whole], Sequence[Part]],
    encode: Callable[[list[Part]], list[Vectors | BackendError]],
) -> list[Vectors | BackendError]:
    """Return for each whole the normalized mean of its parts' unit vectors. The parts of all wholes
    are encoded together.
    """
    parts: list[Part] = []
    spans: list[slice | BackendError] = []
    for whole in wholes:
        try:
            start = len(parts)
            parts.extend(parts_of(whole))
            spans.append(slice(start, len(parts)))
        except BackendError as error:
            spans.append(as_backend_error(error))
    vectors = encode(parts)
    return [span if isinstance(span, BackendError) else _mean(vectors[span]) for span in spans]


def _mean(vectors: Sequence[Vectors | BackendError]) -> Vectors | BackendError:
    try:
        return unit(stacked(vectors).mean(axis=0))
    except BackendError as error:
        return as_backend_error(error)
