"""The tests' own tools: a cast that is who it says, and a counter that counts the same anywhere."""

import av
from django.db import transaction

from annotate.models import Clip, Project, Role
from tests.cast import client_of, count_queries, make_clip, make_video
from tests.media import FPS, FRAMES


def test_each_of_the_cast_has_one_role_and_olaf_none(project, anna, ben, emil, rita, ada, olaf):
    roles = {m.user.name: m.roles for m in project.memberships.select_related("user")}
    assert roles == {
        "Anna": [Role.ANNOTATOR],
        "Ben": [Role.ANNOTATOR],
        "Emil": [Role.EXPERT],
        "Rita": [Role.REVIEWER],
        "Ada": [Role.ADMIN],
    }
    assert olaf.memberships.count() == 0


def test_a_client_is_signed_in_as_its_person(anna):
    assert client_of(anna).session["_auth_user_id"] == str(anna.pk)
    assert "_auth_user_id" not in client_of(None).session


def test_a_video_comes_with_the_clip_that_spans_it(project):
    video = make_video(project)
    assert [(c.start_frame, c.end_frame, c.duration_ms) for c in video.clips.all()] == [
        (0, 250, 10_000)
    ]
    assert make_clip(project, video=video) == video.clips.get()
    assert make_clip(project, video=video, end_frame=25).duration_ms == 1000
    assert Clip.objects.count() == 2


def test_the_counter_leaves_out_how_a_transaction_is_delimited(project):
    with count_queries() as count, transaction.atomic(), transaction.atomic():
        Project.objects.count()
    assert count == 1, count


def test_the_playable_clip_has_the_frames_it_claims(project, make_playable_clip, settings):
    clip = make_playable_clip(project)
    with av.open(str(settings.MEDIA_ROOT / clip.video.playback_file)) as container:
        frames = list(container.decode(video=0))
    assert (len(frames), clip.frames, float(clip.video.fps)) == (FRAMES, FRAMES, FPS)
