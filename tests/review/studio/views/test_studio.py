"""The page on which an admin makes the next release."""

from pathlib import Path

from django.conf import settings
from django.urls import reverse

from annotate.jobs.services.working import work_on
from annotate.models import AuditEvent, Project
from annotate.models.jobs import Job
from review.frozen.models import Release
from review.releases.choice import NO_REPORTS, NO_VOTES, OF_VOTES
from review.releases.models import GateSetting
from review.releases.queries import branches_of, choice_of
from review.releases.services import build_release
from tests.cast import client_of, count_queries, make_person
from tests.review.studio.cast import checks_of, following, names_by_gate, studio_of


def releases_of(project):
    return reverse("review:releases", args=[project.slug])


def build_url(project):
    return reverse("review:build_release", args=[project.slug])


def test_an_empty_project_has_nothing_to_build(project, ada):
    page = client_of(ada).get(checks_of(project)).text
    assert "Checks run when a clip is complete." in page
    assert "Build and freeze" not in page


def test_checks_that_block_and_checks_that_warn(project, make_complete, ada):
    clip = make_complete("a<b>", category="", license="")
    Project.objects.update(license="")
    response = client_of(ada).get(checks_of(project))
    assert names_by_gate(response.context["following"].blocks) == {
        "category": ["a<b>"],
        "safe-names": ["a<b>"],
    }
    assert list(names_by_gate(response.context["following"].warnings)) == [
        "project-license",
        "video-licenses",
        "under-quota",
    ]
    link = reverse("annotate:clip", args=[project.slug, clip.pk])
    assert f'<a href="{link}">a&lt;b&gt;</a>' in response.text
    assert "Build and freeze</button>" in response.text
    assert "disabled>" in response.text


def test_an_admin_changes_the_checks(project, make_complete, ada):
    make_complete("dive")
    url = reverse("review:change_release_gates", args=[project.slug])
    form = client_of(ada).get(checks_of(project)).context["gates_form"]
    data = {name: field.initial for name, field in form.fields.items()}
    response = client_of(ada).post(url, {**data, "agreement-limit": "7"})
    assert response.status_code == 422
    assert "less than or equal to 1" in response.text
    changed = {"under-quota-level": "block", "short-captions-limit": "31"}
    assert client_of(ada).post(url, {**data, **changed}).url == studio_of(project)
    assert GateSetting.objects.count() == 2
    after = following(ada, project)
    assert names_by_gate(after.blocks) == {"under-quota": ["Diving (1 of 10)"]}
    assert names_by_gate(after.warnings) == {"short-captions": ["dive"]}


def test_an_admin_builds(project, make_complete, ada):
    make_complete()
    response = client_of(ada).post(
        build_url(project), {"version": "v0.1.0", "notes": "First.", "confirm": "on"}
    )
    assert response.url == f"{studio_of(project)}#build"
    page = client_of(ada).get(checks_of(project)).content.decode()
    assert page.index('id="build"') < page.index("<strong>Release 0.1.0 is being built")
    assert 'id="release-build" class="stack tight" tabindex="-1" autofocus' in page
    assert "Build and freeze" not in page
    typed = {"version": "0.2.0", "notes": "Later.", "confirm": "on"}
    refused = client_of(make_person("Alma", project, "admin")).post(build_url(project), typed)
    assert refused.status_code == 422
    assert "A release is being built. Wait until it is done" in refused.text
    assert "autofocus" not in refused.text
    live = client_of(ada).get(reverse("review:releases_live", args=[project.slug]))
    assert "HX-Refresh" not in live.headers
    job = Job.objects.get(kind="release")
    work_on(job_id=job.pk)
    release = project.releases.get()
    assert (release.version, release.created_by, release.notes) == ("0.1.0", ada, "First.")
    live = client_of(ada).get(reverse("review:releases_live", args=[project.slug]))
    assert live.headers["HX-Refresh"] == "true"
    page = client_of(ada).get(studio_of(project)).text
    assert page.index('id="build"') < page.index("Open release 0.1.0")
    refused = client_of(ada).post(build_url(project), {"version": "next", "confirm": "on"})
    assert "is not a version" in refused.text
    assert "Open release 0.1.0" not in refused.text  # good and bad news at once
    # What somebody typed meanwhile is of the next release.
    assert "Later." in page
    page = client_of(ada).get(reverse("annotate:job", args=[project.slug, job.pk]))
    assert reverse("review:release", args=[project.slug, "0.1.0"]) in page.content.decode()


