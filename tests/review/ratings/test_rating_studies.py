"""Starting a study of ratings: what is drawn, in which order, and when it is refused."""

import pytest

from annotate.models import AuditEvent, Caption, Membership, Project, WorkItem
from annotate.queue.services import claim_next
from inference.queries import BATCH_SIZE
from review.errors import ReviewError
from review.ratings.models import Rating
from review.ratings.sample import Drawn, captions_to_draw, draw_captions
from review.ratings.studies import change_share
from review.studies.models import Study, StudyCaption
from review.studies.services import stop_study
from tests.cast import count_queries, make_clip, make_person, make_project, make_video
from tests.hand_work import machine_caption
from tests.review.ratings.rating import (
    describe,
    make_example,
    make_examples,
    open_study,
    rate,
    train,
    whole_caption,
)
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db


@pytest.fixture
def trained(project):
    return make_examples(project)


def in_order(study):
    return list(
        StudyCaption.objects.filter(study=study)
        .order_by("-item__priority")
        .values_list("caption", flat=True)
    )


def test_it_draws_clips_and_whole_videos_for_so_many_people(project, trained, anna, rita, ada):
    describe(project, 8, 4)
    study = open_study(project, 6, 2, people=2, seed=7)
    drawn = Caption.objects.filter(studies__study=study)
    assert sorted(drawn.values_list("kind", flat=True)) == ["full_video"] * 2 + ["general"] * 6
    assert (study.people, study.per_rater, study.seed) == (2, 8, 7)
    items = WorkItem.objects.filter(kind="rate")
    assert set(items.values_list("needed", "open_slots", "state")) == {(2, 2, "open")}
    assert {(item.subject, item.clip_id) for item in items} == set(drawn.values_list("pk", "clip"))
    event = AuditEvent.objects.get(verb="start study")
    assert event.after == {"clips": 6, "videos": 2, "people": 2, "per_rater": 8, "seed": 7}


def test_the_same_seed_draws_the_same_in_the_same_order():
    clips, videos = [Drawn(n, n) for n in range(50)], [Drawn(100 + n, n) for n in range(20)]
    drawn = draw_captions(clips, videos, n_clips=12, n_videos=4, seed=1)
    assert drawn == draw_captions(clips, videos, n_clips=12, n_videos=4, seed=1)
    assert drawn != draw_captions(clips, videos, n_clips=12, n_videos=4, seed=2)
    assert [caption >= 100 for caption, _ in drawn[:8]].count(True) == 2


@pytest.mark.parametrize(("n_clips", "n_videos"), [(300, 100), (5, 0), (0, 3), (7, 3)])
def test_every_part_of_the_order_has_its_share_of_both(n_clips, n_videos):
    clips, videos = [Drawn(n, n) for n in range(300)], [Drawn(1000 + n, n) for n in range(100)]
    drawn = draw_captions(clips, videos, n_clips=n_clips, n_videos=n_videos, seed=3)
    assert len(set(drawn)) == n_clips + n_videos
    for end in range(1, len(drawn) + 1):
        so_far = sum(caption >= 1000 for caption, _ in drawn[:end])
        assert abs(so_far - end * n_videos / (n_clips + n_videos)) <= 1


def test_only_the_newest_caption_that_nobody_was_asked_about_is_drawn(project, trained, anna):
    video = make_video(project)
    whole = video.clips.get()
    part = make_clip(project, video=video, end_frame=100)
    machine_caption(part, "An older one.")
    newest = machine_caption(part, "A newer one.")
    machine_caption(whole, "The whole clip is not described once it is cut.")
    whole_caption(whole, "An older one.")
    of_video = whole_caption(whole, "A newer one.")
    excluded = make_clip(project, excluded_because="still")
    machine_caption(excluded, "Left out.")
    whole_caption(excluded, "Left out.")
    machine_caption(make_clip(project), "")
    machine_caption(make_clip(make_project("other")), "Elsewhere.")
    make_example(project, place=9, is_used=False)

    assert list(captions_to_draw(project, Caption.Kind.GENERAL)) == [newest]
    assert list(captions_to_draw(project, Caption.Kind.FULL_VIDEO)) == [of_video]
    study = open_study(project, 1, 1)
    assert not captions_to_draw(project, Caption.Kind.GENERAL).exists()
    assert not captions_to_draw(project, Caption.Kind.FULL_VIDEO).exists()
    stop_study(study=study, admin=None)
    with pytest.raises(ReviewError, match="1 captions of clips are asked for, and there are 0"):
        open_study(project, 1)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"clips": 0}, "Ask for at least one caption"),
        ({"clips": -1}, "Ask for at least one caption"),
        ({"clips": 6}, "6 captions of clips are asked for, and there are 5 that nobody"),
        ({"clips": 5, "videos": 3}, "3 captions of whole videos are asked for, and there are 2"),
        ({"clips": 5, "people": 0}, "Have 1 to 20 people rate"),
        ({"clips": 5, "people": 3}, r"and 2 may rate\. Give 1 more the role annotator"),
        ({"clips": 5, "per_rater": 2}, r"the shares of 2 people cover 4\. .* or invite 1 more"),
        ({"clips": 5, "per_rater": -1}, "Ask each person for 1 to 100,000 ratings"),
    ],
)
def test_an_impossible_study_is_refused_with_what_to_do(
    project, trained, anna, rita, emil, options, sentence
):
    describe(project, 5, 2)
    with pytest.raises(ReviewError, match=sentence):
        open_study(project, **{"videos": 0, **options})
    assert not Study.objects.exists()
    assert not WorkItem.objects.exists()


