"""Each refusal to leave out a clip, take it back, archive it, or make a text its caption."""

import pytest

from annotate.archive.kinds import archive_kind
from annotate.archive.services import archive_thing
from annotate.corpus.caption_history import caption_history
from annotate.corpus.services.exclusion import take_back_clip, withdraw_clip
from annotate.corpus.services.precedence import make_current
from annotate.errors import AnnotateError
from annotate.models import Caption, Clip, Video
from tests.cast import make_clip, make_project
from tests.work import make_work, submit_write_up

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("reason", "message"),
    [
        (" ", "Give a reason, so that others can follow the decision."),
        ("x" * 201, "Shorten the reason to 200 characters."),
    ],
)
def test_a_clip_is_withdrawn_with_a_short_reason(project, ada, reason, message):
    clip = make_clip(project)
    with pytest.raises(AnnotateError) as refused:
        withdraw_clip(clip=clip, reason=reason, admin=ada)
    assert str(refused.value) == message
    assert Video.objects.get().excluded_because == ""


def test_only_clips_of_carebench_are_taken_back_by_hand(ada):
    clip = make_clip(make_project("Talks", protocol="lovr"))
    with pytest.raises(AnnotateError) as refused:
        take_back_clip(clip=clip, admin=ada)
    assert str(refused.value) == (
        "Only clips of projects whose texts people write are taken back by hand."
    )


def write(clip: Clip, kind: str, **fields) -> Caption:
    values = {"source": "machine", "text": "A dive.", "word_count": 2, **fields}
    return Caption.objects.create(project=clip.project, clip=clip, kind=kind, **values)


def test_the_history_names_every_kind_of_text(project, ada):
    clip = make_clip(project)
    for kind in ("proposal", "reference", "prediction", "full_video"):
        write(clip, kind)
    write(clip, "general", source="imported")
    texts = caption_history(project.memberships.get(user=ada), clip)
    assert sorted(text.title for text in texts) == [
        "Correction proposed in a study",
        "Full-video caption",
        "Further human caption of a published data set",
        "Other text",
        "Prediction",
    ]


def test_a_write_up_is_no_caption_of_its_clip(project, anna, ada):
    clip = make_clip(project)
    submit_write_up(anna, make_work(clip))
    written = Caption.objects.get(clip=clip)
    with pytest.raises(AnnotateError) as refused:
        make_current(caption_id=written.pk, clip=clip, admin=ada)
    assert str(refused.value) == "A write-up can't be the clip's caption. It is merged first."


def archive_video(video: Video, reason: str, admin) -> None:
    kind = archive_kind("video")
    archive_thing(project=video.project, kind=kind, thing=video, reason=reason, admin=admin)


def test_a_video_is_archived_with_a_short_reason_and_unless_it_is_left_out(project, ada):
    clip = make_clip(project)
    with pytest.raises(AnnotateError) as refused:
        archive_video(clip.video, "x" * 151, ada)
    assert str(refused.value) == "Shorten the reason to 150 characters."
    withdraw_clip(clip=clip, reason="Blurred.", admin=ada)
    with pytest.raises(AnnotateError) as refused:
        archive_video(clip.video, "Dark.", ada)
    assert str(refused.value) == "It is left out already: Blurred."
    assert Video.objects.get().excluded_because == "Blurred."
