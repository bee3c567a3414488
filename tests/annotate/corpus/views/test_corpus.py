"""The corpus page and the balance page."""

import itertools

import pytest
from django.urls import reverse

from annotate.corpus.clip_stages import kinds_in
from annotate.corpus.forms import corpus_form
from annotate.corpus.pieces import LeftOut
from annotate.corpus.queries import choose_clips, corpus_page
from annotate.corpus.services.opening import open_dynamics_check, open_writing
from annotate.models import Clip, Project, WorkItem
from tests.cast import client_of, count_queries, join, make_clip, make_project, make_video
from tests.hand_work import machine_caption, open_hand


@pytest.fixture
def url(project):
    return reverse("annotate:corpus", args=[project.slug])


def clip_of(project, name, **fields) -> Clip:
    return make_video(project, original_name=f"{name}.mp4", **fields).clips.get()


def names(response) -> list[str]:
    return [row.clip.name for row in response.context["page"].object_list]


@pytest.fixture
def four(project):
    """Four clips of 2, 8, 12 and 30 s, one at each stage."""
    clips = [
        clip_of(project, "beam", category="Gym", subcategory="Beam", frames=50),
        clip_of(project, "dive", category="Dive", subcategory="High", frames=200),
        clip_of(project, "vault", category="Gym", subcategory="Vault", frames=300),
        clip_of(project, "plain", category="", subcategory="", frames=750),
    ]
    stages = [("write", "open"), ("merge", "open"), ("split", "open"), ("split", "done")]
    for clip, (kind, state) in zip(clips, stages, strict=True):
        WorkItem.objects.create(project=project, clip=clip, kind=kind, state=state)
    return clips


def test_it_filters_and_sorts(url, emil, four):
    client = client_of(emil)
    for query, expected in [
        ("", ["plain", "vault", "dive", "beam"]),
        ("?sort=added", ["beam", "dive", "vault", "plain"]),
        ("?sort=name", ["beam", "dive", "plain", "vault"]),
        ("?sort=name&descending=1", ["vault", "plain", "dive", "beam"]),
        ("?sort=length", ["beam", "dive", "vault", "plain"]),
        ("?sort=length&descending=1", ["plain", "vault", "dive", "beam"]),
        ("?sort=category", ["plain", "dive", "beam", "vault"]),
        ("?q=AUL", ["vault"]),
        ("?category=Gym", ["vault", "beam"]),
        ("?category=Gym&subcategory=Beam", ["beam"]),
        ("?subcategory=High", ["dive"]),
        ("?category=+none", ["plain"]),
        ("?length=short", ["beam"]),
        ("?length=band", ["vault", "dive"]),
        ("?length=long", ["plain"]),
        ("?stage=write", ["beam"]),
        ("?stage=merge", ["dive"]),
        ("?stage=split", ["vault"]),
        ("?stage=complete", ["plain"]),
        ("?stage=complete&category=Gym", []),
        ("?stage=nonsense&sort=nonsense&page=nonsense", ["plain", "vault", "dive", "beam"]),
    ]:
        assert names(client.get(url + query)) == expected, query


def test_a_clip_whose_write_up_was_sent_back_is_to_write_again(url, emil, project):
    clip = clip_of(project, "beam")
    open_writing(clips=[clip], writers=2)
    WorkItem.objects.create(project=project, clip=clip, kind="merge", state="waiting")
    client = client_of(emil)
    assert names(client.get(url + "?stage=write")) == ["beam"]
    assert names(client.get(url + "?stage=merge")) == []


def stages(response) -> list[str]:
    return [label for _, label in response.context["form"].fields["stage"].choices]


def marks(response) -> dict[str, list[str]]:
    page = response.context["page"].object_list
    return {row.clip.name: [mark.label for mark in row.marks] for row in page}


def test_a_project_offers_the_stages_of_its_own_work(url, anna, four, project):
    before = stages(client_of(anna).get(url))
    small = "Too short or small"
    assert before == ["Any", "To write", "To merge", "To split", "Complete", "Left out", small]
    WorkItem.objects.all().delete()
    Project.objects.update(protocol="lovr")
    assert stages(client_of(anna).get(url)) == [
        "Any",
        "Dynamics check open",
        "Dynamics check done",
        "To write by hand",
        "To verify",
        "To rate",
        "Described",
        "Left out",
        small,
    ]


@pytest.fixture
def long_videos(project):
    """A video in two clips, one described and one to be written by hand; one left out."""
    Project.objects.update(protocol="lovr")
    talk = clip_of(project, "talk", frames=200)
    first = make_clip(project, video=talk.video, end_frame=100)
    second = make_clip(project, video=talk.video, start_frame=100)
    open_dynamics_check(talk.video)
    machine_caption(first, "A speaker.")
    open_hand(second)
    still = clip_of(project, "still", excluded_because="Two people found it <b>not dynamic</b>.")
    machine_caption(still, "A desk.")
    clip_of(project, "new")


