"""The embed runs that the protocols need."""

from __future__ import annotations

from django.db.models import QuerySet

from annotate.models import Caption, Project
from inference.models import InferenceRun
from inference.planning.need import CAPTIONS, CLIPS, Need, in_one, number_of
from inference.queries import clips_to_embed
from inference.recipes import try_stated

Kind = InferenceRun.Kind

_TEXTS = {
    "captions": Caption.Kind.GENERAL,
    "spatial": Caption.Kind.SPATIAL,
    "temporal": Caption.Kind.TEMPORAL,
}


def embedding_needs(project: Project) -> list[Need]:
    """Return an embed run for each sort of thing that the protocol searches. Two queries."""
    newest: dict[str, InferenceRun] = {}
    runs = InferenceRun.objects.filter(project=project, kind=Kind.EMBED, has_results=True)
    for run in runs.only("recipe", "created_at", "counts", "total").order_by("pk"):
        newest[try_stated(run.recipe).of] = run
    sizes = {}
    for of in project.pipeline.embeds:
        things = clips_to_embed(project) if of == "clips" else _texts(project, _TEXTS[of])
        sizes[of] = number_of(things)
        if last := newest.get(of):
            sizes[f"{of}_new"] = number_of(things.filter(created_at__gt=last.created_at))
    counts = in_one(project, sizes)
    needs = []
    for of in project.pipeline.embeds:
        total = counts[of]
        is_of_clips = of == "clips"
        needs.append(
            Need(
                Kind.EMBED,
                total,
                total - counts[f"{of}_new"] if of in newest else 0,
                CLIPS if is_of_clips else CAPTIONS,
                {"of": of},
                waits_for="" if total else _FIRST[of],
            )
        )
    return needs


_FIRST = {
    "clips": "Import videos first.",
    "captions": "No clip has a caption yet.",
    "spatial": "No clip is split yet.",
    "temporal": "No clip is split yet.",
}


def _texts(project: Project, kind: str) -> QuerySet[Caption]:
    """Return the captions to search for, as far as an index can tell: they may not be current."""
    text = project.pipeline.text(kind)
    sources = text.sources if text else ()
    return Caption.objects.filter(project=project, kind=kind, source__in=sources)