def test_an_admin_cancels_a_build_where_it_was_started(project, make_complete, ada):
    make_complete()
    client_of(ada).post(build_url(project), {"version": "0.1.0", "confirm": "on"})
    job = Job.objects.get(kind="release")
    url = reverse("review:cancel_release_build", args=[project.slug, job.pk])
    assert f'action="{url}"' in client_of(ada).get(studio_of(project)).text
    client = client_of(ada)
    assert client.post(url).url == f"{studio_of(project)}#build"
    page = client.get(studio_of(project)).text
    assert "The build of release 0.1.0 is canceled." in page
    assert "Build and freeze" in page
    work_on(job_id=job.pk)
    assert not Release.objects.exists()
    assert "has already ended" in client.post(url, follow=True).text
    other = Job.objects.create(project=project, kind="labels")
    assert client.post(url.replace(f"/{job.pk}/", f"/{other.pk}/")).status_code == 404


def test_a_build_that_failed_says_why(project, make_complete, ada, anna):
    clip = make_complete()
    Path(settings.MEDIA_ROOT, clip.video.playback_file).unlink()
    client_of(ada).post(build_url(project), {"version": "0.1.0", "confirm": "on"})
    work_on(job_id=Job.objects.get(kind="release").pk)
    page = client_of(anna).get(releases_of(project)).content.decode()
    assert "Release 0.1.0 was not built on" in page
    assert f"{clip.video.playback_file} is missing" in page


def test_notes_are_kept_until_their_release_is_built(project, make_complete, ada, anna):
    make_complete()
    url = reverse("review:keep_release_notes", args=[project.slug])
    assert client_of(anna).post(url, {"notes": "x"}).status_code == 403
    assert "Notes kept." in client_of(ada).post(url, {"notes": "<b>Mine</b>"}).text
    assert client_of(ada).post(url, {"notes": "x" * 2001}).status_code == 422
    assert "&lt;b&gt;Mine&lt;/b&gt;" in client_of(ada).get(checks_of(project)).text
    build_release(project=project, version="0.1.0", admin=ada, notes="<b>Mine</b>")
    assert "Mine" not in client_of(ada).get(checks_of(project)).text


def test_the_choice_decides_what_is_built_and_stays(project, make_complete, ada):
    make_complete("dive", subcategory="Platform")
    make_complete("ball", subcategory="Street")
    url = reverse("review:choose_release_content", args=[project.slug])
    assert client_of(ada).post(url, {"left_out": "no such"}).status_code == 422
    street = next(name for name in branches_of(project) if name.endswith(": Street"))
    client_of(ada).post(url, {"left_out": [street]})
    after = following(ada, project)
    assert after.clips == 1
    client_of(ada).post(build_url(project), {"version": "0.1.0", "confirm": "on"})
    work_on(job_id=Job.objects.get(kind="release").pk)
    assert [clip.file_name for clip in Release.objects.get().clips.all()] == ["dive.mp4"]
    assert "Nothing to build" in client_of(ada).get(checks_of(project)).text
    client_of(ada).post(url, {"only_signed": "on"})
    assert following(ada, project).clips == 0
    assert "leaves no clip" in client_of(ada).get(checks_of(project)).text
    assert AuditEvent.objects.filter(verb="choose release content").count() == 2


def test_the_queries_do_not_grow_with_the_clips(project, make_complete, ada):
    counts = {}
    for clips in (1, 3):
        for number in range(project.clips.count(), clips):
            make_complete(f"clip-{number}")
        build_release(project=project, version=f"0.{clips}.0", admin=None)
        client = client_of(ada)
        for url in (studio_of(project), checks_of(project)):
            with count_queries() as count:
                assert client.get(url).status_code == 200
            counts[clips, url] = int(count)
    assert counts[1, studio_of(project)] == counts[3, studio_of(project)] <= 16
    assert counts[1, checks_of(project)] == counts[3, checks_of(project)] <= 30


def test_reports_and_votes_are_left_out_by_choice(project, make_complete, ada):
    make_complete()
    url = reverse("review:choose_release_content", args=[project.slug])
    client_of(ada).post(url, {"reports": "on"})
    assert choice_of(project).left_out_reports == dict.fromkeys(OF_VOTES, NO_VOTES)
    client_of(ada).post(url, {})
    client_of(ada).post(build_url(project), {"version": "0.1.0", "confirm": "on"})
    work_on(job_id=Job.objects.get(kind="release").pk)
    none = Release.objects.get()
    assert none.proof["reports"] == []
    assert {entry["reason"] for entry in none.proof["left_out"]} == {NO_REPORTS}
