"""The corpus page and the balance page."""

import pytest
from django.core.cache import cache
from django.urls import reverse

from annotate.models import Clip, WorkItem
from annotate.services.stages import open_writing
from tests.cast import client_of, count_queries, make_project, make_video


@pytest.fixture
def url(project):
    return reverse("annotate:corpus", args=[project.slug])


@pytest.fixture(autouse=True)
def nothing_cached():
    cache.clear()


def clip_of(project, name, **fields) -> Clip:
    return make_video(project, original_name=f"{name}.mp4", **fields).clips.get()


def names(response) -> list[str]:
    return [clip.name for clip in response.context["page"].object_list]


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


@pytest.mark.parametrize(
    ("query", "expected"),
    [
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
    ],
)
def test_it_filters_and_sorts(url, anna, four, query, expected):
    assert names(client_of(anna).get(url + query)) == expected


def test_a_clip_whose_write_up_was_sent_back_is_to_write_again(url, anna, project):
    clip = clip_of(project, "beam")
    open_writing(clips=[clip], writers=2)
    WorkItem.objects.create(project=project, clip=clip, kind="merge", state="waiting")
    client = client_of(anna)
    assert names(client.get(url + "?stage=write")) == ["beam"]
    assert names(client.get(url + "?stage=merge")) == []


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


@pytest.mark.parametrize("sort", ["name", "length", "category", "added"])
@pytest.mark.parametrize("descending", ["", "1"])
@pytest.mark.parametrize("few", [0, 1000])
def test_the_pages_together_hold_every_clip_once_in_order(
    url, anna, project, monkeypatch, sort, descending, few
):
    monkeypatch.setattr("annotate.corpus.FEW", few)
    monkeypatch.setattr("annotate.corpus.PAGE_SIZE", 3)
    for number in range(10):
        clip_of(
            project, f"{number * 7 % 10}", category=f"C{number % 3}", frames=100 + number * 3 % 5
        )
    client = client_of(anna)
    found = [
        clip
        for page in (1, 2, 3, 4)
        for clip in client.get(f"{url}?sort={sort}&descending={descending}&page={page}").context[
            "page"
        ]
    ]
    key = {
        "name": lambda clip: clip.name,
        "length": lambda clip: (clip.duration_ms, clip.pk),
        "category": lambda clip: (clip.video.category, clip.video.subcategory, clip.pk),
        "added": lambda clip: clip.pk,
    }[sort]
    everything = sorted(Clip.objects.select_related("video"), key=key, reverse=bool(descending))
    assert found == everything


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
def test_every_member_may_look_and_nobody_else(project, anna, emil, rita, ada, olaf, name):
    url = reverse(f"annotate:{name}", args=[project.slug])
    for person in (anna, emil, rita, ada):
        assert client_of(person).get(url).status_code == 200
    assert client_of(olaf).get(url).status_code == 404
    assert client_of(None).get(url).status_code == 302
    assert client_of(ada).post(url).status_code == 405


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
    one = queries()
    for number in (2, 3):
        open_writing(clips=[clip_of(project, f"gym-{number}", subcategory=f"S{number}")], writers=2)
    assert queries() == one
    assert one <= 8


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
