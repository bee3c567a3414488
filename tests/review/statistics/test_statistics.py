"""The numbers of the page Statistics, against counts made by hand or by another way."""

import json
import random
from collections import Counter
from statistics import mean

import pytest
from django.urls import reverse

from annotate.corpus.pieces import LeftOut
from annotate.corpus.precedence import current_caption
from annotate.corpus.services.precedence import accept_captions, make_current, settle_captions
from annotate.models import CaptionRank, Clip, Project
from annotate.text.words import count_words
from review.reports.models import Report
from review.reports.results import result_of
from review.reports.services import recompute
from review.statistics import report
from review.statistics.report import Statistics, count_statistics
from review.statistics.rows import words_rows
from tests.cast import client_of, count_queries, join, make_clip, make_project
from tests.hand_work import machine_caption
from tests.review.reports.computing import due_reports, messages, work_on_report
from tests.review.statistics.corpus import caption, cut

pytestmark = pytest.mark.django_db
Because = CaptionRank.Because


@pytest.fixture
def lovr(anna, ada):
    project = make_project("Long", protocol="lovr", min_clip_seconds=1)
    join(project, anna, "annotator")
    join(project, ada, "admin")
    return project


@pytest.fixture
def url(lovr):
    return reverse("review:report_page", args=[lovr.slug, "corpus/statistics"])


@pytest.fixture
def described(lovr):
    """Two videos of 20 s with four clips and a clip that is too short, and an excluded video."""
    first, second, short = cut(lovr, 250, 230, 20)
    third, fourth = cut(lovr, 100, 400)
    out, _ = cut(lovr, 250, 250, excluded_because="not dynamic")
    caption(first, 900)
    caption(first, 10, "corrected")
    refined = caption(second, 20)
    settle_captions([refined], Because.REFINED)
    verified = caption(third, 30)
    accept_captions([verified.pk], Because.VERIFIED)
    caption(fourth, 40, "human")
    caption(short, 500)
    caption(out, 600)
    caption(
        Clip.objects.get(video=first.video, end_frame=500, start_frame=0),
        200,
        "machine",
        "full_video",
    )
    return lovr


def compute(project: Project) -> Statistics:
    [made] = recompute(project=project, name="statistics")
    return result_of(made, Statistics)


def test_it_counts_clips_videos_and_current_captions(described):
    statistics = compute(described)
    clips, videos = statistics.levels
    assert (clips.items, clips.total_ms, clips.min_ms, clips.max_ms) == (4, 39_200, 4000, 16_000)
    assert clips.mean_seconds == 9.8
    assert (videos.items, videos.total_ms, videos.mean_seconds) == (2, 40_000, 20)
    [of_clips] = clips.captions
    assert of_clips.words == {10: 1, 20: 1, 30: 1, 40: 1}
    assert of_clips.origins == {"corrected": 1, "refined": 1, "verified": 1, "human": 1}
    [of_videos] = videos.captions
    assert (of_videos.kind, of_videos.words) == ("full_video", {200: 1})
    assert of_videos.origins == {"machine": 1}
    assert statistics.left_out == LeftOut(videos=1, clips=2, too_small=1)


