"""The answer to an error that no view handles; the log says more than the answer may."""

import errno
import logging
import sys

from django.db import DataError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader

from annotate.api.problems import Problem, problem_response
from annotate.responses import wants_json

logger = logging.getLogger(__name__)
RETRY_SECONDS = 30

FAILED = Problem(500, "server-error", "Something went wrong", "The log of the server says more.")
TOO_LARGE = Problem(
    400, "unreadable", "Can’t be read", "A number in the request is larger than can be stored."
)
FULL = Problem(
    503,
    "disk-full",
    "The server’s disk is full",
    "Nothing of this request was saved, because a disk of the server has no space left. "
    "Tell the people who run this site, and send it again later.",
)
NO_DATABASE = Problem(
    503,
    "database-unavailable",
    "The database doesn’t respond",
    "The server can’t reach its database, or the database took too long. Try again in a minute.",
)

# PostgreSQL's codes (appendix A of its manual) and SQLite's names of error codes.
DISK_FULL, OUT_OF_RANGE = "53100", "22003"
SQLITE_FULL = "SQLITE_FULL"
SQLITE_UNAVAILABLE = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_IOERR", "SQLITE_CANTOPEN")


def server_error(request: HttpRequest) -> HttpResponse:
    problem = problem_of(sys.exc_info()[1])
    if problem is TOO_LARGE:  # below 500, Django doesn't log it
        logger.warning("%s %s: %s", request.method, request.path, problem.detail, exc_info=True)
    response = _response(request, problem)
    if problem.status == 503:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def problem_of(error: BaseException | None) -> Problem:
    """Return what a person can know about an error: a database that can't work now, or a number
    that no column stores; `FAILED` for everything else.
    """
    cause = error.__cause__ if error else None
    code = getattr(cause, "sqlstate", None)
    name = getattr(cause, "sqlite_errorname", "")
    match error:
        # SQLite's module raises OverflowError itself, and Django passes it on.
        case OverflowError() if "SQLite" in str(error):
            return TOO_LARGE
        case DataError() if code == OUT_OF_RANGE:
            return TOO_LARGE
        case OperationalError() if code == DISK_FULL or name == SQLITE_FULL:
            return FULL
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):  # of the cache, for example
            return FULL
        # On SQLite a missing table is an OperationalError, too, and an error of the program.
        case OperationalError() if not name or name.startswith(SQLITE_UNAVAILABLE):
            return NO_DATABASE
        case InterfaceError():  # the connection is closed
            return NO_DATABASE
    return FAILED


def _response(request: HttpRequest, problem: Problem) -> HttpResponse:
    if request.path.startswith("/api/v1/"):
        return problem_response(problem)
    if wants_json(request):
        content = {"code": problem.name, "message": problem.detail}
        return JsonResponse(content, status=problem.status)
    page = loader.get_template("500.html").render({"problem": problem} if problem != FAILED else {})
    return HttpResponse(page, status=problem.status)
