"""Which human caption of a clip is current."""

import pytest

from annotate.models import Caption, Clip
from review.captions.references import (
    has_references,
    human_reference,
    human_references,
    references_digest,
)
from tests.cast import make_clip, make_project
from tests.hand_work import attempt, hold, machine_caption, open_hand, write_by_hand
from tests.review.cast import merge, open_clip, split, write
from tests.review.comparisons.comparing import predict
from tests.review.verification.verifying import verified

pytestmark = pytest.mark.django_db


def stored(clip, kind="general", source="merged", text="A dive."):
    return Caption.objects.create(
        project_id=clip.project_id, clip=clip, kind=kind, source=source, text=text, word_count=2
    )


def current(project, kind):
    """Return the current captions by clip, which asking about each clip must give too."""
    references = human_references(project, kind)
    assert has_references(project, kind) == bool(references)
    clips = Clip.objects.filter(project=project).values_list("pk", flat=True)
    for half in (list(clips)[::2], list(clips)[1::2]):
        assert human_references(project, kind, half) == {
            clip: references[clip] for clip in half if clip in references
        }
    assert {clip: human_reference(clip, kind) for clip in clips} == {
        clip: references.get(clip) for clip in clips
    }
    return references


def texts(project, kind="general"):
    references = current(project, kind)
    return {clip: Caption.objects.get(pk=key).text for clip, key in references.items()}


def test_the_two_write_ups_are_none_until_they_are_merged(project, anna, ben, emil):
    clip = open_clip(project, "dive")
    write(project, clip, anna, ben)
    assert current(project, "general") == {}
    merge(project, clip, emil)
    merged = Caption.objects.get(source="merged")
    assert current(project, "general") == {clip.pk: merged.pk}
    split(project, clip, anna)
    for kind in ("spatial", "temporal"):
        own = Caption.objects.get(kind=kind)
        assert current(project, kind) == {clip.pk: own.pk}
    assert current(project, "general") == {clip.pk: merged.pk}


def test_a_corrected_caption_is_one_and_the_machines_own_is_none(project, rita):
    clip = make_clip(project)
    verified(rita, clip)
    corrected = Caption.objects.get(source="corrected")
    machine_caption(clip, "A newer draft.")
    predict(clip, "A heron.")
    assert current(project, "general") == {clip.pk: corrected.pk}


def test_what_was_written_by_hand_is_one(project, anna):
    clip = make_clip(project)
    write_by_hand(hold(anna, open_hand(clip, attempt(None))), "A man opens a door.")
    assert texts(project) == {clip.pk: "A man opens a door."}


@pytest.mark.parametrize("source", ["machine", "imported", "human"])
def test_what_nobody_finished_is_none(project, source):
    stored(make_clip(project), source=source)
    assert current(project, "general") == {}


def test_the_newest_counts_and_of_this_project_alone(project):
    clip, other = make_clip(project), make_clip(make_project("Other"))
    stored(clip, text="Old.")
    stored(clip, text="New.")
    stored(clip, source="corrected", text="A correction ranks below what was merged.")
    stored(other)
    assert texts(project) == {clip.pk: "New."}


def test_of_whole_videos_it_is_what_people_corrected_or_wrote(project):
    clip = make_clip(project)
    stored(clip, "full_video", "machine", "Fused.")
    assert current(project, "full_video") == {}
    stored(clip, "full_video", "corrected", "Mended.")
    assert texts(project, "full_video") == {clip.pk: "Mended."}


def test_they_are_in_the_order_of_the_clips_by_one_statement(project, django_assert_num_queries):
    first, second = make_clip(project), make_clip(project)
    stored(second)
    stored(first)
    with django_assert_num_queries(1):
        assert list(human_references(project, "general")) == [first.pk, second.pk]


def test_the_digest_tells_references_apart():
    assert references_digest({1: 2, 3: 4}) == references_digest({3: 4, 1: 2})
    assert len({references_digest(references) for references in ({}, {1: 2}, {2: 1}, {1: 3})}) == 4