def test_nobody_rates_untrained(project, anna):
    describe(project, 1)
    make_examples(project, 5, 2)
    make_example(project, place=2, is_used=False)
    with pytest.raises(ReviewError, match="The training has 2 examples and needs at least 3"):
        open_study(project, 1)


def test_one_study_runs_at_a_time(project, trained, anna):
    describe(project, 3)
    study = open_study(project, 1)
    with pytest.raises(ReviewError, match="A study is running"):
        open_study(project, 1)
    stop_study(study=study, admin=None)
    second = open_study(project, 1)
    membership = Membership.objects.get(user=anna)
    rate(claim_next(membership=membership, kind="rate"), 4)
    third = open_study(project, 1)
    captions = StudyCaption.objects.values_list("caption", flat=True)
    assert len(set(captions)) == 3
    assert [s.pk for s in Study.objects.all()] == [third.pk, second.pk, study.pk]


def test_a_person_who_worked_on_a_clip_is_not_counted_for_it(project, trained, anna, rita):
    caption, other = describe(project, 2)
    hold(anna, make_work(caption.clip, "verify", 1))
    assert open_study(project, 2).per_rater == 1
    stop_study(study=Study.objects.get(), admin=None)
    StudyCaption.objects.all().delete()
    WorkItem.objects.filter(kind="rate").delete()
    with pytest.raises(ReviewError, match=r"Of 1 of the captions drawn, .* Invite at least 1 who"):
        open_study(project, 2, people=2)
    hold(anna, make_work(other.clip, "hand", 1))
    with pytest.raises(ReviewError, match="2 ratings are due, and the shares of 2 people cover 1"):
        open_study(project, 2, per_rater=1)


def test_people_one_after_the_other_share_the_captions_evenly(project, trained):
    """Three people, three captions, two people each: nobody's share is left without a caption."""
    people = [make_person(name, project, "annotator") for name in ("Anna", "Ben", "Cleo")]
    describe(project, 3)
    study = open_study(project, 3, people=2)
    assert study.per_rater == 2
    for person in people:
        membership = Membership.objects.select_related("project").get(user=person)
        for _ in range(2):
            rate(claim_next(membership=membership, kind="rate"), 4)
    assert Rating.objects.count() == 6
    assert set(WorkItem.objects.values_list("state", flat=True)) == {"done"}


def test_a_share_can_be_changed_while_the_study_runs(project, trained, anna, ada):
    describe(project, 2)
    study = open_study(project, 2)
    assert change_share(study=study, per_rater=9, admin=ada).per_rater == 9
    event = AuditEvent.objects.get(verb="change share")
    assert (event.actor, event.before, event.after) == (ada, {"per_rater": 2}, {"per_rater": 9})
    with pytest.raises(ReviewError, match="Ask each person for 1 to"):
        change_share(study=study, per_rater=0, admin=ada)
    stop_study(study=study, admin=ada)
    with pytest.raises(ReviewError, match="has been stopped"):
        change_share(study=study, per_rater=3, admin=ada)


def test_the_queries_do_not_grow_with_the_sample(project, trained, anna):
    describe(project, 4)
    counts = []
    for clips in (1, 3):
        with count_queries() as count:
            study = open_study(project, clips)
        stop_study(study=study, admin=None)
        counts.append(int(count))
    assert counts[0] == counts[1]


def test_more_than_one_statement_can_name_are_drawn(project, trained, anna):
    clip = make_clip(project)
    video = clip.video
    from annotate.models import Clip

    clips = Clip.objects.bulk_create(
        Clip(
            project=project,
            video=video,
            name=f"c{n}",
            start_frame=0,
            end_frame=n + 1,
            duration_ms=1,
        )
        for n in range(BATCH_SIZE + 3)
        if n + 1 != video.frames
    )
    Caption.objects.bulk_create(
        Caption(project=project, clip=c, kind="general", source="machine", text="A.", word_count=1)
        for c in clips
    )
    open_study(project, BATCH_SIZE + 1)
    assert StudyCaption.objects.count() == WorkItem.objects.count() == BATCH_SIZE + 1


def test_a_study_of_another_project_blocks_none(project, trained, anna):
    describe(project, 1)
    other = make_project("other")
    Project.objects.filter(pk=other.pk).update(protocol="lovr")
    make_examples(other)
    describe(other, 1)
    make_person("Ben", other, "reviewer")
    train(anna, project)
    open_study(other, 1)
    open_study(project, 1)
    assert Study.objects.count() == 2
