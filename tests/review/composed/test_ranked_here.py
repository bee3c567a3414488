"""A model here ranks the test queries, by each method, as a row of TF-CoVR's tables."""

from __future__ import annotations

import numpy as np
import pytest
from django.urls import reverse

from annotate.errors import Refused
from annotate.jobs.services.control import retry_job
from annotate.jobs.services.working import work_on
from annotate.models import Clip
from annotate.models.jobs import Job
from inference.backends.protocols import BackendError, ComposedQuery, Generation
from inference.kinds.pictures import ClipSource
from inference.loading import forget_models, load_model
from inference.registry import model_settings
from inference.sampling import Sampling
from review.composed.methods import EDIT_CAPTION, METHODS
from review.composed.models import ImportedRanking
from review.composed.results import result_tables
from review.composed.runs import RankingChoice, settings_of, start_ranking, unfinished_jobs
from review.composed.services import remove_ranking
from review.errors import ReviewError
from review.triplets.models import TripletSet
from tests.cast import client_of
from tests.hand_work import machine_caption
from tests.inference.backends.tiny_models import save_qwen
from tests.inference.cast import make_model, make_playable_clips, run_through, start_run
from tests.review.composed.retrieval import ask, lexical_model, two_labels
from tests.review.triplets.triplets import make_triplet, modify

pytestmark = pytest.mark.django_db
GALLERY, ONE = {"kind": "middle", "count": 4}, Sampling("middle", count=1)
TEXT = "show with 2 somersaults"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    import torch

    torch.set_num_threads(1)
    return save_qwen(tmp_path_factory.mktemp("qwen"))


@pytest.fixture
def model(project, folder, settings):
    settings.VERICAP_ALLOWED_MODELS = [str(folder)]
    small = {"min_pixels": 784, "max_pixels": 8000, "batch_size": 2, "device": "cpu"}
    yield make_model(
        project, "transformers-vlm", name="Tiny", model_id=str(folder), parameters=small
    )
    forget_models()


@pytest.fixture
def triplets(project, rendered_media) -> TripletSet:
    """One query of a real clip, with two targets and another clip."""
    clips = make_playable_clips(project, rendered_media, 4)
    clips[0].video.split = "test"
    clips[0].video.save()
    labels = two_labels(project)
    for clip, label in zip(clips, (labels[0], labels[1], labels[1], labels[0]), strict=True):
        clip.label = label
        clip.save()
    modification = modify(*labels, TEXT)
    make_triplet(clips[0], modification, clips[1])
    make_triplet(clips[0], modification, clips[2], place=1)
    return TripletSet.objects.get()


def choose(triplets, method, **choice):
    [setting] = settings_of(triplets)
    return RankingChoice(method=method, subject=setting.subject, group="general", **choice)


def rank(triplets, method, **choice) -> Job:
    job = start_ranking(triplets=triplets, choice=choose(triplets, method, **choice), admin=None)
    work_on(job_id=job.pk)
    job.refresh_from_db()
    return job


def test_each_method_ranks_as_its_vectors_say(project, triplets, model):
    run_through(
        start_run(project=project, kind="embed", model=model, options={"sampling": GALLERY})
    )
    query, *others = Clip.objects.filter(label__isnull=False).order_by("pk")
    machine_caption(query, "A dive.")
    opened = load_model(model_settings(model))
    seen = ClipSource.of(query).read(ONE)
    clip, text = opened.encode_clips([seen])[0], opened.encode_texts([TEXT])[0]
    asked = EDIT_CAPTION.replace("{caption}", "A dive.").replace("{modification}", TEXT)
    [edited] = opened.complete([asked], Generation(max_tokens=512))
    vectors = {
        "query": clip,
        "text": text,
        "average": clip + text,
        "prompt": opened.encode_composed([ComposedQuery(seen, TEXT)])[0],
        "caption": opened.encode_texts([edited])[0],
    }
    facts = {
        "query": ("Tiny", True, False, "", 1),
        "text": ("Tiny", False, True, "", None),
        "average": ("Tiny", True, True, "Avg", 1),
        "prompt": ("Tiny", True, True, "MLLM", 1),
        "caption": ("Tiny + Tiny", False, True, "", None),
    }
    gallery = {other.pk: np.frombuffer(other.embeddings.get().vector, "<f4") for other in others}
    assert facts.keys() == METHODS.keys()
    for method, vector in vectors.items():
        job = rank(triplets, method, query_frames=1, writer=model, prompt=EDIT_CAPTION)
        made = ImportedRanking.objects.get(job=job)
        nearest = sorted(gallery, key=lambda pk, v=vector: -float(gallery[pk] @ v))
        assert made.clips == {str(triplets.queries.get().pk): nearest}
        row = (made.name, made.has_video, made.has_text, made.fusion, made.query_frames)
        assert (*row, made.target_frames) == (*facts[method], 4)
        assert job.job_items.get().details["text"] == {"query": "", "caption": edited}.get(
            method, TEXT
        )
    [table] = [table for table in result_tables(triplets, "circo") if table.groups]
    assert len(table.rows) == len(METHODS)


