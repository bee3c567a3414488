"""Model captions: the list, the page of a set, and the import."""

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.models import AuditEvent, Caption, Job
from inference.models import InferenceRun, RunItem
from review.captions.import_job import IMPORT_PREDICTIONS
from review.captions.models import CaptionSet
from review.captions.services import offer_set
from review.reports.models import Report
from review.reports.services import recompute
from review.rounds.services import end_round
from tests.cast import client_of, count_queries, make_clip, make_person
from tests.import_work import run_file_import
from tests.inference.cast import bare_recipe, make_model
from tests.review.comparisons.comparing import make_set, predict, start_round
from tests.review.reports.computing import failed_job
from tests.swapped_parts import send_in_place

pytestmark = pytest.mark.django_db


@pytest.fixture
def clip(project):
    return make_clip(project, original_name="dive.mp4")


@pytest.fixture
def url(project):
    return reverse("review:report_page", args=[project.slug, "caption-sets"])


def describe(clip, text="A diver jumps from a tower."):
    return Caption.objects.create(
        project_id=clip.project_id, clip=clip, kind="general", source="merged", text=text,
        word_count=6,
    )  # fmt: skip


def finished_run(project, *clips) -> InferenceRun:
    name = f"Draft {InferenceRun.objects.count()}"
    run = InferenceRun.objects.create(
        project=project, kind="caption", model=make_model(project, name=name),
        recipe=bare_recipe("caption"), recipe_hash="a" * 64, queue="gpu", state="done",
    )  # fmt: skip
    for place, run_clip in enumerate(clips):
        RunItem.objects.create(
            run=run, position=place, clip=run_clip, key=f"{place:064}", state="done",
            result=predict(run_clip, f"It dives {place}."),
        )  # fmt: skip
    return run


def upload(*rows, name="heron.jsonl") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, "\n".join(map(json.dumps, rows)).encode())


def send(person, project, file, **fields):
    url = reverse("review:import_predictions", args=[project.slug])
    return client_of(person).post(
        url, {"file-file": file, "file-name": "Heron", "file-kind": "general", **fields}
    )


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


def imported() -> Job:
    return run_file_import(IMPORT_PREDICTIONS)


def test_without_captions_it_says_what_to_do(project, clip, ada, url):
    text = client_of(ada).get(url).text
    assert "No model captions yet" in text
    assert reverse("inference:new_run", args=[project.slug]) + "?kind=caption" in text
    finished_run(project, clip)
    text = client_of(ada).get(url).text
    assert "A caption run has finished: name its model below." in text


def test_the_list_names_the_source_of_each_set(project, clip, ada, url):
    run = finished_run(project, clip)
    client_of(ada).post(
        reverse("review:make_caption_set", args=[project.slug]),
        {"run-run": run.pk, "run-name": "Egret"},
    )
    send(ada, project, upload({"clip": "dive", "caption": "It dives from a tower."}))
    assert imported().state == "done"
    text = client_of(ada).get(url).text
    assert f'<a href="{reverse("inference:run", args=[project.slug, run.pk])}">Run {run.pk}' in text
    assert '<td class="wrap-anywhere">heron.jsonl</td>' in text
    assert '<td class="num" data-label="Mean words">5</td>' in text
    # Each run makes one set.
    assert "No finished caption runs left" in text


def test_a_run_needs_a_name_that_is_free(project, clip, ada):
    run = finished_run(project, clip)
    make_set(project, "Egret", [clip])
    url = reverse("review:make_caption_set", args=[project.slug])
    for name, message in (
        ("", "This field is required."),
        ("egret", "The name “egret” is already taken"),
    ):
        response = client_of(ada).post(url, {"run-run": run.pk, "run-name": name})
        assert response.status_code == 422
        assert message in response.text
    assert CaptionSet.objects.count() == 1


def test_a_run_that_is_already_in_a_set_can_not_be_chosen(project, clip, ada):
    run = finished_run(project, clip)
    url = reverse("review:make_caption_set", args=[project.slug])
    fields = {"run-run": run.pk, "run-name": "Egret"}
    assert client_of(ada).post(url, fields).status_code == 302
    response = client_of(ada).post(url, {**fields, "run-name": "Heron"})
    assert response.status_code == 422
    assert "This run is no longer available" in response.text


