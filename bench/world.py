"""A project of LoVR's size for the benchmarks: 40,804 clips, their work items, and the people."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.cached_db import SessionStore
from django.db import transaction

from annotate.corpus.services.opening import open_writing
from annotate.models import Clip, Membership, Project, User, Video

CLIPS = 40_804


@transaction.atomic
def make_world(*, clips: int = CLIPS, people: int = 50) -> tuple[Project, list[User]]:
    """Make a project with `clips` videos of one clip each, all waiting for two writers."""
    project = make_corpus(clips)
    open_writing(clips=Clip.objects.filter(project=project).iterator(), writers=2)
    users = User.objects.bulk_create(
        User(email=f"annotator{n}@example.org", name=f"Annotator {n}", password="!")
        for n in range(people)
    )
    Membership.objects.bulk_create(
        Membership(project=project, user=user, is_annotator=True) for user in users
    )
    return project, users


def make_corpus(clips: int) -> Project:
    """Make a project with `clips` videos of one clip each, and no work."""
    project = Project.objects.create(name="Benchmark", slug="benchmark")
    Video.objects.bulk_create(
        [
            Video(
                project=project,
                original_name=f"video-{n:06}.mp4",
                sha256=f"{n:064x}",
                size=1_000_000,
                fps_num=25,
                fps_den=1,
                frames=125 + n % 375,
                width=1280,
                height=720,
                source_file="s",
                playback_file="p",
                poster_file="o",
                filmstrip_file="f",
                category=f"category {n % 4}",
                subcategory=f"subcategory {n % 106}",
            )
            for n in range(clips)
        ],
        batch_size=2000,
    )
    videos = Video.objects.filter(project=project).order_by("pk")
    Clip.objects.bulk_create(
        [
            Clip(
                project=project,
                video=video,
                name=video.original_name.removesuffix(".mp4"),
                end_frame=video.frames,
                duration_ms=video.frames * 40,
            )
            for video in videos.iterator()
        ],
        batch_size=2000,
    )
    return project


def session_cookie(user: User) -> str:
    """Return a signed-in session, made without the sign-in page and its rate limit."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    assert session.session_key is not None
    return session.session_key
