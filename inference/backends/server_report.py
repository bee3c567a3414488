"""What a test of the connection to a model server has learned."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sight:
    """Whether a clip in this form is understood. `says`: what the model answered, or why nothing.
    `tokens`: those of the request, if the reply says.
    """

    form: str
    is_understood: bool
    says: str
    tokens: int | None = None


@dataclass(frozen=True)
class ServerReport:
    """`problem`: why nothing can be asked, "" if it can. `models`: what the server lists, () if it
    lists none. `model_id`: the one that was asked. `limit`, `left_out`: its dialect.
    """

    problem: str = ""
    models: tuple[str, ...] = ()
    model_id: str = ""
    writes: bool = False
    thinks: bool = False
    embeds: bool = False
    limit: str = ""
    left_out: tuple[str, ...] = ()
    sights: tuple[Sight, ...] = ()
    seconds: float = 0.0
