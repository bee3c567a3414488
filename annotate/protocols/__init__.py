"""The protocols by key. A fourth protocol is one more file, and its name in the list below."""

from __future__ import annotations

from annotate.protocols.carebench import CAREBENCH
from annotate.protocols.lovr import LOVR
from annotate.protocols.protocol import Protocol
from annotate.protocols.tfcovr import TFCOVR

__all__ = [
    "DEFAULT",
    "Protocol",
    "pages_of_some",
    "protocol_choices",
    "protocol_of",
    "register_protocol",
    "registered_protocols",
]

DEFAULT = CAREBENCH.key
_REGISTERED: dict[str, Protocol] = {}


def register_protocol(*protocols: Protocol) -> None:
    """Register protocols. Raises ValueError if a key is already registered."""
    for protocol in protocols:
        if protocol.key in _REGISTERED:
            raise ValueError(f"The protocol {protocol.key} is registered twice.")
        _REGISTERED[protocol.key] = protocol


def protocol_of(key: str) -> Protocol:
    return _REGISTERED[key]


def registered_protocols() -> list[Protocol]:
    return list(_REGISTERED.values())


def protocol_choices() -> list[tuple[str, str]]:
    """Return the key and the title of each protocol, for forms."""
    return [
        (protocol.key, f"{protocol.name}: {protocol.steps_in_words}")
        for protocol in _REGISTERED.values()
    ]


def pages_of_some() -> frozenset[str]:
    """Return the keys of the pages that only projects of some protocols have."""
    return frozenset(page for protocol in _REGISTERED.values() for page in protocol.pages)


register_protocol(CAREBENCH, LOVR, TFCOVR)
