"""Which clips of a list are chosen: some by their keys, or all that match its filters."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import QueryDict

from annotate.corpus.clip_stages import kinds_in
from annotate.corpus.forms import corpus_form
from annotate.corpus.queries import choose_clips
from annotate.models import Clip, Membership

KEY, ALL = "clip", "all"


@dataclass(frozen=True)
class Selection:
    """`sent`: the parameters that select these clips again. `query`: those of the list."""

    clips: QuerySet[Clip]
    total: int
    sent: list[tuple[str, str]]
    query: str

    def keys(self) -> list[int]:
        return list(self.clips.order_by("pk").values_list("pk", flat=True))


def read_selection(membership: Membership, data: QueryDict) -> Selection:
    """Return the chosen clips. Keys of other projects are left out."""
    project = membership.project
    form = corpus_form(project, kinds_in(project), data)
    sent = [(name, value) for name in form.fields for value in data.getlist(name) if value]
    if data.get(ALL):
        chosen = choose_clips(membership, form.filters)
        return Selection(chosen.clips, chosen.total, [*sent, (ALL, "1")], form.query())
    keys = [key for key in data.getlist(KEY) if key.isdecimal() and len(key) < 19]
    clips = Clip.objects.filter(project=project, pk__in=keys)
    return Selection(clips, clips.count(), [*sent, *((KEY, key) for key in keys)], form.query())
