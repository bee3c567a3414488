"""Who and what the tests are about: the named cast, a project, videos and clips as rows.

The rows of `make_video` and `make_clip` have no files behind them; a test that plays a video
uses `attach_media` (tests/media.py) on top.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.cached_db import SessionStore
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.crypto import get_random_string

from annotate.models import Clip, Membership, Project, Role, User, Video
from tests.markup import as_read

PASSWORD = "seven quiet herons"
_numbers = itertools.count(1)
# What a release stores about its reports, for a row that no build made.
NO_PROOF: dict[str, list[Any]] = {"reports": [], "left_out": [], "files": []}


def make_person(name: str, project: Project | None = None, *roles: Role, **fields: Any) -> User:
    """A person who can sign in with PASSWORD; a member of `project` with `roles`, if given."""
    person = User.objects.create_user(
        f"{name.lower()}@vericap.example", PASSWORD, name=name, **fields
    )
    if project is not None:
        join(project, person, *roles)
    return person


def join(project: Project, person: User, *roles: Role) -> Membership:
    return Membership.objects.create(
        project=project, user=person, **{f"is_{role}": True for role in roles}
    )


def make_cast(project: Project) -> dict[str, User]:
    """The people of the fixtures of the same names, for a world that a module shares."""
    return {
        name.lower(): make_person(name, project, role)
        for name, role in (
            ("Anna", Role.ANNOTATOR),
            ("Ben", Role.ANNOTATOR),
            ("Emil", Role.EXPERT),
            ("Rita", Role.REVIEWER),
            ("Ada", Role.ADMIN),
        )
    }


def make_project(name: str = "Dives", **fields: Any) -> Project:
    """A project whose clips may be as short as a test likes."""
    defaults = {"slug": name.lower().replace(" ", "-"), "license": "CC BY 4.0"}
    return Project.objects.create(**{"name": name, "min_clip_seconds": 0, **defaults, **fields})


def make_video(project: Project, **fields: Any) -> Video:
    """A video of 10 s at 25 fps with the clip that spans it."""
    return _whole_clip(project, **fields).video


def _whole_clip(project: Project, **fields: Any) -> Clip:
    number = next(_numbers)
    defaults = {
        "original_name": f"video-{number:04}.mp4",
        "sha256": f"{number:064x}",
        "size": 1_000_000,
        "probe": {"format": "mov,mp4,m4a,3gp,3g2,mj2"},
        "fps_num": 25,
        "fps_den": 1,
        "frames": 250,
        "width": 320,
        "height": 180,
        "shots": [0],
        "source_file": f"source/{number}.mp4",
        "playback_file": f"playback/{number}.mp4",
        "poster_file": f"poster/{number}.jpg",
        "filmstrip_file": f"filmstrip/{number}.jpg",
        "category": "Sports",
        "subcategory": "Diving",
        "license": project.license,
    }
    video = Video.objects.create(project=project, **{**defaults, **fields})
    return Clip.objects.create(
        project=project,
        video=video,
        name=video.original_name.rpartition(".")[0] or video.original_name,
        start_frame=0,
        end_frame=video.frames,
        duration_ms=round(video.duration * 1000),
    )


def make_clip(
    project: Project,
    *,
    video: Video | None = None,
    start_frame: int = 0,
    end_frame: int | None = None,
    **video_fields: Any,
) -> Clip:
    """The clip that spans a new video, or the given frame range of an existing one."""
    if video is None:
        whole = _whole_clip(project, **video_fields)
        video = whole.video
        if start_frame == 0 and end_frame in (None, video.frames):
            return whole
    end_frame = video.frames if end_frame is None else end_frame
    clip, _ = Clip.objects.get_or_create(
        video=video,
        start_frame=start_frame,
        end_frame=end_frame,
        defaults={
            "project": project,
            "name": f"{video.original_name.rpartition('.')[0]}_{start_frame}_{end_frame}",
            "duration_ms": round((end_frame - start_frame) / video.fps * 1000),
        },
    )
    return clip


def make_parts(video: Video, ranges: Sequence[tuple[int, int]], **fields: Any) -> list[Clip]:
    """New clips of these frame ranges of a video, in one statement."""
    return Clip.objects.bulk_create(
        Clip(
            project_id=video.project_id,
            video=video,
            start_frame=start,
            end_frame=end,
            name=f"{video.original_name.rpartition('.')[0]}_{start}_{end}",
            duration_ms=round((end - start) / video.fps * 1000),
            **fields,
        )
        for start, end in ranges
    )


class ReadWhenAsked:
    """The content of a page without the line breaks that only the writers of templates see."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __iter__(self) -> Iterator[bytes]:
        yield self._read

    @cached_property
    def _read(self) -> bytes:
        return as_read(self._content.decode()).encode()


class Reader(Client):
    """A client that reads pages as people do."""

    def request(self, **request: Any) -> Any:
        response = super().request(**request)
        if not response.streaming and response.get("Content-Type", "").startswith("text/html"):
            # Many tests look at the status alone, and `content` would be read here.
            vars(response)["_container"] = ReadWhenAsked(response.content)
        return response


def client_of(person: User | None) -> Client:
    """A signed-in test client; a visitor's where `person` is None."""
    client = Reader()
    if person is not None:
        client.cookies[settings.SESSION_COOKIE_NAME] = session_of(person)
    return client


def session_of(person: User) -> str:
    """The key of a new session of `person`, without the other statements of signing in."""
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    # As `create` does, without asking whether 32 random characters are another session's key.
    session._session_key = get_random_string(32)
    session.save(must_create=True)
    return str(session.session_key)


@dataclass
class QueryCount:
    """The statements of a `count_queries` block; `int(count)` once the block is over."""

    statements: list[str]

    def __int__(self) -> int:
        return len(self.statements)

    def __eq__(self, other: object) -> bool:
        return int(self) == other if isinstance(other, int) else NotImplemented

    def __le__(self, most: int) -> bool:
        return int(self) <= most

    def __repr__(self) -> str:
        return "\n".join([f"{int(self)} queries", *self.statements])


# How a transaction is delimited differs between the databases, so that is never counted.
_TRANSACTION = ("BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK", "COMMIT")
# Every request of somebody who is signed in begins with reading the session.
_SESSION = 'FROM "django_session"'


@contextmanager
def count_queries() -> Iterator[QueryCount]:
    """Counts the SQL statements of this thread's connection, without those that read the session:
    `with count_queries() as count`.
    """
    count = QueryCount([])
    with CaptureQueriesContext(connection) as captured:
        yield count
    count.statements += [
        query["sql"]
        for query in captured.captured_queries
        if not query["sql"].lstrip().upper().startswith(_TRANSACTION)
        and _SESSION not in query["sql"]
    ]
