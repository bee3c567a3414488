"""The labels of a project, and where else a label is shown."""

import pytest
from django.urls import reverse

from annotate.corpus.label_chart import draw_labels
from annotate.corpus.labels import LabelCount
from annotate.models import ActionLabel, Clip, Video
from tests.cast import client_of, count_queries, make_project
from tests.markup import squeezed
from tests.review.triplets.triplets import labelled_clip, make_label
from tests.swapped_parts import send_in_place


@pytest.fixture
def project(db):
    return make_project(protocol="tfcovr")


@pytest.fixture
def url(project):
    return reverse("annotate:labels", args=[project.slug])


def rows(response) -> list[tuple]:
    return [
        (label.key, label.clip_count, label.in_train, label.in_validation, label.in_test)
        for label in response.context["page"].object_list
    ]


@pytest.fixture
def labels(project):
    forward, back, none = (
        make_label(project, "103b", "Forward, pike"),
        make_label(project, "207b", "Back, pike"),
        make_label(project, "5253b", "Back with a twist"),
    )
    labelled_clip(project, forward, Video.Split.TRAIN)
    for split in (Video.Split.TRAIN, Video.Split.TEST, Video.Split.VALIDATION, ""):
        labelled_clip(project, back, split)
    return forward, back, none


def test_each_label_has_its_clips_in_all_and_per_split(labels, anna, url):
    response = client_of(anna).get(url)
    assert rows(response) == [
        ("207b", 4, 1, 1, 1),
        ("103b", 1, 1, 0, 0),
        ("5253b", 0, 0, 0, 0),
    ]
    assert "3 labels, 5 labeled clips; 1 label without a clip" in squeezed(response.text)


@pytest.mark.parametrize(
    ("words", "expected"),
    [("pike", ["207b", "103b"]), ("5253B", ["5253b"]), ("tuck", []), ("x" * 201, ["207b"])],
)
def test_labels_are_searched_by_id_and_words(labels, anna, url, words, expected):
    keys = [row[0] for row in rows(client_of(anna).get(url, {"q": words}))]
    assert keys[: len(expected)] == expected
    assert bool(keys) == bool(expected)


def test_there_are_50_a_page(project, anna, url):
    for number in range(51):
        make_label(project, str(number))
    client = client_of(anna)
    assert [len(rows(client.get(url, {"page": page}))) for page in (1, 2)] == [50, 1]


def test_the_page_needs_as_many_queries_for_three_labels_as_for_one(project, anna, url):
    client = client_of(anna)

    def queries():
        with count_queries() as count:
            assert client.get(url).status_code == 200
        return int(count)

    labelled_clip(project, make_label(project, "1"), "train")
    queries_for_one = queries()
    for key in ("2", "3"):
        labelled_clip(project, make_label(project, key), "test")
    assert queries() == queries_for_one


@pytest.mark.parametrize("person", ["anna", "ada"])
def test_without_labels_it_says_what_comes_first(request, url, person):
    text = client_of(request.getfixturevalue(person)).get(url).text
    assert "No labels yet" in text
    assert ("Import labeled clips" in text) == (person == "ada")


def test_labels_of_another_project_are_not_shown(labels, anna, url):
    make_label(make_project("Other"), "9", "Sideways")
    assert "Sideways" not in client_of(anna).get(url).text


def test_the_corpus_shows_labels_and_is_filtered_by_them(labels, project, anna):
    corpus = reverse("annotate:corpus", args=[project.slug])
    response = client_of(anna).get(corpus, {"label": "103b"})
    assert [row.clip.label.key for row in response.context["page"].object_list] == ["103b"]
    assert "<strong>103b</strong> Forward, pike" in response.text
    assert client_of(anna).get(corpus, {"label": "nothing"}).status_code == 200


def test_a_clips_page_shows_its_label_and_split(labels, project, anna):
    clip = labels[0].clips.get()
    text = client_of(anna).get(reverse("annotate:clip", args=[project.slug, clip.pk])).text
    assert "Forward, pike" in text
    assert "in train" in text


