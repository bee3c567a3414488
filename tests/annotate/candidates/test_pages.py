"""The pages of the candidates: import, list, decide by button, several at once, and undo."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.candidates.decisions import reject_candidates
from annotate.jobs.services.working import work_on
from annotate.models import Candidate, Job, Video
from tests.annotate.candidates.cast import annotated, bring_in, candidate
from tests.cast import client_of, count_queries, make_project, make_video
from tests.swapped_parts import send_in_place

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(autouse=True)
def media_root(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def project(db):
    return make_project(quota_min=2, quota_max=3)


@pytest.fixture
def film(project):
    make_video(project, original_name="v_1.mp4")
    bring_in(project, annotated(v_1=[("dig", 0, 2), ("dig", 2, 4), ("swim", 4, 9)]))
    return Video.objects.get()


def address(project, name="candidates", *arguments):
    return reverse(f"annotate:{name}", args=[project.slug, *arguments])


def decide(project, ada, name, **fields):
    key = candidate(name).pk
    return client_of(ada).post(address(project, "decide_candidate", key), fields, follow=True)


def test_a_file_is_imported_from_the_page(project, ada):
    make_video(project, original_name="v_1.mp4")
    url = address(project, "add_candidates")
    data = json.dumps(annotated(v_1=[("dig", 0, 2)])).encode()
    reply = client_of(ada).post(
        url, {"annotations": SimpleUploadedFile("gt.json", data)}, follow=True
    )
    assert "gt.json</span> has been importing since" in reply.text
    job = Job.objects.get(kind="candidates")
    work_on(job_id=job.pk)
    assert "1 new candidate." in client_of(ada).get(url).text
    page = client_of(ada).get(address(project)).text
    assert "v_1_1" in page
    assert "2 missing" in page


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        (b"{", "JSON: Expecting"),
        (json.dumps(annotated(v_1=[("", 0, 2)])).encode(), "v_1, annotation 1"),
    ],
)
def test_a_broken_file_changes_nothing_and_says_what_to_fix(project, ada, content, sentence):
    reply = client_of(ada).post(
        address(project, "add_candidates"),
        {"annotations": SimpleUploadedFile("gt.json", content)},
    )
    assert (reply.status_code, sentence in reply.text) == (422, True)
    assert not Job.objects.exists()


def test_an_import_that_finds_no_video_fails_with_the_reason(project, ada):
    data = json.dumps(annotated(v_1=[("dig", 0, 2)])).encode()
    client_of(ada).post(
        address(project, "add_candidates"), {"annotations": SimpleUploadedFile("gt.json", data)}
    )
    work_on(job_id=Job.objects.get().pk)
    assert "Import the videos first" in client_of(ada).get(address(project, "add_candidates")).text


def test_without_candidates_the_page_says_what_they_are(project, ada):
    assert "No candidates yet" in client_of(ada).get(address(project)).text


def test_selecting_moves_on_to_the_next_and_can_be_undone(project, film, ada):
    reply = decide(project, ada, "v_1_1", action="select")
    second = candidate("v_1_2")
    first = candidate("v_1_1")
    assert reply.redirect_chain == [
        (f"{address(project, 'candidate', second.pk)}?last={first.pk}", 302)
    ]
    assert "v_1_1 is selected." in reply.text
    assert Job.objects.get(kind="cut_candidates").is_active
    reply = decide(project, ada, "v_1_1", action="undo")
    assert reply.redirect_chain == [(address(project, "candidate", first.pk), 302)]
    assert candidate("v_1_1").state == "undecided"
    assert "undecided" in reply.text


def test_rejecting_needs_a_reason_which_is_kept_and_escaped(project, film, ada):
    reply = decide(project, ada, "v_1_1", action="reject", reason=" ")
    assert (reply.status_code, candidate("v_1_1").state) == (422, "undecided")
    assert "Give a reason" in reply.text
    decide(project, ada, "v_1_1", action="reject", reason=HOSTILE)
    rejected = candidate("v_1_1")
    assert (rejected.state, rejected.reason, rejected.decided_by) == ("rejected", HOSTILE, ada)
    for url in (f"{address(project)}?state=rejected", address(project, "candidate", rejected.pk)):
        page = client_of(ada).get(url).text
        assert HOSTILE not in page
        assert "&lt;script&gt;alert(1)" in page


def test_the_last_one_leads_back_to_the_list(project, film, ada):
    Candidate.objects.exclude(pk=candidate("v_1_3").pk).update(state="rejected")
    reply = decide(project, ada, "v_1_3", action="select")
    assert reply.redirect_chain == [(address(project), 302)]


@pytest.mark.parametrize("action", ["", "withdraw", "take-back", "undo", "x"])
def test_what_is_not_possible_now_is_refused(project, film, ada, action):
    reply = decide(project, ada, "v_1_1", action=action, reason="Why.")
    assert (reply.status_code, candidate("v_1_1").state) == (422, "undecided")


def test_a_clip_is_withdrawn_and_taken_back_from_its_page(project, film, ada):
    cut = make_video(project)
    Candidate.objects.filter(pk=candidate("v_1_1").pk).update(state="selected", cut=cut)
    pages = [
        decide(project, ada, "v_1_1", action=action, reason=reason)
        for action, reason in (("withdraw", " "), ("withdraw", "Dark."), ("take-back", ""))
    ]
    assert [page.status_code for page in pages] == [422, 200, 200]
    assert "Withdrew v_1_1. All texts and drafts are kept." in pages[1].text
    assert "v_1_1 is in the benchmark again, with its work." in pages[2].text
    cut.refresh_from_db()
    assert cut.excluded_because == ""


def test_only_a_decision_that_can_be_undone_is_offered_as_the_last(project, film, ada):
    first, second = candidate("v_1_1"), candidate("v_1_2")
    page = client_of(ada).get(f"{address(project, 'candidate', second.pk)}?last={first.pk}")
    assert page.context["last"] is None


def test_a_second_import_waits_for_the_first(project, film, ada):
    url, admin = address(project, "add_candidates"), client_of(ada)
    data = json.dumps(annotated(v_1=[("dig", 0, 2)])).encode()
    pages = [admin.post(url, {"annotations": SimpleUploadedFile("gt.json", data)}) for _ in "ab"]
    assert [page.status_code for page in pages] == [302, 422]


def test_several_are_decided_at_once_or_none(project, film, ada):
    url = f"{address(project, 'decide_candidates')}?state=undecided&subcategory=dig"
    keys = [candidate(name).pk for name in ("v_1_1", "v_1_2")]
    admin = client_of(ada)
    for fields, sentence in [
        ({"action": "select"}, "Choose candidates first."),
        ({"action": "reject", "candidate": keys}, "Give a reason"),
        ({"action": "select", "candidate": [*keys, 10**9]}, "10"),
    ]:
        reply = admin.post(url, fields)
        assert (reply.status_code, sentence in reply.text) == (422, True)
    assert Candidate.objects.filter(state="undecided").count() == 3
    reply = admin.post(url, {"action": "reject", "candidate": keys, "reason": "Dark."}, follow=True)
    assert "Rejected 2 candidates." in reply.text
    assert reply.redirect_chain[0][0].endswith("?state=undecided&subcategory=dig")
    admin.post(url, {"action": "select", "candidate": keys[:1]})
    assert [candidate(name).state for name in ("v_1_1", "v_1_2", "v_1_3")] == [
        "selected", "rejected", "undecided",
    ]  # fmt: skip


def test_candidates_of_another_project_can_not_be_decided_here(project, film, ada):
    other = make_project("Other")
    make_video(other, original_name="v_9.mp4")
    bring_in(other, annotated(v_9=[("dig", 0, 2)]))
    strange = candidate("v_9_1")
    reply = client_of(ada).post(
        address(project, "decide_candidates"), {"action": "select", "candidate": [strange.pk]}
    )
    assert reply.status_code == 422
    url = reverse("annotate:decide_candidate", args=[project.slug, strange.pk])
    assert client_of(ada).post(url, {"action": "select"}).status_code == 404
    assert candidate("v_9_1").state == "undecided"


def test_the_list_filters_by_state_and_subcategory(project, film, ada):
    reject_candidates(project=project, keys=[candidate("v_1_3").pk], reason="Dark.", admin=ada)
    admin = client_of(ada)

    def names(query):
        return [each.name for each in admin.get(address(project) + query).context["page"]]

    assert names("") == ["v_1_1", "v_1_2"]
    assert names("?state=rejected") == ["v_1_3"]
    assert names("?state=rejected&subcategory=dig") == []
    assert names("?state=nonsense&subcategory=nonsense&page=x") == ["v_1_1", "v_1_2"]


def test_selected_candidates_that_no_worker_cuts_can_be_cut_from_the_page(project, film, ada):
    Candidate.objects.filter(pk=candidate("v_1_1").pk).update(state="selected")
    admin = client_of(ada)
    assert "isn’t a clip yet" in admin.get(address(project)).text
    cut = address(project, "cut_candidates")
    answer = send_in_place(admin, address(project), cut)
    assert answer.redirect_chain == [(address(project), 302)]
    assert admin.post(cut).url == address(project)
    progress = " ".join(admin.get(address(project, "cutting_live")).text.split())
    assert "1 selected candidate is being cut into a clip." in progress


@pytest.mark.parametrize("tab", ["undecided", "rejected", "selected"])
def test_the_list_costs_the_same_with_one_candidate_and_with_three(project, ada, tab):
    make_video(project, original_name="v_1.mp4")
    bring_in(project, annotated(v_1=[("dig", 0, 2)]))
    Candidate.objects.update(state=tab, decided_by=ada)
    admin = client_of(ada)
    url = f"{address(project)}?state={tab}"
    admin.get(url)
    with count_queries() as first:
        admin.get(url)
    bring_in(project, annotated(v_1=[("dig", 0, 2), ("swim", 2, 4), ("dig", 4, 9)]))
    Candidate.objects.update(state=tab, decided_by=ada)
    with count_queries() as third:
        admin.get(url)
    assert int(third) == int(first)


def test_the_command_imports_and_says_what_it_did(project, tmp_path):
    make_video(project, original_name="v_1.mp4")
    path = tmp_path / "gt.json"
    path.write_text(json.dumps(annotated(v_1=[("dig", 0, 2)])))
    out = StringIO()
    call_command("import_candidates", project.slug, path, here=True, stdout=out)
    assert out.getvalue().endswith("1 new candidate.\n")
    path.write_text(json.dumps(annotated(v_1=[("", 0, 2)])))
    errors = StringIO()
    with pytest.raises(CommandError, match="Nothing was imported: 1 thing has"):
        call_command("import_candidates", project.slug, path, here=True, stderr=errors)
    assert "v_1, annotation 1, label" in errors.getvalue()
    with pytest.raises(CommandError, match="can't be read"):
        call_command("import_candidates", project.slug, tmp_path / "gone.json", here=True)
