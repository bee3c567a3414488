"""The pages of CapST: starting, watching, the tables, and one clip."""

import re

import pytest
from django.urls import reverse

from annotate.jobs.services.ending import recount_items
from annotate.models import WorkItem
from inference.models import ModelSpec
from review.capst.models import CapstItem, CapstRun
from review.elements.models import Extraction
from review.reports.services import recompute, recompute_later
from tests.cast import client_of, count_queries, join, make_cast, make_project
from tests.review.capst.capst_runs import (
    PREDICTION,
    caption,
    described_clip,
    judge,
    planned,
    predictions,
    start,
    word_overlap,
)
from tests.review.reports.addresses import address
from tests.review.reports.computing import work_on_report
from tests.work import hold

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept):
    project = make_project()
    clip = described_clip(project)
    captions = predictions(project, "Model A", {clip: PREDICTION})
    return {"project": project, **make_cast(project), "clip": clip, "captions": captions}


@pytest.fixture
def clip(shared):
    return shared["clip"]


@pytest.fixture
def captions(shared):
    return shared["captions"]


@pytest.fixture
def run(project, captions):
    return judge(run=start(project, captions, word_overlap(project)))


def page_of(person, project, name="capst", *args, **query) -> str:
    url = address(name, project, *args)
    response = client_of(person).get(url, query)
    assert response.status_code == 200
    return response.content.decode()


def post(person, project, name, *args, **data):
    url = address(name, project, *args)
    return client_of(person).post(url, data, follow=True)


class TestStarting:
    def test_an_admin_has_captions_judged(self, project, captions, ada):
        model = word_overlap(project)
        response = post(
            ada, project, "start_capst_run", caption_set=captions.pk, preset="official",
            extractor=model.pk, judge=model.pk,
        )  # fmt: skip
        run = CapstRun.objects.get()
        assert (run.caption_set, run.preset, run.created_by) == (captions, "official", ada)
        assert response.redirect_chain[-1][0].endswith("/capst/?preset=official")

    def test_one_button_has_all_sets_judged(self, project, clip, captions, ada):
        predictions(project, "Model B", {clip: "A dog."})
        predictions(project, "Model C", {})
        model = word_overlap(project)
        assert '<option value="0">All 3 sets</option>' in page_of(ada, project)
        response = post(
            ada, project, "start_capst_run", caption_set=0, preset="default",
            extractor=model.pk, judge=model.pk,
        )  # fmt: skip
        runs = CapstRun.objects.order_by("pk")
        assert [str(run.caption_set) for run in runs] == ["Model A", "Model B"]
        assert "2 sets of captions are being judged." in response.content.decode()
        assert "Model C: No clip with these captions has" in response.content.decode()

    def test_one_set_is_not_called_all(self, project, captions, ada):
        word_overlap(project)
        assert "All 1 sets" not in page_of(ada, project)

    def test_a_wrong_choice_is_refused_and_starts_nothing(self, project, captions, ada):
        model = word_overlap(project)
        response = post(
            ada, project, "start_capst_run", caption_set=captions.pk, preset="best",
            extractor=model.pk, judge=99,
        )  # fmt: skip
        assert (response.status_code, CapstRun.objects.count()) == (422, 0)
        assert "best is not one of the available choices" in response.content.decode()

    def test_a_model_that_was_retired_can_not_be_chosen(self, project, captions, ada):
        model = word_overlap(project)
        ModelSpec.objects.update(is_active=False)
        response = post(ada, project, "find_elements", preset="default", extractor=model.pk)
        assert (response.status_code, CapstRun.objects.count()) == (422, 0)

    def test_the_elements_of_the_human_captions_come_first(self, project, clip, ada):
        post(ada, project, "find_elements", preset="default", extractor=word_overlap(project).pk)
        run = CapstRun.objects.get()
        assert (run.caption_set, run.judge) == (None, None)
        judge(run=run)
        page = post(ada, project, "hand_out_elements", preset="default").content.decode()
        assert "2 captions wait for a check under My work." in page
        assert WorkItem.objects.filter(kind="elements").count() == 2

    def test_a_refusal_is_shown(self, project, captions, ada):
        model = word_overlap(project)
        start(project, captions, model)
        fields = {"caption_set": captions.pk, "preset": "default", "extractor": model.pk,
                "judge": model.pk}  # fmt: skip
        assert (
            "judging these captions now"
            in post(ada, project, "start_capst_run", **fields).content.decode()
        )

    def test_a_run_is_cancelled_and_resumed(self, project, captions, ada):
        run = planned(start(project, captions, word_overlap(project)))
        assert (
            "The captions judged so far are kept"
            in post(ada, project, "cancel_capst_run", run.pk).content.decode()
        )
        assert "Retrying 1 clip." in post(ada, project, "resume_capst_run", run.pk).content.decode()
        run.refresh_from_db()
        assert run.state == "waiting"


