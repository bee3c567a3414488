"""The Split page: the merged text's sentences with their targets, and their changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, TypedDict

from annotate.merge.queries import earlier_merged, merged_caption
from annotate.models import Assignment, Caption
from annotate.queue.content import Content, split_targets
from annotate.split.queries import split_neighbors
from annotate.split.services import merged_sentences, timed_sentences
from annotate.split.warnings import shown_warnings
from annotate.text.align import align_sentences
from annotate.text.diff import DiffSpan, word_diff
from annotate.text.parts import PARTS
from annotate.text.sentences import split_sentences
from annotate.text.spans import timeline_spans
from annotate.text.split_kept import KINDS_OF, keep_name
from annotate.text.words import count_words

Context = dict[str, Any]
FIELDS = {"spatial": "Spatial", "temporal": "Temporal"}
HINTS = {
    "spatial": "A summary first, then people, things, places and looks",
    "temporal": "A summary first, then the actions in order, and the camera",
}


class Sentence(TypedDict):
    """A sentence; `was` is a new sentence's earlier text, `changes` the difference."""

    number: int
    shown_number: int
    part: str
    text: str
    target: str
    is_new: bool
    was: str
    changes: list[DiffSpan]


class Gone(TypedDict):
    """A removed sentence; `now` is the number of the sentence that replaced it."""

    text: str
    now: int | None


def split_context(assignment: Assignment, content: Content) -> Context:
    clip = assignment.item.clip
    merged = merged_caption(clip)
    if merged is None:
        return {"merged": None}
    content = content or _suggested_start(merged)
    begun_on = _begun_on(merged, content)
    sentences, gone = _sentences(merged, content, begun_on)
    texts = {field: content.get(field, "") for field in FIELDS}
    warnings = shown_warnings(clip, merged, content, split_neighbors(clip))
    return {
        "merged": merged,
        "sentence_spans": timeline_spans(timed_sentences(merged)),
        "begun_on": content.get("merged") or merged.pk,
        "groups": [
            {"name": part.capitalize(), "sentences": [s for s in sentences if s["part"] == part]}
            for part in PARTS
        ],
        "sentence_count": len(sentences),
        "undecided": [s for s in sentences if not s["target"]],
        "new_sentences": [s for s in sentences if s["is_new"]],
        "gone": [passage for passage in gone if any(passage["text"] in t for t in texts.values())],
        "is_changed": bool(gone or any(s["is_new"] for s in sentences)),
        "fields": {
            field: {
                "name": field,
                "label": label,
                "hint": HINTS[field],
                "text": texts[field],
                "words": count_words(texts[field]),
                **warnings[field],
            }
            for field, label in FIELDS.items()
        },
        "keeps": [
            {"name": keep_name(field, kind), "value": content.get(keep_name(field, kind), "")}
            for field, kinds in KINDS_OF.items()
            for kind in kinds
        ],
    }


def _suggested_start(merged: Caption) -> Content:
    """Return a split whose texts both begin with the overview, because both begin with a
    summary.
    """
    overview = merged.parts.get("overview", "").strip()
    content = {"spatial": overview, "temporal": overview, "merged": str(merged.pk)}
    for number, sentence in enumerate(split_sentences(overview)):
        content |= {f"sentence-{number}": sentence.text, f"target-{number}": "both"}
    return content


def _begun_on(merged: Caption, content: Content) -> list[str]:
    """Return the sentences that this split was begun with, which a later merge may have changed."""
    begun = content.get("merged", "")
    if begun == str(merged.pk):
        return [sentence for _, sentence in merged_sentences(merged)]
    earlier = earlier_merged(merged.clip_id, begun)
    if earlier is not None:
        return [sentence for _, sentence in merged_sentences(earlier)]
    return [sentence for sentence, _ in split_targets(content)]


def _sentences(
    merged: Caption, content: Content, begun_on: list[str]
) -> tuple[list[Sentence], list[Gone]]:
    """Return the sentences in order, and those removed since the split was started.

    Repeated sentences are distinguished by their order. A new sentence shows its earlier text.
    """
    pairs = merged_sentences(merged)
    keys = list(_turns(text for _, text in pairs))
    targets = _turns_of_pairs(split_targets(content))
    old_keys = list(_turns(begun_on)) or keys
    is_old = set(old_keys)
    sentences: list[Sentence] = [
        {
            "number": number,
            "shown_number": number + 1,
            "part": part,
            "text": text,
            "target": targets.get(key, ""),
            "is_new": key not in is_old,
            "was": "",
            "changes": [],
        }
        for number, ((part, text), key) in enumerate(zip(pairs, keys, strict=True))
    ]
    gone: list[Gone] = [
        {"text": text, "now": None} for text, turn in old_keys if (text, turn) not in set(keys)
    ]
    new = [sentence for sentence in sentences if sentence["is_new"]]
    for pair in align_sentences([g["text"] for g in gone], [s["text"] for s in new]):
        if pair.a is not None and pair.b is not None:
            old, now = gone[pair.a], new[pair.b]
            now["was"], old["now"] = old["text"], now["number"]
            now["changes"] = word_diff(old["text"], now["text"])
    return sentences, gone


def _turns(texts: Iterable[str]) -> Iterable[tuple[str, int]]:
    seen: Counter[str] = Counter()
    for text in texts:
        yield text, seen[text]
        seen[text] += 1


def _turns_of_pairs(pairs: list[tuple[str, str]]) -> dict[tuple[str, int], str]:
    keys = _turns(text for text, _ in pairs)
    return {key: target for key, (_, target) in zip(keys, pairs, strict=True)}
