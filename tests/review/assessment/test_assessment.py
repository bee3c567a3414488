"""The table of what people judged, from hand-made labels and against the other reports."""

import csv
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.urls import reverse

from annotate.corpus.services.exclusion import exclude_video
from annotate.dynamics.services import NOT_DYNAMIC
from annotate.models import Assignment
from metrics.intervals import ratio_interval, wilson_interval
from review.assessment.computing import Assessment, assess
from review.assessment.quantities import Base, Quantity
from review.assessment.reading import read_judgments
from review.assessment.rows import WORDS, all_rows, row_of
from review.releases.services import build_release
from review.releases.writers.lovr import lovr_files
from review.reports.results import result_of
from review.reports.services import recompute
from review.studies.models import Study, StudyCaption
from tests.cast import client_of, count_queries, make_clip
from tests.hand_work import machine_caption
from tests.inference.cast import make_model
from tests.inference.scored import score, score_run
from tests.inference.segmented import segment
from tests.review.agreement.agreeing import THREE, call_dynamic, label_sentences, rate_all
from tests.review.reports.computing import messages, work_on_report

pytestmark = pytest.mark.django_db


@pytest.fixture
def lovr(project):
    project.protocol = "lovr"
    project.save()
    return project


@pytest.fixture
def url(lovr):
    return reverse("review:report_page", args=[lovr.slug, "assessment"])


def draw(project, *captions, people=2):
    """A threshold study of these captions."""
    study = Study.objects.create(
        project=project, kind="threshold", people=people, scorer="s", strata=1
    )
    run = score_run(project, make_model(project, "lexical"))
    for caption in captions:
        drawn = score(caption.clip, 0.3, run, caption=caption)
        StudyCaption.objects.create(study=study, caption=caption, score=drawn)
    return study


def rows_of(project):
    return {row.key: row for part in assess(read_judgments(project)).parts for row in part.rows}


def computed(project):
    [report] = recompute(project=project, name="assessment")
    return report


def test_b1_counts_videos_that_two_people_judged(lovr, anna, ben):
    clips = [make_clip(lovr) for _ in range(4)]
    for clip, verdicts in zip(clips, ["dd", "ss", "ds", "d"], strict=True):
        for person, verdict in zip((anna, ben), verdicts, strict=False):
            call_dynamic(clip, person, verdict == "d")
    exclude_video(video=clips[1].video, because=NOT_DYNAMIC, actor=ben)
    Assignment.objects.filter(annotator=anna).update(active_seconds=90)
    rows = rows_of(lovr)
    judged, left_out = rows["videos_judged"], rows["videos_left_out"]
    assert (judged.value, judged.base.n, judged.base.judgments, judged.base.people) == (
        3 / 4,
        4,
        7,
        2,
    )
    assert (left_out.value, left_out.base.n, left_out.base.judgments) == (1 / 3, 3, 6)
    assert rows["videos_equal"].value == 2 / 3
    assert rows["videos_equal"].base.n == 3
    # dd ss ds: 6 labels, 3 of each; 2 labels apart of 1 unit, expected 2 * 3 * 3 / 5.
    assert rows["videos_alpha"].value == pytest.approx(1 - (6 - 1) * 2 / (2 * 3 * 3))
    assert (rows["videos_seconds"].value, rows["videos_seconds"].base.people) == (90, 1)


