"""Bringing in a file of vectors on the page Recall, and taking it away again."""

import io

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.models import Clip
from review.retrieval.forms import ImportForm
from review.retrieval.models import VectorSet
from tests.cast import client_of, make_clip
from tests.review.retrieval.vectors import write
from tests.swapped_parts import send_in_place

pytestmark = pytest.mark.django_db


@pytest.fixture
def url(project):
    return reverse("review:report_page", args=[project.slug, "recall"])


def upload(name="care.npz", **changes) -> SimpleUploadedFile:
    clip = Clip.objects.get()
    arrays = {
        "clips": np.array([clip.name]),
        "clip_vectors": np.array([[1.0, 0]]),
        "general": np.array([clip.name]),
        "general_vectors": np.array([[1.0, 0]]),
        **changes,
    }
    file = io.BytesIO()
    np.savez(file, **arrays)
    return SimpleUploadedFile(name, file.getvalue())


def test_an_admin_imports_vectors_and_removes_them(project, ada, url):
    write(make_clip(project))
    client = client_of(ada)
    into = reverse("review:import_vectors", args=[project.slug])
    response = client.post(into, {"name": "Long-CLIP", "vectors": upload()}, follow=True)
    assert "The vectors of Long-CLIP are imported. Compute their recall next." in response.text
    made = VectorSet.objects.get()
    assert (made.created_by, made.vectors.count()) == (ada, 2)
    remove = reverse("review:remove_vectors", args=[project.slug, made.pk])
    assert "no longer used" in send_in_place(client, url, remove).text
    assert client.post(remove).status_code == 404
    assert "No vectors to compare yet" in client.get(url).text


def test_a_wrong_file_is_shown_in_the_form_with_what_was_typed(project, ada):
    write(make_clip(project))
    into = reverse("review:import_vectors", args=[project.slug])
    wrong = upload(clips=np.array(["<b>who</b>"]))
    response = client_of(ada).post(into, {"name": "Long-CLIP", "vectors": wrong})
    assert response.status_code == 422
    assert "the project has no clip &#x27;&lt;b&gt;who&lt;/b&gt;&#x27;" in response.text
    assert 'value="Long-CLIP"' in response.text
    # Also above the fold, with the focus, and leading to the field.
    summary = response.text.index('id="import-errors"')
    assert "autofocus" in response.text[summary : summary + 200]
    assert summary < response.text.index('href="#id_vectors">File</a>: ')
    assert summary < response.text.index('id="import"')
    assert not VectorSet.objects.exists()


def test_rows_with_an_error_are_left_out_if_the_admin_chose_so(project, ada):
    write(make_clip(project))
    into = reverse("review:import_vectors", args=[project.slug])
    client = client_of(ada)
    two = {"clips": np.array([Clip.objects.get().name, "who"]), "clip_vectors": np.eye(2)}
    refused = client.post(into, {"name": "Long-CLIP", "vectors": upload(**two)})
    assert 'href="data:text/csv;charset=utf-8;base64,' in refused.text
    typed = {"name": "Long-CLIP", "vectors": upload(**two), "skips_bad": "on"}
    page = client.post(into, typed, follow=True).text
    assert "1 row with an error left out. Compute their" in page
    assert VectorSet.objects.get().vectors.count() == 2


def test_each_array_has_its_fault_and_a_taken_name_stands_on_the_name(project, ada):
    write(make_clip(project))
    into = reverse("review:import_vectors", args=[project.slug])
    client = client_of(ada)
    wrong = upload(clips=np.array(["who"]), general=np.array(["whom"]))
    form = client.post(into, {"name": "Long-CLIP", "vectors": wrong}).context["form"]
    assert [line.partition(":")[0] for line in form.errors["vectors"]] == [
        "clips, row 1",
        "general, row 1",
    ]
    client.post(into, {"name": "Long-CLIP", "vectors": upload()})
    form = client.post(into, {"name": "long-clip", "vectors": upload()}).context["form"]
    assert form.errors == {
        "name": ["The name “long-clip” is or was already taken by other vectors. Choose another."]
    }


def test_the_form_wants_a_name_a_small_file_and_a_release_of_the_project(project, ada, monkeypatch):
    write(make_clip(project))
    into = reverse("review:import_vectors", args=[project.slug])
    client = client_of(ada)
    text = client.post(into, {"name": "", "release": "7.0.0"}).text
    assert "Choose the file with the vectors." in text
    assert "That choice is not one of the available choices." in text
    monkeypatch.setattr(ImportForm.base_fields["vectors"], "most", 0)
    response = client.post(into, {"name": "Long-CLIP", "vectors": upload()})
    assert "The file is larger than 0 MiB. Use manage.py import_vectors." in response.text
    assert not VectorSet.objects.exists()


def test_only_admins_see_the_form(project, ada, rita, url):
    assert "Import vectors" in client_of(ada).get(url).text
    assert "Import vectors" not in client_of(rita).get(url).text
