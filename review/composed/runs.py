"""Have a model here rank the gallery for each test query of a set, as a row of Tables 2 and 3."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotate.audit import record_event
from annotate.corpus.precedence import current_captions
from annotate.jobs.parameters import read_parameters
from annotate.jobs.services.starting import start_job
from annotate.models import Clip, Project, User, Video
from annotate.models.jobs import Job, JobItem
from annotate.stored_json import as_json
from inference.models import ModelSpec
from inference.planning.recipes import model_recipe
from inference.registry import info, may_compose
from inference.sampling import Sampling
from review.composed.methods import CAPTION, METHODS, PROMPT, RankingParameters
from review.composed.models import ImportedRanking
from review.composed.report import VectorSetting, vector_settings
from review.composed.services import RunFacts, refuse_twice
from review.errors import ReviewError
from review.triplets.models import TripletSet
from review.triplets.queries import test_gallery, test_queries

RANK_QUERIES = "rank_queries"
NO_PLACES = "{caption} and {modification}"


@dataclass(frozen=True, kw_only=True)
class RankingChoice:
    """What an admin chose. `subject`: of a VectorSetting. `query_frames`: None for those of the
    gallery.
    """

    method: str
    subject: str
    group: str
    query_frames: int | None = None
    writer: ModelSpec | None = None
    prompt: str = ""


def settings_of(triplets: TripletSet) -> list[VectorSetting]:
    """Return the vectors that the set's gallery can have. Loads no model."""
    gallery = test_gallery(triplets.project, test_queries(triplets))
    return list(vector_settings(triplets.project, gallery))


def queries_to_rank(triplets: TripletSet) -> list[tuple[int, int, str]]:
    """Return the key, the clip and the text, as verified, of each test query."""
    texts = {query.key: query.text for query in test_queries(triplets)}
    of_test = triplets.queries.filter(split=Video.Split.TEST).order_by("pk")
    rows = of_test.values_list("pk", "clip", "modification__text")
    return [(key, clip, texts.get(key, text)) for key, clip, text in rows]


def unfinished_jobs(triplets: TripletSet) -> QuerySet[Job]:
    """Return the jobs that rank this set's queries and have stored no ranking, newest first."""
    return Job.objects.filter(
        project=triplets.project_id, kind=RANK_QUERIES, lane=_lane(triplets), rankings=None
    ).order_by("-pk")


@transaction.atomic
def start_ranking(*, triplets: TripletSet, choice: RankingChoice, admin: User | None) -> Job:
    """Start the job. Raises ReviewError, and JobInProgress while another ranks this set."""
    if triplets.state != TripletSet.State.FINISHED:
        raise ReviewError("This set is not finished. Wait until its triplets are generated.")
    setting = next((s for s in settings_of(triplets) if s.subject == choice.subject), None)
    if setting is None:
        raise ReviewError("The project no longer has these vectors. Embed the clips, then retry.")
    project = Project.objects.lock(triplets.project_id)
    _refuse_missing(triplets, setting, choice.method)
    parameters = _parameters(triplets, setting, choice)
    refuse_twice(triplets, parameters.facts, "Remove them first.")
    models = [setting.model, *([choice.writer] if choice.writer else [])]
    job = start_job(
        Job(
            project=project,
            kind=RANK_QUERIES,
            lane=_lane(triplets),
            title=f"{parameters.facts.name}, {METHODS[choice.method].label}"[:200],
            parameters=as_json(parameters),
            queue="gpu" if any(info(model).queue == "gpu" for model in models) else "cpu",
            created_by=admin,
        )
    )
    record_event(
        actor=admin,
        verb="rank queries",
        subject=triplets,
        project=project,
        after={"model": parameters.facts.name, "method": choice.method},
    )
    return job


def plan_queries(job: Job) -> list[JobItem]:
    """Return an unsaved item for each test query."""
    triplets = TripletSet.objects.get(pk=read_parameters(job, RankingParameters).triplets)
    names = dict(_query_clips(triplets).values_list("pk", "name"))
    return [
        JobItem(job=job, position=position, subject=key, name=names[clip][:200])
        for position, (key, clip, _) in enumerate(queries_to_rank(triplets), 1)
    ]


