"""The event of a labeled action, such as Vault in “(Vault) tsukahara stretched”. Pure."""

from __future__ import annotations

import re

_IN_BRACKETS = re.compile(r"\(([^()]+)\)\s*(.*\S)", re.DOTALL)
MAX_EVENT_LENGTH = 80


def event_in(caption: str) -> str:
    """Return the event in the brackets that begin the caption; empty without them, or if no action
    follows.
    """
    parts = _IN_BRACKETS.fullmatch(caption.strip())
    event = parts[1].strip() if parts else ""
    return event if len(event) <= MAX_EVENT_LENGTH else ""


def without_event(caption: str, event: str) -> str:
    """Return the action alone: the caption without brackets in front that hold this event."""
    is_named = event != "" and event_in(caption).casefold() == event.casefold()
    parts = _IN_BRACKETS.fullmatch(caption.strip()) if is_named else None
    return parts[2] if parts else caption
