"""Repeated markup: icons, callouts, empty states, scrollable tables, marked texts, chart ticks.

The tags are built in (see TEMPLATES), so that no template has to load them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from django import template
from django.forms import BoundField, Textarea, TextInput
from django.forms.utils import flatatt
from django.template import Context, defaultfilters
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from annotate.axes import Framed, Tick
from annotate.models import Project, User
from annotate.programs import programs_of
from annotate.search.words import Piece

register = template.Library()

ICON = '<svg class="icon" aria-hidden="true"><use href="{}#{}"></use></svg>'
ICONS = {"info": "info", "ok": "check", "warn": "warn", "danger": "danger"}


@register.simple_tag
@cache
def icon(name: str) -> SafeString:
    """Draw an icon of static/img/icons.svg, hidden from screen readers."""
    return format_html(ICON, static("img/icons.svg"), name)


@register.filter
def in_its_direction(field: BoundField) -> SafeString:
    """Draw the field; a text in it runs in the direction of its own script."""
    is_text = type(field.field.widget) in (TextInput, Textarea)
    return field.as_widget(attrs={"dir": "auto"} if is_text else None)


@register.filter
def singular(noun: str) -> str:
    """Return the singular: “queries” is “query”, “changes” is “change”."""
    return f"{noun[:-3]}y" if noun.endswith("ies") else noun.removesuffix("s")


@register.filter
def minus(text: str) -> str:
    """Replace the hyphen of a negative number by a minus sign."""
    return f"−{text[1:]}" if text.startswith("-") else text


@register.filter(is_safe=True)
def floatformat(number: object, form: str | int = -1) -> str:
    """Format a number as Django does, with a minus sign unless it is for programs (form `u`)."""
    text = defaultfilters.floatformat(number, form)
    return text if "u" in str(form) else minus(text)


@register.simple_block_tag
def callout(
    content: SafeString,
    tone: str = "info",
    *,
    id: str = "",
    label: str = "",
    labelled_by: str = "",
    role: str = "",
    css: str = "",
    autofocus: object = False,
    hidden: object = False,
) -> SafeString:
    """Draw attention to the block's content; `tone` is info, ok, warn or danger.

    With a `label`, or a heading that `labelled_by` names, it is a section of that name. A callout
    that takes the focus, or that a script shows later, can be focused.
    """
    attributes = {
        "id": id or None,
        "role": role or None,
        "aria-label": label or None,
        "aria-labelledby": labelled_by or None,
        "tabindex": "-1" if autofocus or hidden else None,
        "autofocus": bool(autofocus),
        "hidden": bool(hidden),
    }
    return render_to_string(
        "components/callout.html",
        {
            "content": content,
            "element": "section" if label or labelled_by else "div",
            "tone": tone,
            "css": css,
            "icon": ICONS[tone],
            "attributes": flatatt(attributes),
        },
    )


@register.simple_block_tag
def empty_state(content: SafeString, title: str = "", *, id: str = "") -> SafeString:
    """Show in place of an empty list or report what is missing and what to do."""
    return render_to_string(
        "components/empty_state.html", {"content": content, "title": title, "id": id}
    )


@register.simple_block_tag
def scrollable(
    content: SafeString,
    *label: str,
    id: str = "",
    labelled_by: str = "",
    element: str = "div",
    css: str = "",
) -> SafeString:
    """Let a wide table or chart scroll by itself, by keyboard too; join the parts of `label`."""
    return render_to_string(
        "components/scrollable.html",
        {
            "content": content,
            "label": "".join(str(part) for part in label),
            "labelled_by": labelled_by,
            "id": id,
            "element": element,
            "css": css,
        },
    )


@register.inclusion_tag("components/simulated_notice.html")
def simulated_notice(project: Project, what: str = "labels", more: str = "") -> dict[str, object]:
    """Show that a program made up `what`; empty for a real project."""
    return {"is_simulated": project.is_simulated, "what": what, "more": more}


@register.simple_tag(takes_context=True)
def program_mark(context: Context, author: int | User | None) -> SafeString:
    """Mark an author of the page's project who is a program, with its model; else empty."""
    key = author.pk if isinstance(author, User) else author
    program = programs_of(context["project"]).get(key) if key else None
    if program is None:
        return SafeString()
    return format_html('<span class="badge plain" dir="auto">program · {}</span>', program)


@register.simple_tag
def marked(pieces: Sequence[Piece]) -> SafeString:
    """Show a snippet of a text with its matches marked."""
    return format_html_join(
        "",
        "{}",
        ((format_html("<mark>{}</mark>", p.text) if p.is_match else p.text,) for p in pieces),
    )


@register.inclusion_tag("components/y_ticks.html")
def y_ticks(chart: Framed, ticks: Sequence[Tick]) -> dict[str, object]:
    """Draw a line and a label at each tick of a chart's y-axis."""
    return {"chart": chart, "ticks": ticks}


@register.inclusion_tag("components/x_ticks.html")
def x_ticks(chart: Framed, ticks: Sequence[Tick], *, has_lines: bool = False) -> dict[str, object]:
    """Draw a label at each tick of a chart's x-axis, with or without a line."""
    return {"chart": chart, "ticks": ticks, "has_lines": has_lines}
