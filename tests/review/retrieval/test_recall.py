"""Recall at K of stored vectors, by hand and against plain numpy."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.models import Caption, Clip
from inference.models import Embedding, RunItem
from review.reports.services import recompute
from review.retrieval.directions import VectorMatrix, directions_of, search
from review.retrieval.queries import settings_of
from review.retrieval.report import recall_inputs
from tests.cast import count_queries, make_clip, make_project, make_video
from tests.review.retrieval.vectors import (
    described,
    embed,
    import_set,
    imported,
    make_computed_world,
    report_of,
    write,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept):
    return make_computed_world()


@pytest.fixture
def clips(shared):
    return shared["clips"]


@pytest.fixture
def other(made, db):
    """A project without vectors."""
    return make_project("Other")


def numbers(report, kind, way="t2v"):
    return report.result["kinds"][kind][way]


def is_old(project, report) -> bool:
    [inputs] = recall_inputs(project)
    return inputs.hash != report.inputs_hash


def test_captions_find_their_clips(project):
    report = report_of(project)
    for kind in ("general", "spatial"):
        for way in ("t2v", "v2t"):
            assert numbers(report, kind, way)["recall"] == {"1": 1.0, "5": 1.0, "10": 1.0}
    # The first two find each other's clip, and their own second.
    assert numbers(report, "temporal")["hits"] == {"1": 1, "5": 3, "10": 3}
    assert numbers(report, "temporal")["recall"]["1"] == pytest.approx(1 / 3)
    assert numbers(report, "temporal")["median_rank"] == 2
    assert (report.inputs, report.result["dimension"]) == (12, 2)
    assert report.signature.startswith(
        "recall|model:CARE|space:aaaaaaaa|frames:32 frames, evenly spread|stale:0|"
        "captions:all|clips:3|"
        "general:3|spatial:3|temporal:3|k:1,5,10|ties:1e-06|curve:50|bootstrap:1000|labels:12|"
    )


def test_each_category_has_its_own_numbers(project):
    by_category = numbers(report_of(project), "temporal")["by_category"]
    assert by_category["Sports"]["recall"]["1"] == 0.0
    assert by_category["Sports"]["n_queries"] == 2
    assert by_category["Personal care"]["recall"]["1"] == 1.0


def test_only_human_captions_count_where_a_kind_has_any(project, clips):
    caption = Caption.objects.create(
        project=project, clip=clips[0], kind="spatial", source="merged", text="A.", word_count=1
    )
    embed(caption, 1, 0)
    report = report_of(project)
    assert report.result["by_source"] == {
        "general": {"machine": 3},
        "spatial": {"merged": 1},
        "temporal": {"machine": 3},
    }
    assert report.parameters["captions"] == "human spatial, all general+temporal"
    assert report_of(project, "rebias").parameters["captions"] == "human spatial, all temporal"
    project.recall_by_human = False
    project.save(update_fields=["recall_by_human"])
    every = report_of(project)
    assert every.result["by_source"]["spatial"] == {"merged": 1, "machine": 2}
    assert every.parameters["captions"] == "all"


def test_captions_are_counted_by_source(project, clips):
    project.recall_by_human = False
    project.save(update_fields=["recall_by_human"])
    for clip, source in zip(clips, ("merged", "corrected", "imported"), strict=True):
        caption = Caption.objects.create(
            project=project, clip=clip, kind="spatial", source=source, text="A.", word_count=1
        )
        embed(caption, 1, 0)
    of_each = {"merged": 1, "corrected": 1, "imported": 1}
    assert report_of(project).result["by_source"] == {
        "general": {"machine": 3},
        "spatial": of_each,
        "temporal": {"machine": 3},
    }
    assert report_of(project, "rebias").result["by_source"] == {
        "spatial": of_each,
        "temporal": {"machine": 3},
    }


def test_the_search_is_timed_three_times(project):
    seconds = numbers(report_of(project), "general")["seconds"]
    runs = list(zip(seconds["runs_with_io"], seconds["runs_without_io"], strict=True))
    assert len(runs) == 3
    assert all(with_io > without_io > 0 for with_io, without_io in runs)
    assert seconds["with_io"] == pytest.approx(np.mean(seconds["runs_with_io"]))
    assert seconds["without_io"] == pytest.approx(np.mean(seconds["runs_without_io"]))


def test_recall_is_known_at_every_k_with_its_interval(project):
    curve = numbers(report_of(project), "temporal")["curve"]
    # The gallery ends at the third place.
    assert list(curve["hits"]) == [1, 2, 3]
    assert (curve["low"][0], curve["high"][0]) == (0.0, 1.0)
    assert (curve["low"][2], curve["high"][2]) == (1.0, 1.0)
    assert (curve["n_videos"], curve["reason"]) == (3, "")


def test_the_rank_of_each_query_is_stored_with_its_nearest(project, clips):
    report = report_of(project)
    kept = {(ranking.kind, ranking.way): ranking for ranking in report.rankings.all()}
    assert set(kept) == set(product(("general", "spatial", "temporal"), ("t2v", "v2t")))
    texts = list(
        Caption.objects.filter(kind="temporal").order_by("clip").values_list("pk", flat=True)
    )
    forward = kept["temporal", "t2v"]
    assert forward.array("queries").tolist() == texts
    assert forward.array("clips").tolist() == [clip.pk for clip in clips]
    assert forward.array("ranks").tolist() == [3, 2, 1]
    first = forward.array("nearest")
    assert first.shape == (3, 10)
    assert first[0, :3].tolist() == [clips[number].pk for number in (1, 2, 0)]
    assert first[:, 3:].tolist() == [[-1] * 7] * 3
    back = kept["temporal", "v2t"]
    assert back.array("queries").tolist() == [clip.pk for clip in clips]
    assert back.array("nearest")[0, :2].tolist() == [texts[1], texts[0]]


def test_only_the_newest_report_keeps_the_ranks(project, clips):
    older = report_of(project)
    embed(clips[0], 0, 1)
    newer = report_of(project)
    assert (older.rankings.count(), newer.rankings.count()) == (0, 6)


def test_a_clip_finds_any_of_its_captions(other):
    clips = [described(other, picture, kinds=()) for picture in ((1, 0), (0, 1))]
    of_set = import_set(other)
    for clip, picture in zip(clips, ((1, 0), (0, 1)), strict=True):
        imported(of_set, clip, *picture)
    # Two captions of the first clip: one far away, one right there.
    imported(of_set, write(clips[0]), -1, -1)
    imported(of_set, write(clips[0]), 1, 0.1)
    imported(of_set, write(clips[1]), 0.1, 1)
    report = report_of(other)
    assert report.subject == f"import:{of_set.pk}"
    assert numbers(report, "general", "v2t")["recall"]["1"] == 1.0
    assert numbers(report, "general")["hits"]["1"] == 2
    assert numbers(report, "general")["n_queries"] == 3
    # One of the two captions of the first clip is no longer its newest.
    assert report.parameters["newer"] == 1


def test_whole_videos_are_looked_for_among_whole_videos(other):
    for number, picture in enumerate(((1, 0), (0, 1))):
        video = make_video(other)
        whole = video.clips.get()
        embed(whole, *picture)
        embed(write(whole, kind="full_video"), *picture)
        # What a clip of the video is like says nothing about whole videos.
        part = make_clip(other, video=video, end_frame=100 + number)
        embed(part, 0.5, 0.5)
        embed(write(part), *picture)
    report = report_of(other)
    assert set(report.result["kinds"]) == {"general", "full_video"}
    assert numbers(report, "full_video")["n_gallery"] == 2
    assert numbers(report, "full_video")["recall"]["1"] == 1.0
    # Clips that are all alike find nothing first.
    assert numbers(report, "general")["recall"]["1"] == 0.0
    assert numbers(report, "general")["n_gallery"] == 2


def test_a_caption_whose_clip_has_no_vector_asks_for_nothing(project):
    embed(write(make_clip(project)), 1, 0)
    report = report_of(project)
    assert numbers(report, "general")["n_queries"] == 3
    assert report.result["without"] == {"general": 1, "spatial": 0, "temporal": 0}
    # It stands in the way of the first clip all the same, which it is as near to.
    assert numbers(report, "general", "v2t")["hits"]["1"] == 2


def test_every_way_of_sampling_frames_is_a_setting_of_its_own(project, clips):
    for clip in clips:
        embed(clip, 1, 1, sampling={"kind": "middle", "count": 8})
    few, many = recompute(project=project, name="recall")
    assert [few.parameters["frames"], many.parameters["frames"]] == [
        "8 frames, evenly spread",
        "32 frames, evenly spread",
    ]
    assert numbers(few, "general")["recall"]["1"] == 0.0
    assert numbers(many, "general")["recall"]["1"] == 1.0
    assert few.subject != many.subject
    assert few.parameters["space"] == many.parameters["space"]


def test_vectors_that_are_out_of_date_are_left_out_and_counted(project, clips):
    embed(clips[0], -1, 0, stale="model")
    report = report_of(project)
    assert report.parameters["stale"] == 1
    assert numbers(report, "general")["recall"]["1"] == 1.0


def test_frames_sampled_otherwise_since_still_count(project):
    RunItem.objects.update(stale_because="sampling")
    assert numbers(report_of(project), "general")["n_gallery"] == 3


def test_the_newest_vector_of_a_clip_counts(project, clips):
    report = report_of(project)
    embed(clips[0], 0, 1)
    assert is_old(project, report)
    newer = report_of(project)
    assert numbers(newer, "general")["n_gallery"] == 3
    assert numbers(newer, "general")["hits"]["1"] == 1


def test_a_newer_caption_outdates_the_numbers(project, clips):
    report = report_of(project)
    assert not is_old(project, report)
    newest = write(clips[0], "Another dive.")
    assert is_old(project, report)
    embed(newest, 0.1, 1)
    newer = report_of(project)
    assert numbers(newer, "general")["hits"]["1"] == 2
    assert numbers(newer, "general")["n_queries"] == 3


def test_another_category_outdates_the_numbers(project, clips):
    report = report_of(project)
    clips[0].video.category = "Household"
    clips[0].video.save()
    assert is_old(project, report)


def test_a_vector_that_is_gone_outdates_the_numbers(project):
    report = report_of(project)
    Embedding.objects.filter(caption__kind="temporal").first().delete()
    assert is_old(project, report)


def test_what_is_unchanged_is_not_computed_again(project):
    report = report_of(project)
    assert report_of(project) == report


def test_without_vectors_of_both_there_is_nothing_to_compute(other):
    clip = make_clip(other)
    embed(clip, 1, 0)
    embed(write(clip), 1, 0, space="b" * 64)
    assert recompute(project=other, name="recall") == []


def test_vectors_of_two_lengths_are_refused(project, clips):
    embed(clips[0], 1, 0, 0)
    with pytest.raises(Exception, match=r"CARE has vectors of 2 and of 3 dimensions"):
        report_of(project)


def test_no_vector_is_read_to_tell_whether_it_is_up_to_date(project):
    def queries() -> int:
        with count_queries() as count:
            assert all(inputs.hash for inputs in recall_inputs(project))
        assert [statement for statement in count.statements if '"vector"' in statement] == []
        return int(count)

    import_set(project)
    baseline = queries()
    for clip in Clip.objects.all():
        embed(clip, 1, 1, sampling={"kind": "middle", "count": 8})
        embed(clip, 1, 1, space="b" * 64, model="Other")
    import_set(project, "Second")
    assert len(settings_of(project)) == 5
    assert queries() == baseline


def plain_recall(texts, clips_of_texts, pictures, k):
    """As a script would: the whole matrix, each row sorted. Random numbers don't tie."""
    unit = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (texts, pictures)]
    scores = unit[0].astype(np.float64) @ unit[1].astype(np.float64).T
    t2v = [clip in np.argsort(-row)[:k] for row, clip in zip(scores, clips_of_texts, strict=True)]
    asking = sorted(set(clips_of_texts))
    v2t = [
        any(clips_of_texts[text] == clip for text in np.argsort(-scores[:, clip])[:k])
        for clip in asking
    ]
    return np.mean(t2v), np.mean(v2t)


@settings(max_examples=10)
@given(st.integers(0, 10_000), st.integers(1, 30), st.integers(1, 40))
def test_it_agrees_with_plain_numpy(seed, n_clips, n_texts):
    random = np.random.default_rng(seed)
    pictures = random.standard_normal((n_clips, 16), dtype=np.float32)
    of_texts = random.integers(0, n_clips, n_texts)
    texts = pictures[of_texts] + 2 * random.standard_normal((n_texts, 16), dtype=np.float32)
    directions = directions_of(
        VectorMatrix(texts, np.arange(n_texts), of_texts),
        VectorMatrix(pictures, np.arange(n_clips), np.arange(n_clips)),
    )
    results = {way: search(direction, {}) for way, direction in directions.items()}
    for k in (1, 5, 10):
        expected = plain_recall(texts, of_texts.tolist(), pictures, k)
        assert (results["t2v"].recall.recall[k], results["v2t"].recall.recall[k]) == pytest.approx(
            expected
        )
