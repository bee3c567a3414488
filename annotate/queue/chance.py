"""Random order of work with equal priority, if it can include gold."""

from __future__ import annotations

from django.utils.crypto import salted_hmac

# Far below the steps of priorities, so that chance only orders equal ones.
MIN_STEP = 2**-20
BYTES = 6


def priority_by_chance(kind: str, subject: int, usual: float = 0) -> float:
    """Return a priority just below the `usual` one, so that items of equal priority come in random
    order.

    In the order of keys, the clips of gold, which were worked on before, would have lower numbers
    than their neighbors. The secret key is the seed: nobody can compute which item comes next, and
    a reopened item keeps its place.
    """
    digest = salted_hmac("annotate.queue.chance", f"{kind} {subject}", algorithm="sha256").digest()
    share = int.from_bytes(digest[:BYTES]) / float(256**BYTES)
    return usual - MIN_STEP * share
