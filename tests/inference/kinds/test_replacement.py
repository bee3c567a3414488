"""What a run replaces is announced before it starts; captions that wait for people aren't fused."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.corpus.precedence import only_outdated
from annotate.corpus.services.precedence import accept_captions, settle_captions
from annotate.models import Caption, CaptionRank
from inference.errors import InferenceError, UnfinishedCaptions
from inference.models import InferenceRun
from inference.queries import items_with_replaced_parts
from inference.runs import services as starting
from inference.runs.preview import preview_run
from tests.cast import client_of, make_clip, make_video
from tests.hand_work import attempt, machine_caption, open_hand
from tests.inference.cast import make_model, run_through, start_run
from tests.inference.scored import score, score_run
from tests.work import make_work

pytestmark = pytest.mark.django_db


@pytest.fixture
def parts(project):
    video = make_video(project, frames=90)
    return [
        make_clip(project, video=video, start_frame=n * 30, end_frame=n * 30 + 30) for n in range(3)
    ]


@pytest.fixture
def captioner(project):
    return make_model(project, "opencv-draft", name="Draft")


@pytest.fixture
def joiner(project):
    return make_model(project, "plain-joiner", name="Joiner")


@pytest.fixture
def captions(parts):
    return [machine_caption(clip, f"Clip {n}.") for n, clip in enumerate(parts)]


def human(clip, source="corrected"):
    return Caption.objects.create(
        project=clip.project, clip=clip, kind="general", source=source, text="A pool.", word_count=2
    )


def test_a_caption_run_says_that_no_human_caption_changes(project, parts, captions, captioner):
    human(parts[0])
    settle_captions([machine_caption(parts[1], "Accepted.")], CaptionRank.Because.REFINED)
    make_work(parts[2], "verify", needed=1, subject=captions[2].pk)
    preview = preview_run(project=project, kind="caption", model=captioner, options={})
    assert preview.replaces.sentences == [
        "0 of 1 human captions change.",
        "1 accepted caption stays.",
        "1 machine caption is replaced.",
        "1 open verification of captions that are replaced is withdrawn, 0 of them in progress. "
        "Drafts stay with their authors.",
    ]


def test_the_page_of_a_new_run_says_it(project, parts, captions, captioner, ada):
    human(parts[0])
    url = reverse("inference:new_run", args=[project.slug])
    page = client_of(ada).get(url, {"kind": "caption"}).content.decode()
    assert "0 of 1 human captions change." in page
    assert "2 machine captions are replaced." in page


def test_captions_that_wait_for_people_are_joined_only_when_an_admin_says_so(
    project, parts, captions, joiner, ada, capsys
):
    make_work(parts[0], "verify", needed=1, subject=captions[0].pk)
    open_hand(parts[1], attempt(captions[1]))
    sentence = (
        "2 captions of 1 video still wait for people. The full-video captions of these videos will "
        "be outdated as soon as they are done."
    )
    preview = preview_run(project=project, kind="fuse", model=joiner, options={})
    assert preview.unfinished.sentence == sentence
    with pytest.raises(UnfinishedCaptions, match="Nothing was started"):
        start_run(project=project, kind="fuse", model=joiner)
    url = reverse("inference:new_run", args=[project.slug]) + "?kind=fuse"
    form = {"model": joiner.pk, "tries": 3}
    refused = client_of(ada).post(url, form)
    assert refused.status_code == 422
    words = f"{sentence} Nothing was started. Tick this to join them anyway."
    assert refused.context["form"].errors == {"joins_unfinished": [words]}
    checkbox = refused.context["form"]["joins_unfinished"]
    assert 'aria-invalid="true"' in str(checkbox)
    assert str(checkbox) in (page := refused.content.decode())
    assert '<div class="error" id="id_joins_unfinished_error">' in page
    with pytest.raises(CommandError, match="Pass --join-unfinished"):
        call_command("run_inference", project.slug, "fuse", "--model", "Joiner")
    assert not InferenceRun.objects.exists()
    call_command("run_inference", project.slug, "fuse", "--model", "Joiner", "--join-unfinished")
    assert InferenceRun.objects.get().kind == "fuse"


def test_starting_to_join_captions_reads_none_of_them(project, parts, captions, joiner):
    make_work(parts[0], "verify", needed=1, subject=captions[0].pk)
    with CaptureQueriesContext(connection) as queries:
        with pytest.raises(UnfinishedCaptions):
            starting.start_run(project=project, kind="fuse", model=joiner)
        starting.start_run(project=project, kind="fuse", model=joiner, joins_unfinished=True)
    assert [query for query in queries if '"annotate_caption"."text"' in query["sql"]] == []
    assert [query for query in queries if 'FROM "annotate_caption"' in query["sql"]] == []


def test_of_videos_joined_before_the_worker_finds_out_what_waits_for_people(
    project, parts, captions, joiner
):
    run_through(start_run(project=project, kind="fuse", model=joiner))
    make_work(parts[0], "verify", needed=1, subject=captions[0].pk)
    # The same captions: they are joined already, so nothing would be joined too early.
    assert run_through(start_run(project=project, kind="fuse", model=joiner)).state == "done"
    human(parts[1])
    run = run_through(start_run(project=project, kind="fuse", model=joiner))
    assert (run.state, run.items.count()) == ("failed", 0)
    assert run.reason.startswith("1 caption of 1 video still waits for people.")
    assert run.reason.endswith("or start a run that joins them anyway.")
    run = run_through(start_run(project=project, kind="fuse", model=joiner, joins_unfinished=True))
    assert run.state == "done"


def test_a_fused_caption_is_out_of_date_once_a_part_is_replaced(
    project, parts, captions, joiner, captioner, ada
):
    run = run_through(start_run(project=project, kind="fuse", model=joiner))
    fused = Caption.objects.get(kind="full_video")
    assert not only_outdated(Caption.objects.filter(kind="full_video")).exists()
    again = preview_run(project=project, kind="caption", model=captioner, options={})
    assert (
        "1 caption of a whole video goes out of date. Run fuse afterwards."
        in again.replaces.sentences
    )
    human(parts[1])
    assert list(only_outdated(Caption.objects.filter(kind="full_video"))) == [fused]
    assert items_with_replaced_parts(run).count() == 1
    page = client_of(ada).get(reverse("inference:run", args=[project.slug, run.pk]))
    assert page.context["stale_count"] == 1
    video = client_of(ada).get(reverse("inference:video", args=[project.slug, parts[0].video_id]))
    assert (
        video.context["full_stale"]
        == "the caption of a clip has been replaced since this one was joined"
    )
    clip = client_of(ada).get(reverse("annotate:clip", args=[project.slug, fused.clip_id]))
    assert [text.is_outdated for text in clip.context["texts"]] == [True]


def test_a_correction_of_a_fused_caption_is_out_of_date_with_it(project, parts, captions, joiner):
    run_through(start_run(project=project, kind="fuse", model=joiner))
    fused = Caption.objects.get(kind="full_video")
    corrected = Caption.objects.create(
        project=project, clip=fused.clip, kind="full_video", source="corrected", text="All of it.",
        word_count=3,
    )  # fmt: skip
    corrected.parents.add(fused)
    assert not only_outdated(Caption.objects.filter(pk=corrected.pk)).exists()
    human(parts[1])
    assert only_outdated(Caption.objects.filter(pk=corrected.pk)).exists()


def test_a_caption_that_a_person_left_as_it_is_is_not_refined(project, parts, captions, encoder):
    make_model(project, "opencv-draft", name="First", refine_order=1)
    scoring = score_run(project, encoder)
    for caption in captions:
        score(caption.clip, 0.1, scoring, caption=caption)
    refining = {"project": project, "kind": "refine", "model": encoder, "options": {}}
    assert preview_run(**refining).total == 3
    accept_captions([caption.pk for caption in captions[:2]], CaptionRank.Because.VERIFIED)
    assert preview_run(**refining).total == 1
    accept_captions([captions[2].pk], CaptionRank.Because.VERIFIED)
    with pytest.raises(InferenceError, match="Nothing to refine"):
        start_run(project=project, kind="refine", model=encoder)
