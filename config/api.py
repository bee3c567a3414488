"""The addresses of the API: those of each feature, and a problem for all others."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.urls import re_path
from django.views.decorators.csrf import csrf_exempt

from annotate.api.problems import NOT_THERE, Problem, problem_response
from annotate.corpus import api as corpus
from annotate.datasets import api as datasets
from annotate.imports import api as imports
from annotate.jobs import api as jobs
from annotate.projects import api as projects
from annotate.queue import api as queue
from inference.runs import api as runs
from inference.specs import api as specs
from review.annotation_table import api as annotation_table
from review.capst import api as capst
from review.captions import api as captions
from review.composed import api as composed
from review.elsewhere import api as elsewhere
from review.published import api as published
from review.releases import api as releases
from review.retrieval import api as retrieval
from review.rounds import api as rounds
from review.summary import api as summary
from review.tables import api as tables
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
    *imports.urlpatterns,
    *datasets.urlpatterns,
    *queue.urlpatterns,
    *jobs.urlpatterns,
    *specs.urlpatterns,
    *runs.urlpatterns,
    *elsewhere.urlpatterns,
    *captions.urlpatterns,
    *published.urlpatterns,
    *annotation_table.urlpatterns,
    *retrieval.urlpatterns,
    *rounds.urlpatterns,
    *capst.urlpatterns,
    *triplets.urlpatterns,
    *composed.urlpatterns,
    *tables.urlpatterns,
    *vectors.urlpatterns,
    *summary.urlpatterns,
    *releases.urlpatterns,
    re_path(r"^.*$", nothing_there, name="nothing_there"),
]
