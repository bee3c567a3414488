"""What a round is made of, and what can't begin."""

import pytest

from annotate.errors import AnnotateError
from annotate.models import AuditEvent, WorkItem
from annotate.queue.services import save_draft
from inference.models import InferenceRun
from review.captions.models import CaptionSet, SetCaption
from review.captions.services import make_set_of_run
from review.comparisons.models import Round, SystemCaption, SystemPair, Vote
from review.errors import ReviewError
from review.rounds.services import TABLE_13, end_round, open_round
from tests.cast import make_clip, make_project
from tests.inference.cast import bare_recipe
from tests.review.comparisons.comparing import (
    make_set,
    next_caption_pair,
    predict,
    start_round,
    vote,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def clips(project):
    return [make_clip(project) for _ in range(6)]


def open_with(project, sets, **options):
    return open_round(project=project, admin=None, sets=sets, **{"votes_per_pair": 5, **options})


def test_every_two_models_make_a_pair_over_the_clips_that_both_describe(project, clips, ada):
    sets = [
        make_set(project, name, clips[:many]) for name, many in (("A1", 6), ("B2", 4), ("C3", 3))
    ]
    opened = open_round(project=project, admin=ada, sets=sets, votes_per_pair=5, seed=3)
    assert list(opened.pairs.values_list("first__name", "second__name", "clips")) == [
        ("A1", "B2", 4),
        ("A1", "C3", 3),
        ("B2", "C3", 3),
    ]
    # The two clips of A1 alone can be compared with nothing.
    assert set(opened.clips.values_list("clip", flat=True)) == {clip.pk for clip in clips[:4]}
    assert (opened.elo, opened.created_by) == (TABLE_13, ada)
    assert AuditEvent.objects.get(verb="open comparison round").after["models"] == [
        "A1",
        "B2",
        "C3",
    ]


def test_the_seed_draws_the_clips_and_their_order(project, clips):
    drawn = []
    sets = [make_set(project, name, clips) for name in ("A1", "B2")]
    for seed in (1, 1, 2):
        opened = open_with(project, sets, clips=3, seed=seed)
        drawn.append(list(opened.clips.values_list("clip", flat=True)))
        end_round(round=opened, admin=None)
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(drawn[0]) == 3


def test_a_caption_that_names_its_model_is_kept_and_not_counted_among_those_shown(project, clips):
    qwen = make_set(project, "Qwen2-VL", clips)
    caption = predict(clips[0], "As Qwen2-VL I see a dog.")
    SetCaption.objects.filter(caption_set=qwen, clip=clips[0]).update(caption=caption)
    opened = open_with(project, [qwen, make_set(project, "B2", clips)])
    assert opened.clips.count() == 5
    assert not SystemCaption.objects.exclude(names_its_model="").exists()
    third = make_set(project, "C3", clips)
    end_round(round=opened, admin=None)
    opened = open_with(project, [qwen, CaptionSet.objects.get(name="B2"), third])
    [flagged] = SystemCaption.objects.exclude(names_its_model="")
    assert (flagged.caption, flagged.names_its_model) == (caption, "Qwen2-VL")
    assert list(SystemPair.objects.filter(round=opened).values_list("clips", flat=True)) == [
        5,
        5,
        6,
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"votes_per_pair": 0}, "Ask for 1 to"),
        ({"repeat_percent": 51}, "repeats"),
        ({"shared_percent": 101}, "shared"),
        ({"seed": -1}, "seed"),
        ({"clips": 7}, "7 clips are asked for, but 6 have captions"),
        ({"clips": 0}, "0 clips are asked for"),
    ],
)
def test_it_refuses_an_invalid_round(project, clips, change, message):
    sets = [make_set(project, name, clips) for name in ("A1", "B2")]
    with pytest.raises(ReviewError, match=message):
        open_with(project, sets, **change)
    assert not Round.objects.exists()


