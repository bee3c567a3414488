"""The progress of a project, and who needs help."""

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.imports.services import add_item, open_batch
from annotate.models import Assignment, ImportItem, Membership, Project
from annotate.queue.services import skip
from annotate.split.services import reopen_merge, send_back_split
from review.activity.pages import Stage
from review.releases.services import build_release
from tests.cast import client_of, count_queries, make_clip
from tests.hand_work import DYNAMIC, STATIC, hold_check, judge, open_hand, write_by_hand
from tests.review.cast import merge, open_clip, take, write
from tests.review.comparisons.comparing import start_round, vote_for
from tests.review.triplets.triplets import labelled_clip, make_label
from tests.work import hold


def page_of(project, person):
    return client_of(person).get(reverse("review:activity", args=[project.slug]))


def offer_again_url(project, clip, kind="write"):
    return reverse("review:offer_again", args=[project.slug, clip.work_items.get(kind=kind).pk])


def test_the_funnel_counts_each_step(project, anna, ben, emil, ada, make_complete):
    make_complete("done")
    open_clip(project, "nothing")
    write(project, open_clip(project, "half"), anna)
    written = open_clip(project, "written")
    write(project, written, anna, ben)
    merged = open_clip(project, "merged")
    write(project, merged, anna, ben)
    merge(project, merged, emil)
    old = make_complete("old")
    reopen_merge(clip=old, expert=emil, comment="Again.")
    build_release(project=project, version="0.1.0", admin=None)
    funnel = page_of(project, ada).context["funnel"]
    assert [(stage.label, stage.clips) for stage in funnel] == [
        ("Imported", 6),
        ("At least one write-up", 5),
        ("All write-ups", 4),
        ("Merged", 2),
        ("Split", 1),
        ("Complete", 1),
        ("Released in 0.1.0", 1),
    ]


def test_it_counts_what_was_submitted_today(project, make_complete, ada):
    make_complete("a")
    make_complete("b")
    context = page_of(project, ada).context
    today, counts = context["days"][-1]
    assert today == timezone.now().date()
    assert counts == [4, 2, 2]
    assert len(context["days"]) == 14
    assert [part.total for part in context["throughput"]] == [4, 2, 2]


def test_an_empty_project_has_an_empty_page(project, ada):
    assert "No clips yet" in page_of(project, ada).content.decode()


def test_it_shows_who_works_and_who_is_inactive(project, anna, ben, ada):
    open_clip(project, "dive")
    take(project, anna, "write", project.clips.get())
    hold = take(project, ben, "write", project.clips.get())
    Assignment.objects.filter(pk=hold.pk).update(lease_expires_at=timezone.now())
    page = page_of(project, ada).content.decode()
    assert "Working" in page
    assert "Idle, lease expired" in page


def test_skipped_work_shows_its_reason_and_can_be_offered_again(project, anna, ben, ada):
    clip = open_clip(project, "dive")
    for person in (anna, ben):
        hold = take(project, person, "write", clip)
        skip(assignment_id=hold.pk, annotator=person, reason="<i>Black</i>")
    page = page_of(project, ada).content.decode()
    assert "&lt;i&gt;Black&lt;/i&gt;" in page
    assert "Offer again" in page
    response = client_of(ada).post(offer_again_url(project, clip))
    assert response.url == reverse("review:activity", args=[project.slug])
    assert set(clip.work_items.get().assignments.values_list("state", flat=True)) == {"expired"}
    assert "Skipped" not in page_of(project, ada).content.decode()


def test_what_others_can_take_needs_no_admin(project, anna, ben, ada):
    clip = open_clip(project, "dive")
    hold = take(project, anna, "write", clip)
    skip(assignment_id=hold.pk, annotator=anna, reason="Too dark.")
    page = page_of(project, ada).content.decode()
    assert "Available to others" in page
    assert "Offer again" not in page
    response = client_of(ada).post(offer_again_url(project, clip), follow=True)
    assert "Nothing was changed" in response.content.decode()


def test_a_text_whose_author_left_can_be_given_to_somebody_else(
    project, make_complete, anna, ben, emil, ada
):
    clip = make_complete("dive")
    send_back_split(clip=clip, expert=emil, comment="Say more.")
    assert "Sent back, not resumed" in page_of(project, ada).content.decode()
    assert "Reassign" not in page_of(project, ada).content.decode()
    Membership.objects.get(user=anna).delete()
    assert "Reassign" in page_of(project, ada).content.decode()
    assert "Reassign" not in page_of(project, emil).content.decode()
    client_of(ada).post(offer_again_url(project, clip, "split"))
    assert take(project, ben, "split", clip).item.kind == "split"


def test_refused_imports_are_listed(project, ada, anna):
    batch = open_batch(project=project, admin=ada)
    add_item(batch=batch, name="empty.mp4", size=0)
    assert ImportItem.objects.get().state == "failed"
    assert "1 file failed to import" in page_of(project, ada).content.decode()


def test_it_sums_up_the_time_per_person_and_step(project, make_complete, ada, anna):
    make_complete("a")
    make_complete("b")
    Assignment.objects.filter(annotator=anna, item__kind="write").update(active_seconds=1800)
    people = page_of(project, ada).context["people"]
    assert [(person.name, person.steps) for person in people] == [
        ("Anna", [(3600, 2), (0, 0), (0, 2)]),
        ("Ben", [(0, 2), (0, 0), (0, 0)]),
        ("Emil", [(0, 0), (0, 2), (0, 0)]),
    ]


