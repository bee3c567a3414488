"""The page on which the source videos are split."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.models import Video
from review.triplets.models import TripletSet
from tests.cast import client_of, make_project, make_video
from tests.review.triplets.triplets import labelled_clip, make_label

CHOICE = {"train": 60, "validation": 20, "test": 20, "seed": 3}


@pytest.fixture
def project(db):
    project = make_project(protocol="tfcovr")
    labels = [make_label(project, "1", "Forward"), make_label(project, "2", "Back")]
    for _ in range(5):
        video = make_video(project)
        labelled_clip(project, labels[0], "", video)
    labelled_clip(project, labels[1], "", video)
    return project


@pytest.fixture
def url(project):
    return reverse("review:split_videos", args=[project.slug])


def test_it_shows_what_the_usual_shares_would_give_and_stores_nothing(project, ada, url):
    text = client_of(ada).get(url).text
    assert "3 splits need at least 6." in text
    text = client_of(ada).get(url, CHOICE).text
    assert "Apply this split" in text
    assert "1</strong> label has clips in train and in test." in text
    assert "1 is in one source video only" in text
    assert "2: Back" in text
    assert not project.videos.exclude(split="").exists()


def test_what_was_previewed_is_stored(project, ada, url):
    client = client_of(ada)
    preview = client.get(url, CHOICE).context["preview"]
    response = client.post(url, CHOICE)
    assert response.headers["Location"] == reverse("annotate:labels", args=[project.slug])
    for count in preview.counts:
        assert project.videos.filter(split=count.split).count() == count.sources


def test_the_current_split_is_shown_with_how_it_was_made(project, ada, url):
    client = client_of(ada)
    assert client.get(url).context["current"] is None
    client.post(url, CHOICE)
    lone = make_video(project)
    labelled_clip(project, project.action_labels.first(), "", lone)
    page = client.get(url)
    assert "A new split replaces this one." in page.text
    assert 'train <span class="number">60 %</span>' in page.text
    assert 'seed <span class="number">3</span>, by Ada on' in " ".join(page.text.split())
    assert f"{page.context['current'].origin.created_at:%b %Y}" in page.text
    assert "1 source video with labeled clips is in no split." in page.text
    counts = page.context["current"].counts
    assert [(count.split, count.sources) for count in counts] == [
        (split, project.videos.filter(split=split).count()) for split in Video.Split
    ]
    assert sum(count.clips for count in counts) == 6
    assert sum(count.share for count in counts) == pytest.approx(100)


def test_a_split_that_is_fixed_is_shown_too(project, ada, url):
    client = client_of(ada)
    client.post(url, CHOICE)
    TripletSet.objects.create(project=project, number=1, state="finished")
    text = client.get(url).text
    assert "Current split" in text
    assert "replaces this one" not in text
    assert "Preview" not in text
    assert 'name="seed"' not in text


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("change", [{"train": 70}, {"seed": "x"}, {"test": -1}, {"train": 0}])
def test_what_makes_no_split_is_named(project, ada, url, method, change):
    response = getattr(client_of(ada), method)(url, CHOICE | change)
    assert response.status_code == (200 if method == "get" else 422)
    assert response.context["preview"] is None
    assert response.context["form"].errors
    assert not project.videos.exclude(split="").exists()


def test_once_there_are_triplets_it_says_that_the_split_is_fixed(project, ada, url):
    TripletSet.objects.create(project=project, number=1, state="finished")
    client = client_of(ada)
    assert "triplets were made from it on" in client.get(url).text
    response = client.post(url, CHOICE)
    assert response.status_code == 422
    assert not project.videos.exclude(split="").exists()


def test_without_labeled_clips_it_says_so(ada, project):
    project.clips.update(label=None)
    text = client_of(ada).get(reverse("review:split_videos", args=[project.slug])).text
    assert "Source videos with labeled clips: 0" in text


class TestGivenSplits:
    @pytest.fixture
    def url(self, project):
        return reverse("review:import_splits", args=[project.slug])

    def upload(self, ada, url, **texts):
        files = {
            f"given-{name}": SimpleUploadedFile(f"{name}.csv", text.encode())
            for name, text in texts.items()
        }
        return client_of(ada).post(url, files, follow=True)

    def test_files_give_the_split(self, project, ada, url):
        names = [
            name.removesuffix(".mp4")
            for name in project.videos.values_list("original_name", flat=True)
        ]
        response = self.upload(ada, url, train="\n".join(names[1:]), test=names[0])
        assert "From train.csv, test.csv, by Ada on" in response.text
        assert project.videos.filter(split="test").count() == 1

    def test_faults_are_listed_and_nothing_is_stored(self, project, ada, url):
        name = project.videos.first().original_name
        response = self.upload(ada, url, train=name, test=name)
        assert response.status_code == 422
        assert "train.csv, line 1 puts it in train." in response.text
        assert not project.videos.exclude(split="").exists()

    def test_without_a_file_it_says_so(self, ada, url):
        response = self.upload(ada, url)
        assert response.status_code == 422
        assert "Choose at least one file." in response.text

    def test_names_that_the_project_lacks_are_counted(self, project, ada, url):
        first, *names = (
            name.removesuffix(".mp4")
            for name in project.videos.values_list("original_name", flat=True)
        )
        response = self.upload(ada, url, train="\n".join([*names, "Nile_1"]), test=first)
        assert "1 name in them isn’t in this project." in response.text

    def test_a_split_that_is_fixed_stays(self, project, ada, url):
        TripletSet.objects.create(project=project, number=1, state="finished")
        response = self.upload(ada, url, train=project.videos.first().original_name)
        assert response.status_code == 422
        assert "The split can&#x27;t be changed" in response.text
        assert not project.videos.exclude(split="").exists()