def store_ranking(job: Job) -> ImportedRanking | None:
    """Store the rankings of a job all of whose queries are ranked, once. Call it in the transaction
    that ends the job.
    """
    items = job.job_items.order_by("position")
    if items.exclude(state=JobItem.State.DONE).exists():
        return None
    parameters = read_parameters(job, RankingParameters)
    clips = {str(key): kept["clips"] for key, kept in items.values_list("subject", "details")}
    return ImportedRanking.objects.create(
        project_id=job.project_id,
        triplets_id=parameters.triplets,
        job=job,
        clips=clips,
        file_sha256=sha256(json.dumps(clips).encode()).hexdigest(),
        created_by=job.created_by,
        **_columns(parameters.facts),
    )


def _query_clips(triplets: TripletSet) -> QuerySet[Clip]:
    of_test = triplets.queries.filter(split=Video.Split.TEST)
    return Clip.objects.filter(pk__in=of_test.order_by().values("clip"))


def _lane(triplets: TripletSet) -> str:
    return f"set-{triplets.pk}"


def _columns(facts: RunFacts) -> Mapping[str, Any]:
    return {name: getattr(facts, name) for name in RunFacts.__dataclass_fields__}


def _refuse_missing(triplets: TripletSet, setting: VectorSetting, method: str) -> None:
    """Refuse a model or clips that can't do what the method needs. Raises ReviewError."""
    queries = _query_clips(triplets)
    if not queries.exists():
        raise ReviewError("The set has no test queries. Split the videos, and generate another.")
    gallery = test_gallery(triplets.project, test_queries(triplets))
    embedded = set(setting.vectors.values_list("clip", flat=True))
    if missing := len(set(gallery) - embedded):
        raise ReviewError(
            f"{missing} of {len(gallery)} test clips have no vector. Embed the clips first."
        )
    if method == PROMPT and not may_compose(setting.model):
        raise ReviewError(
            f"{setting.model.name} can’t read a clip and a text in one prompt. Choose a "
            "video-language model, here or on a server."
        )
    if method == CAPTION:
        clips, described = queries.count(), current_captions(queries).count()
        if missing := clips - described:
            raise ReviewError(
                f"{missing} of {clips} query clips have no caption. Caption them first."
            )


def _parameters(
    triplets: TripletSet, setting: VectorSetting, choice: RankingChoice
) -> RankingParameters:
    method = METHODS[choice.method]
    sampling = _sampling(setting, choice) if method.sees else None
    writer = choice.writer if choice.method == CAPTION else None
    if choice.method == CAPTION and writer is None:
        raise ReviewError("Choose a text model, which edits the captions.")
    prompt = choice.prompt if writer else ""
    if writer and not all(place in prompt for place in ("{caption}", "{modification}")):
        raise ReviewError(f"The prompt lacks a place for the texts: it needs {NO_PLACES}.")
    names = [setting.model.name, *([writer.name] if writer else [])]
    return RankingParameters(
        triplets=triplets.pk,
        method=choice.method,
        facts=RunFacts(
            name=" + ".join(names)[:80],
            group=choice.group,
            has_video=method.has_video,
            has_text=method.has_text,
            fusion=method.fusion,
            query_frames=sampling.count if sampling else None,
            target_frames=setting.sampling.get("count"),
        ),
        encoder=model_recipe(setting.model),
        space=setting.space,
        gallery=dict(setting.sampling),
        sampling=sampling,
        writer=model_recipe(writer) if writer else None,
        prompt=prompt,
    )


def _sampling(setting: VectorSetting, choice: RankingChoice) -> Sampling:
    if choice.query_frames:
        return Sampling("middle", count=choice.query_frames)
    if not setting.sampling:
        raise ReviewError("The frames of these vectors are not known. Say those of the query clip.")
    return Sampling.parse(setting.sampling)