def test_the_numbers_agree_with_a_count_of_every_clip_and_text(lovr):
    dice = random.Random(7)
    for _ in range(6):
        for clip in cut(lovr, *(dice.randrange(25, 900) for _ in range(4))):
            for _ in range(dice.randrange(3)):
                machine_caption(clip, "A long-haired man doesn't wave. " * dice.randrange(1, 9))
    clips = [clip for clip in Clip.objects.filter(project=lovr) if clip.frames < clip.video.frames]
    texts = [current.text for clip in clips if (current := current_caption(clip))]
    counted = compute(lovr).clips
    assert counted.items == len(clips)
    assert counted.mean_seconds == pytest.approx(mean(clip.duration_ms for clip in clips) / 1000)
    assert sum(length_bin.clips for length_bin in counted.bins) == len(clips)
    words = counted.captions[0].words
    assert words == dict(Counter(map(count_words, texts)))
    # "does", "n't" and the full stop are tokens: seven for each five words.
    assert counted.captions[0].tokens == {number // 5 * 7: n for number, n in words.items()}


def test_tokens_of_very_many_words_are_counted_in_evenly_spaced_captions(lovr, monkeypatch):
    monkeypatch.setattr(report, "MAX_WORDS", 70)
    for words, clip in enumerate(cut(lovr, *[250] * 20), 1):
        caption(clip, words)
    [row] = words_rows(compute(lovr))  # 210 words
    assert row.captions.tokens == dict.fromkeys(range(1, 21, 3), 1)
    assert (row.is_sampled, row.words.captions, row.words.mean) == (True, 20, 10.5)


def test_the_halves_of_carebench_are_counted_apart(project):
    clip = make_clip(project)
    for kind, words in (("general", 200), ("spatial", 80), ("temporal", 120)):
        caption(clip, words, "merged" if kind == "general" else "human", kind)
    statistics = count_statistics(project)
    counted = [(counts.kind, dict(counts.words)) for counts in statistics.clips.captions]
    assert counted == [("general", {200: 1}), ("spatial", {80: 1}), ("temporal", {120: 1})]
    assert (statistics.videos.items, statistics.videos.captions) == (1, [])


def test_the_page_shows_the_numbers(described, url, anna):
    compute(described)
    response = client_of(anna).get(url)
    page = " ".join(response.content.decode().split())
    assert [row.words.mean for row in response.context["levels"]] == [25, 200]
    assert "Not counted: 2 clips of 1 video that is left out, 1 too short or too small" in page
    assert "Machine, refined above the threshold" in page
    assert [figure.name for figure in response.context["figures"]] == [
        "clips-seconds",
        "videos-seconds",
        "general-words",
        "full_video-words",
    ]
    assert "Recompute" not in page
    assert not response.context["state"].is_busy


def test_the_files_have_the_numbers_of_the_page(described, url, anna):
    compute(described)
    head, clips, videos = (
        line.split(",") for line in client_of(anna).get(url + "statistics.csv").text.splitlines()
    )
    of_clips = dict(zip(head, clips, strict=True))
    assert (of_clips["items"], of_clips["seconds_mean"], of_clips["words_mean"]) == (
        "4",
        "9.8",
        "25.0",
    )
    assert (of_clips["captions_refined"], of_clips["captions_machine"]) == ("1", "0")
    assert (of_clips["tokens_counted"], of_clips["tokens_mean"]) == ("4", "25.0")
    assert dict(zip(head, videos, strict=True))["words_total"] == "200"
    latex = client_of(anna).get(url + "statistics.tex").text
    assert r"Clips & 4 & 0.0 & 9.80 & 4 & 25.00 \\" in latex
    stored = json.loads(client_of(anna).get(url + "statistics.json").text)
    assert stored["clips"]["captions"][0]["words"] == {"10": 1, "20": 1, "30": 1, "40": 1}
    assert stored["left_out"] == {"videos": 1, "clips": 2, "too_small": 1}


def test_an_empty_project_has_nothing_to_count(lovr, url, anna, monkeypatch):
    sent = messages(monkeypatch)
    page = client_of(anna).get(url).content.decode()
    assert "No clips yet" in page
    assert recompute(project=lovr, name="statistics") == []
    assert client_of(anna).get(url + "statistics.csv").status_code == 404
    assert sent == []


def test_clips_without_captions_have_lengths_alone(lovr, url, anna):
    cut(lovr, 100, 200)
    compute(lovr)
    response = client_of(anna).get(url)
    assert [row.words for row in response.context["levels"]] == [None, None]
    assert len(client_of(anna).get(url + "statistics.csv").text.splitlines()) == 3


def test_opening_the_page_asks_a_worker_once_something_has_changed(
    described, url, anna, ada, monkeypatch, django_capture_on_commit_callbacks
):
    messages(monkeypatch)

    def is_due() -> bool:
        with django_capture_on_commit_callbacks(execute=True):
            assert client_of(anna).get(url).status_code == 200
        if due := due_reports(described) == ["statistics"]:
            work_on_report(described, "statistics")
        return due

    assert is_due()
    assert not is_due()
    clip = Clip.objects.filter(captions__word_count=900).get()
    make_current(caption_id=clip.captions.get(word_count=900).pk, clip=clip, admin=ada)
    assert is_due()
    [newest] = Report.objects.newest(described, "statistics")
    assert 900 in result_of(newest, Statistics).clips.captions[0].words
    clip.video.excluded_because = "not dynamic"
    clip.video.save()
    assert is_due()
    described.min_clip_seconds = 5
    described.save()
    assert is_due()
    caption(clip, 5, "human")
    assert is_due()
    assert not is_due()


def test_it_costs_the_same_queries_at_two_clips_and_at_six(lovr, url, anna):
    client = client_of(anna)

    def queries() -> int:
        for clip in cut(lovr, 100, 200):
            caption(clip, 9)
        compute(lovr)
        client.get(url)
        with count_queries() as count:
            assert client.get(url).status_code == 200
        return int(count)

    first = queries()
    queries()
    assert queries() == first
    assert first <= 14