def test_b2_and_b3_never_mix_captions_of_a_study_with_others(lovr, anna, ben):
    studied, unfinished, corrected, fine, _ = (
        machine_caption(make_clip(lovr), THREE) for _ in range(5)
    )
    draw(lovr, studied, unfinished)
    label_sentences(studied, anna, "A#B", "", "D", fits=False)
    label_sentences(studied, ben, "A", "", "")
    label_sentences(unfinished, anna, "", "", "")
    label_sentences(corrected, anna, "A#C", "B", "")
    label_sentences(fine, ben, "", "", "")
    rows = rows_of(lovr)

    assert rows["study_complete"].value == 1 / 2
    assert rows["study_content_errors"].value == 3 / 3
    assert rows["study_content_error_sentences"].value == 2 / 3
    assert rows["study_topic_errors"].value == 1 / 3
    assert rows["study_off_theme"].value == 1 / 3
    errors = rows["study_content_errors"].base
    assert (errors.n, errors.judgments, errors.people) == (2, 3, 2)
    assert rows["study_equal"].value == 1 / 3
    assert rows["study_equal"].base.n == 3

    checked = rows["check_captions"]
    assert (checked.value, checked.base.n) == (2 / 5, 5)
    assert rows["check_corrected"].value == 1 / 2
    letters = [rows[f"check_{letter}"].value for letter in "ABCD"]
    assert letters == [1 / 6, 1 / 6, 1 / 6, 0]
    assert rows["check_A"].base.n == 6
    assert rows["check_content_errors"].value == 3 / 2
    assert rows["check_equal"].value is None
    assert rows["check_equal"].reason


def test_sentences_of_a_caption_stay_together_in_the_interval(lovr, anna):
    types = [("A", "A", "A")] * 6 + [("", "", "")] * 6
    for row in types:
        label_sentences(machine_caption(make_clip(lovr), THREE), anna, *row)
    row = rows_of(lovr)["check_A"]
    low, high, _ = ratio_interval([3] * 6 + [0] * 6, [3] * 12, 1000, 0)
    assert (row.value, row.low, row.high) == (1 / 2, low, high)
    narrow, wide = wilson_interval(18, 36)
    assert high - low > wide - narrow
    off = rows_of(lovr)["check_off_theme"]
    assert (off.low, off.high) == wilson_interval(0, 12)


def test_b4_says_what_the_ratings_report_says(lovr, anna, ben):
    rate_all(lovr, (anna, ben), [(5, 4), (4, 4), (2, 1), (5, None)])
    rows = rows_of(lovr)
    [ratings] = recompute(project=lovr, name="ratings")
    clips = ratings.result["clips"]
    mean = rows["rate_clips_mean"]
    assert (mean.value, mean.low, mean.high) == (clips["mean"], clips["low"], clips["high"])
    assert (mean.base.n, mean.base.judgments, mean.base.people) == (4, 7, 2)
    assert rows["rate_all_high"].value == 5 / 7
    assert rows["rate_clips_alpha"].value == clips["alpha"]["value"]
    assert rows["rate_videos_mean"].value is None


def test_every_number_has_an_interval_or_a_reason_and_a_name(lovr, anna):
    rows = rows_of(lovr)
    assert set(rows) == set(WORDS)
    assert all(row.value is None and row.reason for row in rows.values())
    for _ in range(10):
        label_sentences(machine_caption(make_clip(lovr), THREE), anna, "A", "", "")
    for _, row in all_rows(assess(read_judgments(lovr))):
        quantity = row.quantity
        assert quantity.reason or None not in (quantity.value, quantity.low, quantity.high)


def test_a_number_of_few_units_has_no_interval(lovr, anna):
    label_sentences(machine_caption(make_clip(lovr), THREE), anna, "A", "", "")
    report = computed(lovr)
    rows = {row.quantity.key: row for _, row in all_rows(result_of(report, Assessment))}
    row = rows["check_corrected"]
    assert (row.value, row.interval, row.n) == ("100.0 %", "", "1 caption")
    assert row.quantity.reason == "From 1 caption; an interval needs at least 10."


def test_a_number_that_rounds_to_zero_has_no_sign():
    row = row_of(Quantity("rate_all_alpha", -0.001, -0.5, -0.004, "", Base(20)))
    assert (row.value, row.interval) == ("0.00", "-0.50 to 0.00")


