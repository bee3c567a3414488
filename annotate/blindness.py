"""Who may not read what others wrote, because they are to judge it without knowing whose it is.

Every app registers what it asks people to judge so, once it is ready; pages ask here.
"""

from __future__ import annotations

from collections.abc import Callable

from annotate.models import Clip, Membership

Blind = Callable[[Membership, Clip | None], bool]
_REGISTERED: list[Blind] = []


def register_blindness(is_blind: Blind) -> None:
    """`is_blind(membership, clip)`: whether the texts of the clip, or of any clip where that is
    None, are to be hidden from this person. Call it in `AppConfig.ready`."""
    _REGISTERED.append(is_blind)


def is_blind(membership: Membership, clip: Clip | None = None) -> bool:
    return any(hides(membership, clip) for hides in _REGISTERED)