def test_what_a_model_or_a_clip_lacks_is_refused(project):
    [query] = ask(project)
    triplets = TripletSet.objects.get()
    lexical = lexical_model(project)
    writer = make_model(project, "openai-compatible", name="Writer")
    full = {"writer": writer, "prompt": EDIT_CAPTION}
    missing = "1 of 1 query clips have no caption. Caption them first."
    for method, choice, message in (
        ("prompt", {}, f"{lexical.name} can’t read a clip and a text in one prompt. Choose a "),
        ("average", {}, "The frames of these vectors are not known. Say those of the query clip."),
        ("caption", full, missing),
    ):
        with pytest.raises(ReviewError) as refused:
            rank(triplets, method, **choice)
        assert str(refused.value).startswith(message)
    machine_caption(query.clip, "A dive.")
    for choice, message in (
        ({}, "Choose a text model"),
        ({**full, "prompt": "{caption}"}, "The prompt lacks a place for the texts"),
    ):
        with pytest.raises(ReviewError, match=message):
            rank(triplets, "caption", **choice)
    rank(triplets, "text")
    with pytest.raises(
        ReviewError, match=r"Lexical vectors already has rankings for .* Remove them first"
    ):
        rank(triplets, "text")
    query.clip.embeddings.all().delete()
    with pytest.raises(ReviewError, match="1 of 4 test clips have no vector"):
        rank(triplets, "text")


def test_a_query_that_failed_is_retried_before_the_ranking_is_stored(project, monkeypatch, ada):
    first, second = ask(project, 2)
    triplets = TripletSet.objects.get()
    encoder = type(load_model(model_settings(lexical_model(project))))
    encode = encoder.encode_texts
    answers = iter([BackendError("timed_out", "It took too long.")])
    monkeypatch.setattr(
        encoder,
        "encode_texts",
        lambda own, texts: [next(answers, vector) for vector in encode(own, texts)],
    )
    job = rank(triplets, "text")
    assert (job.state, job.counts["done"], job.counts["failed"]) == ("done", 1, 1)
    assert not ImportedRanking.objects.exists()
    retry_job(job=job, admin=ada)
    work_on(job_id=job.pk)
    made = ImportedRanking.objects.get(job=job)
    assert made.clips.keys() == {str(first.pk), str(second.pk)}
    remove_ranking(ranking=made, admin=ada)
    job.refresh_from_db()
    with pytest.raises(Refused, match="Its ranking is stored"):
        retry_job(job=job, admin=ada)


def test_an_admin_starts_it_from_the_page(project, ada, rita):
    ask(project)
    triplets = TripletSet.objects.get()
    args = [project.slug, triplets.number]
    page = reverse("review:composed_results", args=args)
    assert client_of(rita).get(page).context["rank_form"] is None
    typed = {"method": "text", "subject": settings_of(triplets)[0].subject, "group": "zero_shot"}
    send = client_of(ada).post
    refused = send(reverse("review:rank_here", args=args), {**typed, "method": "prompt"})
    assert (refused.status_code, unfinished_jobs(triplets).count()) == (422, 0)
    assert "in one prompt. Choose a video-language model" in refused.text
    assert send(reverse("review:rank_here", args=args), typed).url == page
    job = unfinished_jobs(triplets).get()
    assert client_of(ada).get(page).context["jobs"] == [job]
    work_on(job_id=job.pk)
    context = client_of(ada).get(page).context
    assert [ranking.job for ranking in context["rankings"]] == [job]
    assert (context["is_ranking"], context["jobs"]) == (False, [])
