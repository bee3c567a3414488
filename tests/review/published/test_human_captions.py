"""The pages on which admins check, import and remove human captions."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.jobs.services.working import work_on
from annotate.models import Caption, Job
from review.published.models import HumanImport
from review.published.plan import PublishedInvalid
from tests.cast import client_of, count_queries
from tests.review.cast import open_clip, write
from tests.review.published.publishing import as_json, carebench_row, check, import_captions

pytestmark = pytest.mark.django_db


@pytest.fixture
def clip(project):
    return open_clip(project, "dive")


@pytest.fixture
def url(project):
    return reverse("review:human_captions", args=[project.slug])


def send(project, ada, data: bytes, name="CaReBench v1"):
    return client_of(ada).post(
        reverse("review:check_human_captions", args=[project.slug]),
        {"name": name, "file": SimpleUploadedFile("metadata.json", data)},
        follow=True,
    )


def test_a_file_is_checked_then_imported_by_a_worker(project, clip, ada, url):
    response = send(project, ada, as_json(carebench_row("dive")))
    assert "What will be imported" in response.text
    assert "1 clip that nobody has begun, taken out" in " ".join(response.text.split())
    assert not Caption.objects.exists()
    checked = HumanImport.objects.get()
    run = reverse("review:import_human_captions", args=[project.slug, checked.pk])
    response = client_of(ada).post(run, follow=True)
    assert response.redirect_chain == [(url, 302)]
    assert "has been importing" in response.text
    job = Job.objects.get(kind="human-captions")
    work_on(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.job_items.get().note) == ("done", "3 human captions.")
    page = client_of(ada).get(url).text
    assert "CaReBench v1" in page
    # A second press of the button imports nothing twice.
    assert "was imported already" in client_of(ada).post(run, follow=True).text
    assert Caption.objects.count() == 3


def test_a_fault_is_shown_and_nothing_kept(project, clip, ada):
    row = carebench_row("<b>nowhere</b>")
    response = send(project, ada, as_json(row))
    assert response.status_code == 422
    assert "entry 1" in response.text
    assert "&lt;b&gt;nowhere" in response.text
    assert not HumanImport.objects.exclude(preview__has_key="faults").exists()


def test_a_video_is_refused_by_its_kind_and_not_its_size(project, ada):
    response = send(project, ada, b"\0\0\0\x20ftypisom".ljust(9 * 2**20, b"\0"))
    assert response.status_code == 422
    assert "Upload it under Corpus → Upload videos." in response.text
    assert "MiB. Import it" not in response.text


def test_a_name_that_is_taken_is_refused_at_its_field(project, clip, ada):
    import_captions(project, as_json(carebench_row("dive")))
    response = send(project, ada, as_json(carebench_row("dive")))
    assert response.status_code == 422
    assert "were imported already" in response.text


def test_removing_needs_a_tick(project, clip, ada, url):
    human_import = import_captions(project, as_json(carebench_row("dive")))
    remove = reverse("review:remove_human_captions", args=[project.slug, human_import.pk])
    response = client_of(ada).post(remove)
    assert response.status_code == 422
    assert "Tick this box" in response.text
    assert Caption.objects.count() == 3
    response = client_of(ada).post(remove, {"confirm": "on"}, follow=True)
    assert response.redirect_chain == [(url, 302)]
    assert "Removed 3 captions of CaReBench v1." in response.text


def test_the_page_of_an_import_says_what_builds_on_it(project, clip, ada):
    human_import = import_captions(project, as_json(carebench_row("dive")))
    general = Caption.objects.get(kind="general")
    child = Caption.objects.create(
        project=project, clip=clip, kind="general", source="corrected", text="A.", word_count=1
    )
    child.parents.add(general)
    page = reverse("review:human_import", args=[project.slug, human_import.pk])
    assert "used by 1 captions made of them" in client_of(ada).get(page).text


def test_the_clips_page_names_the_data_set(project, clip, ada):
    import_captions(project, as_json(carebench_row("dive")))
    page = client_of(ada).get(reverse("annotate:clip", args=[project.slug, clip.pk])).text
    assert "Human caption of a published data set" in page
    assert page.count("Imported from CaReBench v1") == 3


def test_who_could_write_the_clip_does_not_read_its_imported_caption(project, anna, ben):
    clip = open_clip(project, "dive")
    write(project, clip, ben)
    import_captions(project, as_json(carebench_row("dive")))
    page = client_of(anna).get(reverse("annotate:clip", args=[project.slug, clip.pk])).text
    assert "A diver named dive" not in page


def test_the_queries_do_not_grow_with_the_imports(project, ada, url):
    counts = {}
    for imports in (1, 3):
        for number in range(HumanImport.objects.count(), imports):
            open_clip(project, f"clip-{number}")
            data = as_json(carebench_row(f"clip-{number}"))
            import_captions(project, data, name=f"Set {number}")
        client = client_of(ada)
        with count_queries() as count:
            assert client.get(url).status_code == 200
        counts[imports] = int(count)
    assert counts[1] == counts[3]


def test_a_checked_file_waits_beside_others_and_is_imported_as_it_was_checked(project, ada):
    open_clip(project, "dive")
    client = client_of(ada)
    checked = check(project, as_json(carebench_row("dive")), name="First")
    page = reverse("review:human_import", args=[project.slug, checked.pk])
    seen = checked.sha256
    check(project, as_json(carebench_row("dive")), name="Second")
    with pytest.raises(PublishedInvalid):
        check(project, as_json(carebench_row("nowhere")), name="Third")
    assert client.get(page).status_code == 200
    listed = client.get(reverse("review:human_captions", args=[project.slug])).text
    assert "First" in listed
    assert "Second" in listed
    again = check(project, as_json(carebench_row("dive", caption="Other.")), name="first")
    assert again.pk == checked.pk
    run = reverse("review:import_human_captions", args=[project.slug, checked.pk])
    answer = client.post(run, {"sha256": seen}, follow=True)
    assert "Another file was checked as first meanwhile" in answer.text
    assert not Job.objects.exists()
    remove = reverse("review:remove_human_captions", args=[project.slug, checked.pk])
    assert "Discarded first." in client.post(remove, {"confirm": "on"}, follow=True).text
    client.post(reverse("review:import_human_captions", args=[project.slug, checked.pk]))
    assert [waiting.name for waiting in HumanImport.objects.all()] == ["Second"]
