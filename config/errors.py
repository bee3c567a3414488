"""The answer to an error of the program, whose log says more than the answer may."""

from django.http import HttpRequest, HttpResponse
from django.views.defaults import server_error as page

from annotate.api.problems import Problem, problem_response

FAILED = Problem(500, "server-error", "Something went wrong", "The log of the server says more.")


def server_error(request: HttpRequest) -> HttpResponse:
    return problem_response(FAILED) if request.path.startswith("/api/v1/") else page(request)
