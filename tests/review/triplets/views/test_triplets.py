"""The pages of the triplets: generating a set, what is in it, handing it out, taking it home."""

import io
import zipfile
from uuid import uuid4

import pytest
from django.urls import reverse

from annotate.models import Video, WorkItem, WorkRules
from metrics.intervals import wilson_interval
from review.triplets.caps import Caps
from review.triplets.exchange import triplet_files
from review.triplets.models import Triplet, TripletSet
from review.triplets.sets import generate, start_triplet_set
from review.triplets.verdicts import submit_triplet_verdict
from tests.cast import client_of, count_queries, make_project
from tests.review.triplets.triplets import labelled_clip, make_label, make_triplet, modify
from tests.review.triplets.verifying_triplets import all_valid, more_clips, targets_of
from tests.work import hold

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script> show \"2\" {{ turns }} 'x'"


@pytest.fixture
def project(db):
    return make_project(protocol="tfcovr")


@pytest.fixture
def labels(project):
    return make_label(project, "107b", "<b>Dive</b>"), make_label(project, "109b")


@pytest.fixture
def triplets(project, labels):
    """A finished set: three test queries of two targets each, and one of train."""
    for split, sources, targets in (("test", 3, 2), ("train", 1, 4)):
        for label, number in zip(labels, (sources, targets), strict=True):
            for _ in range(number):
                labelled_clip(project, label, split)
    modify(*labels, HOSTILE)
    return generate(triplets=new_set(project))


def new_set(project, **changes) -> TripletSet:
    return start_triplet_set(
        project=project, **{"seed": 0, "most_targets": 10, "admin": None} | changes
    )


def get(person, name, project, *args, **query):
    return client_of(person).get(reverse(f"review:{name}", args=[project.slug, *args]), query)


def post(person, name, project, *args, **data):
    return client_of(person).post(reverse(f"review:{name}", args=[project.slug, *args]), data)


class TestGenerating:
    def test_an_admin_generates_a_set(self, project, labels, ada):
        labelled_clip(project, labels[0], "train")
        modify(*labels)
        assert 'value="test" selected' in get(ada, "triplets", project).text
        data = {"seed": 4, "most_targets": 5, "other_sources": "all"}
        response = post(ada, "generate_triplets", project, **data)
        assert response.headers["Location"] == reverse("review:triplets", args=[project.slug])
        made = TripletSet.objects.get()
        assert (made.seed, made.most_targets, made.created_by) == (4, 5, ada)
        assert made.other_sources == "all"

    def test_a_preview_says_what_the_limits_leave_out_and_stores_nothing(
        self, project, labels, ada
    ):
        for label in (labels[0], labels[0], labels[1], labels[1]):
            labelled_clip(project, label, "train")
        modify(*labels)
        data = {"seed": 4, "most_targets": 5, "other_sources": "", "train_triplets": 3}
        response = post(ada, "preview_triplets", project, **data)
        steps = response.context["plan"].steps
        assert [(step.name, step.triplets, step.left_out) for step in steps] == [
            ("All possible", 4, 0), ("Train triplets in all: 3", 3, 1),
        ]  # fmt: skip
        assert 'value="3"' in response.text
        assert not TripletSet.objects.exists()
        post(ada, "generate_triplets", project, **data)
        assert TripletSet.objects.get().caps == Caps(triplets=3)
        data["train_triplets"] = -1
        assert post(ada, "preview_triplets", project, **data).status_code == 422

    def test_a_refusal_says_how_to_mend_it(self, project, labels, ada):
        response = post(ada, "generate_triplets", project, seed=0, most_targets=10)
        assert response.headers["Location"] == reverse("review:triplets", args=[project.slug])
        page = client_of(ada).get(response.headers["Location"]).text
        assert "No modification is accepted yet. Judge label pairs" in page
        modify(*labels)
        labelled_clip(project, labels[0], "")
        page = get(ada, "triplets", project).text
        assert "1 source video is not in a split. Split the videos first" in page
        assert not TripletSet.objects.exists()

    def test_texts_that_read_the_same_are_led_to(self, project, labels, ada, emil):
        first = modify(*labels)
        second = modify(labels[0], make_label(project, "307c"), first.text)
        page = get(ada, "triplets", project).text
        assert f"?text={first.pk}&amp;text={second.pk}&amp;#texts" in page
        assert "Both texts" not in get(emil, "triplets", project).text

    @pytest.mark.parametrize(
        "change", [{"seed": -1}, {"most_targets": 101}, {"seed": ""}, {"other_sources": "some"}]
    )
    def test_invalid_numbers_are_refused(self, project, ada, change):
        response = post(
            ada, "generate_triplets", project, **{"seed": 0, "most_targets": 1} | change
        )
        assert response.status_code == 422
        assert not TripletSet.objects.exists()

    def test_verified_queries_are_left_behind_knowingly(self, project, triplets, anna, ada):
        hand_out(ada, project, most=1)
        assert "begins without them" not in get(ada, "triplets", project).text
        verify(anna, triplets.queries.filter(split="test").first())
        assert "Set 1 has 1 verified query; a new set" in get(ada, "triplets", project).text
        response = post(ada, "generate_triplets", project, seed=0, most_targets=10)
        assert response.status_code == 422
        assert "Tick this to generate a new set anyway." in response.text
        assert TripletSet.objects.count() == 1
        post(ada, "generate_triplets", project, seed=0, most_targets=10, begins_anew="on")
        assert TripletSet.objects.count() == 2

    def test_a_running_set_shows_its_progress(self, project, labels, ada, emil):
        first = modify(*labels)
        modify(labels[1], labels[0], "show 1 turn")
        made = new_set(project)
        TripletSet.objects.update(done_up_to=first.pk, triplet_count=1234)
        page = get(emil, "triplets", project)
        assert 'hx-trigger="every 2s"' in page.text
        live = get(ada, "triplets_live", project)
        assert "1 of 2 modifications" in live.text
        assert "1234 triplets so far" in live.text
        assert "<html" not in live.text
        generate(triplets=made)
        assert "every 2s" not in get(ada, "triplets_live", project).text

    def test_only_an_admin_sees_the_form(self, project, emil, ada):
        assert "Generate a set" not in get(emil, "triplets", project).text
        assert "Generate a set" in get(ada, "triplets", project).text