def test_each_row_says_how_far_its_clip_is(url, emil, long_videos):
    response = client_of(emil).get(url)
    assert marks(response) == {
        "new": ["Not described yet"],
        "still": ["Left out"],
        "talk_100_200": ["To write by hand"],
        "talk_0_100": ["Described"],
        "talk": ["Dynamics check open", "Cut into 2 clips"],
    }
    assert "Two people found it &lt;b&gt;not dynamic&lt;/b&gt;." in response.content.decode()


@pytest.mark.parametrize(
    ("stage", "expected"),
    [
        ("dynamics", ["talk"]),
        ("judged", []),
        ("hand", ["talk_100_200"]),
        ("described", ["talk_0_100"]),
        ("left-out", ["still"]),
        ("write", ["new", "still", "talk_100_200", "talk_0_100", "talk"]),
    ],
)
def test_it_is_narrowed_to_the_stages_of_machine_captions(url, emil, long_videos, stage, expected):
    response = client_of(emil).get(f"{url}?stage={stage}")
    assert names(response) == expected
    assert response.context["page"].paginator.count == len(expected)


def test_a_left_out_video_is_marked_whatever_the_protocol(url, emil, project):
    open_writing(clips=[clip_of(project, "still", excluded_because="Too short.")], writers=2)
    assert marks(client_of(emil).get(url)) == {"still": ["Left out"]}


def test_the_marks_cost_the_same_at_one_clip_and_at_three(url, anna, project):
    Project.objects.update(protocol="lovr")
    counts = []
    for number in (1, 3):
        for n in range(number):
            open_hand(clip_of(project, f"talk-{number}-{n}"))
        client_of(anna).get(url)
        client = client_of(anna)
        with count_queries() as count:
            client.get(url)
        counts.append(int(count))
    assert counts[0] == counts[1]


def test_the_ends_of_the_band_belong_to_it(url, anna, project):
    for name, frames in (("under", 124), ("low", 125), ("high", 500), ("over", 501)):
        clip_of(project, name, frames=frames)
    response = client_of(anna).get(url + "?length=band&sort=length")
    assert names(response) == ["low", "high"]


def test_pages_hold_fifty_and_keep_the_filters(url, anna, project):
    for number in range(51):
        clip_of(project, f"gym-{number:02}", category="Gym")
    client = client_of(anna)
    first = client.get(url + "?category=Gym&sort=name")
    last = client.get(url + "?category=Gym&sort=name&page=2")
    assert (len(names(first)), names(last)) == (50, ["gym-50"])
    assert "?category=Gym&amp;sort=name&amp;page=2" in first.content.decode()


@pytest.mark.parametrize("few", [0, 1000])
def test_the_pages_together_hold_every_clip_once_in_order(anna, project, monkeypatch, few):
    monkeypatch.setattr("annotate.corpus.queries.FEW", few)
    monkeypatch.setattr("annotate.corpus.queries.PAGE_SIZE", 3)
    for number in range(10):
        clip_of(
            project, f"{number * 7 % 10}", category=f"C{number % 3}", frames=100 + number * 3 % 5
        )
    keys = {
        "name": lambda clip: clip.name,
        "length": lambda clip: (clip.duration_ms, clip.pk),
        "category": lambda clip: (clip.video.category, clip.video.subcategory, clip.pk),
        "added": lambda clip: clip.pk,
    }
    membership, kinds = anna.memberships.get(), kinds_in(project)
    clips = Clip.objects.select_related("video")
    for sort, descending in itertools.product(keys, ("", "1")):
        filters = corpus_form(project, kinds, {"sort": sort, "descending": descending}).filters
        chosen = choose_clips(membership, filters)
        pages = [corpus_page(membership, chosen, filters, page, kinds) for page in (1, 2, 3, 4)]
        expected = sorted(clips, key=keys[sort], reverse=bool(descending))
        assert [row.clip for page in pages for row in page] == expected, (sort, descending)


def test_a_category_that_is_new_can_be_asked_for_at_once(url, anna, project):
    clip_of(project, "beam", category="Gym")
    client = client_of(anna)
    client.get(url)
    clip_of(project, "dive", category="Dive")
    assert names(client.get(url + "?category=Dive")) == ["dive"]


def test_it_shows_only_the_clips_of_its_project(url, anna):
    clip_of(make_project("Other"), "stranger")
    assert names(client_of(anna).get(url)) == []


def test_an_empty_corpus_says_how_videos_come_in(url, anna, ada):
    upload = reverse("annotate:upload", args=["dives"])
    assert upload in client_of(ada).get(url).content.decode()
    page = client_of(anna).get(url).content.decode()
    assert "No clips yet" in page
    assert upload not in page


