"""The default prompts, in our own words; a run can replace each of them."""

from __future__ import annotations

import re

CAPTION_SYSTEM = (
    "You watch videos and describe them for a retrieval benchmark: exactly, in detail, and "
    "only what can be seen."
)
# CaReBench, section 5.2.
CAREBENCH = "Describe the video in detail."
# LoVR, section 3.2: events, scenes, character actions, style; FACTS of its code add the rest.
CAPTION = (
    "Describe this video in detail: its events in their order, the scenes and where they take "
    "place, what each character does and how, the visual style, the mood, how the story moves on, "
    "and anything else worth noting. Write plain prose without headings."
)
THEME = "The whole video from which this clip is taken is about: {theme}"

# LoVR, section 3.3: the model identifies thematic information of the video. No prompt is printed.
NAME_THEME = (
    "These frames are from one whole video, in order. Name its theme: what the video as a whole is "
    "about, in one phrase of at most 15 words. Reply with the phrase and nothing else."
)

JOIN_SYSTEM = "You edit the description of a video without changing what it says."
# LoVR, section 3.2.3: joins the last paragraph so far with the first of the next text.
JOIN = (
    "Below are two neighbouring paragraphs that describe a video one after the other. Rewrite them "
    "so that they read as one text: keep every fact, say how the second follows the first in time, "
    "drop what is said twice, and change the order of sentences only where it reads better. Reply "
    "with exactly two paragraphs, divided by an empty line, and nothing else.\n\n"
    "First paragraph:\n{first}\n\nSecond paragraph:\n{second}"
)

JOINT = re.compile(r"\{(first|second)\}")  # places of the two paragraphs in a prompt like JOIN


def caption_prompt(prompt: str, theme: str) -> str:
    """Return the prompt for one clip; `theme` is the theme of the whole video."""
    return f"{prompt}\n\n{THEME.format(theme=theme)}" if theme else prompt


def join_prompt(prompt: str, first: str, second: str) -> str:
    """Return the prompt for one joint: `prompt` with the two paragraphs in their places."""
    paragraphs = {"first": first, "second": second}
    return JOINT.sub(lambda place: paragraphs[place[1]], prompt)
