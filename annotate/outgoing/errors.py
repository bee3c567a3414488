"""Errors of requests to addresses that people typed."""

from __future__ import annotations

from annotate.errors import AnnotateError


class OutgoingFailed(AnnotateError):
    """The request gave nothing usable. `is_transient`: the same request may succeed later."""

    is_transient = False

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class AddressRefused(OutgoingFailed):
    """The address is not one that this server may reach, or is not spelled plainly."""

    def __init__(self, message: str) -> None:
        super().__init__("address", message)


class NoAnswer(OutgoingFailed):
    """The host can't be reached now, is too slow, or hangs up."""

    is_transient = True
