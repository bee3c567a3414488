"""The dataset card of a release that isn't built yet."""

import pytest
from django.urls import reverse

from annotate.corpus.conversions import CONVERSIONS
from annotate.models import Project, Video
from review.releases.models import ReleaseDraft
from review.releases.services import build_release
from review.studio.card import UNKNOWN, preview_card
from review.studio.comparing import check, comparison_of, keep, read_kept
from tests.cast import client_of, count_queries, make_person
from tests.hand_work import machine_caption
from tests.inference.segmented import segment
from tests.review.releases.released_triplets import make_dives, make_set
from tests.review.takedowns.releases import written

pytestmark = pytest.mark.django_db


def card_of(person, project):
    return client_of(person).get(reverse("review:release_card", args=[project.slug]))


def built_card(project) -> str:
    release = build_release(project=project, version="0.1.0", admin=None, notes="<b>New</b>")
    readme = written(release, "huggingface")["README.md"].decode()
    return readme.replace(release.content_hash, UNKNOWN)


def kept_card(project) -> str:
    """What a large project's page would make of what a worker kept."""
    keep(comparison_of(project), check(comparison_of(project), is_kept=True))
    kept = read_kept(comparison_of(project))
    return preview_card(project, kept.card, version=kept.suggested, notes="<b>New</b>")


def keep_notes(project) -> None:
    ReleaseDraft.objects.create(project=project, notes="<b>New</b>")


def test_it_is_the_card_that_the_build_writes(project, make_complete, ada):
    make_complete("dive")
    make_complete("ball", category="Sports, Excercise")
    video = Video.objects.get(clips__name="dive")
    video.probe[CONVERSIONS] = {"scaled": "Scaled down.", "tone_mapped": "HDR was tone-mapped."}
    video.save()
    keep_notes(project)
    page = card_of(ada, project)
    assert (
        "Of 2 source files, an import converted 1: 1 tone-mapped from HDR, 1 scaled down."
        in page.text
    )
    assert page.context["card"] == kept_card(project) == built_card(project)
    assert "&lt;b&gt;New&lt;/b&gt;" in page.text


def test_it_is_the_card_of_lovrs_form(project, make_playable_clip, ada):
    Project.objects.update(protocol="lovr")
    project.refresh_from_db()
    video = make_playable_clip(project, original_name="talk.mp4").video
    segment(video, [0, video.frames // 2], min_video_seconds=0, min_clips=1)
    for clip in video.clips.exclude(start_frame=0, end_frame=video.frames):
        machine_caption(clip, "She sits.")
    keep_notes(project)
    assert card_of(ada, project).context["card"] == kept_card(project) == built_card(project)


def test_it_is_the_card_of_tfcovrs_form(db, make_playable_clip):
    dives = make_dives(make_playable_clip)
    make_set(dives)
    keep_notes(dives)
    admin = make_person("Ava", dives, "admin")
    assert card_of(admin, dives).context["card"] == kept_card(dives) == built_card(dives)


def test_without_content_it_says_so_and_its_queries_do_not_grow(project, make_complete, ada):
    assert "There is nothing to release yet" in card_of(ada, project).text
    counts = []
    for name in ("one", "two"):
        make_complete(name)
        with count_queries() as count:
            card_of(ada, project)
        counts.append(int(count))
    assert counts[0] == counts[1]