def test_a_ten_times_commoner_label_is_one_step_of_the_scale_higher():
    chart = draw_labels(
        [LabelCount("a", "A", 100), LabelCount("b", "B", 10), LabelCount("c", "C", 0)]
    )
    heights = [bar.height for bar in chart.bars]
    at = {tick.label: tick.at for tick in chart.ticks}
    assert len(heights) == 2, "a label without clips has no bar"
    assert heights[0] - heights[1] == pytest.approx(at["1"] - at["10"], abs=0.02)
    assert chart.bars[0].y == at["100"]


def test_without_clips_there_is_no_picture():
    assert draw_labels([]) is None
    assert draw_labels([LabelCount("a", "A", 0)]) is None


def test_labels_are_filtered_by_domain_and_event(labels, project, anna, url):
    make_label(project, "7", "(Vault) tsukahara", "gymnastics", "Vault")
    client = client_of(anna)
    assert [row[0] for row in rows(client.get(url, {"event": "Vault"}))] == ["7"]
    assert [row[0] for row in rows(client.get(url, {"domain": "gymnastics"}))] == ["7"]
    assert len(rows(client.get(url, {"event": "Nowhere"}))) == 4


class TestCorrecting:
    def at(self, project, name, key) -> str:
        return reverse(f"annotate:{name}", args=[project.slug, key])

    def test_an_admin_corrects_a_label_and_all_see_its_history(self, labels, project, anna, ada):
        typed = {"caption": "  Forward, 1.5 somersaults, pike ", "event": "3 m"}
        page = self.at(project, "label", labels[0].pk)
        response = client_of(ada).post(self.at(project, "correct_label", labels[0].pk), typed)
        assert response.headers["Location"] == page
        address = self.at(project, "correct_label", labels[0].pk)
        send_in_place(client_of(ada), page, address, typed | {"event": "10 m"})
        text = client_of(anna).get(page).text
        assert "Forward, 1.5 somersaults, pike" in text
        assert "Forward, pike" in text
        assert "Ada" in text
        assert "Correct the label" not in text

    @pytest.mark.parametrize("typed", [{"caption": ""}, {"caption": "x" * 301}])
    def test_what_can_not_be_is_refused_and_stays_typed(self, labels, project, ada, typed):
        response = client_of(ada).post(
            self.at(project, "correct_label", labels[0].pk), {"event": "Kept", **typed}
        )
        assert (response.status_code, 'value="Kept"' in response.text) == (422, True)
        assert ActionLabel.objects.get(pk=labels[0].pk).caption == "Forward, pike"

    def test_an_admin_corrects_the_label_of_a_clip(self, labels, project, anna, ada):
        clip = labels[0].clips.get()
        address = self.at(project, "correct_clip_label", clip.pk)
        assert client_of(ada).post(address, {"label": "999"}).status_code == 422
        response = client_of(ada).post(address, {"label": labels[1].pk})
        assert response.headers["Location"] == self.at(project, "clip", clip.pk)
        assert Clip.objects.get(pk=clip.pk).label == labels[1]
        page = self.at(project, "clip", clip.pk)
        text = client_of(anna).get(page).text
        assert "Label, corrected" in text
        assert "Correct the label" not in text
        answer = send_in_place(client_of(ada), page, address, {"label": labels[0].pk})
        assert answer.redirect_chain == [(page, 302)]
        refused = send_in_place(client_of(ada), page, address, {"label": labels[0].pk})
        assert refused.status_code == 422
        assert "label 103b already" in refused.text

    def test_labels_with_equal_captions_count_as_one(self, labels, project, ada, anna, url):
        make_label(project, "216", labels[0].caption)
        client = client_of(ada)
        assert "Equal captions" in client.get(url).text
        client.post(self.at(project, "count_as_one", labels[0].pk))
        assert client.get(url).context["equal"][0].count_as_one
        assert "Count apart" not in client_of(anna).get(url).text
        client.post(self.at(project, "count_apart", labels[0].pk))
        assert not client.get(url).context["equal"][0].count_as_one
