"""What the events of two labels imply about the change between them. Pure."""

from __future__ import annotations

TEMPORAL, EVENT = "temporal", "event"


def candidate_of(first_event: str, second_event: str) -> str:
    """Return the change that two labels can be: of the event if both are known and differ."""
    return EVENT if first_event and second_event and first_event != second_event else TEMPORAL


def contradiction_of(kind: str, first_event: str, second_event: str) -> str:
    """Return a sentence if the verdict doesn't fit the events, else an empty text. An unknown event
    contradicts nothing.
    """
    if not (first_event and second_event):
        return ""
    if kind == TEMPORAL and first_event != second_event:
        return f"The labels have different events: {first_event} and {second_event}."
    if kind == EVENT and first_event == second_event:
        return f"Both labels have the event {first_event}."
    return ""
