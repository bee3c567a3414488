"""ReBias of stored vectors, both of its forms."""

import pytest

from review.reports.services import recompute
from review.retrieval.report_rebias import rebias_inputs
from tests.cast import make_clip
from tests.review.retrieval.vectors import described, embed, report_of, three_clips, write

pytestmark = pytest.mark.django_db


def test_both_forms_follow_from_the_twelve_recalls(project):
    three_clips(project)
    result = report_of(project, "rebias").result
    third = pytest.approx(1 / 3)
    assert result["spatial"] == [1, 1, 1, 1, 1, 1]
    assert result["temporal"] == [third, 1, 1, third, 1, 1]
    # S = 1 and T = 7/9: |1 - T/S| = 2/9 and |1 - S/T| = 2/7.
    assert result["equation1"] == pytest.approx(100 * 2 / 9)
    assert result["table5"] == pytest.approx(100 * 2 / 7)
    low, high = result["intervals"]["table5"]["low"], result["intervals"]["table5"]["high"]
    assert 0 <= low < result["table5"] < high
    assert result["n_videos"] == 3
    assert result["asked"]["spatial"] == {"t2v": [3, 3], "v2t": [3, 3]}


def test_its_signature_says_how_it_was_made(project):
    three_clips(project)
    report = report_of(project, "rebias")
    assert report.signature.startswith(
        "rebias|model:CARE|space:aaaaaaaa|frames:32 frames, evenly spread|stale:0|"
        "captions:all|clips:3|"
        "spatial:3|temporal:3|k:1,5,10|ties:1e-06|bootstrap:1000|labels:9|seed:0|"
        "method:metrics.rebias 2, recall 1, sources|inputs:"
    )


def test_it_is_undefined_where_nothing_is_found_and_says_so(project):
    # More clips than the largest K, all alike: every tie goes against the query.
    for _ in range(11):
        described(project, (1, 0), (1, 0), (1, 0), (1, 0))
    result = report_of(project, "rebias").result
    assert (result["equation1"], result["table5"]) == (None, None)
    assert "The mean spatial recall is 0, and Equation 1 divides by it." in result["reason"]
    assert result["intervals"]["equation1"]["low"] is None


def test_the_clips_of_one_video_are_drawn_together(project):
    clips = three_clips(project)
    part = make_clip(project, video=clips[0].video, end_frame=100)
    other = make_clip(project, video=clips[0].video, start_frame=100)
    for clip, picture in ((part, (1, 0.2)), (other, (0.2, 1))):
        embed(clip, *picture)
        for kind in ("spatial", "temporal"):
            embed(write(clip, kind=kind), *picture)
    report = report_of(project, "rebias")
    # The whole of a cut video is no clip any more.
    assert (report.parameters["clips"], report.result["n_videos"]) == (4, 3)


def test_general_captions_alone_have_no_rebias(project):
    clip = make_clip(project)
    embed(clip, 1, 0)
    embed(write(clip), 1, 0)
    assert recompute(project=project, name="rebias") == []


def test_captions_of_clips_without_a_vector_have_a_reason(project):
    clip = make_clip(project)
    embed(clip, 1, 0)
    other = make_clip(project)
    for kind in ("spatial", "temporal"):
        embed(write(other, kind=kind), 1, 0)
    result = report_of(project, "rebias").result
    assert result["reason"] == "No clip with a vector has a spatial caption with a vector."
    assert (result["table5"], result["equation1"], result["intervals"]) == (None, None, None)


def test_a_newer_spatial_caption_outdates_it_and_a_general_one_does_not(project):
    clips = three_clips(project)
    report = report_of(project, "rebias")

    def is_old() -> bool:
        [inputs] = rebias_inputs(project)
        return inputs.hash != report.inputs_hash

    write(clips[0], "Another dive.")
    assert not is_old()
    write(clips[0], "Another tower.", kind="spatial")
    assert is_old()