class TestPage:
    def test_a_project_without_anything_says_what_to_do(self, rita):
        project = make_project("Other")
        join(project, rita, "reviewer")
        page = page_of(rita, project)
        assert "No judge yet" in page
        word_overlap(project)
        assert "No human captions yet" in page_of(rita, project)
        described_clip(project)
        assert "No model captions yet" in page_of(rita, project)
        predictions(project, "A", {})
        assert "No results yet" in page_of(rita, project)

    def test_the_tables_are_those_of_the_paper(self, project, run, rita):
        recompute(project=project, name="capst")
        page = page_of(rita, project)
        # Objects: recall 3 of 3, precision 3 of 4.
        assert '<span class="f1">85.7</span> / 100.0 / 75.0' in page
        assert '<span class="f1">0.0</span> / 50.0 / 0.0' in page
        assert "Household" in page
        assert "judge:word-overlap 1|" in page
        assert "Old" not in page

    def test_dropped_and_failed_lists_are_counted(self, project, captions, rita):
        run = judge(run=start(project, captions, word_overlap(project), preset="official"))
        item = run.items.get()
        item.results["events"]["predicted"] |= {"judged": None, "failure": "No JSON."}
        CapstItem.objects.update(results=item.results, state="failed")
        recompute(project=project, name="capst")
        page = page_of(rita, project, preset="official")
        counts = {"recall": (0, 0, 0, 1, 0, 0, 0, 0, 0), "precision": (0, 0, 1, 0, 0, 0, 0, 0, 0)}
        for name, row in counts.items():
            cells = "".join(f'<td class="num">{count}</td>' for count in row)
            assert f'<th scope="row">Events, {name}</th>{cells}' in page

    def test_the_official_choices_have_a_page_of_their_own(self, project, run, rita):
        recompute(project=project, name="capst")
        assert '<span class="f1">' not in page_of(rita, project, preset="official")
        assert "<h2" in page_of(rita, project, preset="nonsense")

    def test_each_difference_is_named(self, project, rita):
        page = page_of(rita, project)
        assert "Equation 2 divides R by the predicted elements" in page
        assert "It scores 1.0" in page

    def test_a_finished_run_that_is_in_no_report_is_named(self, project, run, rita):
        assert "Not in the tables yet: Model A" in page_of(rita, project)

    def test_models_judged_differently_are_warned_about(self, project, clip, run, rita):
        other = predictions(project, "Model B", {clip: "A dog."})
        second = start(project, other, word_overlap(project))
        CapstRun.objects.filter(pk=second.pk).update(
            state="done",
            judge_recipe=second.judge_recipe | {"backend": "openai-compatible", "model_id": "big"},
        )
        assert "were judged in different ways" not in page_of(rita, project)
        recompute(project=project, name="capst")
        page = page_of(rita, project)
        assert "were judged in different ways" in page
        assert "judged by big, prompts 2" in page

    def test_lists_corrected_since_are_counted(self, project, run, rita, anna):
        recompute(project=project, name="capst")
        parent = Extraction.objects.get(caption__kind="temporal", kind="events")
        Extraction.objects.create(
            caption=parent.caption, kind="events", author=anna, parent=parent, recipe=parent.recipe,
            method=parent.method,
        )  # fmt: skip
        assert "For 1 clip, a list or a human caption has changed" in page_of(rita, project)

    def test_failures_are_counted_and_lead_to_the_clips(self, project, captions, rita, ada):
        run = judge(run=start(project, captions, word_overlap(project)))
        CapstItem.objects.update(state="failed", reason="It is not JSON.", reply="Sure! A woman")
        recount_items([run.pk])
        for name in ("capst", "capst:live"):
            page = page_of(rita, project, name)
            assert f'runs/{run.pk}/?state=failed">1 failed</a>' in page
            assert "It is not JSON." not in page
            assert "Retry failures" not in page
        assert "Retry failures" in page_of(ada, project)

    def test_a_stopped_run_says_how_to_fix_it(self, project, captions, ada):
        run = start(project, captions, word_overlap(project))
        CapstRun.objects.filter(pk=run.pk).update(state="failed", reason="Set the key.")
        page = page_of(ada, project)
        assert "Set the key." in page
        assert "Resume" in page

    def test_the_page_polls_the_state_of_a_run_in_progress(
        self, project, captions, rita, django_capture_on_commit_callbacks
    ):
        run = planned(start(project, captions, word_overlap(project)))
        url = reverse("review:report_live", args=[project.slug, "capst"])
        response = client_of(rita).get(url)
        assert "HX-Refresh" not in response.headers
        assert "0 of 1 clips" in response.content.decode()
        judge(run=run)
        with django_capture_on_commit_callbacks(execute=True):
            recompute_later(project.pk, "capst")
        response = client_of(rita).get(url)
        assert "HX-Refresh" not in response.headers
        assert "A worker will compute the numbers." in response.content.decode()
        work_on_report(project, "capst")
        assert client_of(rita).get(url).headers["HX-Refresh"] == "true"

    def test_queries_do_not_grow_with_models_runs_and_clips(self, project, rita):
        def grow(names, clips):
            new_clips = [described_clip(project) for _ in range(clips)]
            for name in names:
                captions = predictions(project, name, dict.fromkeys(new_clips, PREDICTION))
                judge(run=start(project, captions, word_overlap(project)))
            recompute(project=project, name="capst")

        grow("A", 1)
        client = client_of(rita)
        url = reverse("review:report_page", args=[project.slug, "capst"])
        client.get(url)
        with count_queries() as before:
            client.get(url)
        grow("BC", 3)
        with count_queries() as after:
            client.get(url)
        assert int(before) == int(after)


