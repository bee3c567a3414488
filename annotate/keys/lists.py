"""The keys of pages as data: for the script that binds them, the card that shows them, and the
docs.

A chord is a `KeyboardEvent.code` after its modifiers: `KeyK`, `Alt+KeyK`, `Ctrl+Enter`. Codes name
places of a US keyboard.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Key:
    """One action of a key.

    `keys` work outside text fields, `anywhere` also in them. A person can choose another key unless
    it is `fixed`. If `numbered`, each chord does something else: the script gets its index.
    """

    action: str
    label: str
    keys: tuple[str, ...] = ()
    anywhere: tuple[str, ...] = ()
    fixed: bool = False
    numbered: bool = False

    @property
    def chords(self) -> tuple[str, ...]:
        return (*self.keys, *self.anywhere)


@dataclass(frozen=True)
class KeyGroup:
    """The keys of one part of a page. Scripts use `name`, people see `heading`."""

    name: str
    heading: str
    keys: tuple[Key, ...]

    def data(self) -> dict[str, Any]:
        """Return the data for the page's script."""
        keys = [
            {
                "action": key.action,
                "label": key.label,
                "keys": key.keys,
                "anywhere": key.anywhere,
                "fixed": key.fixed or key.numbered,
                "numbered": key.numbered,
            }
            for key in self.keys
        ]
        return {"name": self.name, "heading": self.heading, "keys": keys}


def _player_key(action: str, label: str, code: str, *first: str) -> Key:
    """Return a key that works alone, and with Alt in text fields."""
    return Key(action, label, (*first, code), (f"Alt+{code}",))


PLAYER = KeyGroup(
    "player",
    "Video",
    (
        _player_key("play", "Play, pause", "KeyK", "Space"),
        _player_key("second-back", "One second back", "KeyJ", "ArrowLeft"),
        _player_key("second-forward", "One second forward", "KeyL", "ArrowRight"),
        _player_key("frame-back", "One frame back", "Comma"),
        _player_key("frame-forward", "One frame forward", "Period"),
        _player_key("slower", "Slower", "BracketLeft"),
        _player_key("faster", "Faster", "BracketRight"),
        _player_key("slow", "Slow motion, ¼ speed", "KeyZ"),
        _player_key("reverse", "Play backwards", "KeyQ"),
        _player_key("range-in", "Loop from here", "KeyA"),
        _player_key("range-out", "Loop to here", "KeyB"),
        _player_key("range-clear", "Clear the loop", "KeyX"),
        _player_key("goto", "Go to a time or frame", "KeyG"),
        _player_key("mute", "Mute", "KeyM"),
        _player_key("zoom-in", "Zoom into the picture", "Equal"),
        _player_key("zoom-out", "Zoom out", "Minus"),
        Key(
            "pan",
            "Move the zoomed picture",
            ("Shift+ArrowLeft", "Shift+ArrowRight", "Shift+ArrowUp", "Shift+ArrowDown"),
            numbered=True,
        ),
    ),
)
LOOPS = KeyGroup(
    "loops",
    "Clips",
    (Key("play", "Play or pause all clips", ("Space",), ("Alt+KeyK",)),),
)
STAMPING = (
    Key(
        "stamp",
        "Set the time of the sentence: its start, then its end, or the loop",
        ("KeyT",),
        ("Alt+KeyT",),
    ),
    Key("unstamp", "Remove the time of the sentence", ("Shift+KeyT",), ("Alt+Shift+KeyT",)),
)
# Every page has these.
GUIDELINE = Key("guideline", "Guideline", ("F1",), ("Alt+KeyH",), fixed=True)
CARD = Key("card", "These keys", ("?",), fixed=True)
PAGE = KeyGroup("page", "Page", (GUIDELINE, CARD))
WORK = KeyGroup(
    "work",
    "Every work page",
    (
        Key("submit", "Submit and next", ("Enter",), ("Ctrl+Enter",), fixed=True),
        Key("undo", "Undo", ("KeyU",)),
        Key("leave", "Leave a field", (), ("Escape",), fixed=True),
        Key("save", "Save now", (), ("Ctrl+KeyS",), fixed=True),
        GUIDELINE,
        CARD,
    ),
)
# For choices outside the queue, as in a training.
CHOOSING = KeyGroup("work", "Page", tuple(key for key in WORK.keys if key.action != "save"))
# For pages where one of two keys judges each item of a spot check.
JUDGMENT = KeyGroup(
    "spot-check",
    "The judgment",
    (
        Key("right", "Right, and next", ("KeyR",), ("Alt+KeyR",)),
        Key("wrong", "Wrong, and next", ("KeyW",), ("Alt+KeyW",)),
    ),
)
JUDGING = (
    JUDGMENT,
    PLAYER,
    KeyGroup("work", "Page", tuple(k for k in WORK.keys if k.action in ("undo", "leave", "card"))),
)
AT_ONCE = Key("at-once", "Choose, submit and next", ("Shift+",), fixed=True)

SIGNS = {
    "Comma": ",", "Period": ".", "BracketLeft": "[", "BracketRight": "]", "Semicolon": ";",
    "Quote": "'", "Slash": "/", "Backslash": "\\", "Minus": "-", "Equal": "=", "Backquote": "`",
    "ArrowLeft": "←", "ArrowRight": "→", "ArrowUp": "↑", "ArrowDown": "↓",
    "Escape": "Esc", "Delete": "Del",
}  # fmt: skip


def chord_words(chord: str) -> list[str]:
    """Return the names of a chord's keys as people read them: "Alt+KeyK" is Alt and K."""
    *modifiers, code = chord.split("+")
    name = SIGNS.get(code, code.removeprefix("Key").removeprefix("Digit"))
    return [*modifiers, name or "the key"]


def markdown_table(group: KeyGroup) -> str:
    """Return the keys as the table that the docs contain."""
    rows = [
        f"| {key.label} | {_written(key.anywhere, key)} | {_written(key.keys, key)} |"
        for key in group.keys
    ]
    return "\n".join(["| what | while writing | else |", "|---|---|---|", *rows])


def _written(chords: tuple[str, ...], key: Key) -> str:
    chord_texts = [" ".join(chord_words(chord)) for chord in chords]
    if key.numbered and len(chord_texts) > 2:
        return f"{chord_texts[0]} to {chord_texts[-1]}"
    return ", ".join(chord_texts)
