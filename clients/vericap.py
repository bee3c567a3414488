"""A client of Vericap's API in one file, with the standard library alone. Copy it.

    project = Vericap("https://vericap.example.org", "dives", token)
    for clip in project.rows("clips/", category="Sports"):
        ...

Paths are those of docs/api.md, below the project's; what begins with a slash is below /api/v1.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

PIECE = 4 * 1024 * 1024
MAX_WAITS = 5  # for a token that has sent too many requests
FINISHED, STOPPED = {"done"}, {"failed", "cancelled"}
Files = Mapping[str, tuple[str, bytes]]


class Problem(Exception):
    """The API refused. `name` is the end of the problem's type, `errors` name each wrong field."""

    def __init__(self, status: int, content: Mapping[str, Any]) -> None:
        self.status = status
        self.content = content
        self.name = str(content.get("type", "")).rpartition(":")[2]
        self.detail = str(content.get("detail", ""))
        self.errors = [(each["field"], each["detail"]) for each in content.get("errors", [])]
        super().__init__(f"{status} {self.name}: {self.detail}")


class JobFailed(Exception):
    """A job didn't end well. `job` is what the API says about it, with its `faults`."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        self.job = job
        faults = "".join(
            f"\n{each['row']}, {each['field']}: {each['mend']}" for each in faults_of(job)
        )
        super().__init__(f"Job {job['id']} is {job['state']}. {job['reason']}{faults}")


def faults_of(job: Mapping[str, Any]) -> list[dict[str, str]]:
    return list(job.get("faults", []))


class Vericap:
    """One project, by a token of it."""

    def __init__(
        self,
        site: str,
        project: str,
        token: str,
        *,
        timeout: float = 60,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.root = f"{site.rstrip('/')}/api/v1/"
        self.project = project
        self._token = token
        self._timeout = timeout
        self._sleep = sleep

    def get(self, path: str = "", **query: object) -> Any:
        return self._json("GET", path, query=query)

    def post(self, path: str, body: object = None, *, files: Files | None = None) -> Any:
        """Send JSON; with `files`, by field a name and its bytes, send a form."""
        return self._send("POST", path, body, files)

    def put(self, path: str, body: object = None, *, files: Files | None = None) -> Any:
        return self._send("PUT", path, body, files)

    def patch(self, path: str, body: object) -> Any:
        return self._send("PATCH", path, body, None)

    def delete(self, path: str) -> None:
        self._json("DELETE", path)

    def rows(self, path: str, **query: object) -> Iterator[dict[str, Any]]:
        """Yield every row of a list, page by page."""
        page = self.get(path, **({"limit": 200} | query))
        while True:
            yield from page["results"]
            if page["next"] is None:
                return
            page = self.get(page["next"])

    def download(self, path: str, target: str | Path, **query: object) -> Path:
        """Write the file of an address to a path, and return it."""
        with self._open("GET", path, query=query) as answer, Path(target).open("wb") as file:
            while piece := answer.read(PIECE):
                file.write(piece)
        return Path(target)

    def wait(self, job: Mapping[str, Any], *, pause: float = 2) -> dict[str, Any]:
        """Wait until a job is done; return it. Raises JobFailed."""
        while True:
            now: dict[str, Any] = self.get(f"jobs/{job['id']}/")
            if now["state"] in FINISHED:
                return now
            if now["state"] in STOPPED:
                raise JobFailed(now)
            self._sleep(pause)
            pause = min(2 * pause, 60)

    def upload(
        self, source: str | Path, *, batch: int | None = None, piece: int = PIECE, **facts: str
    ) -> dict[str, Any]:
        """Send a video in pieces, and return its file, which a worker then imports.

        After a broken connection it continues with the bytes that are missing.
        """
        source = Path(source)
        batch = self.post("imports/")["id"] if batch is None else batch
        about = {"name": source.name, "size": source.stat().st_size, **facts}
        file: dict[str, Any] = self.post(f"imports/{batch}/files/", about)
        with source.open("rb") as content:
            breaks = 0
            while file["state"] == "uploading":
                try:
                    file = self._send_piece(file, content, piece)
                except OSError as error:
                    breaks += 1
                    if isinstance(error, HTTPError) or breaks > MAX_WAITS:
                        raise
                    self._sleep(2**breaks)
                    file = self.get(f"imports/files/{file['id']}/")
        return file

    def _send_piece(self, file: dict[str, Any], content: BinaryIO, piece: int) -> dict[str, Any]:
        content.seek(file["offset"])
        try:
            sent: dict[str, Any] = self._json(
                "PUT",
                f"imports/files/{file['id']}/bytes/",
                content.read(piece),
                {
                    "Content-Type": "application/octet-stream",
                    "Upload-Offset": str(file["offset"]),
                },
            )
        except Problem as problem:
            if problem.name != "wrong-offset":
                raise
            return file | {"offset": problem.content["offset"]}
        return sent

    def _send(self, method: str, path: str, body: object, files: Files | None) -> Any:
        if files is not None:
            return self._json(method, path, *_form(body or {}, files))
        data = b"" if body is None else json.dumps(body).encode()
        return self._json(method, path, data, {"Content-Type": "application/json"} if data else {})

    def _json(
        self,
        method: str,
        path: str,
        data: bytes = b"",
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
    ) -> Any:
        with self._open(method, path, data, headers, query) as answer:
            content = answer.read()
        return json.loads(content) if content else None

    def _open(
        self,
        method: str,
        path: str,
        data: bytes = b"",
        headers: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
    ) -> Any:
        request = Request(
            self._address(path, query or {}),
            data=data or None,
            headers=dict(headers or {}),
            method=method,
        )
        # Where the answer sends us on to a storage, the token stays here.
        request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        for waited in range(MAX_WAITS + 1):
            try:
                return urlopen(request, timeout=self._timeout)
            except HTTPError as error:
                with error:
                    problem = Problem(error.code, _content(error.read()))
                if error.code != 429 or waited == MAX_WAITS:
                    raise problem from None
                self._sleep(float(error.headers.get("Retry-After", 1)))
        raise AssertionError("The loop returns or raises.")

    def _address(self, path: str, query: Mapping[str, object]) -> str:
        if "://" in path:  # of a next page; the token goes to this site alone
            there = urlsplit(path)
            return urlsplit(self.root)._replace(path=there.path, query=there.query).geturl()
        if path.startswith("/"):
            address = self.root + path.lstrip("/")
        else:
            address = f"{self.root}projects/{self.project}/{path}"
        return f"{address}?{urlencode(query)}" if query else address


def _content(data: bytes) -> dict[str, Any]:
    """Return the members of a problem; a proxy may answer with something else."""
    try:
        content = json.loads(data)
    except ValueError:
        content = None
    return content if isinstance(content, dict) else {"detail": data.decode(errors="replace")[:500]}


def _form(fields: Any, files: Files) -> tuple[bytes, dict[str, str]]:
    """Return a form with files, as `multipart/form-data`, and its headers."""
    boundary = uuid.uuid4().hex
    parts = [
        (f'name="{name}"', str(each).encode())
        for name, value in fields.items()
        for each in (value if isinstance(value, list) else [value])
    ]
    for field, (name, content) in files.items():
        quoted = name.replace("\\", "_").replace('"', "%22").replace("\r", "").replace("\n", "")
        parts.append((f'name="{field}"; filename="{quoted}"', content))
    body = b"".join(
        f"--{boundary}\r\nContent-Disposition: form-data; {about}\r\n\r\n".encode()
        + content
        + b"\r\n"
        for about, content in parts
    )
    closing = f"--{boundary}--\r\n".encode()
    return body + closing, {"Content-Type": f"multipart/form-data; boundary={boundary}"}