class TestASet:
    def test_it_shows_that_nothing_leaves_its_split(self, project, triplets, emil):
        page = get(emil, "triplet_set", project, 1)
        assert "0 triplets across splits." in page.text
        parts = {
            part.split: (part.queries, part.triplets, part.clips, part.videos)
            for part in page.context["statistics"].parts
        }
        assert parts == {"train": (1, 4, 5, 5), "validation": (0, 0, 0, 0), "test": (3, 6, 5, 5)}

    def test_a_leak_made_behind_the_services_is_counted(self, project, triplets, emil):
        """The database refuses the row, so the video is moved afterwards, by hand."""
        target = Triplet.objects.filter(query__split="test").first().target
        Video.objects.filter(pk=target.video_id).update(split="train")
        page = get(emil, "triplet_set", project, 1)
        assert page.context["statistics"].leaking == 3
        assert "3 triplets across splits." in page.text
        assert not page.context["is_clean"]

    def test_parts_of_one_long_video_in_two_splits_are_counted(self, project, triplets, emil):
        Video.objects.filter(project=project).update(cut_from="long")
        assert get(emil, "triplet_set", project, 1).context["statistics"].shared_videos == 1

    def test_a_long_video_and_a_part_of_it_in_two_splits_are_counted(self, project, triplets, emil):
        whole, part = (
            Triplet.objects.filter(query__split=split).first().target.video_id
            for split in ("train", "test")
        )
        Video.objects.filter(pk=whole).update(original_name="long.mp4")
        Video.objects.filter(pk=part).update(cut_from="long")
        assert get(emil, "triplet_set", project, 1).context["statistics"].shared_videos == 1

    def test_two_queries_that_read_the_same_are_counted(self, project, labels, emil):
        clip, *targets = [labelled_clip(project, label, "test") for label in (*labels, labels[1])]
        make_triplet(clip, modify(*labels, "show with 2.5 turns"), targets[0])
        same = modify(*labels, "Show with two and a half turns.", state="edited")
        make_triplet(clip, same, targets[1])
        assert get(emil, "triplet_set", project, 1).context["statistics"].duplicates == 1

    def test_it_has_the_pictures_of_the_paper_with_their_numbers(self, project, triplets, emil):
        page = get(emil, "triplet_set", project, 1)
        figures = {figure.name: figure.rows for figure in page.context["figures"]}
        assert figures["labels"] == [("109b", "Dive 109b", 6), ("107b", "<b>Dive</b>", 4)]
        assert figures["targets"] == [(2, 3)]
        assert sum(number for _, number in figures["words"]) == 4
        assert sum(number for _, number in figures["durations"]) == 10
        assert page.text.count('<svg class="chart"') == 5
        assert "<b>Dive</b>" not in page.text

    def test_a_set_in_the_making_shows_no_numbers(self, project, labels, emil):
        modify(*labels)
        new_set(project)
        page = get(emil, "triplet_set", project, 1)
        assert "Generating" in page.text
        assert "statistics" not in page.context

    def test_there_is_no_such_set(self, project, ada):
        assert get(ada, "triplet_set", project, 9).status_code == 404


