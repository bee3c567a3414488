"""Triplets are all clips of one label with all of the other, within a split."""

import pytest
from django.db import transaction

from annotate.corpus.services.labels import count_as_one
from annotate.errors import Refused
from annotate.jobs.services.control import cancel_job, retry_job
from annotate.jobs.services.working import work_on
from annotate.models import Video
from annotate.models.jobs import Job
from review.errors import ReviewError
from review.triplets import sets
from review.triplets.exchange import triplet_files
from review.triplets.import_file import import_triplets
from review.triplets.models import ComposedQuery, Triplet, TripletSet
from review.triplets.possible import (
    clips_by_label,
    usable_modifications,
)
from review.triplets.queries import statistics_of
from review.triplets.queries import test_queries as stored_queries
from review.triplets.sets import generate, start_triplet_set
from review.triplets.source_counts import SourceCounts, source_counts
from tests.cast import make_video
from tests.review.triplets.triplets import labelled_clip, make_label, make_pair, modify

pytestmark = pytest.mark.django_db


@pytest.fixture
def labels(project):
    return [make_label(project, key) for key in ("107b", "109b", "307c")]


def start(project, **changes) -> TripletSet:
    values = {"seed": 0, "most_targets": 10, "admin": None, **changes}
    return start_triplet_set(project=project, **values)


def of_split(split: str) -> list[tuple[int, int]]:
    rows = Triplet.objects.filter(query__split=split).order_by("query", "place")
    return list(rows.values_list("query__clip", "target"))


def clips_of(project, label, split, number):
    return [labelled_clip(project, label, split) for _ in range(number)]


def test_every_clip_of_one_label_meets_every_clip_of_the_other(project, labels):
    queries, targets = (clips_of(project, label, "train", 3) for label in labels[:2])
    elsewhere = clips_of(project, labels[1], "test", 2)
    lone = clips_of(project, labels[0], "test", 1)
    modify(labels[0], labels[1])
    made = generate(triplets=start(project))
    assert of_split("train") == [(q.pk, t.pk) for q in queries for t in targets]
    assert of_split("test") == [(lone[0].pk, t.pk) for t in elsewhere]
    assert (made.state, made.triplet_count, ComposedQuery.objects.count()) == ("finished", 11, 4)


def test_a_test_query_has_at_most_so_many_targets_drawn_by_the_seed(project, labels):
    clips_of(project, labels[0], "test", 2)
    clips_of(project, labels[1], "test", 8)
    modify(labels[0], labels[1])
    drawn = []
    for seed in (1, 1, 2):
        generate(triplets=start(project, seed=seed, most_targets=3))
        drawn.append([target for _, target in of_split("test")][-6:])
    assert drawn[0] == drawn[1] != drawn[2]
    assert [len(set(row[:3])) for row in drawn] == [3, 3, 3]


def test_both_directions_are_generated_where_both_are_accepted(project, labels):
    first, second = (labelled_clip(project, label, "train") for label in labels[:2])
    modify(labels[0], labels[1], "show with 2 turns")
    modify(labels[1], labels[0], "show with 1 turn")
    generate(triplets=start(project))
    assert of_split("train") == [(first.pk, second.pk), (second.pk, first.pk)]


def test_what_is_not_accepted_or_of_a_rejected_pair_is_left_out(project, labels):
    for label in labels:
        labelled_clip(project, label, "train")
    modify(labels[0], labels[1])
    modify(labels[1], labels[0], state="waiting")
    make_pair(labels[0], labels[2], "reject")
    modify(labels[0], labels[2], "fly to the moon")
    assert generate(triplets=start(project)).triplet_count == 1


def test_a_killed_generation_goes_on_where_it_stopped(project, labels, monkeypatch):
    for label in labels:
        clips_of(project, label, "train", 3)
    modify(labels[0], labels[1])
    second = modify(labels[1], labels[2], "turn around once")
    made = start(project)
    store = sets._store
    monkeypatch.setattr(sets, "ROW_BATCH_SIZE", 1)

    @transaction.atomic
    def dies_at_the_second(triplets, modifications, clips, drawn):
        result = store(triplets, modifications, clips, drawn)
        if second in modifications:
            raise MemoryError
        return result

    monkeypatch.setattr(sets, "_store", dies_at_the_second)
    with pytest.raises(MemoryError):
        generate(triplets=made)
    halfway = TripletSet.objects.get()
    assert (halfway.state, halfway.triplet_count, Triplet.objects.count()) == ("running", 9, 9)
    monkeypatch.undo()
    finished = generate(triplets=made)
    assert (finished.state, finished.triplet_count) == ("finished", 18)
    assert Triplet.objects.count() == 18
    assert generate(triplets=made).triplet_count == 18


