"""Is an answer of the API what its description says?"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from django.http import HttpResponse
from jsonschema import Draft202012Validator

from annotate.api.schema import api_schema

ARGUMENT = re.compile(r"<(?:\w+:)?(\w+)>")
JSON = ("application/json", "application/problem+json")


def check_described(method: str, answer: HttpResponse) -> None:
    """Fail for a status, a type or JSON that the description of the operation doesn't have."""
    # `answer.resolver_match` would look the address up again.
    match = answer.wsgi_request.resolver_match
    path = "/" + ARGUMENT.sub(r"{\1}", match.route) if match else ""
    described = api_schema()["paths"].get(path, {}).get(method)
    if described is None or answer.status_code == 500:
        return  # Not an address or a method of the API, or a failure that a test has made.
    answers = described["responses"]
    where = f"{method} {path}: {answer.status_code}"
    assert str(answer.status_code) in answers, where
    contents = answers[str(answer.status_code)].get("content", {})
    media = answer.headers.get("Content-Type", "").partition(";")[0]
    assert (media in contents) == bool(contents), f"{where} {media}"
    if media in JSON and not answer.streaming:
        faults = [error.message for error in validator(path, method, answer.status_code, media)
                  .iter_errors(answer.json())]  # fmt: skip
        assert faults == [], f"{where} {faults}"


@cache
def validator(path: str, method: str, status: int, media: str) -> Draft202012Validator:
    document: dict[str, Any] = api_schema()
    content = document["paths"][path][method]["responses"][str(status)]["content"][media]
    return Draft202012Validator({**content["schema"], "components": document["components"]})
