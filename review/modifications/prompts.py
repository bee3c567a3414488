"""A text model's prompt for one modification, and the check of its reply. Pure.

TF-CoVR's prompts aren't published. These are our own: one instruction per domain, people's
examples, and one question per direction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from review.modifications.text import MAX_TEXT_LENGTH, Limits, problem_with

MAX_INSTRUCTION_LENGTH = 4000
MAX_EXAMPLES = 40
EXAMPLE_PARTS = ("source", "target", "modification")

_RULES = """\
Write what has to change so that the first action becomes the second: an instruction of \
{limits}, such as "show with", "change to" or "without". Say only what \
differs, never what stays. Name no clip, athlete or place. Answer with the instruction alone, in \
one line, without quotation marks."""

_ABOUT = {
    "gymnastics": """\
You compare actions of artistic gymnastics. A label names the event in brackets (vault, floor \
exercise, balance beam, uneven bars) and then the element. What may differ: the event, the number \
of turns or twists, the position of the body (tucked, piked, stretched), the direction, the entry, \
and the landing or how the element begins and ends.""",
    "diving": """\
You compare dives. A label names the direction of the take-off (forward, back, reverse, inward, \
arm stand), the number of somersaults and of twists, the position (tuck, pike, straight) and the \
entry. Keep numbers such as 2.5 exact. When several parts differ, name each of them.""",
}
_ABOUT_ANY = "You compare two short actions by their labels."
_QUOTES = '"“”„«»`'


def default_instruction(domain: str, limits: Limits) -> str:
    """Return a project's initial instruction for labels of this domain."""
    return f"{_ABOUT.get(domain.strip().lower(), _ABOUT_ANY)}\n\n{_RULES.format(limits=limits)}"


def question(
    examples: Sequence[Mapping[str, str]], source: str, target: str, refusal: str = ""
) -> str:
    """Return the examples and the direction in the same format. `refusal` is the error in the
    model's last answer to the same question.
    """
    forms = [*(_form(**example) for example in examples), _form(source, target)]
    if refusal:
        forms.insert(-1, f"Your last answer could not be used. {refusal} Answer again.")
    return "\n\n".join(forms)


def _form(source: str, target: str, modification: str = "") -> str:
    return f"First: {source}\nSecond: {target}\nChange: {modification}".rstrip()


def problem_with_reply(reply: str, limits: Limits) -> str:
    """Return why the model's reply isn't a valid modification; "" if it is. A reply with more than
    the text is refused, not interpreted.
    """
    text = reply.strip()
    if len(text.splitlines()) > 1:
        return "It has several lines; one is asked for."
    if any(mark in text for mark in _QUOTES) or (text[:1] == "'" and text[-1:] == "'"):
        return "It has quotation marks."
    if len(text) > MAX_TEXT_LENGTH:
        return f"It has {len(text)} characters; the most are {MAX_TEXT_LENGTH}."
    if problem_with(text, limits):
        return f"It does not have {limits}."
    return ""
