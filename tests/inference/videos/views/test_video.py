"""The page of a video: its state, its curve, its clips, its caption."""

import re

import pytest
from django.urls import reverse

from annotate.models import Assignment, Caption, DynamicsVerdict, Video, WorkItem
from inference.cut_detectors import CUT_DETECTORS
from inference.models import InferenceRun, RunItem
from tests.cast import client_of, count_queries, make_clip, make_video
from tests.inference.cast import make_model
from tests.inference.scored import score, score_run, write
from tests.inference.segmented import make_item, make_run, make_talk, segment
from tests.markup import squeezed
from tests.work import make_work

CUTS = [0, 60, 130, 200]


@pytest.fixture
def project(project):
    project.protocol = "lovr"
    project.save()
    return project


@pytest.fixture
def video(project):
    return make_video(project, original_name="city walk.mp4")


def url(video):
    return reverse("inference:video", args=[video.project.slug, video.pk])


def page(person, video) -> str:
    response = client_of(person).get(url(video))
    assert response.status_code == 200
    return response.content.decode()


def says(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def rows(html: str) -> list[list[str]]:
    body = re.search(r'id="video-parts".*?<tbody>(.*?)</tbody>', html, re.DOTALL)
    if body is None:
        return []
    return [
        [says(cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]
        for row in re.findall(r"<tr.*?</tr>", body[1], re.DOTALL)
    ]


# State


def test_before_segmentation_it_says_so_and_what_to_do(video, anna, ada):
    assert "Not segmented. It is one clip." in says(page(anna, video))
    html = page(ada, video)
    assert "Segment cuts it where the picture changes." in says(html)
    new_run = reverse("inference:new_run", args=[video.project.slug])
    assert f'href="{new_run}?kind=segment">Segment</a>' in html
    assert "kind=segment" not in page(anna, video)


def test_a_kept_video_says_how_many_clips_it_has(video, anna):
    segment(video, CUTS)
    assert "Kept. It is cut into 4 clips." in says(page(anna, video))


def test_one_left_out_says_why(video, anna, ada):
    segment(video, CUTS, excluded_because="4 clips; at least 40 are asked for")
    assert "Left out. 4 clips; at least 40 are asked for." in says(page(anna, video))
    assert "To keep it, segment with other settings." in says(page(ada, video))


def test_one_that_people_left_out_is_not_to_be_segmented_again(video, ada):
    segment(video, CUTS)
    Video.objects.update(excluded_because="Two people found it too still.")
    text = says(page(ada, video))
    assert "Left out. Two people found it too still." in text
    assert "To keep it" not in text


@pytest.mark.parametrize(
    ("state", "fields", "text"),
    [
        ("running", {"step": "43 % read"}, "Being segmented . 43 % read"),
        ("waiting", {}, "Waiting to be segmented ."),
        (
            "failed",
            {"reason": "It is damaged."},
            "The last attempt to segment it failed. It is damaged.",
        ),
    ],
)
def test_what_is_in_progress_is_shown(video, anna, ada, state, fields, text):
    item = make_item(make_run(video.project), video, state, **fields)
    assert text.replace(" .", ".") in says(page(anna, video)).replace(" .", ".")
    assert f"Run {item.run_id}" in says(page(ada, video))


def test_the_dynamics_check_keeps_the_first_judgment_to_itself(video, anna, ben, rita):
    segment(video, CUTS)
    item = WorkItem.objects.get(kind="dynamics")

    def judge(person, is_dynamic):
        hold = Assignment.objects.create(
            item=item, annotator=person, lease_expires_at=item.created_at, state="submitted"
        )
        DynamicsVerdict.objects.create(video=video, assignment=hold, is_dynamic=is_dynamic)

    assert "Dynamics check: 0 of 2 people have judged." in says(page(rita, video))
    judge(anna, True)
    assert "Dynamics check: 1 of 2 people have judged." in says(page(rita, video))
    judge(ben, False)
    assert "2 of 2 people have judged, 1 found it dynamic." in says(page(rita, video))


# Curve and clips


def test_the_list_has_every_clip_with_its_place(video, anna):
    segment(video, CUTS)
    assert rows(page(anna, video)) == [
        ["1", "city walk-Scene-001", "0:00.0", "0", "2.4 s"],
        ["2", "city walk-Scene-002", "0:02.4", "60", "2.8 s"],
        ["3", "city walk-Scene-003", "0:05.2", "130", "2.8 s"],
        ["4", "city walk-Scene-004", "0:08.0", "200", "2.0 s"],
    ]


def test_a_name_leads_to_its_clip_and_a_time_into_the_video(video, anna):
    segment(video, CUTS)
    html = page(anna, video)
    second = video.clips.get(start_frame=60, end_frame=130)
    assert reverse("annotate:clip", args=[video.project.slug, second.pk]) in html
    playback = reverse("annotate:media_playback", args=[video.project.slug, video.pk])
    assert f'<a href="{playback}#t=2.400" data-frame="60">0:02.4</a>' in squeezed(html)


def test_every_cut_is_marked_on_the_curve(video, anna):
    segment(video, CUTS)
    marks = re.findall(r'<a class="cut".*?data-frame="(\d+)"', squeezed(page(anna, video)))
    assert marks == ["60", "130", "200"]


def differences(html: str) -> list[tuple[str, bool]]:
    """The differences to choose from, and which one is drawn."""
    tabs = re.search(r'aria-label="Difference between frames"[^>]*>(.*?)</nav>', html, re.DOTALL)
    links = re.findall(r"<a href=\"\?difference=(\w+)#cut-curve\"(.*?)>", tabs[1]) if tabs else []
    return [(name, "aria-current" in rest) for name, rest in links]


def test_each_difference_between_frames_has_its_curve_and_its_words(video, anna):
    segment(video, CUTS)
    areas = set()
    for name, words, has_threshold in [
        ("content", "which decides the cuts", True),
        ("pixels", "mean absolute difference of the pixels", False),
        ("means", "difference of the average pixel values", False),
    ]:
        html = client_of(anna).get(url(video), {"difference": name}).content.decode()
        assert differences(html) == [
            (each, each == name) for each in ("content", "pixels", "means")
        ]
        assert words in says(html)
        assert ('class="threshold"' in html) is has_threshold
        areas.add(re.search(r'<path class="bar" d="(.*?)"', html)[1])
    assert len(areas) == 3
    assert differences(page(anna, video))[0] == ("content", True)
    odd = client_of(anna).get(url(video), {"difference": "x"}).content.decode()
    assert differences(odd)[0] == ("content", True)


def test_cuts_that_made_no_clip_are_listed_without_a_name(video, anna):
    segment(video, CUTS, excluded_because="4 clips; at least 40 are asked for")
    assert [row[:2] for row in rows(page(anna, video))] == [
        [str(n), "Not made"] for n in (1, 2, 3, 4)
    ]


def test_a_clip_of_earlier_settings_is_marked(video, anna):
    segment(video, CUTS)
    old = video.clips.get(start_frame=60, end_frame=130)
    old.captions.create(
        project=video.project, kind="general", source="machine", text="A street.", word_count=2
    )
    segment(video, [0, 100], threshold=50)
    assert [row[:2] for row in rows(page(anna, video))] == [
        ["1", "city walk-Scene-001"],
        ["", "city walk-Scene-002 Earlier cut"],
        ["2", "city walk-Scene-002-2"],
    ]


def test_a_video_that_was_never_read_has_no_curve(video, anna):
    segment(video, [], excluded_because="10 s long; at least 15 min are asked for")
    html = page(anna, video)
    assert ("data-curve" in html, rows(html)) == (False, [])
    assert "Videos that are too short are left out and not analyzed." in html


def test_clips_made_elsewhere_are_listed_without_a_curve(video, anna):
    make_clip(video.project, video=video, start_frame=10, end_frame=35)
    html = page(anna, video)
    assert rows(html) == [["", "city walk_10_35 Part", "0:00.4", "10", "1.0 s"]]
    assert "It has clips that were made elsewhere." in says(html)


def test_the_history_has_every_segmentation(video, anna):
    segment(video, CUTS, cut_detector="hash", min_scene_seconds=0.5)
    segment(video, [0, 100], threshold=50.5, excluded_because="2 clips; at least 40 are asked for")
    outdated = segment(video, CUTS).item.run
    InferenceRun.objects.filter(pk=outdated.pk).update(recipe=outdated.recipe | {"code": None})
    body = re.search(r'id="segmentations".*?<tbody>(.*?)</tbody>', page(anna, video), re.DOTALL)[1]
    cells = [
        [says(cell) for cell in re.findall(r"<td.*?</td>", row, re.DOTALL)][1:]
        for row in re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    ]
    assert cells == [
        ["4", "Kept", "The stored recipe can’t be read: Expected `int`, got `null` - at `$.code`."],
        ["2", "Left out: 2 clips; at least 40 are asked for",
         "ContentDetector, threshold 50.5, clips from 5 s, from 40 clips, videos from 900 s, "
         "shrunk by 3"],
        ["4", "Kept",
         "HashDetector, threshold 0.35, clips from 0.5 s, from 40 clips, videos from 900 s, "
         "shrunk by 3"],
    ]  # fmt: skip


def test_the_curve_and_its_threshold_are_those_of_the_detector(video, anna):
    segment(video, CUTS)
    segment(video, CUTS, cut_detector="threshold", threshold=20)
    context = client_of(anna).get(url(video)).context
    assert context["detector"] == CUT_DETECTORS["threshold"]
    assert (context["newest"].threshold, context["chart"].threshold) == (20, 235)
    assert context["measures"][0] == ("content", "ThresholdDetector", True)


def test_a_long_video_is_a_small_page(project, anna):
    video, cuts = make_talk(project)
    segment(video, cuts)
    html = page(anna, video)
    assert len(rows(html)) == 80
    assert len(html.encode()) < 100_000


# The caption of the whole video


@pytest.fixture
def fused(video):
    """A full-video caption made from those of two of the clips."""
    segment(video, CUTS)
    project = video.project
    parents = [
        Caption.objects.create(
            project=project, clip=clip, kind="general", source="machine",
            text=f"Street {number}.", word_count=2,
        )
        for number, clip in enumerate(video.clips.filter(end_frame__lt=200).order_by("start_frame"))
    ]  # fmt: skip
    whole = video.clips.get(start_frame=0, end_frame=video.frames)
    text = "Street 0. " + "Then on. " * 200
    full = Caption.objects.create(
        project=project, clip=whole, kind="full_video", source="machine", text=text, word_count=402
    )
    full.parents.add(*parents)
    return full


def test_the_full_caption_is_shown_above_those_it_was_made_from(video, fused, rita):
    text = says(page(rita, video))
    assert "Caption of the whole video 402 words" in text
    assert "Read all 402 words" in text
    assert "Made from 2 captions of its clips" in text
    assert text.index("city walk-Scene-001 2 words Street 0.") < text.index(
        "city walk-Scene-002 2 words Street 1."
    )


def test_who_may_still_write_reads_no_text_of_others_here(video, fused, anna):
    assert "Street" not in page(anna, video)


def test_in_carebench_an_expert_who_writes_reads_no_captions_either(video, fused, emil):
    for parent in fused.parents.all():
        make_work(parent.clip)
    assert "Street" in page(emil, video)
    emil.memberships.update(is_annotator=True)
    assert "Street" not in page(emil, video)


def test_a_full_caption_whose_parts_were_made_anew_is_out_of_date(video, fused, ada, rita):
    item = make_item(make_run(video.project), video, result=fused)
    assert "Out of date" not in says(page(rita, video))
    RunItem.objects.filter(pk=item.pk).update(stale_because="input")
    assert "Out of date: the caption or clip that it was made from is out of date." in says(
        page(rita, video)
    )
    assert "Fuse again" in says(page(ada, video))


def test_its_state_leads_to_the_full_caption_or_says_what_is_missing(video, ada, rita, anna):
    segment(video, CUTS)
    assert "No caption of the whole video yet." in says(page(rita, video))
    assert "then fuse them" in says(page(ada, video))
    assert "No caption of the whole video yet." not in says(page(anna, video))
    whole = video.clips.get(start_frame=0, end_frame=video.frames)
    write(whole, "All of it.", kind="full_video")
    html = page(rita, video)
    assert html.index('href="#full-caption"') < html.index('id="full-caption"')
    assert html.index('id="full-caption"') < html.index('id="cut-curve"')


# Scores


def test_each_clip_has_the_score_of_its_newest_caption(video, anna, rita):
    segment(video, CUTS)
    run = score_run(video.project, make_model(video.project, "lexical"))
    first, second, third, _ = video.clips.exclude(end_frame=250, start_frame=0).order_by(
        "start_frame"
    )
    score(first, 0.1, run)
    score(first, 0.45, run)
    low = score(second, 0.1, run)
    RunItem.objects.filter(pk=low.item_id).update(stale_because="input")
    score(third, 0.9, run)
    write(third, "A newer one.")
    html = page(rita, video)
    assert [row[-1] for row in rows(html)] == [
        "0.450 Reaches 0.2", "0.100 Under 0.2 Out of date", "None", "None",
    ]  # fmt: skip
    assert "scored by EVQAScore v3, lexical." in says(html)
    assert "0.450" not in page(anna, video)


# How much it asks of the database


@pytest.mark.parametrize("clips", [2, 4])
def test_more_clips_take_no_more_queries(project, rita, clips):
    video = make_video(project)
    segment(video, [0, 60, 130, 200][:clips])
    client = client_of(rita)
    client.get(url(video))
    with count_queries() as count:
        client.get(url(video))
    assert int(count) == 19


# Where it is linked


def test_the_page_of_a_clip_links_to_its_video(video, anna):
    clip = video.clips.get()
    html = client_of(anna).get(reverse("annotate:clip", args=[video.project.slug, clip.pk]))
    assert f'href="{url(video)}"' in html.content.decode()


def test_the_corpus_links_the_parts_to_their_video(video, anna):
    corpus = reverse("annotate:corpus", args=[video.project.slug])
    assert f'href="{url(video)}"' not in client_of(anna).get(corpus).content.decode()
    segment(video, CUTS)
    assert client_of(anna).get(corpus).content.decode().count(f'href="{url(video)}"') == 4
