"""Programs that ask the API with a person's token."""

from __future__ import annotations

import json
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from annotate.models import ApiToken, Membership, Project, User
from annotate.tokens.services import make_token
from tests.api.described import check_described

ROOT = "/api/v1/"


def token_of(person: User, project: Project, scope: str = "admin") -> str:
    """Make a token for the person. Without the role admin, its scope is `work`, not `admin`."""
    membership = Membership.objects.select_related("project", "user").get(
        user=person, project=project
    )
    if scope == "admin" and not membership.is_admin:
        scope = "work"
    return make_token(membership=membership, name="Script", scope=ApiToken.Scope(scope), days=30)[1]


class Program:
    """Sends requests with a token, and checks every answer against its description. An address
    without a leading slash is relative to the project."""

    def __init__(self, token: str | None, project: Project) -> None:
        self.client = Client()
        self.headers = {"authorization": f"Bearer {token}"} if token else {}
        self.root = f"{ROOT}projects/{project.slug}/"

    def ask(self, method: str, address: str, body: Any = None, **headers: str) -> HttpResponse:
        path = address if address.startswith(("/", "http")) else self.root + address
        sent: dict[str, Any] = {"headers": self.headers | headers}
        if body is not None:
            sent |= {"data": json.dumps(body), "content_type": "application/json"}
        answer = getattr(self.client, method)(path, **sent)
        check_described(method, answer)
        return answer

    def send(
        self, address: str, fields: dict[str, Any], **files: tuple[str, bytes]
    ) -> HttpResponse:
        """POST a form with files: field=(name, bytes)."""
        sent = {name: SimpleUploadedFile(*file) for name, file in files.items()}
        answer = self.client.post(self.root + address, fields | sent, headers=self.headers)
        check_described("post", answer)
        return answer

    def get(self, address: str, **headers: str) -> HttpResponse:
        return self.ask("get", address, **headers)

    def rows(self, address: str) -> list[dict[str, Any]]:
        answer = self.get(address)
        assert answer.status_code == 200, answer.text
        return answer.json()["results"]


def program_of(person: User, project: Project, scope: str = "admin") -> Program:
    return Program(token_of(person, project, scope), project)


def problem(answer: HttpResponse) -> tuple[int, str]:
    """(status, name) of an answer that is a problem."""
    assert answer.headers["Content-Type"] == "application/problem+json", answer.text
    body = answer.json()
    assert {"type", "title", "status", "detail"} <= body.keys()
    assert body["status"] == answer.status_code
    return answer.status_code, body["type"].removeprefix("urn:vericap:problem:")
