"""Modification texts and examples: out, in, and out again."""

import json

import pytest

from annotate.models import WorkItem
from review.errors import ReviewError
from review.modifications.models import ImportedText, Modification, ModificationPrompt
from review.modifications.services import open_modifications
from tests.inference.cast import make_model
from tests.review.tables.tables import cells, exported, faults_of, imported
from tests.review.triplets.triplets import labelled_clip, make_pair, modify

pytestmark = pytest.mark.django_db


class TestTexts:
    def test_a_fresh_project_exports_the_same(self, project, labels, fresh):
        model = make_model(project, name="Writer")
        prompt = ModificationPrompt.objects.create(
            project=project, domain="diving", version=3, instruction="Say."
        )
        modify(labels["a"], labels["b"], "first try", state="edited", model=model, prompt=prompt)
        modify(labels["a"], labels["b"], "=show with 3.5")
        modify(labels["b"], labels["a"], "show with 2.5", state="waiting", model=model)
        out = exported(project, "modifications")
        assert cells(out)[1:] == [
            [
                "a",
                "b",
                "edited",
                "first try",
                f"Vericap, {project.slug}",
                "Writer",
                "diving, version 3",
            ],
            ["a", "b", "accepted", "'=show with 3.5", f"Vericap, {project.slug}", "", ""],
            ["b", "a", "waiting", "show with 2.5", f"Vericap, {project.slug}", "Writer", ""],
        ]
        imported(fresh, "pairs", exported(project, "pairs"))
        imported(fresh, "modifications", out)
        assert exported(fresh, "modifications") == out
        assert set(
            Modification.objects.filter(pair__project=fresh).values_list("author", "assignment")
        ) == {(None, None)}

    def test_an_accepted_text_closes_its_work_and_a_draft_keeps_it(self, fresh):
        here = fresh.labels_here
        for label in here.values():
            labelled_clip(fresh, label, "train")
        pair = make_pair(here["a"], here["b"])
        open_modifications(pair)
        head = "label1,label2,state,text,source\n"
        rows = "a,b,accepted,show with 3.5,TF-CoVR\n"
        imported(fresh, "modifications", head + rows, as_drafts=True)
        work = WorkItem.objects.filter(kind="modify", clip__label=here["a"])
        assert [item.state for item in work] == ["open"]
        assert Modification.objects.get().state == "waiting"
        imported(fresh, "modifications", head + "b,a,accepted,show with 2.5,TF-CoVR\n")
        states = WorkItem.objects.filter(kind="modify").values_list("clip__label__key", "state")
        assert dict(states) == {"a": "open", "b": "cancelled"}
        assert list(ImportedText.objects.values_list("source", flat=True)) == ["TF-CoVR"] * 2

    def test_every_faulty_row_is_named(self, fresh):
        here = fresh.labels_here
        make_pair(here["a"], here["b"]), make_pair(here["a"], here["c"], "reject")
        modify(here["b"], here["a"], "show with 2.5")
        rows = (
            *("a,b,accepted,one,TF", "a,c,waiting,show with c,TF", "a,b,done,show with b,TF"),
            *("a,b,accepted,show with b,", "b,a,accepted,another text,TF"),
            *("a,b,accepted,show with b,TF", "a,b,waiting,show with d,TF"),
        )
        file = "\n".join(["label1,label2,state,text,source", *rows])
        assert [(row, field) for row, field, _ in faults_of(fresh, "modifications", file)] == [
            ("row 2", "text"),
            ("row 3", "label2"),
            ("row 4", "state"),
            ("row 5", "source"),
            ("row 6", "text"),
            ("row 8", "text"),
        ]
        assert not ImportedText.objects.exists()

    @pytest.mark.parametrize(
        ("cells", "field", "mend"),
        [
            ({"source": "x" * 201}, "source", "Shorten it to 200 characters."),
            ({"prompt": "x" * 201}, "prompt", "Shorten it to 200 characters."),
            ({"model": "a\0"}, "model",
             "It contains a character that can't be stored. Remove it."),
            ({"text": "x" * 301, "state": "edited"}, "text", "Give a text of 1 to 300 characters."),
            ({"label1": "b", "label2": "a"}, "state",
             "People rejected this direction. Let somebody else write it first."),
        ],
    )  # fmt: skip
    def test_each_other_fault_of_a_row(self, fresh, cells, field, mend):
        here = fresh.labels_here
        pair = make_pair(here["a"], here["b"])
        labelled_clip(fresh, here["b"], "train")
        open_modifications(pair)
        WorkItem.objects.filter(kind="modify").update(state="done")
        row = {"label1": "a", "label2": "b", "state": "waiting", "text": "show with b",
               "source": "TF", "model": "", "prompt": ""} | cells  # fmt: skip
        assert faults_of(fresh, "modifications", json.dumps([row])) == [("entry 1", field, mend)]
        assert not ImportedText.objects.exists()

    def test_a_text_that_is_here_already_is_left_out(self, fresh):
        here = fresh.labels_here
        modify(here["a"], here["b"], "show with b")
        file = "label1,label2,state,text,source\na,b,accepted,show with b,TF\n"
        with pytest.raises(ReviewError, match="here already"):
            imported(fresh, "modifications", file)


class TestExamples:
    def test_a_fresh_project_exports_the_same(self, project, fresh):
        examples = [
            {"source": "A, tuck", "target": "A, pike", "modification": "change to pike"},
            {"source": "A", "target": "B", "modification": "-with two turns"},
        ]
        for version in (1, 2):
            ModificationPrompt.objects.create(
                project=project, domain="diving", version=version, instruction="Say.",
                examples=examples[:version],
            )  # fmt: skip
        out = exported(project, "examples")
        assert cells(out)[1:] == [
            ["diving", "A, tuck", "A, pike", "change to pike"],
            ["diving", "A", "B", "'-with two turns"],
        ]
        imported(fresh, "examples", out)
        assert exported(fresh, "examples") == out
        stored = ModificationPrompt.objects.get(project=fresh)
        assert (stored.version, stored.examples) == (1, examples)

    def test_a_prompt_has_at_most_forty(self, project):
        rows = [f"diving,A,B,change to {number}" for number in range(41)]
        file = "\n".join(["domain,from,to,modification", *rows, "diving,A,,change to"])
        assert faults_of(project, "examples", file) == [
            ("row 42", "domain", "A prompt has at most 40 examples. Remove some."),
            ("row 43", "to", "It is empty. Fill it in."),
        ]

    @pytest.mark.parametrize(
        ("row", "field", "mend"),
        [
            (f"{'x' * 41},A,B,change to b", "domain", "Shorten it to 40 characters."),
            ("diving,A,B,turn", "modification",
             "Write at least 2 words that say what to change: “show with 2 turns”."),
            (f"diving,{'x' * 301},B,change to b", "from",
             "Shorten it to 300 characters (it has 301)."),
        ],
    )  # fmt: skip
    def test_each_fault_of_a_row(self, project, row, field, mend):
        file = f"domain,from,to,modification\n{row}\n"
        assert faults_of(project, "examples", file) == [("row 2", field, mend)]
        assert not ModificationPrompt.objects.exists()

    def test_an_example_twice_is_added_once(self, project):
        imported(project, "examples", "domain,from,to,modification\n" + "diving,A,B,to b\n" * 2)
        assert len(ModificationPrompt.objects.get().examples) == 1