def test_the_page_and_its_files_have_the_same_table(lovr, url, anna, rita):
    for _ in range(10):
        label_sentences(machine_caption(make_clip(lovr), THREE), anna, "A", "", "")
    report = computed(lovr)
    client = client_of(rita)
    page = " ".join(client.get(url).content.decode().split())
    assert "Sentences of type A: wrong text" in page
    assert "33.3 %" in page
    assert "No caption has been rated yet." in page
    lines = client.get(url + "assessment.csv").text.splitlines()
    by_key = {row["key"]: row for row in csv.DictReader(lines)}
    assert (by_key["check_A"]["value"], by_key["check_A"]["n"]) == (str(1 / 3), "30")
    assert by_key["rate_all_mean"]["value"] == ""
    assert by_key["rate_all_mean"]["reason"] == "No caption has been rated yet."
    assert by_key["check_A"]["signature"] == report.signature
    stored = json.loads(client.get(url + "assessment.json").text)
    assert [part["section"] for part in stored["parts"]] == ["B.1", "B.2", "B.3", "B.4"]
    latex = client.get(url + "assessment.tex").text
    assert r"B.3 & Sentences of type A: wrong text & 33.3 \% & 33.3 to 33.3 &" in latex
    assert client.get(url + "other.csv").status_code == 404


def test_a_new_judgment_is_followed_when_the_page_is_opened(
    lovr, url, anna, rita, monkeypatch, django_capture_on_commit_callbacks
):
    messages(monkeypatch)
    label_sentences(machine_caption(make_clip(lovr), THREE), anna, "A", "", "")
    computed(lovr)
    assert not client_of(rita).get(url).context["state"].is_busy
    label_sentences(machine_caption(make_clip(lovr), THREE), anna, "", "", "")
    with django_capture_on_commit_callbacks(execute=True):
        assert client_of(rita).get(url).context["state"].due
    work_on_report(lovr, "assessment")
    page = client_of(rita).get(url)
    assert not page.context["state"].due
    assert page.context["sections"][2].rows[1].n == "2 captions"


def test_a_project_without_judgments_says_how_to_begin(lovr, url, rita):
    assert "Nobody has judged anything yet" in client_of(rita).get(url).content.decode()
    assert recompute(project=lovr, name="assessment") == []


def test_a_release_keeps_the_table_as_it_was(lovr, anna, ben, make_playable_clip, ada):
    video = make_playable_clip(lovr).video
    segment(video, [0, video.frames // 2], min_video_seconds=0, min_clips=1)
    clip = video.clips.exclude(start_frame=0, end_frame=video.frames).first()
    caption = machine_caption(clip, THREE)
    label_sentences(caption, anna, "", "", "")
    release = build_release(project=lovr, version="0.1.0", admin=None)
    files = exported(release)
    table = json.loads(files["assessment.json"])
    assert table["parts"][2]["rows"][0]["value"] == 1
    assert "assessment.csv" in files["README.md"]
    assert "assessment.csv" not in files["SHA256SUMS"]
    label_sentences(caption, ben, "A", "", "")
    computed(lovr)
    release.refresh_from_db()
    assert exported(release) == files
    page = client_of(ada).get(reverse("review:release", args=[lovr.slug, "0.1.0"]))
    assert "assessment.csv" in page.content.decode()


def test_a_release_without_judgments_has_no_table(lovr, make_playable_clip):
    video = make_playable_clip(lovr).video
    segment(video, [0, video.frames // 2], min_video_seconds=0, min_clips=1)
    clip = video.clips.exclude(start_frame=0, end_frame=video.frames).first()
    machine_caption(clip, THREE)
    files = exported(build_release(project=lovr, version="0.1.0", admin=None))
    assert "assessment" not in "".join([*files, files["README.md"]])


def exported(release):
    with TemporaryDirectory() as folder:
        return {
            file.path: b"".join(file.checked()).decode()
            for file in lovr_files(release, Path(folder))
            if not file.path.endswith((".mp4", ".parquet", ".pyz"))
        }


def test_it_costs_the_same_queries_at_two_captions_and_at_six(lovr, url, anna, rita):
    client = client_of(rita)

    def queries() -> int:
        for _ in range(2):
            label_sentences(machine_caption(make_clip(lovr), THREE), anna, "A", "", "")
        computed(lovr)
        client.get(url)
        with count_queries() as count:
            assert client.get(url).status_code == 200
        return int(count)

    first = queries()
    queries()
    assert queries() == first
    assert first <= 16
