"""The addresses of the API: those of each feature, and a problem for all others."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.urls import re_path
from django.views.decorators.csrf import csrf_exempt

from annotate.api.problems import NOT_THERE, Problem, problem_response
from annotate.archive import api as archive
from annotate.candidates import api as candidates
from annotate.choosing import api as choosing
from annotate.clip_changes import api as clip_changes
from annotate.consent import api as consent
from annotate.corpus import api as corpus
from annotate.datasets import api as datasets
from annotate.dynamics import api as dynamics
from annotate.examples import api as examples
from annotate.imports import api as imports
from annotate.jobs import api as jobs
from annotate.merge import api as merge
from annotate.notices import api as notices
from annotate.projects import api as projects
from annotate.questions import api as questions
from annotate.queue import api as queue
from annotate.split import api as split
from annotate.watching import api as watching
from inference.runs import api as runs
from inference.specs import api as specs
from inference.themes import api as themes
from review.annotation_table import api as annotation_table
from review.audit_log import api as audit_log
from review.capst import api as capst
from review.captions import api as captions
from review.composed import api as composed
from review.corrections import api as corrections
from review.elsewhere import api as elsewhere
from review.identification import api as identification
from review.modifications import api as modifications
from review.pairs import api as pairs
from review.panels import api as panels
from review.pay import api as pay
from review.people import api as people
from review.precision import api as precision
from review.published import api as published
from review.quality import api as quality
from review.ratings import api as ratings
from review.releases import api as releases
from review.retrieval import api as retrieval
from review.rounds import api as rounds
from review.spot_checks import api as spot_checks
from review.statistics import api as statistics
from review.studies import api as studies
from review.studio import api as studio
from review.summary import api as summary
from review.tables import api as tables
from review.takedowns import api as takedowns
from review.threshold import api as threshold
from review.triplets import api as triplets
from review.vectors import api as vectors


@csrf_exempt
@login_not_required
def nothing_there(request: HttpRequest) -> JsonResponse:
    return problem_response(Problem(404, "not-found", "Not found", NOT_THERE))


app_name = "api"
urlpatterns = [
    *projects.urlpatterns,
    *corpus.urlpatterns,
    *clip_changes.urlpatterns,
    *examples.urlpatterns,
    *consent.urlpatterns,
    *watching.urlpatterns,
    *choosing.urlpatterns,
    *imports.urlpatterns,
    *datasets.urlpatterns,
    *candidates.urlpatterns,
    *dynamics.urlpatterns,
    *queue.urlpatterns,
    *questions.urlpatterns,
    *notices.urlpatterns,
    *merge.urlpatterns,
    *split.urlpatterns,
    *jobs.urlpatterns,
    *archive.urlpatterns,
    *specs.urlpatterns,
    *runs.urlpatterns,
    *themes.urlpatterns,
    *elsewhere.urlpatterns,
    *captions.urlpatterns,
    *published.urlpatterns,
    *annotation_table.urlpatterns,
    *corrections.urlpatterns,
    *studies.urlpatterns,
    *threshold.urlpatterns,
    *ratings.urlpatterns,
    *retrieval.urlpatterns,
    *rounds.urlpatterns,
    *capst.urlpatterns,
    *identification.urlpatterns,
    *quality.urlpatterns,
    *spot_checks.urlpatterns,
    *precision.urlpatterns,
    *pay.urlpatterns,
    *panels.urlpatterns,
    *people.urlpatterns,
    *pairs.urlpatterns,
    *modifications.urlpatterns,
    *triplets.urlpatterns,
    *composed.urlpatterns,
    *tables.urlpatterns,
    *vectors.urlpatterns,
    *summary.urlpatterns,
    *statistics.urlpatterns,
    *studio.urlpatterns,
    *releases.urlpatterns,
    *takedowns.urlpatterns,
    *audit_log.urlpatterns,
    re_path(r"^.*$", nothing_there, name="nothing_there"),
]
