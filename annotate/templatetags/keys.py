"""The card of keys of a page, and its list of keys for the scripts."""

from __future__ import annotations

from functools import cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html_join, json_script
from django.utils.safestring import SafeString

from annotate.keys.lists import CHOOSING, PAGE, PLAYER, SIGNS, Key, KeyGroup, chord_words
from annotate.kinds import all_kinds
from annotate.queue.work_kinds import work_kind

register = template.Library()
FEW = 3  # numbered keys shown; further ones between the first and the last are omitted


@register.simple_tag(takes_context=True)
def keys_card(context: template.Context) -> SafeString:
    """Show the card of keys of this page, and give the list to its scripts, once per page.

    A page of work is known by its `kind`; others have the `key_groups` of their context, or
    the keys of their player.
    """
    kind = context.get("kind")
    kind = kind if kind in all_kinds() else ""
    groups = context.get("key_groups") or _groups(str(kind), bool(context.get("assignment")))
    person = context["request"].user.pk
    card, listed = _drawn(groups)
    return SafeString(card.replace("PERSON", str(person or ""), 1) + listed)


@cache
def _drawn(groups: tuple[KeyGroup, ...]) -> tuple[str, str]:
    """Return the card and the list, which are the same for everybody."""
    card = render_to_string("annotate/keys/card.html", {"groups": groups})
    data = {"groups": [group.data() for group in groups], "signs": SIGNS}
    return card, json_script(data, "key-list")


def _groups(kind: str, is_work: bool) -> tuple[KeyGroup, ...]:
    if not kind:
        return (PLAYER, PAGE)
    own = work_kind(kind).key_groups()
    return own if is_work else (*own[:-1], CHOOSING)


@register.filter
def chords(key: Key, column: str) -> SafeString:
    """Return the chords of a column, "keys" or "anywhere", as keys that people read."""
    chords_in_words = [chord_words(chord) for chord in getattr(key, column)]
    if key.numbered and len(chords_in_words) > FEW:
        chords_in_words = [chords_in_words[0], ["…"], chords_in_words[-1]]
    return format_html_join(" ", "{}", ((_marks(words),) for words in chords_in_words))


def _marks(words: list[str]) -> SafeString:
    if words == ["…"]:
        return SafeString("…")
    return format_html_join(" ", "<kbd>{}</kbd>", ((word,) for word in words))