def test_rows_are_stored_in_batches(project, labels, monkeypatch):
    monkeypatch.setattr(sets, "ROW_BATCH_SIZE", 4)
    queries, targets = (clips_of(project, label, "train", 3) for label in labels[:2])
    modify(labels[0], labels[1])
    generate(triplets=start(project))
    assert of_split("train") == [(q.pk, t.pk) for q in queries for t in targets]


class TestLabelsThatCountAsOne:
    @pytest.fixture
    def equal(self, project, labels, ada):
        """A label with the caption of 109b."""
        other = make_label(project, "216", labels[1].caption)
        count_as_one(label=other, admin=ada)
        return other

    def test_the_clips_of_all_are_targets_and_leave_the_negatives(self, project, labels, equal):
        query = labelled_clip(project, labels[0], "test")
        own, same = (labelled_clip(project, label, "test") for label in (labels[1], equal))
        modify(labels[0], labels[1])
        made = generate(triplets=start(project, most_targets=1))
        assert len(of_split("test")) == 1
        [stored] = stored_queries(made)
        assert (stored.clip, {*stored.targets, *stored.right_too}) == (query.pk, {own.pk, same.pk})
        generate(triplets=start(project))
        assert of_split("test")[1:] == [(query.pk, own.pk), (query.pk, same.pk)]

    def test_equal_texts_to_them_are_one_query_and_no_clash(self, project, labels, equal):
        for label in (labels[0], labels[1], equal):
            labelled_clip(project, label, "train")
        first = modify(labels[0], labels[1], "show with 2.5 turns")
        modify(labels[0], equal, "show with two and a half turns")
        made = generate(triplets=start(project))
        assert [query.modification for query in made.queries.all()] == [first]
        assert len(of_split("train")) == 2

    def test_a_text_between_them_is_not_used(self, project, labels, equal):
        modify(labels[1], equal)
        with pytest.raises(ReviewError, match="No modification is accepted"):
            start(project)

    def test_an_export_is_read_again(self, project, labels, equal, tmp_path):
        for label in (labels[0], labels[1], equal):
            for split in ("train", "test"):
                labelled_clip(project, label, split)
        modify(labels[0], equal, "show with 2.5 turns")
        made = generate(triplets=start(project))
        for file in triplet_files(made):
            (tmp_path / file.path).parent.mkdir(exist_ok=True)
            (tmp_path / file.path).write_bytes(b"".join(file.chunks()))
        again = import_triplets(project=project, folder=tmp_path, admin=None)
        assert again.triplet_count == made.triplet_count == 4


class TestRefusals:
    def test_without_an_accepted_modification(self, project, labels):
        modify(labels[0], labels[1], state="waiting")
        with pytest.raises(ReviewError, match="No modification is accepted yet"):
            start(project)

    def test_while_a_source_video_is_in_no_split(self, project, labels):
        labelled_clip(project, labels[0], "train")
        labelled_clip(project, labels[1], "")
        make_video(project)  # without labeled clips: it does not matter
        modify(labels[0], labels[1])
        with pytest.raises(ReviewError, match="1 source video is not in a split"):
            start(project)

    def test_two_meanings_of_one_text(self, project, labels):
        modify(labels[0], labels[1], "Show with 2.5 turns")
        modify(labels[0], labels[2], "show with two and a half turns")
        with pytest.raises(ReviewError, match="leads from 107b to 109b and 307c"):
            start(project)

    def test_all_clashes_are_named_at_once(self, project, labels):
        for source, others in ((0, (1, 2)), (1, (0, 2))):
            for other in others:
                modify(labels[source], labels[other], "show it twice")
        modify(labels[2], labels[0], "show it twice")
        with pytest.raises(ReviewError) as raised:
            start(project)
        message = str(raised.value)
        assert "from 107b to 109b and 307c." in message
        assert "from 109b to 107b and 307c." in message
        assert "from 307c" not in message

    def test_one_at_a_time(self, project, labels):
        labelled_clip(project, labels[0], Video.Split.TRAIN)
        modify(labels[0], labels[1])
        start(project)
        with pytest.raises(ReviewError, match="being generated now"):
            start(project)

    @pytest.mark.parametrize("most", [0, 101])
    def test_too_few_or_many_targets(self, project, most):
        with pytest.raises(ReviewError, match="Choose a maximum of 1 to 100 targets"):
            start(project, most_targets=most)


