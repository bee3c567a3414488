"""Verdicts on queries: out, in, and out again."""

import csv
import io
import json

import pytest

from annotate.models import WorkItem
from review.errors import ReviewError
from review.triplets.models import TripletVerdict
from review.triplets.rows import verified_queries
from review.triplets.verification import IMPORTED, verification_of
from tests.review.tables.tables import cells, exported, faults_of, imported
from tests.review.triplets.triplets import labelled_clip, make_triplet, modify
from tests.work import hold

pytestmark = pytest.mark.django_db


def make_set(project, labels):
    """A test query with two targets, and another clip that may be added."""
    modification = modify(labels["a"], labels["b"])
    query = labelled_clip(project, labels["a"], "test")
    targets = [labelled_clip(project, labels["b"], "test") for _ in range(3)]
    for name, clip in zip(("query", "one", "two", "more"), [query, *targets], strict=True):
        clip.name = name
        clip.save(update_fields=["name"])
    for place, clip in enumerate(targets[:2]):
        triplet = make_triplet(query, modification, clip, place=place)
    return triplet.query


HEAD = (
    "query_video,label1,label2,modification,annotator,right,enough,needed,"
    "valid,wrong,added,corrected,remark\n"
)
ROW = 'query,a,b,show with 2 somersaults,Ann,yes,yes,no,"[""one""]","[""two""]","[""more""]",'


class TestQueryVerdicts:
    def test_a_fresh_project_exports_the_same(self, project, labels, fresh, rita):
        query = make_set(project, labels)
        item = WorkItem.objects.create(
            project=project, clip=query.clip, kind="triplet", subject=query.pk
        )
        verdict = TripletVerdict.objects.create(
            query=query, person=rita, assignment=hold(rita, item),
            is_right=True, is_enough=False, is_needed=True, corrected="show with 3", remark="=1",
        )  # fmt: skip
        for number, target in enumerate(query.targets.all()):
            verdict.targets.create(clip=target.target, is_valid=not number)
        out = exported(project, "query-verdicts")
        assert cells(out)[1:] == [
            [
                *("query", "a", "b", "show with 2 somersaults", "1", "yes", "no", "yes"),
                *('["one"]', '["two"]', "[]", "show with 3", "'=1"),
            ]
        ]
        make_set(fresh, fresh.labels_here)
        imported(fresh, "query-verdicts", out)
        assert exported(fresh, "query-verdicts", set_number=1) == out

    def test_an_imported_verdict_counts_and_is_named(self, fresh):
        query = make_set(fresh, fresh.labels_here)
        imported(fresh, "query-verdicts", f"{HEAD}{ROW}show with 3,\n")
        verdict = TripletVerdict.objects.get()
        assert (verdict.person, verdict.assignment) == (None, None)
        assert verdict.made_by == "Ann (imported)"
        majority = verified_queries([query.pk])[query.pk]
        assert (majority.people, majority.text) == (1, "show with 3")
        split = verification_of(query.triplets)[0]
        assert [share.reason for share in split.shares] == [""] * 4  # every query is judged

    def test_imported_verdicts_on_some_queries_have_no_interval(self, fresh):
        query = make_set(fresh, fresh.labels_here)
        other = labelled_clip(fresh, fresh.labels_here["a"], "test")
        make_triplet(other, query.modification, query.targets.get(place=0).target)
        imported(fresh, "query-verdicts", f"{HEAD}{ROW}show with 3,\n")
        assert [share.reason for share in verification_of(query.triplets)[0].shares] == [
            IMPORTED
        ] * 4

    def test_every_faulty_row_is_named_and_nothing_is_stored(self, fresh):
        make_set(fresh, fresh.labels_here)
        good = f"{ROW}show with 3,"
        rows = [
            f"{ROW},",  # no correction, although not all of it is needed
            good.replace("query,a", "other,a"),
            good.replace("somersaults", "turns"),
            good.replace('[""two""]', "[]"),
            good.replace("more", "query"),
            good.replace('"[""more""]"', "more"),
            good.replace("Ann", ""),
            good.replace("Ann", "Bo"),
            good.replace("Ann", "Bo"),
        ]
        file = HEAD + "\n".join(rows)
        assert faults_of(fresh, "query-verdicts", file) == [
            ("row 2", "corrected",
             "Write the corrected modification, or answer yes to all three questions."),
            ("row 3", "query_video", "Set 1 has no such query. Import its triplets first."),
            ("row 4", "modification",
             "The text of this query is “show with 2 somersaults” here. Use that text."),
            ("row 5", "valid", "valid and wrong must list each target once: one, two."),
            ("row 6", "added", "'query' can't be a target of this query. Remove it."),
            ("row 7", "added",
             'Give a JSON list of different names, such as ["dive-1", "dive-2"].'),
            ("row 8", "annotator", "Name the annotator in 1 to 60 characters."),
            ("row 10", "annotator", "Bo judges this query at row 9 already. Keep one."),
        ]  # fmt: skip
        assert not TripletVerdict.objects.exists()

    def test_a_set_that_is_not_there_is_refused(self, fresh):
        with pytest.raises(ReviewError) as refused:
            imported(fresh, "query-verdicts", HEAD + ROW, set_number=7)
        assert str(refused.value) == "No finished set 7. Choose another one."

    def test_a_character_that_cannot_be_stored_is_named(self, fresh):
        make_set(fresh, fresh.labels_here)
        [cells] = csv.DictReader(io.StringIO(f"{HEAD}{ROW}show with 3,"))
        file = json.dumps([cells | {"remark": "a\0"}])
        assert faults_of(fresh, "query-verdicts", file) == [
            ("entry 1", "remark", "It contains a character that can't be stored. Remove it.")
        ]

    def test_verdicts_that_are_here_already_stay(self, fresh):
        make_set(fresh, fresh.labels_here)
        imported(fresh, "query-verdicts", f"{HEAD}{ROW}show with 3,\n")
        both = f"{HEAD}{ROW}show with 3,\n" + f"{ROW}show with 4,\n".replace("Ann", "Bo")
        plan = imported(fresh, "query-verdicts", both)
        assert plan.sentences[1:] == ["1 verdict is here already and stays as imported before."]
        assert TripletVerdict.objects.count() == 2