def hand_out(person, project, **data):
    url = reverse("review:hand_out_queries", args=[project.slug, 1])
    values = {"split": "test", "most": 2, "people": 1} | data
    return client_of(person).post(url, values, follow=True)


class TestHandingOut:
    def test_an_admin_hands_queries_out(self, project, triplets, ada):
        page = hand_out(ada, project, most=2, people=2)
        assert page.redirect_chain
        assert WorkItem.objects.filter(kind="triplet", needed=2).count() == 2
        [part] = page.context["verification"]
        assert (part.split, part.asked, part.done) == ("test", 2, 0)
        assert "2 queries are waiting under My work." in page.text

    def test_there_is_nothing_more_to_hand_out(self, project, triplets, ada):
        page = hand_out(ada, project, split="validation")
        assert "or all are already handed out" in page.text

    @pytest.mark.parametrize("change", [{"split": "other"}, {"most": 0}, {"people": 11}])
    def test_invalid_values_are_refused(self, project, triplets, ada, change):
        assert hand_out(ada, project, **change).status_code == 422
        assert not WorkItem.objects.exists()


class TestWhatPeopleFound:
    def test_shares_have_an_interval(self, project, triplets, anna, rita, ada):
        first, second, _ = triplets.queries.filter(split="test")
        [more] = more_clips(first)
        hand_out(ada, project, most=3, people=1)
        verify(anna, first, wrong=1, added=more)
        verify(rita, second, corrected="<i>show two turns</i>")
        page = get(ada, "triplet_set", project, 1)
        [part] = page.context["verification"]
        assert (part.asked, part.done, part.verdicts) == (3, 2, 2)
        assert (part.corrected, part.added) == (1, 1)
        shares = {share.label: (share.number, share.of) for share in part.shares}
        assert shares == {
            "Targets valid": (3, 4),
            "Modification right": (1, 2),
            "Modification enough": (2, 2),
            "Every part needed": (2, 2),
        }
        low, high = wilson_interval(3, 4)
        assert part.shares[0].interval == (100 * low, 100 * high)
        assert f"{100 * low:.1f} to {100 * high:.1f}" in page.text
        assert "&lt;i&gt;show two turns&lt;/i&gt;" in page.text
        assert more.name in page.text

    def test_another_sets_verdicts_are_not_counted(self, project, triplets, anna, ada):
        hand_out(ada, project, most=1)
        verify(anna, triplets.queries.filter(split="test").first())
        generate(triplets=new_set(project))
        page = get(ada, "triplet_set", project, 2)
        assert page.context["verification"] == []
        assert "No queries of this set are handed out yet." in page.text


def verify(person, query, *, wrong=0, added=None, corrected=""):
    """`wrong`: so many of the targets are."""
    held = hold(person, WorkItem.objects.get(subject=query.pk))
    content = all_valid(query) | {f"target-{clip}": "wrong" for clip in targets_of(query)[:wrong]}
    if added:
        content[f"added-{added.pk}"] = "1"
    if corrected:
        content |= {"right": "no", "corrected": corrected}
    submit_triplet_verdict(
        assignment_id=held.pk, annotator=person, key=uuid4(), base_version=0, content=content
    )


