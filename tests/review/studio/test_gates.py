"""What the checks before a release find, and what a project sets them to."""

import pytest
from django.urls import reverse

from annotate.corpus.services.near_duplicates import keep_both
from annotate.models import AuditEvent, NearDuplicate, Project, Video
from annotate.text.looked import row_conflicts
from annotate.text.merging import Row
from review.errors import ReviewError
from review.releases.choice import Choice
from review.releases.gates.findings import GATES, gate_states, look
from review.releases.gates.setting import set_gates
from review.releases.models import Level
from review.releases.queries import content_of
from review.releases.services import build_release
from review.reports.services import recompute
from tests.cast import client_of, count_queries
from tests.hand_work import machine_caption
from tests.inference.segmented import segment
from tests.review.agreement.agreeing import call_dynamic
from tests.review.cast import PARTS, merge, open_clip, split, write
from tests.review.studio.cast import checks_of, names_by_gate


def named_by_checks(project):
    return names_by_gate(look(content_of(project), gate_states(project)))


def set_gate(project, admin, name, level, limit=None):
    set_gates(project=project, admin=admin, choices={name: (level, limit)})


def test_a_complete_clip_with_everything_only_lacks_company(project, make_complete):
    make_complete("dive")
    assert named_by_checks(project) == {"under-quota": ["Diving (1 of 10)"]}


def test_a_clip_whose_video_has_no_known_license_is_named(project, make_complete):
    make_complete("dive")
    for license, is_named in (
        ("", True),
        (" ", True),
        ("unknown", True),
        ("Unknown ", True),
        ("CC0", False),
    ):
        Video.objects.update(license=license)
        assert ("video-licenses" in named_by_checks(project)) == is_named, license


def test_texts_that_are_short_long_or_equal_and_files_that_are_equal(project, make_complete, ada):
    for name in ("one", "two"):
        make_complete(name)
    Video.objects.update(playback_sha256="a" * 64)
    Project.objects.update(min_words=31, max_words=40)
    set_gate(project, ada, "short-captions", Level.WARN, 14)
    project.refresh_from_db()
    names = named_by_checks(project)
    assert names["word-budget"] == names["short-captions"] == ["one", "two"]
    assert names["equal-captions"] == names["equal-files"] == ["one", "two"]
    Video.objects.filter(clips__name="two").update(playback_sha256="")
    Project.objects.update(min_words=30)
    set_gate(project, ada, "short-captions", Level.WARN, 13)
    project.refresh_from_db()
    assert not {"equal-files", "word-budget", "short-captions"} & set(named_by_checks(project))


def test_videos_that_look_alike_are_named_until_an_admin_keeps_both(project, make_complete, ada):
    first, second, third = (make_complete(name) for name in ("one", "two", "three"))
    open_clip(project, "ball")
    ball = Video.objects.get(clips__name="ball")
    alike = NearDuplicate.objects.create(
        project=project, first=first.video, second=third.video, distance=2
    )
    NearDuplicate.objects.create(project=project, first=second.video, second=ball, distance=1)
    assert named_by_checks(project)["near-duplicates"] == ["one", "three"]
    keep_both(pair=alike, admin=ada)
    assert "near-duplicates" not in named_by_checks(project)


def test_a_gate_that_blocks_refuses_the_build_and_one_that_is_off_finds_nothing(
    project, make_complete, ada
):
    clip = make_complete("dive")
    open_clip(project, "ball")
    set_gate(project, ada, "incomplete", Level.BLOCK)
    with pytest.raises(ReviewError, match=r"Clips that are not complete and stay out: ball\. Have"):
        build_release(project=project, version="0.1.0", admin=None)
    set_gate(project, ada, "incomplete", Level.OFF)
    assert "incomplete" not in named_by_checks(project)
    assert build_release(project=project, version="0.1.0", admin=None).clips.get().clip == clip
    events = AuditEvent.objects.filter(verb="set release gates").order_by("pk")
    assert [event.after for event in events] == [
        {"incomplete": ["block", 0]},
        {"incomplete": ["off", 0]},
    ]


def test_a_fixed_gate_can_not_be_turned_off(project, make_complete, ada):
    make_complete("dive", category="")
    set_gate(project, ada, "category", Level.OFF)
    with pytest.raises(ReviewError, match="Without a category"):
        build_release(project=project, version="0.1.0", admin=None)


def test_agreement_that_is_low_late_or_not_computed_is_a_finding(
    project, make_complete, ada, anna, ben
):
    clips = [make_complete(name) for name in ("one", "two", "three")]
    set_gate(project, ada, "agreement", Level.BLOCK, 0.5)
    assert named_by_checks(project)["agreement"] == ["not computed yet"]
    for clip, answer in zip(clips, (True, True, False), strict=True):
        call_dynamic(clip, anna, answer)
        call_dynamic(clip, ben, True)
    recompute(project=project, name="agreement")
    assert named_by_checks(project)["agreement"] == ["Whether a video is dynamic (0.00)"]
    set_gate(project, ada, "agreement", Level.BLOCK, 0)
    assert not {"agreement", "reports"} & set(named_by_checks(project))
    call_dynamic(make_complete("four"), anna, True)
    assert named_by_checks(project)["agreement"] == [
        "Whether a video is dynamic (0.00, of earlier labels)"
    ]