def test_offering_is_stopped_and_resumed(project, clip, ada, url):
    made = make_set(project, "Heron", [clip])
    offer = reverse("review:offer_caption_set", args=[project.slug, made.pk])
    for answer, is_used, button in (("no", False, "Offer again"), ("yes", True, "Stop offering")):
        assert client_of(ada).post(offer, {"offer": answer}).status_code == 302
        made.refresh_from_db()
        assert made.is_used is is_used
        assert button in client_of(ada).get(url).text
    assert AuditEvent.objects.filter(verb="offer caption set").count() == 2
    client_of(ada).post(offer, {"offer": "yes"})
    assert AuditEvent.objects.filter(verb="offer caption set").count() == 2


def test_a_set_is_no_longer_offered_on_its_own_page(project, clip, ada):
    made = make_set(project, "Heron", [clip])
    page = reverse("review:caption_set", args=[project.slug, made.pk])
    offer = reverse("review:offer_caption_set", args=[project.slug, made.pk])
    client = client_of(ada)
    fields = dict(re.findall(r'name="(offer|page)" value="(\w+)"', client.get(page).text))
    answer = send_in_place(client, page, offer, fields)
    assert answer.redirect_chain == [(page, 302)]
    assert "Heron is no longer offered" in answer.text
    assert "Offer again" in answer.text
    assert client.post(offer, {"offer": "yes", "page": "set"}).url == page


def test_the_list_shows_the_overlap_with_its_signature(project, clip, ada, url):
    describe(clip)
    make_set(project, "Heron", [clip], "A diver jumps from a tower.")
    text = client_of(ada).get(url).text
    assert "Not computed yet" in text
    [report] = recompute(project=project, name="overlap")
    text = client_of(ada).get(url).text
    assert report.signature in text
    assert '<span class="number">100.0</span>' in text
    assert "CIDEr weighs words by how few clips" in text
    assert "don’t match people’s preferences" in text
    assert "Out of date" not in text
    describe(clip, "Another text.")
    assert "Out of date" in client_of(ada).get(url).text


def store_newer_report(report, **result):
    """Store a newer report with these parts of its result; a stored report never changes."""
    Report.objects.create(
        project=report.project, name=report.name, subject=report.subject,
        parameters=report.parameters, inputs_hash=f"{result['n']:064}", inputs=1,
        code_version=report.code_version, signature="later",
        result={**report.result, **result},
    )  # fmt: skip


def test_a_number_close_to_zero_is_shown_as_zero(project, clip, ada, url):
    describe(clip)
    made = make_set(project, "Heron", [clip])
    [report] = recompute(project=project, name="overlap")
    tiny = {"value": 8.932872109493038e-227, "low": 0.0, "high": 2.67e-226, "reason": ""}
    store_newer_report(report, cider=tiny, n=10)
    for address in (url, reverse("review:caption_set", args=[project.slug, made.pk])):
        text = client_of(ada).get(address).text
        assert 'CIDEr"><span class="number">0.0</span>' in text
        assert "0.0 to 0.0" in text
        assert "e-22" not in text


def test_an_overlap_of_few_clips_has_no_interval_and_says_why(project, clip, ada, url):
    describe(clip)
    made = make_set(project, "Heron", [clip])
    [report] = recompute(project=project, name="overlap")
    wide = {"value": 0.5, "low": 0.1, "high": 9.5, "reason": ""}
    alone = reverse("review:caption_set", args=[project.slug, made.pk])
    warning = "Only 9 clips: the numbers say little, and an interval needs at least 10."
    for clips, is_shown in ((9, False), (10, True)):
        store_newer_report(report, cider=wide, n=clips)
        for address in (url, alone):
            text = client_of(ada).get(address).text
            assert ("0.1 to 9.5" in text) == is_shown
            assert (warning in text) == (not is_shown)


def test_a_bar_has_the_same_length_on_the_sets_page_and_in_the_list(project, clip, ada, url):
    describe(clip)
    made = make_set(project, "Heron", [clip], "A diver turns.")
    make_set(project, "Egret", [clip], "A diver jumps from a tower.")
    recompute(project=project, name="overlap")
    bar = '<rect class="bar" width="{}" y="0.25"'
    alone = client_of(ada).get(reverse("review:caption_set", args=[project.slug, made.pk])).text
    for text in (client_of(ada).get(url).text, alone):
        [rouge] = re.findall(r'"ROUGE-L"><span class="number">41.9</span>.*?</td>', text)
        assert bar.format("41.92") in rouge


def test_a_set_that_is_not_offered_awaits_no_numbers(project, clip, ada):
    describe(clip)
    made = make_set(project, "Heron", [clip])
    offer_set(caption_set=made, is_used=False, admin=None)
    page = reverse("review:caption_set", args=[project.slug, made.pk])
    assert "Not computed while these captions are not offered." in client_of(ada).get(page).text


