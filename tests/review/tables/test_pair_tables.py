"""Label pairs and verdicts on them: out, in, and out again."""

import pytest

from annotate.models import WorkItem
from review.errors import ReviewError
from review.pairs.models import LabelPair, PairVerdict
from review.pairs.queries import pair_agreement
from review.pairs.services import hand_out_pairs, record_pair_verdict
from tests.review.tables.tables import cells, exported, faults_of, imported
from tests.review.triplets.triplets import labelled_clip, make_pair
from tests.work import hold

pytestmark = pytest.mark.django_db


class TestPairs:
    def test_a_fresh_project_exports_the_same(self, project, labels, fresh):
        make_pair(labels["a"], labels["b"], similarity=0.1 + 0.2)
        make_pair(labels["b"], labels["c"], "", candidate="event", encoder="=cmd()")
        out = exported(project, "pairs")
        assert cells(out)[1:] == [
            ["b", "c", "0.9", "'=cmd()", "event", ""],
            ["a", "b", "0.30000000000000004", "lexical", "temporal", "temporal"],
        ]
        imported(fresh, "pairs", out)
        assert exported(fresh, "pairs") == out

    def test_a_decided_change_opens_both_texts(self, project, labels):
        for label in labels.values():
            labelled_clip(project, label, "train")
        imported(project, "pairs", "label1,label2,decision\nb,a,event\n")
        pair = LabelPair.objects.get()
        assert (pair.encoder, pair.candidate, pair.kind) == ("imported", "temporal", "event")
        assert WorkItem.objects.filter(kind="modify", subject=pair.pk).count() == 2

    def test_it_decides_a_pair_that_was_only_compared(self, project, labels):
        pair = make_pair(labels["a"], labels["b"], "")
        imported(project, "pairs", "label1,label2,decision\na,b,reject\n")
        pair.refresh_from_db()
        assert (pair.kind, pair.similarity) == ("reject", 0.9)

    def test_it_leaves_a_pair_to_the_people_who_judge_it(self, project, labels):
        for label in labels.values():
            labelled_clip(project, label, "train")
        make_pair(labels["a"], labels["b"], "")
        hand_out_pairs(project=project, least=0, people=1, admin=None)
        file = "label1,label2,decision\na,b,reject\na,c,reject\n"
        plan = imported(project, "pairs", file)
        assert plan.sentences[-1] == "1 pair stays undecided: people here judge them."
        assert sorted(LabelPair.objects.values_list("kind", flat=True)) == ["", "reject"]

    def test_every_faulty_row_is_named_and_nothing_is_stored(self, project, labels):
        make_pair(labels["a"], labels["b"], "temporal")
        rows = (
            "a,b,0.5,event",
            "a,x,0.5,",
            "a,a,,",
            "a,c,2,",
            "b,c,,maybe",
            "c,a,0.1,",
            "a,c,0.1,",
        )
        file = "\n".join(["label1,label2,similarity,decision", *rows])
        assert faults_of(project, "pairs", file) == [
            (
                "row 2",
                "decision",
                "The pair is decided as temporal here. Give that, or leave it empty.",
            ),
            ("row 3", "label2", "The project has no label 'x'. Import it first."),
            ("row 4", "label2", "Both labels are the same. Name another one."),
            ("row 5", "similarity", "Give a number from -1 to 1, or leave it empty."),
            ("row 6", "decision", "Give temporal, event or reject, or leave it empty."),
            ("row 8", "label2", "This pair is at row 7 already. Keep one."),
        ]
        assert LabelPair.objects.count() == 1

    @pytest.mark.parametrize(
        ("cells", "field", "mend"),
        [
            (f"0.5,{'x' * 201},,", "encoder", "Shorten it to 200 characters."),
            ("0.5,x,both,", "candidate", "Give temporal or event, or leave it empty."),
            ("half,x,,", "similarity", "Give a number from -1 to 1, or leave it empty."),
        ],
    )
    def test_each_other_column_of_a_row(self, project, labels, cells, field, mend):
        file = f"label1,label2,similarity,encoder,candidate,decision\na,b,{cells}\n"
        assert faults_of(project, "pairs", file) == [("row 2", field, mend)]
        assert not LabelPair.objects.exists()

    def test_the_same_file_twice_adds_nothing(self, project, labels):
        file = "label1,label2\na,b\n"
        imported(project, "pairs", file)
        with pytest.raises(ReviewError, match="here already"):
            imported(project, "pairs", file)


class TestPairVerdicts:
    def judge(self, project, pair, people, kinds):
        for key in ("first", "second"):
            labelled_clip(project, getattr(pair, key), "train")
        hand_out_pairs(project=project, least=0, people=len(people), admin=None)
        item = WorkItem.objects.get(kind="pair", subject=pair.pk)
        for person, kind in zip(people, kinds, strict=True):
            record_pair_verdict(assignment=hold(person, item), kind=kind)

    def test_people_leave_as_numbers_and_a_fresh_project_exports_the_same(
        self, project, labels, fresh, emil, rita
    ):
        pair = make_pair(labels["a"], labels["b"], "")
        self.judge(project, pair, [rita, emil], ["temporal", "event"])
        PairVerdict.objects.create(pair=pair, label="1", kind="temporal")
        out = exported(project, "pair-verdicts")
        assert cells(out)[1:] == [
            ["a", "b", "1", "temporal"],
            ["a", "b", "2", "temporal"],
            ["a", "b", "3", "event"],
        ]
        here = fresh.labels_here
        make_pair(here["a"], here["b"], "")
        imported(fresh, "pair-verdicts", out)
        assert exported(fresh, "pair-verdicts") == out

    def test_they_are_nobody_s_work_here_and_decide_by_majority(self, fresh):
        here = fresh.labels_here
        decided, tied = make_pair(here["a"], here["b"], ""), make_pair(here["a"], here["c"], "")
        rows = ("a,b,Ann,event", "b,a,Bo,event", "a,b,Cy,reject", "a,c,Ann,event", "a,c,Bo,reject")
        imported(fresh, "pair-verdicts", "\n".join(["label1,label2,annotator,verdict", *rows]))
        assert set(PairVerdict.objects.values_list("person", "assignment")) == {(None, None)}
        for pair in (decided, tied):
            pair.refresh_from_db()
        assert (decided.kind, tied.kind) == ("event", "")
        assert [estimate.n_units for estimate in pair_agreement(fresh)] == [2, 2]

    def test_an_annotator_has_one_verdict_on_a_pair(self, fresh):
        here = fresh.labels_here
        make_pair(here["a"], here["b"])
        file = "label1,label2,annotator,verdict\na,b,Ann,event\n"
        imported(fresh, "pair-verdicts", file)
        again = file.replace("event", "reject") + "a,b,,event\na,c,Ann,event\na,b,Bo,maybe\n"
        again += "a,x,Bo,event\na,b,Cy,event\nb,a,Cy,event\n"
        assert faults_of(fresh, "pair-verdicts", again) == [
            ("row 2", "annotator", "Ann is imported with the verdict event. Use another name."),
            ("row 3", "annotator", "Name the annotator in 1 to 60 characters."),
            (
                "row 4",
                "label2",
                "These labels are not a pair here. Import the pairs, or compare the labels.",
            ),
            ("row 5", "verdict", "Give temporal, event or reject."),
            ("row 6", "label2", "The project has no label 'x'. Import it first."),
            ("row 8", "annotator", "Cy judges this pair at row 7 already. Keep one."),
        ]