def test_outdated_reports_are_named_with_links_unless_the_choice_leaves_them_out(
    project, make_complete, ada, anna, ben
):
    clip = make_complete("one")
    call_dynamic(clip, anna, True)
    call_dynamic(clip, ben, True)
    [report] = recompute(project=project, name="agreement")
    assert "reports" not in named_by_checks(project)
    call_dynamic(make_complete("two"), anna, True)
    assert named_by_checks(project)["reports"] == ["Agreement, dynamics"]
    link = reverse("review:report_page", args=[project.slug, "reports", report.pk])
    pages = {person: client_of(person).get(checks_of(project)).text for person in (ada, anna)}
    assert f'<a href="{link}">Agreement, dynamics</a>' in pages[ada]
    assert link not in pages[anna]
    content = content_of(project, Choice(reports=False))
    assert "reports" not in names_by_gate(look(content, gate_states(project)))


def test_warnings_that_stood_when_a_text_was_split_are_named(project, anna, ben, emil):
    loud = {"spatial": "A zebra gallops past."}
    kept = {
        "keep-spatial-no-summary": "summary",
        "keep-spatial-motion": "gallops",
        "keep-spatial-novel": "zebra\ngallops\npast",
    }
    clips = {name: open_clip(project, name) for name in ("calm", "loud", "dismissed")}
    calm_name, loud_name = clips["calm"].short_name, clips["loud"].short_name
    alike = {
        "keep-spatial-near-duplicate": loud_name,
        "keep-temporal-near-duplicate": f"{calm_name}\n{loud_name}",
    }
    dismissed = {**loud, **kept, **alike}
    for name, texts in [("calm", {}), ("loud", loud), ("dismissed", dismissed)]:
        clip = clips[name]
        write(project, clip, anna, ben)
        merge(project, clip, emil)
        split(project, clip, anna, **texts)
    assert named_by_checks(project)["split-warnings"] == ["loud"]


def test_clips_merged_without_a_look_at_their_conflicts_are_named(project, anna, ben, emil):
    other = {**PARTS, "objects": PARTS["objects"].replace("grey", "red")}
    before = {
        part: [Row(a=0, b=0, a_text=text, b_text=other[part], text="")]
        for part, text in PARTS.items()
    }
    ticks = {
        conflict.name: "on"
        for part, rows in before.items()
        for conflict in row_conflicts(part, rows[0], {})
    }
    assert len(ticks) == 1
    for name, reviewed in [("hasty", {}), ("thorough", ticks)]:
        clip = open_clip(project, name)
        write(project, clip, anna)
        write(project, clip, ben, parts=other)
        merge(project, clip, emil, **reviewed)
        split(project, clip, anna)
    assert named_by_checks(project)["conflicts"] == ["hasty"]


def test_gates_of_lovrs_form(project, make_playable_clip, ada):
    Project.objects.update(protocol="lovr", license="CC0")
    project.refresh_from_db()
    video = make_playable_clip(project, original_name="talk.mp4", license="").video
    third = video.frames // 3
    segment(video, [0, third, 2 * third], min_video_seconds=0, min_clips=1)
    clips = list(video.clips.exclude(end_frame=video.frames, start_frame=0).order_by("start_frame"))
    for clip in clips[:2]:
        machine_caption(clip, "A man talks to a crowd of people.")
    set_gate(project, ada, "undescribed", Level.WARN)
    set_gate(project, ada, "unverified", Level.WARN)
    first, second, last = (clip.name for clip in clips)
    assert named_by_checks(project) == {
        "video-licenses": ["talk"],
        "undescribed": [last],
        "whole-captions": ["talk"],
        "unverified": [first, second],
        "equal-captions": [first, second],
    }
    with count_queries() as few:
        named_by_checks(project)
    machine_caption(clips[2], "Rain.")
    with count_queries() as more:
        names = named_by_checks(project)
    assert names["short-captions"] == [last]
    assert int(few) == int(more)
    set_gate(project, ada, "short-captions", Level.BLOCK, 3)
    with pytest.raises(ReviewError, match=f"fewer than 3 words: {last}"):
        build_release(project=project, version="0.1.0", admin=None)


def test_clips_that_are_too_short_are_named_in_every_form(
    project, make_complete, make_playable_clip, ada
):
    clip = make_complete("dive")
    set_gate(project, ada, "short-clips", Level.WARN, clip.duration_ms / 1000 + 0.1)
    assert named_by_checks(project)["short-clips"] == ["dive"]
    set_gate(project, ada, "short-clips", Level.WARN, clip.duration_ms / 1000)
    assert "short-clips" not in named_by_checks(project)
    assert all("short-clips" in gates for gates in GATES.values())
