"""Vectors of labels and of composed queries as files, which imports read again."""

import io

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.jobs.services.working import work_on
from annotate.models.jobs import Job
from inference.planning.recipes import model_recipe, space_of
from review.composed.computing import ComposedScores
from review.composed.results import result_tables
from review.composed.scoring import KS
from review.composed.services import RunFacts, import_ranking
from review.errors import ReviewError
from review.reports.results import result_of
from review.retrieval.text_vectors import text_vectors
from review.retrieval.vector_arrays import Layout
from review.retrieval.vector_files import open_vectors
from review.retrieval.vector_writing import WRITERS
from review.triplets.models import TripletSet
from review.vectors.contents import vector_sources, vectors_of
from tests.cast import client_of, count_queries
from tests.review.composed.retrieval import SPACE, ask, lexical_model, report_of
from tests.review.triplets.triplets import make_label

pytestmark = pytest.mark.django_db
LABELS = Layout({"labels": "label_vectors"}, frozenset({"labels"}), 1, "")


def source_of(project, of):
    [source] = [source for source in vector_sources(project) if source.of == of]
    return source


@pytest.mark.parametrize("format_name", WRITERS)
def test_labels_have_their_ids_and_the_space_of_the_encoder(project, format_name):
    model = lexical_model(project)
    for key, caption in (("b", "Dive é"), ("a", "Forward")):
        make_label(project, key, caption)
    content = vectors_of(project, source_of(project, "labels"), "")
    written = content.written(format_name)
    file = open_vectors(io.BytesIO(written), f"x.{format_name}", LABELS)
    assert list(file.ids["labels"]) == ["a", "b"]
    [(_, numbers)] = file.vectors["labels"].blocks()
    assert np.array_equal(numbers, text_vectors(model, ["Forward", "Dive é"]))
    assert content.space == space_of(model_recipe(model))
    assert content.space.encode() in written.replace(b"\0", b"")


@pytest.mark.parametrize("format_name", WRITERS)
def test_composed_queries_score_elsewhere_as_they_do_here(project, format_name):
    ask(project, 2)
    scores = result_of(report_of(project), ComposedScores).baselines["average"].circo
    content = vectors_of(project, source_of(project, "queries"), "average")
    assert content.space == SPACE
    assert content.ids["queries"] == ["0", "1"]
    import_ranking(
        triplets=TripletSet.objects.get(),
        facts=RunFacts("Same"),
        file_name=f"x.{format_name}",
        data=content.written(format_name),
        admin=None,
    )
    table = result_tables(TripletSet.objects.get(), "circo")[1]
    means = [spread.mean for spread in table.rows[0].cells]
    assert means == pytest.approx([scores.map[k] for k in KS])


def test_clips_without_vectors_are_counted(project):
    queries = ask(project, 2)
    source = source_of(project, "queries")
    queries[0].clip.embeddings.all().delete()
    with pytest.raises(ReviewError, match="1 of 5 test clips have no vector"):
        vectors_of(project, source, "text")


def test_the_command_names_what_there_is(project, tmp_path):
    path = tmp_path / "labels.npz"
    with pytest.raises(CommandError, match="There are: none"):
        call_command("export_vectors", project.slug, "queries", out=path)
    lexical_model(project)
    make_label(project, "a")
    call_command("export_vectors", project.slug, "labels", out=path)
    assert np.load(path)["labels"].tolist() == ["a"]
    with pytest.raises(CommandError, match="There are: Labels, Lexical vectors"):
        call_command("export_vectors", project.slug, "labels", out=path, model="CLIP")
    with pytest.raises(CommandError, match="must end in"):
        call_command("export_vectors", project.slug, "labels", out=tmp_path / "x.csv")


class TestPage:
    def send(self, project, ada, **fields):
        values = {"fusion": "average", "format_name": "npz", **fields}
        return client_of(ada).post(reverse("review:vectors", args=[project.slug]), values)

    def test_a_worker_writes_the_file_and_a_later_one_replaces_it(self, project, ada):
        lexical_model(project)
        make_label(project, "a")
        key = source_of(project, "labels").key
        assert self.send(project, ada, source=key).status_code == 302
        self.send(project, ada, source=key)  # while the first is being written
        [first] = Job.objects.filter(kind="vectors")
        address = reverse("review:download_vectors", args=[project.slug, first.pk])
        assert client_of(ada).get(address).url == reverse("review:vectors", args=[project.slug])
        work_on(job_id=first.pk)
        answer = client_of(ada).get(address)
        assert np.load(io.BytesIO(answer.getvalue()))["labels"].tolist() == ["a"]

        make_label(project, "b")
        self.send(project, ada, source=key)
        second = Job.objects.filter(kind="vectors").latest("pk")
        work_on(job_id=second.pk)
        page = client_of(ada).get(reverse("review:vectors", args=[project.slug]))
        assert [(job.pk, is_there) for job, is_there in page.context["jobs"]] == [
            (second.pk, True),
            (first.pk, False),
        ]
        assert client_of(ada).get(address).status_code == 302

    def test_an_unknown_source_is_refused(self, project, ada):
        lexical_model(project)
        make_label(project, "a")
        assert self.send(project, ada, source="labels:0").status_code == 422
        assert not Job.objects.filter(kind="vectors").exists()

    def test_a_failed_file_says_why(self, project, ada):
        queries = ask(project, 1)
        self.send(project, ada, source=source_of(project, "queries").key)
        queries[0].clip.embeddings.all().delete()
        job = Job.objects.get(kind="vectors")
        work_on(job_id=job.pk)
        page = client_of(ada).get(reverse("review:vectors", args=[project.slug]))
        assert "1 of 4 test clips have no vector." in page.content.decode()

    def test_the_list_needs_as_many_queries_for_three_files_as_for_one(self, project, ada):
        make_label(project, "a")
        client, address = client_of(ada), reverse("review:vectors", args=[project.slug])
        counts = []
        for lanes in ("a", "bc"):
            for lane in lanes:
                Job.objects.create(
                    project=project, kind="vectors", lane=lane, state="done",
                    parameters={"source": "labels:1", "fusion": "", "format": "npz"},
                )  # fmt: skip
            client.get(address)
            with count_queries() as counted:
                client.get(address)
            counts.append(int(counted))
        assert counts[0] == counts[1]