def test_errors_are_at_the_top_with_the_focus(project, clip, ada):
    make_set(project, "Heron", [clip])
    taken = send(ada, project, upload({"clip": "dive", "caption": "It dives."}))
    refused = r'<div class="callout danger"\s+id="refused".*?</ul>'
    [summary] = re.findall(refused, taken.text, re.S)
    assert re.search(r'tabindex="-1"\s+autofocus', summary)
    assert "The name “Heron” is already taken. Choose another." in summary
    nameless = send(ada, project, upload({"clip": "dive"}), **{"file-name": ""})
    assert '<a href="#id_file-name">Name</a>: This field is required.' in nameless.text


def test_it_says_that_clips_without_a_human_caption_are_left_out(project, clip, ada, url):
    describe(clip)
    made = make_set(project, "Heron", [clip, make_clip(project), make_clip(project)])
    recompute(project=project, name="overlap")
    for address in (url, reverse("review:caption_set", args=[project.slug, made.pk])):
        text = client_of(ada).get(address).text
        assert '"Clips">1 <span class="muted small">of 3</span>' in text
        assert "Only clips with a current human caption count" in text


def test_without_a_human_caption_it_says_so(project, clip, ada, url):
    make_set(project, "Heron", [clip])
    assert "No clip has a human caption of this kind yet." in client_of(ada).get(url).text


def test_the_last_error_is_shown(project, clip, ada, url):
    make_set(project, "Heron", [clip])
    failed_job(project, "overlap", "No memory is left.")
    assert "No memory is left." in client_of(ada).get(url).text


def test_the_page_of_a_set_escapes_its_texts_beside_the_human_ones(project, clip, ada):
    describe(clip, "A <diver>.")
    made = make_set(project, "<b>Heron", [clip], "<script>alert(1)</script>")
    page = reverse("review:caption_set", args=[project.slug, made.pk])
    text = client_of(ada).get(page).text
    assert "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>" in text
    assert "<p>A &lt;diver&gt;.</p>" in text
    assert "&lt;b&gt;Heron</h1>" in text
    assert "<b>Heron" not in text
    assert "alert(1)" not in client_of(ada).get(f"{page}?q=jump").text


def test_captions_are_in_pages(project, ada):
    clips = [make_clip(project, original_name=f"clip-{number:02}.mp4") for number in range(21)]
    made = make_set(project, "Heron", clips)
    page = reverse("review:caption_set", args=[project.slug, made.pk])
    assert "1–20 of 21 captions" in client_of(ada).get(page).text
    text = client_of(ada).get(f"{page}?page=2").text
    assert "clip-20" in text
    assert "clip-19" not in text
    assert "q=clip&amp;page=2" in client_of(ada).get(f"{page}?q=clip").text


def test_a_reviewer_is_warned_while_a_round_runs(project, clip, ada):
    round = start_round(project, [clip])
    made = CaptionSet.objects.first()
    page = reverse("review:caption_set", args=[project.slug, made.pk])
    both = make_person("Bo", project, "admin", "reviewer")
    warning = "a caption means that your vote on it is no longer blind."
    assert warning in client_of(both).get(page).text
    assert warning not in client_of(ada).get(page).text
    end_round(round=round, admin=None)
    assert warning not in client_of(both).get(page).text


def test_three_sets_need_as_many_queries_as_one(project, ada, url):
    def count(page):
        client = client_of(ada)
        client.get(page)
        with count_queries() as counted:
            assert client.get(page).status_code == 200
        return int(counted)

    def add(*names):
        for name in names:
            clip = make_clip(project)
            describe(clip)
            made = make_set(project, name, [clip])
            run = finished_run(project, clip)
            run.model = None
            run.save()
        recompute(project=project, name="overlap")
        return made

    made = add("One")
    counts_of_one = count(url), count(reverse("review:caption_set", args=[project.slug, made.pk]))
    made = add("Two", "Three")
    assert (
        count(url),
        count(reverse("review:caption_set", args=[project.slug, made.pk])),
    ) == counts_of_one
    offer_set(caption_set=made, is_used=False, admin=None)
    assert count(url) == counts_of_one[0]


def test_a_page_of_three_captions_needs_as_many_queries_as_of_one(project, ada):
    counts = []
    for name, many in (("One", 1), ("Three", 3)):
        clips = [make_clip(project) for _ in range(many)]
        for clip in clips:
            describe(clip)
        made = make_set(project, name, clips)
        with count_queries() as counted:
            client_of(ada).get(reverse("review:caption_set", args=[project.slug, made.pk]))
        counts.append(int(counted))
    assert counts[0] == counts[1]
