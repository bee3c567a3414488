"""The addresses of the API: those of each feature, and a problem for every other."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.urls import re_path
from django.views.decorators.csrf import csrf_exempt

from annotate.api.problems import NOT_THERE, Problem, problem_response
from annotate.candidates import api as candidates
from annotate.consent import api as consent
from annotate.corpus import api as corpus
from annotate.datasets import api as datasets
from annotate.dynamics import api as dynamics
from annotate.examples import api as examples
from annotate.imports import api as imports
from annotate.jobs import api as jobs
from annotate.merge import api as merge
from annotate.projects import api as projects
from annotate.queue import api as queue
from annotate.split import api as split
from annotate.webhooks import api as webhooks
from inference.runs import api as runs
from inference.specs import api as specs
from inference.themes import api as themes
from review.comparisons import api as comparisons
from review.releases import api as releases
from review.summary import api as summary
from review.takedowns import api as takedowns
from review.triplets import api as triplets


@csrf_exempt
@login_not_required
def nothing_there(request: HttpRequest) -> JsonResponse:
    return problem_response(Problem(404, "not-found", "Not found", NOT_THERE))


app_name = "api"
urlpatterns = [
    *projects.urlpatterns,
    *corpus.urlpatterns,
    *examples.urlpatterns,
    *consent.urlpatterns,
    *imports.urlpatterns,
    *datasets.urlpatterns,
    *candidates.urlpatterns,
    *dynamics.urlpatterns,
    *queue.urlpatterns,
    *merge.urlpatterns,
    *split.urlpatterns,
    *jobs.urlpatterns,
    *webhooks.urlpatterns,
    *specs.urlpatterns,
    *runs.urlpatterns,
    *themes.urlpatterns,
    *summary.urlpatterns,
    *comparisons.urlpatterns,
    *triplets.urlpatterns,
    *releases.urlpatterns,
    *takedowns.urlpatterns,
    re_path(r"^.*$", nothing_there, name="nothing_there"),
]
