"""Messages to workers, collected rather than sent."""

from collections.abc import Callable

import pytest

SEND = "annotate.messages.current_app.send_task"


def collect_messages(
    monkeypatch: pytest.MonkeyPatch, task: str = "annotate.work_on_job"
) -> list[dict]:
    """Send no message from now on, and return the list that those to this task are added to."""
    messages: list[dict] = []
    hand_messages(monkeypatch, lambda **message: messages.append(message), task)
    return messages


def hand_messages(
    monkeypatch: pytest.MonkeyPatch,
    receive: Callable[..., object],
    task: str = "annotate.work_on_job",
) -> None:
    """Call `receive` with each message to this task rather than sending any."""

    def send(name: str, **message: object) -> None:
        if name == task:
            receive(**message)

    monkeypatch.setattr(SEND, send)
