"""Views of releases and their downloads."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST, require_safe

from annotate.access import UserRequest, member
from annotate.responses import file_to_save
from annotate.sending import send_stored
from review.frozen import access as frozen_access
from review.frozen.models import Release
from review.releases import access as releases_access
from review.releases.archives import ready_archive, start_archive
from review.releases.formats import ReleaseFormat
from review.releases.hashes import hash_text
from review.releases.pages import (
    archive_context,
    build_context,
    release_context,
    releases_context,
)
from review.releases.statistics import counted_release, release_statistics
from review.statistics.files import statistics_table


@require_GET
def releases(request: UserRequest, slug: str) -> HttpResponse:
    context = releases_context(member(request, slug))
    return render(request, "review/releases/releases.html", context)


@require_GET
def live(request: UserRequest, slug: str) -> HttpResponse:
    """Return the release that is being built; the page reloads once none is."""
    membership = member(request, slug)
    context = build_context(membership)
    response = render(request, "review/releases/release_build.html", context)
    if not context["is_building"]:
        response["HX-Refresh"] = "true"
    return response


@require_GET
def release(request: UserRequest, slug: str, version: str) -> HttpResponse:
    membership, release = frozen_access.release(request, slug, version)
    context = release_context(membership, release, request.GET.get("page"))
    return render(request, "review/releases/release.html", context)


@require_GET
def statistics(request: UserRequest, slug: str, version: str, ending: str) -> HttpResponseBase:
    """Send the statistics of the frozen rows as a file."""
    _, release = frozen_access.release(request, slug, version)
    table = statistics_table(counted_release(release), release_statistics(release))
    content = table.text(ending)
    if content is None:
        raise Http404("No such file.")
    return file_to_save(content, f"{slug}-{release.version}-statistics.{ending}")


@require_GET
def archive(request: UserRequest, slug: str, version: str, format_name: str) -> HttpResponse:
    """Return the state of the archive."""
    membership, release, release_format = releases_access.release_format(
        request, slug, version, format_name
    )
    context = archive_context(membership, release, release_format)
    return render(request, "review/releases/release_archive.html", context)


@require_POST
def prepare_archive(
    request: UserRequest, slug: str, version: str, format_name: str
) -> HttpResponse:
    _, release, _ = releases_access.release_format(request, slug, version, format_name)
    start_archive(release=release, format_name=format_name, user=request.user)
    return redirect(reverse("review:release", args=[slug, version]) + f"#archive-{format_name}")


@require_safe
def download(request: UserRequest, slug: str, version: str, format_name: str) -> HttpResponseBase:
    _, release, release_format = releases_access.release_format(request, slug, version, format_name)
    file = ready_archive(release, format_name)
    if file is None:
        return _prepared_here(request, release, release_format)
    response = send_stored(request, file.file, "application/zip", f'"{file.sha256}"')
    response["Content-Disposition"] = f'attachment; filename="{slug}-{version}-{format_name}.zip"'
    response["Cache-Control"] = "private, no-cache"
    return response


@require_GET
def hashes(request: UserRequest, slug: str, version: str, format_name: str) -> HttpResponseBase:
    """Send the file beside a ZIP, with its SHA-256 and the release hashes."""
    _, release, release_format = releases_access.release_format(request, slug, version, format_name)
    file = ready_archive(release, format_name)
    if file is None:
        return _prepared_here(request, release, release_format)
    name = f"{slug}-{version}-{format_name}.zip"
    return file_to_save(hash_text(release, name, file.sha256), f"{name}.sha256")


def _prepared_here(
    request: UserRequest, release: Release, release_format: ReleaseFormat
) -> HttpResponse:
    """Send the person to where the ZIP is prepared."""
    messages.info(request, f"The {release_format.title} ZIP isn't there yet. Prepare it here.")
    page = reverse("review:release", args=[release.project.slug, release.version])
    return redirect(f"{page}#archive-{release_format.name}")