def test_it_refuses_models_that_can_not_be_compared(project, clips):
    first, second = (make_set(project, name, clips[:1]) for name in ("A1", "B2"))
    elsewhere = make_set(make_project("Elsewhere"), "X", [make_clip(make_project("Far"))])
    apart = make_set(project, "C3", clips[1:])
    of_videos = make_set(project, "D4", clips)
    CaptionSet.objects.filter(pk=of_videos.pk).update(kind="full_video")
    of_videos.refresh_from_db()
    for sets, message in (
        ([first], "at least two"),
        ([first, first], "at least two"),
        ([first, elsewhere], "of this project"),
        ([first, apart], "No clip has captions of two"),
        ([first, of_videos], "one kind"),
    ):
        with pytest.raises(ReviewError, match=message):
            open_with(project, sets)
    open_with(project, [first, second])
    with pytest.raises(ReviewError, match="A round is running"):
        open_with(project, [first, second])


def test_an_ended_round_asks_nobody_and_takes_back_what_is_held(project, clips, rita):
    opened = start_round(project, clips)
    held, _ = next_caption_pair(project, rita)
    save_draft(assignment=held, base_version=0, content={"remark": "The end is missing."})
    end_round(round=opened, admin=None)
    assert set(WorkItem.objects.values_list("state", "open_slots")) == {("cancelled", 0)}
    with pytest.raises(AnnotateError, match="This round has ended, so it takes no more vote"):
        vote(held, "tie")
    assert not Vote.objects.exists()
    held.refresh_from_db()
    assert (held.state, held.draft) == ("expired", {"remark": "The end is missing."})
    assert next_caption_pair(project, rita) is None
    with pytest.raises(ReviewError, match="already ended"):
        end_round(round=opened, admin=None)


def test_a_run_becomes_a_set_once(project, clips):
    run = InferenceRun.objects.create(
        project=project,
        kind="caption",
        recipe=bare_recipe("caption"),
        recipe_hash="0",
        queue="cpu",
        state="running",
    )
    with pytest.raises(ReviewError, match="is in progress"):
        make_set_of_run(run=run, name="Heron", admin=None)
    InferenceRun.objects.filter(pk=run.pk).update(state="done")
    run.refresh_from_db()
    with pytest.raises(ReviewError, match="has no captions"):
        make_set_of_run(run=run, name="Heron", admin=None)
    caption = predict(clips[0], "A dog.")
    run.items.create(position=1, clip=clips[0], key="1", state="done", result=caption)
    made = make_set_of_run(run=run, name=" Heron  1 ", admin=None)
    assert (made.name, made.captions.get().caption) == ("Heron 1", caption)
    with pytest.raises(ReviewError, match="already in a set"):
        make_set_of_run(run=run, name="Other", admin=None)
    with pytest.raises(ReviewError, match="The name “heron 1” is already taken"):
        make_set(project, "heron 1", clips)


def test_nobody_compares_a_text_with_itself(project, clips, rita):
    sets = [make_set(project, name, clips[:3], text="A dog.") for name in ("A1", "B2")]
    different = predict(clips[0], "A cat.")
    SetCaption.objects.filter(caption_set=sets[1], clip=clips[0]).update(caption=different)
    opened = open_with(project, sets)
    assert opened.pairs.get().clips == 1
    _, caption_pair = next_caption_pair(project, rita)
    assert caption_pair.clip == clips[0]
    assert opened.caption_pairs.count() == 1


def test_a_caption_that_names_another_model_of_the_round_is_not_shown_either(project, clips):
    sets = [make_set(project, name, clips) for name in ("Qwen2-VL", "Tarsier-7B")]
    caption = predict(clips[0], "Better than what Qwen2-VL says: a dog.")
    SetCaption.objects.filter(caption_set=sets[1], clip=clips[0]).update(caption=caption)
    assert open_with(project, sets).pairs.get().clips == 5