def test_a_worker_generates_the_set_as_a_job(project, labels):
    labelled_clip(project, labels[0], "train")
    labelled_clip(project, labels[1], "train")
    modify(labels[0], labels[1])
    made = start(project)
    job = Job.objects.get(kind="triplets")
    work_on(job_id=job.pk)
    job.refresh_from_db()
    made.refresh_from_db()
    assert (job.state, job.job_items.get().note) == ("done", "1 triplet")
    assert (made.state, made.triplet_count) == ("finished", 1)


def test_a_canceled_set_makes_room_for_another_and_is_resumed(project, labels):
    labelled_clip(project, labels[0], "train")
    modify(labels[0], labels[1])
    made = start(project)
    job = Job.objects.get(kind="triplets")
    cancel_job(job=job, admin=None)
    made.refresh_from_db()
    assert (made.state, made.reason) == ("stopped", "Canceled. You can resume it on the page Jobs.")
    other = start(project)
    with pytest.raises(Refused, match="being generated now"):
        retry_job(job=job, admin=None)
    generate(triplets=other)
    retry_job(job=job, admin=None)
    work_on(job_id=job.pk)
    made.refresh_from_db()
    assert made.state == "finished"


def test_a_label_without_clips_has_no_triplets_and_one_clip_each_makes_one(project, labels):
    [query] = clips_of(project, labels[0], "test", 1)
    [target] = clips_of(project, labels[1], "test", 1)
    modify(labels[0], labels[1])
    modify(labels[0], labels[2], "show with a twist")
    made = generate(triplets=start(project))
    assert of_split("test") == [(query.pk, target.pk)]
    assert (made.state, made.triplet_count) == ("finished", 1)


def test_labels_that_share_a_caption_are_two(project):
    labels = [make_label(project, key, "Round-off") for key in ("180", "216")]
    for label in labels:
        clips_of(project, label, "train", 1)
    modify(*labels)
    generate(triplets=start(project))
    [(query, target)] = Triplet.objects.values_list("query__clip__label", "target__label")
    assert [query, target] == [label.pk for label in labels]


class TestOtherSources:
    @pytest.fixture
    def clips(self, project, labels):
        """Of two splits a query clip, a target of its video, and one of another."""
        clips = {}
        for split in ("train", "test"):
            query = labelled_clip(project, labels[0], split)
            same = labelled_clip(project, labels[1], split, query.video)
            other = labelled_clip(project, labels[1], split)
            clips[split] = query.pk, same.pk, other.pk
        modify(labels[0], labels[1])
        return clips

    @pytest.mark.parametrize(
        ("choice", "apart"), [("", ()), ("test", ("test",)), ("all", ("train", "test"))]
    )
    def test_targets_are_from_other_source_videos(self, project, clips, choice, apart):
        made = generate(triplets=start(project, other_sources=choice))
        for split, (query, same, other) in clips.items():
            expected = [other] if split in apart else [same, other]
            assert of_split(split) == [(query, target) for target in expected]
        same_source = {part.split: part.same_source for part in statistics_of(made).parts}
        assert same_source == {
            split: int(split in clips and split not in apart)
            for split in ("train", "validation", "test")
        }

    def test_a_query_that_would_have_no_target_is_not_made(self, project, labels):
        query = labelled_clip(project, labels[0], "test")
        labelled_clip(project, labels[1], "test", query.video)
        modify(labels[0], labels[1])
        assert generate(triplets=start(project)).queries.count() == 0

    def test_parts_of_one_long_video_are_one_source(self, project, labels, clips):
        Video.objects.filter(clips__in=clips["test"]).update(cut_from="day-1")
        made = generate(triplets=start(project))
        assert not made.queries.filter(split="test").exists()
        made = generate(triplets=start(project, other_sources=""))
        assert [part.same_source for part in statistics_of(made).parts] == [1, 0, 2]

    def test_what_the_choice_removes_is_counted_before(self, project, labels, clips):
        [train, _, test] = source_counts(clips_by_label(project), usable_modifications(project))
        assert test == SourceCounts("test", queries=1, triplets=2, same_source=1, only_same=0)
        assert train == SourceCounts("train", queries=1, triplets=2, same_source=1, only_same=0)
        lonely = labelled_clip(project, labels[0], "validation")
        labelled_clip(project, labels[1], "validation", lonely.video)
        [_, validation, _] = source_counts(clips_by_label(project), usable_modifications(project))
        assert validation == SourceCounts("validation", 1, 1, same_source=1, only_same=1)
