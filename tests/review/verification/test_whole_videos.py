"""Captions of whole videos are scored, studied and corrected apart from those of clips."""

from __future__ import annotations

import pytest
from django.urls import reverse

from annotate.corpus.precedence import current_caption
from annotate.corpus.services.precedence import settle_captions
from annotate.models import Caption
from inference.queries import current_captions_of, scorers_of
from review.studies.models import Study
from review.threshold.queries import stock_of
from review.threshold.report import threshold_inputs
from review.threshold.services import adopt, low_captions
from review.threshold.studies import captions_to_sample, start_threshold_study
from tests.cast import client_of, make_clip, make_person, make_video
from tests.inference.cast import make_model
from tests.inference.scored import score, score_run
from tests.review.ratings.rating import whole_caption
from tests.review.verification.verifying import (
    ALL_OK,
    CAPTION,
    MENDED,
    MENDED_TEXT,
    hold_verification,
    verified,
    verify,
)

pytestmark = pytest.mark.django_db
FULL = Caption.Kind.FULL_VIDEO


@pytest.fixture
def lovr(project):
    project.protocol = "lovr"
    project.save()
    return project


def cut_video(project):
    """The clip that spans a video which is cut in two."""
    video = make_video(project)
    for start in (0, 125):
        make_clip(project, video=video, start_frame=start, end_frame=start + 125)
    return video.clips.get(start_frame=0, end_frame=video.frames)


def fused(whole, text=CAPTION):
    caption = whole_caption(whole, text)
    settle_captions([caption])
    return caption


def test_a_correction_is_current_and_fusing_again_does_not_replace_it(lovr, rita):
    whole = cut_video(lovr)
    machine = fused(whole)
    verify(hold_verification(rita, machine), machine, MENDED)
    corrected = current_caption(whole, FULL)
    assert (corrected.text, corrected.source, corrected.kind) == (MENDED_TEXT, "corrected", FULL)
    fused(whole, "Another run joins the captions again.")
    assert current_caption(whole, FULL) == corrected
    assert list(current_captions_of(lovr, FULL)) == [corrected]
    assert current_caption(whole) is None


def make_scored(project, clips, videos):
    """(scorer of clips, scorer of whole videos), each with scored captions."""
    model = make_model(project, "lexical")
    of_clips, of_videos = score_run(project, model), score_run(project, model)
    for number in range(clips):
        score(make_clip(project), number / clips, of_clips)
    for number in range(videos):
        whole = cut_video(project)
        score(whole, number / videos, of_videos, caption=fused(whole), scorer="e" * 64)
    return of_clips.project.quality_scores.exclude(scorer="e" * 64).first().scorer, "e" * 64


def test_a_study_of_whole_videos_draws_only_these(lovr, ada):
    clips, videos = make_scored(lovr, 22, 21)
    assert {row["scorer"]: row["kind"] for row in scorers_of(lovr)} == {
        clips: "general",
        videos: FULL,
    }
    assert (len(captions_to_sample(lovr, clips)), len(captions_to_sample(lovr, videos))) == (22, 21)
    study = start_threshold_study(
        project=lovr, scorer=videos, captions=20, people=1, strata=2, seed=0, admin=ada,
        hands_out=False,
    )  # fmt: skip
    assert {drawn.caption.kind for drawn in study.captions.all()} == {FULL}
    stock = stock_of(lovr, FULL)
    assert (stock.clips, stock.captioned, stock.machine) == (21, 21, 21)


def test_each_scorer_has_its_own_estimate_and_threshold(lovr, ada, rita):
    clips, videos = make_scored(lovr, 20, 20)
    for scorer in (clips, videos):
        study = start_threshold_study(
            project=lovr, scorer=scorer, captions=20, people=1, strata=2, seed=0, admin=ada
        )
        for drawn in study.captions.select_related("caption"):
            caption = drawn.caption
            answers = {"verdict-0": "ok", "theme": "ok"} if scorer == clips else ALL_OK
            verify(hold_verification(rita, caption), caption, answers)
    inputs_by_scorer = {inputs.subject: inputs for inputs in threshold_inputs(lovr)}
    assert {subject: inputs.count for subject, inputs in inputs_by_scorer.items()} == {
        clips: 20,
        videos: 20,
    }
    drawn = {row[0] for row in inputs_by_scorer[videos].tables()["captions"].rows}
    kinds = Caption.objects.filter(pk__in=drawn).values_list("kind", flat=True)
    assert set(kinds) == {FULL}
    assert inputs_by_scorer[clips].hash != inputs_by_scorer[videos].hash


def test_low_captions_of_whole_videos_go_to_people(lovr, ada):
    clips, videos = make_scored(lovr, 3, 4)
    _, handed = adopt(project=lovr, scorer=videos, value=0.3, admin=ada, hand_out=True)
    assert handed.opened == 2
    assert low_captions(lovr, clips, 0.3).count() == 1  # below no threshold that was adopted
    kinds = lovr.work_items.filter(kind="verify").values_list("subject", flat=True)
    assert set(Caption.objects.filter(pk__in=kinds).values_list("kind", flat=True)) == {FULL}


def test_the_threshold_page_speaks_of_videos(lovr, ada):
    make_scored(lovr, 1, 1)
    address = reverse("review:report_page", args=[lovr.slug, "threshold"])
    parts = client_of(ada).get(address).context["parts"]
    assert [(part.is_of_videos, part.captions, part.unscored) for part in parts] == [
        (True, 1, 0),
        (False, 1, 0),
    ]
    assert not Study.objects.exists()


def test_errors_of_clips_and_of_whole_videos_are_added_up_apart(lovr, rita, ada):
    verified(rita, make_clip(lovr))
    whole = fused(cut_video(lovr))
    verify(hold_verification(rita, whole), whole, ALL_OK)
    client = client_of(ada)
    address = reverse("review:verifications", args=[lovr.slug])
    listed = {of: client.get(address, {"of": of}).context for of in ("", "clips", "videos")}
    errors = {of: (c["totals"].captions, c["totals"].content_errors) for of, c in listed.items()}
    assert errors == {"": (1, 3), "clips": (1, 3), "videos": (1, 0)}
    assert listed["videos"]["page"].object_list[0].caption == whole


def test_the_work_page_says_that_it_is_about_the_whole_video(lovr):
    anna = make_person("Ann", lovr, "annotator")
    held = hold_verification(anna, fused(cut_video(lovr)))
    page = client_of(anna).get(reverse("annotate:work", args=[held.pk])).content.decode()
    assert "Check each sentence against the whole video." in page


def test_the_work_page_says_if_captions_of_the_clips_have_changed(lovr):
    anna = make_person("Ann", lovr, "annotator")
    whole = cut_video(lovr)
    clip = whole.video.clips.exclude(pk=whole.pk).first()
    parts = {"project": lovr, "clip": clip, "kind": "general", "source": "machine"}
    text = Caption.objects.create(text="A person dives.", word_count=3, **parts)
    settle_captions([text])
    caption = fused(whole)
    caption.parents.add(text)
    page = reverse("annotate:work", args=[hold_verification(anna, caption).pk])
    notice = "have changed since they were joined"
    assert notice not in client_of(anna).get(page).text
    settle_captions([Caption.objects.create(text="A person jumps.", word_count=3, **parts)])
    assert notice in client_of(anna).get(page).text
