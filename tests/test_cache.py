"""The cache of production while Redis doesn't answer."""

from time import monotonic

from config.cache import RedisOrMemory

NOBODY_LISTENS = "redis://127.0.0.1:1/0"


def test_without_redis_the_memory_of_the_process_is_the_cache(monkeypatch):
    monkeypatch.setattr(RedisOrMemory, "redis_again_at", 0.0)
    cache = RedisOrMemory(NOBODY_LISTENS, {})
    assert (cache.get("attempts"), cache.add("attempts", 1), cache.add("attempts", 1)) == (
        None, True, False,
    )  # fmt: skip
    assert (cache.incr("attempts"), cache.get("attempts")) == (2, 2)
    # Waiting for Redis at each use would make pages slow.
    assert RedisOrMemory.redis_again_at > monotonic()
    cache.set_many({"a": 1, "b": 2})
    cache.delete("a")
    assert cache.get_many(["a", "b"]) == {"b": 2}