def test_hostile_names_are_escaped(url, anna, project):
    clip_of(project, "<b>bold", category="<script>alert(1)</script>")
    page = client_of(anna).get(url + "?q=%3Cb%3E").content.decode()
    assert "<b>bold" not in page
    assert "<script>alert(1)" not in page


@pytest.mark.parametrize("name", ["corpus", "corpus_balance"])
def test_it_costs_the_same_queries_at_one_clip_and_at_three(project, ada, name, settings):
    url = reverse(f"annotate:{name}", args=[project.slug])
    client = client_of(ada)

    def queries() -> int:
        client.get(url)
        with count_queries() as count:
            assert client.get(url + "?q=gym&stage=write&sort=category").status_code == 200
        return int(count)

    open_writing(clips=[clip_of(project, "gym-1")], writers=2)
    queries_for_one = queries()
    for number in (2, 3):
        open_writing(clips=[clip_of(project, f"gym-{number}", subcategory=f"S{number}")], writers=2)
    assert queries() == queries_for_one
    assert queries_for_one <= (13 if name == "corpus" else 9)


def test_the_balance_counts_against_the_quota(project, anna):
    project.quota_min, project.quota_max = 2, 3
    project.save()
    for subcategory, clips in (("few", 1), ("within", 2), ("many", 4)):
        for number in range(clips):
            clip_of(project, f"{subcategory}-{number}", category="Gym", subcategory=subcategory)
    response = client_of(anna).get(reverse("annotate:corpus_balance", args=[project.slug]))
    (gym,) = response.context["categories"]
    assert (gym.name, gym.clips) == ("Gym", 7)
    assert [(s.name, s.clips, s.verdict) for s in gym.subcategories] == [
        ("few", 1, "few"),
        ("many", 4, "many"),
        ("within", 2, "within"),
    ]


def test_the_histogram_counts_every_clip_once(project, anna):
    for number, frames in enumerate((24, 25, 26, 125, 500, 501)):
        clip_of(project, f"gym-{number}", frames=frames)
    response = client_of(anna).get(reverse("annotate:corpus_balance", args=[project.slug]))
    lengths = response.context["lengths"]
    counted = {bin.start: bin.clips for bin in lengths.bins if bin.clips}
    assert counted == {0: 1, 1: 2, 5: 1, 20: 2}
    assert (lengths.total, lengths.within, round(lengths.share, 2)) == (6, 2, 33.33)
    assert len(response.context["histogram"].bars) == len(lengths.bins) == 21


def test_long_videos_widen_the_bins(project, anna):
    clip_of(project, "match", frames=25 * 5400)
    clip_of(project, "dive", frames=250)
    response = client_of(anna).get(reverse("annotate:corpus_balance", args=[project.slug]))
    bins = response.context["lengths"].bins
    assert len(bins) <= 40
    assert sum(bin.clips for bin in bins) == 2


def test_an_empty_project_has_no_share(project, anna):
    response = client_of(anna).get(reverse("annotate:corpus_balance", args=[project.slug]))
    assert response.context["lengths"].share is None
    assert "No clips yet" in response.content.decode()


def test_the_balance_of_lovr_has_no_quota(anna, rita):
    lovr = make_project("Long", protocol="lovr")
    join(lovr, anna)
    clip_of(lovr, "gym", category="Gym", subcategory="Beam")
    response = client_of(anna).get(reverse("annotate:corpus_balance", args=[lovr.slug]))
    (gym,) = response.context["categories"]
    assert [(s.name, s.clips, s.verdict) for s in gym.subcategories] == [("Beam", 1, "")]
    assert response.context["histogram"].band == (0, 0)
    page = response.content.decode()
    assert "The project asks for" not in page
    assert "Quota" not in page
    assert "5 to 20" not in page


def test_the_balance_leaves_out_excluded_small_and_whole_cut_videos(project, anna):
    project.min_clip_seconds = 2
    project.save()
    clip_of(project, "kept")
    clip_of(project, "short", frames=49)
    clip_of(project, "static", excluded_because="not dynamic")
    cut = make_video(project, original_name="cut.mp4")
    for start in (0, 125):
        make_clip(project, video=cut, start_frame=start, end_frame=start + 125)
    response = client_of(anna).get(reverse("annotate:corpus_balance", args=[project.slug]))
    assert response.context["lengths"].total == 3
    assert sum(category.clips for category in response.context["categories"]) == 3
    assert response.context["left_out"] == LeftOut(videos=1, clips=1, too_small=1)
    note = "Not counted: 1 clip of 1 video that is left out, 1 too short or too small"
    assert note in " ".join(response.content.decode().split())
