"""A model's reply: the answer, and apart from it how the model reasoned and how it was asked."""

from __future__ import annotations

from typing import Self

import regex

from inference.backends.protocols import BackendError

# <think> of DeepSeek, Qwen and GLM, the marks of Kimi, and the channels of gpt-oss.
_BEGINS = r"<(?:think|thinking|reasoning|thought)>|◁think▷|<\|channel\|>analysis<\|message\|>"
_ENDS = (
    r"</(?:think|thinking|reasoning|thought)>|◁/think▷"
    r"|<\|end\|>(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>"
)
_BEGIN = regex.compile(rf"\s*(?:{_BEGINS})", regex.IGNORECASE)
_MARKS = regex.compile(rf"{_BEGINS}|{_ENDS}", regex.IGNORECASE)
_END = regex.compile(_ENDS, regex.IGNORECASE)

REASONING_ALONE = (
    "The model reasoned but gave no answer. Raise max tokens, or switch its thinking off in the "
    "model's extra body."
)


class Reply(str):
    """The text of an answer. `reasoning`: what the model thought before it, "" if it doesn't say.
    `reply_format`: the format of the reply that was requested, "" for a model without formats.
    `left_out`: parameters that the server refuses, so that they were not sent.
    """

    reasoning: str
    reply_format: str
    left_out: tuple[str, ...]

    def __new__(
        cls,
        text: str,
        *,
        reasoning: str = "",
        reply_format: str = "",
        left_out: tuple[str, ...] = (),
    ) -> Self:
        reply = super().__new__(cls, text)
        reply.reasoning = reasoning
        reply.reply_format = reply_format
        reply.left_out = left_out
        return reply


def format_of(reply: str) -> str:
    """Return the requested format of a reply; empty for a model without formats."""
    return reply.reply_format if isinstance(reply, Reply) else ""


def reasoning_of(reply: str) -> str:
    return reply.reasoning if isinstance(reply, Reply) else ""


def left_out_of(reply: str) -> tuple[str, ...]:
    """Return the parameters that the reply's server refuses."""
    return reply.left_out if isinstance(reply, Reply) else ()


def separate_reasoning(text: str) -> tuple[str, str]:
    """Return the answer and the reasoning of a text, each stripped.

    Everything up to the last end of a reasoning is reasoning, also where a template has put its
    beginning into the prompt. A reasoning that begins and never ends leaves no answer.
    """
    ends = list(_END.finditer(text))
    if ends:
        last = ends[-1]
        return text[last.end() :].strip(), _MARKS.sub("", text[: last.start()]).strip()
    if begin := _BEGIN.match(text):
        return "", text[begin.end() :].strip()
    return text.strip(), ""


def answer_in(text: str, reasoning: str = "") -> Reply:
    """Return the answer of a model's text with its reasoning; `reasoning`: what came beside the
    text. Raises BackendError if there is reasoning alone.
    """
    answer, thought = separate_reasoning(text)
    parts = "\n\n".join(filter(None, [reasoning.strip(), thought]))
    if parts and not answer:
        raise BackendError("reasoning_alone", REASONING_ALONE)
    return Reply(answer, reasoning=parts)
