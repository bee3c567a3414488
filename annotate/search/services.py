"""Fill the index of the captions' words, in workers, shortly after the captions are stored.

Making the words of a long caption takes longer than storing it, so imports only wake a worker.
"""

from __future__ import annotations

import time

from django.core.cache import cache
from django.db import connection, transaction

from annotate.messages import wake_worker
from annotate.models import SearchableCaption
from annotate.search.queries import waiting_captions
from annotate.search.words import composed, words_of

TASK, QUEUE = "annotate.index_captions", "cpu"
BATCH_SIZE = 200
SECONDS = 60.0  # the seconds of one task, so that other tasks get their turn
WAIT_SECONDS = 5  # seconds, so that one message covers many submissions
# places of a word in PostgreSQL's vector, which drops further ones
MAX_PLACES, LAST_PLACE = 256, 16_383
_WOKEN = "index-captions"


def index_soon() -> None:
    """Wake a worker once the captions of this transaction are stored, if none is woken yet. A lost
    message is made good by `requeue_jobs`.
    """
    if cache.add(_WOKEN, 1, WAIT_SECONDS):
        wake_worker(TASK, queue=QUEUE, seconds=WAIT_SECONDS)


def requeue_index() -> None:
    """Wake a worker if captions wait whose message was lost."""
    if waiting_captions().exists():
        index_soon()


def index_for_a_minute() -> None:
    """Index what waits; after a minute, leave the rest to the next message."""
    end = time.monotonic() + SECONDS
    after = 0
    while (last := index_batch(after=after)) is not None:
        after = last
        if time.monotonic() > end:
            wake_worker(TASK, queue=QUEUE)
            return


@transaction.atomic
def index_batch(*, after: int) -> int | None:
    """Index the first BATCH_SIZE waiting captions after this key, and return the key of the last;
    None if nothing waits. Captions that another worker has locked are left to it.
    """
    captions = waiting_captions().select_for_update(of=("self",), no_key=True, skip_locked=True)
    ordered = captions.filter(pk__gt=after).order_by("pk").values_list("pk", "text")
    rows = list(ordered[:BATCH_SIZE])
    if not rows:
        return None
    if connection.vendor == "postgresql":
        _store_vectors([(key, _vector(text)) for key, text in rows])
    else:
        _store_words([(key, _joined(text)) for key, text in rows])
    return rows[-1][0]


def _store_vectors(rows: list[tuple[int, str]]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO annotate_searchablecaption (caption_id, words) VALUES (%s, %s::tsvector)",
            rows,
        )


def _store_words(rows: list[tuple[int, str]]) -> None:
    SearchableCaption.objects.bulk_create(SearchableCaption(caption_id=key) for key, _ in rows)
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO annotate_captionwords (rowid, words) VALUES (%s, %s)", rows)


def _vector(text: str) -> str:
    """Return the words with their places, as PostgreSQL writes a vector."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(words_of(composed(text)), 1):
        of_word = places.setdefault(word.text, [])
        if len(of_word) < MAX_PLACES and place <= LAST_PLACE:
            of_word.append(place)
    return " ".join(
        f"'{word}':{','.join(map(str, at))}" if at else f"'{word}'" for word, at in places.items()
    )


def _joined(text: str) -> str:
    return " ".join(word.text for word in words_of(composed(text)))
