"""The page of a project's modifications, and the prompts of text models."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from annotate.models import ActionLabel, WorkItem
from inference.models import ModelSpec
from review.modifications import queries
from review.modifications.differences import differences_warned_of
from review.modifications.first_examples import first_examples
from review.modifications.models import (
    Modification,
    ModificationPrompt,
    ModificationRequest,
    ModificationRun,
)
from review.modifications.services import submit_modification
from review.modifications.text import PAPER, problem_with
from tests.cast import client_of, count_queries
from tests.review.capst.judging import modify_item
from tests.review.triplets.triplets import make_label, make_pair, modify
from tests.work import hold
from tests.worker_messages import collect_messages

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(project):
    labels = [make_label(project, key, f"Forward, {key} turns") for key in ("2", "3")]
    return make_pair(*labels)


@pytest.fixture
def writer(project):
    return ModelSpec.objects.create(
        project=project, name="Writer", backend="openai-compatible", model_id="m",
        parameters={"server": "here"},
    )  # fmt: skip


@pytest.fixture(autouse=True)
def sent(monkeypatch):
    return collect_messages(monkeypatch)


def url(project, name="modifications", *more) -> str:
    return reverse(f"review:{name}", args=[project.slug, *more])


def rejected_item(pair, person) -> WorkItem:
    item = modify_item(pair)
    submit_modification(
        assignment_id=hold(person, item).pk,
        annotator=person,
        key=uuid4(),
        base_version=0,
        content={"decision": "reject", "reason": "<b>Both</b> look alike.", "proposal": ""},
    )
    return item


class TestThePage:
    def test_without_a_text_model_people_write(self, project, pair, ada):
        modify_item(pair)
        page = client_of(ada).get(url(project)).content.decode()
        assert "has no text model, so people write every text themselves" in page
        assert "2 directions without a text" in page

    def test_texts_are_listed_by_state(self, project, pair, rita):
        modify(pair.first, pair.second, "show <i>one</i> more")
        modify(pair.second, pair.first, "show one less", state="waiting")
        response = client_of(rita).get(f"{url(project)}?state=accepted")
        assert [text.text for text in response.context["page"]] == ["show <i>one</i> more"]
        assert "<i>one" not in response.content.decode()

    def test_failures_are_listed_with_their_reasons(self, project, pair, writer, rita):
        prompt = ModificationPrompt.objects.create(
            project=project, domain="diving", version=1, instruction="Say."
        )
        run = ModificationRun.objects.create(
            project=project,
            kind="modifications",
            model=writer,
            prompt=prompt,
            state="failed",
            reason="No <key>.",
        )
        ModificationRequest.objects.create(
            run=run, pair=pair, source=pair.first, target=pair.second,
            state="failed", reason="It has several lines.", reply="<u>a</u>",
        )  # fmt: skip
        page = client_of(rita).get(url(project)).content.decode()
        assert "It has several lines." in page
        assert "No &lt;key&gt;." in page
        assert "<u>a" not in page

    def test_each_run_tells_how_many_failed_and_lists_the_last(
        self, project, pair, writer, rita, monkeypatch
    ):
        monkeypatch.setattr(queries, "MAX_LISTED", 2)
        prompt = ModificationPrompt.objects.create(
            project=project, domain="diving", version=1, instruction="Say."
        )
        for number, failures in enumerate((1, 3)):
            run = ModificationRun.objects.create(
                project=project, kind="modifications", model=writer, prompt=prompt, state="failed"
            )
            ends = [make_label(project, f"{number}{n}") for n in range(failures)]
            for end in ends:
                ModificationRequest.objects.create(
                    run=run, pair=make_pair(pair.first, end), source=pair.first, target=end,
                    state="failed", reason=f"Bad {end.key}.",
                )  # fmt: skip
        page = client_of(rita).get(url(project)).content.decode()
        assert "<summary>3 failed, the last 2 of them</summary>" in page
        assert "<summary>1 failed</summary>" in page
        assert [reason in page for reason in ("Bad 00.", "Bad 10.", "Bad 12.")] == [
            True,
            False,
            True,
        ]

    def test_a_rejected_direction_is_asked_for_again(self, project, pair, emil, ada):
        item = rejected_item(pair, emil)
        page = client_of(ada).get(url(project)).content.decode()
        assert "&lt;b&gt;Both&lt;/b&gt; look alike." in page
        client_of(ada).post(url(project, "ask_modification_again", item.pk))
        item.refresh_from_db()
        assert (item.state, item.needed) == ("open", 2)

    def test_queries_do_not_grow_with_the_rows(self, project, emil, rita, writer):
        def add(*keys):
            labels = [make_label(project, key, domain=keys[0]) for key in keys]
            pair = make_pair(*labels)
            modify(pair.second, pair.first, f"show {keys[0]} now")
            rejected_item(pair, emil)

        add("a", "b")
        counts = []
        for keys in [("c", "d"), ("e", "f")]:
            with count_queries() as count:
                client_of(rita).get(url(project))
            counts.append(int(count))
            add(*keys)
        with count_queries() as count:
            client_of(rita).get(url(project))
        assert counts[0] == int(count) <= 25


class TestRuns:
    def test_a_model_is_started_cancelled_and_resumed(
        self, project, pair, writer, ada, sent, django_capture_on_commit_callbacks
    ):
        modify_item(pair)
        with django_capture_on_commit_callbacks(execute=True):
            client_of(ada).post(
                url(project, "start_modification_run"), {"model": writer.pk, "domain": "diving"}
            )
        run = ModificationRun.objects.get()
        assert sent == [{"args": (run.pk,), "queue": "cpu", "countdown": 0}]
        live = client_of(ada).get(url(project, "modifications_live"))
        assert ("hx-get" in live.content.decode(), "HX-Refresh" in live.headers) == (True, False)
        client_of(ada).post(url(project, "cancel_modification_run", run.pk))
        run.refresh_from_db()
        assert run.state == "cancelled"
        assert client_of(ada).get(url(project, "modifications_live")).headers["HX-Refresh"]
        client_of(ada).post(url(project, "resume_modification_run", run.pk))
        run.refresh_from_db()
        assert run.state == "waiting"

    def test_a_run_without_a_worker_says_so(self, project, writer, rita):
        prompt = ModificationPrompt.objects.create(project=project, version=1, instruction="Say.")
        run = ModificationRun.objects.create(
            project=project, kind="modifications", model=writer, prompt=prompt
        )
        live = url(project, "modifications_live")
        assert "No worker is running" not in client_of(rita).get(live).content.decode()
        ModificationRun.objects.update(queued_at=run.queued_at - timedelta(minutes=5))
        assert "No worker is running" in client_of(rita).get(live).content.decode()

    def test_a_model_of_no_such_kind_is_refused(self, project, pair, ada, sent):
        draft = ModelSpec.objects.create(project=project, name="D", backend="opencv-draft")
        response = client_of(ada).post(
            url(project, "start_modification_run"), {"model": draft.pk, "domain": "diving"}
        )
        assert (response.status_code, sent) == (422, [])


class TestPrompts:
    def save(self, project, person, *examples, **typed):
        rows = {"examples-TOTAL_FORMS": len(examples), "examples-INITIAL_FORMS": 0}
        for place, row in enumerate(examples):
            for part, text in zip(("source", "target", "modification"), row, strict=True):
                rows[f"examples-{place}-{part}"] = text
        data = {"domain": "diving", "instruction": "Be brief.", **rows, **typed}
        return client_of(person).post(url(project, "save_modification_prompt"), data)

    def test_it_starts_with_our_own_words_and_no_example(self, project, pair, rita):
        response = client_of(rita).get(f"{url(project, 'modification_prompts')}?domain=diving")
        assert "You compare dives." in response.content.decode()
        assert response.context["prompt"].examples == []

    def test_a_save_is_a_new_version_and_the_older_is_readable(self, project, pair, emil):
        self.save(project, emil, ("Back, tuck", "Back, pike", "show piked now"), ("", "", ""))
        self.save(project, emil, instruction="Be briefer.")
        versions = ModificationPrompt.objects.order_by("version")
        assert [(p.version, len(p.examples)) for p in versions] == [(1, 1), (2, 0)]
        page = url(project, "modification_prompts")
        older = client_of(emil).get(f"{page}?domain=diving&version=1").content.decode()
        assert ("Be brief.</pre>" in older, "show piked now" in older) == (True, True)
        assert client_of(emil).get(f"{page}?domain=diving&version=7").status_code == 404
        assert client_of(emil).get(f"{page}?domain=diving&version=x").status_code == 404

    @pytest.mark.parametrize(
        "row", [("Back", "", "show piked now"), ("Back", "Front", "once"), ("", "", "show it all")]
    )
    def test_an_example_is_whole_and_of_2_to_19_words(self, project, pair, emil, row):
        response = self.save(project, emil, row)
        assert (response.status_code, ModificationPrompt.objects.count()) == (422, 0)

    def test_an_empty_instruction_is_refused(self, project, pair, emil):
        assert self.save(project, emil, instruction=" ").status_code == 422

    def test_examples_come_from_a_pasted_table_and_typing_stays(self, project, pair, emil):
        pasted = 'From;To;Modification\nBack;Front;show it from the front\nBack;"A; B";add A'
        response = self.save(
            project, emil, ("Back", "", "half typed"), instruction="Mine.", add="pasted",
            pasted=pasted,
        )  # fmt: skip
        assert (response.status_code, ModificationPrompt.objects.count()) == (200, 0)
        assert response.context["form"]["instruction"].value() == "Mine."
        rows = [
            [row[part].value() for part in ("source", "target", "modification")]
            for row in response.context["rows"]
        ]
        assert [row for row in rows if any(row)] == [
            ["Back", "", "half typed"],
            ["Back", "Front", "show it from the front"],
            ["Back", "A; B", "add A"],
        ]

    @pytest.mark.parametrize(
        ("pasted", "message"),
        [
            ("", "Paste a table first"),
            ("Back,Front,show the front\nBack,Front", "Line 2 has 2 columns instead of 3"),
            ('"Back",Front,"show\nthe front"\n\nBack,"a\nb",', "Line 4, modification: it is empty"),
            ("Back,,show the front", "Line 1, to: it is empty. Fill it in."),
            ("Back,Front,once", "Line 1, modification: Write at least 2 words"),
        ],
    )
    def test_a_mistake_in_the_table_names_its_line(self, project, pair, emil, pasted, message):
        typed = ("Back", "Front", "show the front now")
        response = self.save(project, emil, typed, add="pasted", pasted=pasted)
        assert response.status_code == 422
        assert message in response.context["paste"].errors["pasted"][0]
        assert response.context["paste"]["pasted"].value() == pasted
        assert response.context["rows"][0]["modification"].value() == "show the front now"

    def test_accepted_texts_are_examples_one_per_pair(self, project, pair, emil):
        project.label_pairs.update(kind="temporal")
        ActionLabel.objects.update(domain="diving")
        for source, target, text in (
            (pair.first, pair.second, "show with 4.5 somersaults"),
            (pair.second, pair.first, "show with 3.5 somersaults"),
        ):
            Modification.objects.create(
                pair=pair, source=source, target=target, text=text, state="accepted"
            )
        response = self.save(project, emil, add="accepted")
        assert [row["modification"].value() for row in response.context["rows"][:1]] == [
            "show with 3.5 somersaults"
        ]
        assert response.context["added"] == 1

    def test_our_own_examples_fit_their_labels(self, project, pair, emil):
        response = self.save(project, emil, add="first")
        assert response.context["added"] == len(first_examples("diving")) == 5
        for domain in ("diving", "gymnastics"):
            for example in first_examples(domain):
                assert problem_with(example["modification"], PAPER) == ""
                assert differences_warned_of(*example.values()) == []
        again = self.save(
            project, emil, *(e.values() for e in first_examples("diving")), add="first"
        )
        assert "Vericap’s examples are there already" in again.context["paste"].errors["pasted"][0]

    def test_a_table_of_labels_with_commas_is_read(self, project, pair, emil):
        row = "Forward, 1.5 Soms.Pike, Entry;Inward, 1.5 Soms.Pike, Entry;take off inward"
        response = self.save(project, emil, add="pasted", pasted=row)
        assert response.context["rows"][0]["source"].value() == "Forward, 1.5 Soms.Pike, Entry"

    def test_line_breaks_of_a_browser_make_no_version(self, project, pair, emil):
        self.save(project, emil, instruction="One.\r\nTwo.")
        self.save(project, emil, instruction="One.\nTwo.")
        assert [p.instruction for p in ModificationPrompt.objects.all()] == ["One.\nTwo."]