class TestRun:
    def test_its_clips_are_listed_with_their_shares(self, project, run, rita):
        page = page_of(rita, project, "capst_run", run.pk)
        shares = re.findall(r'data-label="([^"]+)">([^<]+ %)</td>', page)
        assert shares == [
            ("Events recall", "50 %"),
            ("Events precision", "0 %"),
            ("Objects recall", "100 %"),
            ("Objects precision", "75 %"),
        ]
        assert "No clip is in this state" in page_of(
            rita, project, "capst_run", run.pk, state="failed"
        )

    def test_a_failed_clip_shows_the_reason(self, project, run, rita):
        CapstItem.objects.update(state="failed", reason="It is <b>no</b> JSON.")
        page = page_of(rita, project, "capst_run", run.pk, state="failed")
        assert "It is &lt;b&gt;no&lt;/b&gt; JSON." in page

    def test_queries_do_not_grow_with_the_clips(self, project, captions, clip, rita):
        word = word_overlap(project)
        one_run = judge(run=start(project, captions, word))
        clips = [described_clip(project) for _ in range(3)]
        many = predictions(project, "B", dict.fromkeys(clips, PREDICTION))
        many_run = judge(run=start(project, many, word))
        client = client_of(rita)
        counts = []
        for run in (one_run, one_run, many_run):
            with count_queries() as count:
                client.get(reverse("review:capst_run", args=[project.slug, run.pk]))
            counts.append(int(count))
        assert counts[1] == counts[2]

    def test_a_clip_shows_every_judgment_and_why(self, project, run, rita):
        page = page_of(rita, project, "capst_clip", run.pk, run.items.get().pk)
        assert "She slices a tomato" in page
        assert "Not in the text: picks, knife." in page
        assert "3 of 4" in page
        assert "List: word-overlap 1" in page
        assert PREDICTION in page

    def test_elements_are_escaped(self, project, clip, rita):
        caption(clip, "spatial", "A red <b>cup</b><script>alert(1)</script>.")
        captions = predictions(project, "<i>A</i>", {clip: "A <img src=x> cup."})
        run = judge(run=start(project, captions, word_overlap(project)))
        page = page_of(rita, project, "capst_clip", run.pk, run.items.get().pk)
        assert "<script>alert" not in page
        assert "<img src=x>" not in page
        assert "<i>A</i>" not in page

    def test_a_reviewer_who_still_votes_on_the_clip_sees_no_prediction(
        self, project, clip, run, rita
    ):
        item = run.items.get()
        reply = f"Sure! In “{PREDICTION}” there are"
        reason = f"Judgment 1: “{PREDICTION}” is not a relationship."
        CapstItem.objects.update(state="failed", reason=reason, reply=reply)
        assert reply in page_of(rita, project, "capst_clip", run.pk, item.pk)
        assert reason in page_of(rita, project, "capst_clip", run.pk, item.pk)
        assert reason in page_of(rita, project, "capst_run", run.pk)
        vote = WorkItem.objects.create(
            project=project, clip=clip, kind="compare", reserved_for=rita
        )
        hold(rita, vote)
        page = page_of(rita, project, "capst_clip", run.pk, item.pk)
        assert "Last reply of the model" not in page
        assert PREDICTION not in page
        assert "You still write about this clip or vote on its captions" in page
        page = page_of(rita, project, "capst_run", run.pk)
        assert PREDICTION not in page
        assert "You vote on captions in this project" in page

    def test_an_item_of_another_run_is_not_there(self, project, run, captions, rita):
        other = start(project, None, word_overlap(project))
        url = reverse("review:capst_clip", args=[project.slug, other.pk, run.items.get().pk])
        assert client_of(rita).get(url).status_code == 404
