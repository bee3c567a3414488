"""Captions that share sentences with a caption in an open pair are hidden like it."""

from __future__ import annotations

import pytest

from annotate.corpus.blindness import visible_captions
from annotate.models import Caption
from review.captions.services import add_set
from review.rounds.services import end_round, open_round
from tests.cast import make_clip
from tests.inference.scored import write
from tests.review.comparisons.comparing import make_set, next_caption_pair

pytestmark = pytest.mark.django_db


def made_from(clip, *parents, source="merged", **values):
    caption = write(clip, source=source, **values)
    caption.parents.add(*parents)
    return caption


def hidden_from(person, project):
    membership = person.memberships.select_related("project").get(project=project)
    readable = visible_captions(membership).values("pk")
    return set(Caption.objects.exclude(pk__in=readable))


@pytest.mark.parametrize("compared", ["write-ups", "merged", "spatial", "full_video"])
def test_what_a_compared_caption_was_made_from_and_what_was_made_from_it(
    project, ada, rita, compared
):
    clip, elsewhere, whole = (make_clip(project) for _ in range(3))
    models = make_set(project, "Heron", [clip, elsewhere, whole])
    written = write(clip, source="human")
    beside = write(clip, source="human")
    merged = made_from(clip, written, beside)
    spatial, temporal = (made_from(clip, merged, kind=kind) for kind in ("spatial", "temporal"))
    full = made_from(whole, merged, kind="full_video")
    unrelated = write(clip, source="human"), made_from(elsewhere, write(elsewhere, source="human"))
    above_and_below = {
        "write-ups": (written, {written, merged, spatial, temporal, full}),
        "merged": (merged, {written, beside, merged, spatial, temporal, full}),
        "spatial": (spatial, {written, beside, merged, spatial}),
        "full_video": (full, {written, beside, merged, full}),
    }
    side, related = above_and_below[compared]
    people = add_set(
        project=project, name="People", kind=models.kind, captions={side.clip_id: side.pk},
        admin=None,
    )  # fmt: skip
    round = open_round(
        project=project, admin=ada, sets=[models, people], votes_per_pair=5, repeat_percent=0
    )
    if compared == "full_video":
        round.kind = "full_video"
        round.save()
    by_model = models.captions.get(clip=side.clip_id).caption
    assert hidden_from(rita, project) == {by_model, *related}
    assert hidden_from(ada, project) == set()
    assert not {*unrelated} & hidden_from(rita, project)

    held, _ = next_caption_pair(project, rita)
    end_round(round=round, admin=ada)
    assert hidden_from(rita, project) == set()
    held.state = "held"  # as if it had been kept
    held.save()
    assert hidden_from(rita, project) == {by_model, *related}
