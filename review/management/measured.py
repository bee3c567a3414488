"""What models without weights measure in Everyday Moments: vectors, and how well captions agree."""

from __future__ import annotations

from annotate.models import Project, User
from inference.models import InferenceRun, ModelSpec
from review.capst.models import CapstRun
from review.capst.services import start_capst_run
from review.captions.models import CaptionSet
from review.management.finished_lovr import finish_job, run
from review.management.first_round import DRAFT, OPENING

Backend = ModelSpec.Backend


def measure_texts(*, project: Project, admin: User) -> None:
    """Embed clips and captions by their words, and compare the draft's elements with people's by
    shared words, unless that is done. Raises ReviewError if a model can't do its part.

    Nothing is simulated: both models are named for what they do.
    """
    models = {spec.backend: spec for spec in project.model_specs.all()}
    lexical, judge = models[Backend.LEXICAL], models[Backend.WORD_OVERLAP]
    for of in ("clips", "captions", "spatial", "temporal"):
        run(project, admin, InferenceRun.Kind.EMBED, lexical, {"of": of})
    if not CapstRun.objects.filter(project=project, caption_set=None).exists():
        finish_job(start_capst_run(project=project, extractor=judge, admin=admin))
    for caption_set in CaptionSet.objects.filter(project=project, name__in=(DRAFT, OPENING)):
        if not CapstRun.objects.filter(caption_set=caption_set).exists():
            finish_job(
                start_capst_run(
                    project=project, extractor=judge, judge=judge, caption_set=caption_set,
                    admin=admin,
                )
            )  # fmt: skip
