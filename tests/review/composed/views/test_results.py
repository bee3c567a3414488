"""The page of models that ran elsewhere."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from review.composed.models import ImportedRanking
from review.triplets.models import TripletSet
from tests.cast import client_of, count_queries
from tests.review.composed.retrieval import ask

pytestmark = pytest.mark.django_db
NAME = "<b>Mine & yours</b>"


@pytest.fixture
def triplets(project) -> TripletSet:
    ask(project)
    return TripletSet.objects.get()


def url(triplets, name="composed_results"):
    return reverse(f"review:{name}", args=[triplets.project.slug, triplets.number])


def upload(person, triplets, *, content=None, **data):
    near, far = triplets.queries.get().targets.values_list("target__name", flat=True)
    ranked = json.dumps({"0": [near, far]} if content is None else content).encode()
    typed = {
        "name": NAME, "group": "zero_shot", "has_video": "on", "has_text": "on",
        "rankings": SimpleUploadedFile("mine.json", ranked), **data,
    }  # fmt: skip
    return client_of(person).post(url(triplets, "import_rankings"), typed)


def test_an_imported_run_is_a_row_of_its_table(triplets, ada, rita):
    assert "No rankings yet" in client_of(rita).get(url(triplets)).text
    response = upload(ada, triplets, fusion="Avg", query_frames=8)
    assert response.headers["Location"] == url(triplets)
    text = client_of(rita).get(url(triplets)).text
    assert "&lt;b&gt;Mine &amp; yours&lt;/b&gt;" in text
    assert NAME not in text
    assert "Not fine-tuned on TF-CoVR" in text
    assert "100.00" in text
    assert "no interval" in text
    assert "convention:tfcovr" in client_of(rita).get(url(triplets), {"by": "tfcovr"}).text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"content": {"0": ["there"]}}, "the set has no clip"),
        ({"has_video": "", "has_text": ""}, "Tick the query clip, the modification, or both."),
        ({"name": ""}, "This field is required."),
        ({"rankings": ""}, "Choose the file with the rankings or vectors."),
    ],
)
def test_a_mistake_is_named_and_the_form_keeps_its_values(triplets, ada, data, message):
    response = upload(ada, triplets, **{"fusion": "my fusion", **data})
    assert response.status_code == 422
    assert message in response.text
    assert "my fusion" in response.text
    assert not ImportedRanking.objects.exists()


@pytest.mark.parametrize(
    ("kind", "content"), [("csv", "map_at_50"), ("tex", "toprule"), ("json", "[")]
)
def test_the_files(triplets, ada, rita, kind, content):
    upload(ada, triplets)
    response = client_of(rita).get(url(triplets, "download_composed_results"), {"as": kind})
    assert f'filename="dives-set-1-results.{kind}"' in response["Content-Disposition"]
    assert content in response.text


def test_a_run_is_removed(triplets, ada):
    upload(ada, triplets)
    ranking = ImportedRanking.objects.get()
    address = reverse("review:remove_ranking", args=[triplets.project.slug, ranking.pk])
    assert client_of(ada).post(address).headers["Location"] == url(triplets)
    assert "No rankings yet" in client_of(ada).get(url(triplets)).text


def test_three_runs_take_as_many_statements_as_one(triplets, ada):
    counts = []
    for seed in (1, 2, 3):
        upload(ada, triplets, seed=seed)
        client = client_of(ada)
        client.get(url(triplets))
        with count_queries() as count:
            client.get(url(triplets))
        counts.append(int(count))
    assert counts[0] == counts[2]
