"""What people can't store: PostgreSQL takes no NUL character.

A field refuses it, or it is replaced.
"""

WITH_NUL = dict.fromkeys(
    (
        *("name", "email", "q", "text", "kind", "domain", "direction", "comment", "code", "move"),
        *("reason", "detail", "value", "explanation", "roles", "category", "model", "version"),
        *("instruction", "scorer", "offer", "state", "sets", "run", "source", "target", "title"),
    ),
    "a\0b",
)
