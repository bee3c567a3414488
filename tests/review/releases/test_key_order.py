"""The files of a release have the same bytes in whatever order a database keeps keys of JSON."""

import pytest
from django.db.models import JSONField

from annotate.models import Caption, Clip
from review.errors import ReviewError
from review.releases.services import build_release, refuse_identical
from review.verification.models import MissingSegment
from tests.cast import make_person
from tests.hand_work import machine_caption
from tests.inference.segmented import segment
from tests.review.releases import released_triplets as triplets
from tests.review.releases.judged import caption_run, made_by, make_test, pick, rate, sign_off
from tests.review.releases.key_orders import backwards, in_jsonb, reordered
from tests.review.releases.released_triplets import make_dives, make_set, query_of
from tests.review.takedowns.releases import in_every_format
from tests.review.verification.verifying import ALL_OK, CAPTION, hold_verification, verify

pytestmark = pytest.mark.django_db

SPANS = [{"text_start": 0, "text_end": 13, "start_frame": 1, "end_frame": 4}]


def make_carebench(project, make_complete, make_playable_clip):
    dive, jump = make_complete("dive"), make_complete("jump")
    sign_off(make_person("Eva", project, "expert"), dive)
    for kind in ("general", "spatial", "temporal"):
        pick(make_person(f"R {kind}", project, "reviewer"),
             make_test(project, [dive, jump], kind=kind), dive, jump)  # fmt: skip
    return project


def make_lovr(project, make_complete, make_playable_clip):
    project.protocol = "lovr"
    project.save()
    video = make_playable_clip(project, original_name="talk.mp4").video
    segment(video, [0, video.frames // 2], min_video_seconds=0, min_clips=1)
    first, last = video.clips.exclude(start_frame=0, end_frame=video.frames).order_by("start_frame")
    caption = Caption.objects.create(
        project=project, clip=first, kind="general", source="machine", text=CAPTION, spans=SPANS,
        word_count=18, provenance=made_by(caption_run(project)),
    )  # fmt: skip
    machine_caption(last, "She stands.")
    rita = make_person("Rita", project, "reviewer")
    verify(hold_verification(rita, caption), caption, ALL_OK)
    MissingSegment.objects.create(
        verification=caption.verifications.get(), place=1, text="He climbs.", start_frame=5,
        end_frame=15,
    )  # fmt: skip
    rate(rita, Caption.objects.get(text="She stands."), 2)
    return project


def make_tfcovr(project, make_complete, make_playable_clip):
    dives = make_dives(make_playable_clip)
    made = make_set(dives)
    clip = Clip.objects.filter(project=dives, video__split="test").order_by("pk").first()
    query = made.queries.filter(clip=clip).first() or query_of(made, "clip-09")
    triplets.verify(make_person("Rita", dives, "reviewer"), query, corrected="turns twice")
    return dives


@pytest.mark.parametrize("make", [make_carebench, make_lovr, make_tfcovr])
def test_every_format_has_the_same_bytes_in_every_order_of_keys(
    make, project, make_complete, make_playable_clip, monkeypatch
):
    made = make(project, make_complete, make_playable_clip)
    release = build_release(project=made, version="1.0.0", admin=None)
    written = in_every_format(release)
    read = JSONField.from_db_value
    for order in (in_jsonb, backwards):
        monkeypatch.setattr(
            JSONField, "from_db_value", lambda *args, order=order: reordered(read(*args), order)
        )
        for name, files in in_every_format(release).items():
            assert list(files) == list(written[name])
            assert [path for path in files if files[path] != written[name][path]] == [], name
        with pytest.raises(ReviewError, match="already has exactly this content"):
            refuse_identical(made)