def test_work_of_another_project_is_not_found(project, ada):
    url = reverse("review:offer_again", args=[project.slug, 10**9])
    assert client_of(ada).post(url).status_code == 404


def test_it_takes_as_many_queries_at_any_size(project, anna, ben, emil, ada, make_complete):
    finished = [make_complete(f"done-{number}") for number in range(4)]
    counts = []
    for rows in (1, 3):
        while project.clips.count() - len(finished) < rows:
            clip = open_clip(project, f"skipped-{project.clips.count()}")
            hold = take(project, anna, "write", clip)
            skip(assignment_id=hold.pk, annotator=anna, reason="Dark.")
            send_back_split(clip=finished[project.clips.count() - 5], expert=emil, comment="More.")
        client = client_of(ada)
        with count_queries() as count:
            response = client.get(reverse("review:activity", args=[project.slug]))
        assert (len(response.context["held"]), len(response.context["skipped"])) == (rows, rows)
        counts.append(count)
    assert int(counts[0]) == int(counts[1]), counts


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "{{ name }}"])
def test_names_are_text(project, make_complete, ada, anna, name):
    anna.name = name
    anna.save()
    make_complete("a")
    page = page_of(project, ada).content.decode()
    assert "<script>alert" not in page


def test_a_project_of_machine_captions_has_its_own_steps(project, anna, rita, ada):
    Project.objects.update(protocol="lovr")
    checked, open_one = make_clip(project), make_clip(project)
    for person in (anna, rita):
        judge(hold_check(person, checked.video), STATIC)
    judge(hold_check(anna, open_one.video), DYNAMIC)
    write_by_hand(hold(anna, open_hand(open_one)), "A diver jumps.")
    response = page_of(project, ada)
    assert [
        (stage.label, stage.clips, stage.of, stage.percent) for stage in response.context["funnel"]
    ] == [
        ("Videos imported", 2, None, 100),
        ("Videos kept", 1, None, 50),
        # Second label clip's video is excluded: both found it static.
        ("Clips to describe", 1, None, 100),
        ("Described", 1, 1, 100),
        ("Videos checked for dynamics", 1, 2, 50),
        ("Written by hand", 1, 1, 100),
        ("Machine captions verified", 0, 0, None),
        ("Captions rated", 0, 0, None),
    ]
    assert "0 of 0" not in response.text
    assert response.context["steps"] == ["Dynamics check", "Write by hand", "Verify", "Rate"]
    assert [(part.step, part.total) for part in response.context["throughput"]] == [
        ("Dynamics check", 3),
        ("Write by hand", 1),
        ("Verify", 0),
        ("Rate", 0),
    ]
    anna_spent, rita_spent = response.context["people"]
    assert [submitted for _, submitted in anna_spent.steps] == [2, 1, 0, 0]
    assert [submitted for _, submitted in rita_spent.steps] == [1, 0, 0, 0]


def test_a_cut_video_is_counted_once_and_its_clips_separately(project, ada):
    Project.objects.update(protocol="lovr")
    video = make_clip(project, frames=200).video
    for start in (0, 100):
        make_clip(project, video=video, start_frame=start, end_frame=start + 100)
    make_clip(project)
    funnel = page_of(project, ada).context["funnel"]
    assert [(stage.label, stage.clips) for stage in funnel[:3]] == [
        ("Videos imported", 2),
        ("Clips to describe", 3),
        ("Described", 0),
    ]


def test_a_project_of_labeled_clips_counts_labels_and_not_descriptions(project, ada):
    Project.objects.update(protocol="tfcovr")
    labelled_clip(project, make_label(project, "107b"), "test")
    make_clip(project)
    assert [
        (stage.label, stage.clips, stage.of) for stage in page_of(project, ada).context["funnel"]
    ] == [
        ("Videos imported", 2, None),
        ("Labeled clips", 1, None),
        ("Label pairs judged", 0, 0),
        ("Modifications written", 0, 0),
        ("Composed queries verified", 0, 0),
    ]


def test_a_text_written_by_hand_does_not_count_as_a_write_up(project, anna, ben, ada):
    Project.objects.update(min_words=5)
    clip = open_clip(project, "both")
    write(project, clip, ben)
    write_by_hand(hold(anna, open_hand(clip)), "A diver jumps.")
    response = page_of(project, ada)
    assert [(part.step, part.total) for part in response.context["throughput"]] == [
        ("Write", 1),
        ("Merge", 0),
        ("Split", 0),
        ("Write by hand", 1),
    ]


def test_a_round_of_comparisons_is_counted_by_its_votes(project, rita, emil, ada):
    clips = [make_clip(project) for _ in range(4)]
    start_round(project, clips, ("Avocet", "Bittern", "Crane"), votes_per_pair=5)
    for person in (rita, rita, emil):
        vote_for(project, person, "Avocet")
    stages = page_of(project, ada).context["funnel"]
    [votes_stage] = [stage for stage in stages if "comparisons" in stage.label]
    assert votes_stage == Stage("Votes in round 1 of comparisons", 3, 20.0, 15)