class TestDownload:
    def test_the_zip_has_the_files(self, project, triplets, emil):
        response = get(emil, "download_triplets", project, 1)
        content = b"".join(response.streaming_content)
        archive = zipfile.ZipFile(io.BytesIO(content))
        folder = f"{project.slug}-triplets-1"
        assert {name: archive.read(name) for name in archive.namelist()} == {
            f"{folder}/{file.path}": b"".join(file.chunks()) for file in triplet_files(triplets)
        }
        again = get(emil, "download_triplets", project, 1)
        assert b"".join(again.streaming_content) == content

    def test_verified_only_is_another_file(self, project, triplets, emil):
        response = get(emil, "download_triplets", project, 1, verified=1)
        assert "triplets-1-verified.zip" in response.headers["Content-Disposition"]
        archive = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
        test = archive.read(f"{project.slug}-triplets-1-verified/test.csv")
        assert test.count(b"\n") == 1

    def test_with_gold_only_admins_get_the_verdicts(self, project, triplets, rita, ada):
        WorkRules.objects.create(project=project, kind="triplet", has_gold=True)
        refused = get(rita, "download_triplets", project, 1)
        assert (refused.status_code, refused.url) == (302, f"/p/{project.slug}/triplets/1/")
        assert get(ada, "download_triplets", project, 1).status_code == 200

    def test_a_set_in_the_making_can_not_be_taken_home(self, project, labels, ada):
        modify(*labels)
        new_set(project)
        response = get(ada, "download_triplets", project, 1)
        assert response.status_code == 302


class TestQueries:
    def test_the_list_needs_as_many_for_three_sets_as_for_one(self, project, triplets, ada):
        client = client_of(ada)
        url = reverse("review:triplets", args=[project.slug])
        with count_queries() as baseline:
            client.get(url)
        for _ in range(2):
            generate(triplets=new_set(project))
        with count_queries() as three:
            client.get(url)
        assert int(baseline) == int(three) <= 12

    def test_a_set_needs_as_many_whatever_is_in_it(self, project, labels, triplets, ada):
        client = client_of(ada)
        url = reverse("review:triplet_set", args=[project.slug, 1])
        client.get(url)
        with count_queries() as small:
            client.get(url)
        for _ in range(9):
            labelled_clip(project, labels[0], "validation")
            labelled_clip(project, labels[1], "validation")
        generate(triplets=new_set(project))
        with count_queries() as large:
            client.get(reverse("review:triplet_set", args=[project.slug, 2]))
        assert int(small) == int(large) <= 22


class TestStatisticsOfTheTexts:
    def test_the_page_has_them_by_domain_and_kind_with_examples(self, project, triplets, rita):
        context = get(rita, "triplet_set", project, triplets.number).context
        assert [(group.domain, group.queries) for group in context["groups"]] == [
            ("diving", 4),
            ("", 4),
        ]
        assert [query.split for query in context["examples"]] == ["test"]

    def test_words_are_sorted_by_any_column(self, project, triplets, rita):
        def words(**query):
            return [
                row.word for row in get(rita, "triplet_words", project, 1, **query).context["rows"]
            ]

        assert words(sort="word", ascending="on") == sorted(words())
        assert words(sort="nothing") == words()

    def test_the_downloads_are_named_and_unknown_ones_missing(self, project, triplets, rita):
        answer = get(rita, "triplet_statistics", project, 1, "words")
        assert answer["Content-Disposition"] == (
            f'attachment; filename="{project.slug}-triplets-1-words.csv"'
        )
        assert get(rita, "triplet_statistics", project, 1, "people").status_code == 404
        query = triplets.queries.filter(split="test").first()
        figure = get(rita, "triplet_figure", project, 1, query.pk)
        assert figure["Content-Type"] == "image/svg+xml"
        assert get(rita, "triplet_figure", project, 1, 10**9).status_code == 404
