"""People correct the lists of elements; what was judged before is then outdated."""

from uuid import uuid4

import pytest

from annotate.errors import AnnotateError, WorkInvalid
from annotate.models import AuditEvent, Caption, Membership, WorkItem
from annotate.queue.services import claim_next, save_draft
from inference.models import ModelSpec
from review.capst.queries import outdated_clips
from review.capst.results import CAPST
from review.elements.models import Extraction
from review.elements.queries import elements_progress, lists_of, references
from review.elements.services import hand_out_elements, submit_elements
from review.errors import ReviewError
from review.reports.services import recompute
from review.reports.stored import current_reports
from tests.cast import make_cast, make_project
from tests.review.capst.capst_runs import (
    PREDICTION,
    caption,
    described_clip,
    judge,
    predictions,
    start,
    word_overlap,
)
from tests.work import hold

pytestmark = pytest.mark.django_db
EVENTS = ["A woman picks up a knife", "She slices a tomato"]


@pytest.fixture(scope="module")
def made(kept):
    project = make_project()
    return {"project": project, **make_cast(project), "clip": described_clip(project)}


@pytest.fixture
def clip(shared):
    return shared["clip"]


@pytest.fixture
def elements_run(project, clip):
    """A run that has found the elements of the human captions."""
    return judge(run=start(project, None, word_overlap(project)))


def item_of(kind="temporal") -> WorkItem:
    return WorkItem.objects.get(kind="elements", subject=Caption.objects.get(kind=kind).pk)


def submit(person, item, **content):
    return submit_elements(
        assignment_id=hold(person, item).pk, annotator=person, key=uuid4(), base_version=0,
        content=list_keys(item) | content,
    )  # fmt: skip


def list_keys(item) -> dict[str, str]:
    """Return the keys of the lists that the page of this work shows."""
    lists = lists_of(Caption.objects.get(pk=item.subject))
    return {f"{kind}_list": str(extraction.pk) for kind, extraction in lists.items()}


def found_by_model(kind: str, *elements: str) -> Extraction:
    """Store a newer list of the temporal caption, by another model."""
    model = ModelSpec.objects.get_or_create(
        project=Caption.objects.get(kind="temporal").project, name="Other", backend="lexical"
    )[0]
    return Extraction.objects.create(
        caption=Caption.objects.get(kind="temporal"), kind=kind, elements=list(elements),
        recipe="f" * 64, method="other", model=model,
    )  # fmt: skip


class TestHandingOut:
    def test_every_caption_with_an_unchecked_list_waits_for_one_person(
        self, project, elements_run, ada
    ):
        assert hand_out_elements(project=project, preset="default", admin=ada) == 2
        kinds = Caption.objects.filter(
            pk__in=WorkItem.objects.filter(kind="elements").values("subject")
        )
        assert set(kinds.values_list("kind", flat=True)) == {"spatial", "temporal"}
        progress = elements_progress(project, "default")
        assert (progress.captions, progress.with_elements, progress.checked, progress.waiting) == (
            2, 2, 0, 2,
        )  # fmt: skip

    def test_nothing_is_handed_out_twice(self, project, elements_run, ada, anna):
        hand_out_elements(project=project, preset="default", admin=ada)
        with pytest.raises(ReviewError, match="No lists are ready"):
            hand_out_elements(project=project, preset="default", admin=ada)
        submit(anna, item_of(), events="", objects="")
        with pytest.raises(ReviewError, match="No lists are ready"):
            hand_out_elements(project=project, preset="default", admin=ada)
        assert elements_progress(project, "default").checked == 1

    def test_without_lists_there_is_nothing_to_hand_out(self, project, clip, ada):
        with pytest.raises(ReviewError, match="Run a model that finds elements"):
            hand_out_elements(project=project, preset="default", admin=ada)

    def test_the_official_full_caption_is_handed_out_with_both_lists(self, project, clip, ada):
        judge(run=start(project, None, word_overlap(project), preset="official"))
        assert hand_out_elements(project=project, preset="official", admin=ada) == 1
        assert item_of("general").clip == clip

    def test_the_queue_gives_a_caption_that_was_handed_out(self, project, elements_run, ada, anna):
        hand_out_elements(project=project, preset="default", admin=ada)
        membership = Membership.objects.select_related("project").get(user=anna)
        assert claim_next(membership=membership, kind="elements").item.kind == "elements"


class TestSubmitting:
    @pytest.fixture(autouse=True)
    def _handed_out(self, project, elements_run, ada):
        hand_out_elements(project=project, preset="default", admin=ada)

    def test_each_list_is_stored_as_a_correction_of_what_the_model_found(self, anna):
        assignment = submit(
            anna,
            item_of(),
            events="A woman takes a knife\n\n She slices a tomato ",
            objects="knife",
        )
        events, objects = Extraction.objects.filter(author=anna).order_by("kind")
        assert events.elements == ["A woman takes a knife", "She slices a tomato"]
        assert (events.parent.elements, events.parent.author) == (EVENTS, None)
        assert (events.assignment, events.model, events.method) == (
            assignment, None, "word-overlap 1",
        )  # fmt: skip
        assert (objects.kind, objects.elements) == ("objects", ["knife"])
        assert events.parent.corrections.get() == events

    def test_an_unchanged_list_counts_as_checked(self, project, anna):
        submit(anna, item_of(), events="\n".join(EVENTS), objects="")
        assert elements_progress(project, "default").checked == 1

    def test_a_spatial_caption_has_objects_alone(self, anna):
        submit(anna, item_of("spatial"), objects="a red coat")
        assert Extraction.objects.get(author=anna).kind == "objects"

    def test_a_repeated_line_is_refused_with_its_number(self, anna):
        with pytest.raises(WorkInvalid) as refused:
            submit(anna, item_of(), events="a\nb\nA", objects="x")
        assert [(problem.field, problem.message) for problem in refused.value.problems] == [
            ("events", "Line 3 repeats line 1. Remove one of them.")
        ]
        assert not Extraction.objects.filter(author=anna).exists()

    def test_twice_is_once(self, anna):
        assignment = hold(anna, item_of())
        submission = {
            "assignment_id": assignment.pk, "annotator": anna, "key": uuid4(), "base_version": 0,
            "content": {"events": "a", "objects": "", **list_keys(assignment.item)},
        }  # fmt: skip
        submit_elements(**submission)
        submit_elements(**submission)
        assert Extraction.objects.filter(author=anna).count() == 2

    def test_work_without_a_caption_is_refused(self, project, clip, anna):
        item = WorkItem.objects.create(project=project, clip=clip, kind="elements", subject=999)
        with pytest.raises(AnnotateError, match="names no caption"):
            submit_elements(
                assignment_id=hold(anna, item).pk, annotator=anna, key=uuid4(), base_version=0,
                content={"events": ""},
            )  # fmt: skip

    def test_a_list_that_was_not_on_the_page_is_not_checked(self, project, anna):
        submit(anna, item_of(), events="a")
        assert [extraction.kind for extraction in Extraction.objects.filter(author=anna)] == [
            "events"
        ]
        progress = elements_progress(project, "default")
        temporal = Caption.objects.get(kind="temporal")
        assert (progress.checked, list(progress.unchecked)) == (0, [temporal.pk])
        made = recompute(project=project, name="leakage")[0]
        assert made.result["temporal"]["mean"] == 3.0

    def test_a_page_without_lists_is_refused(self, anna):
        with pytest.raises(AnnotateError, match="The page sent no list"):
            submit(anna, item_of(), remark="a")
        assert not Extraction.objects.filter(author=anna).exists()

    def test_a_list_that_changed_meanwhile_is_refused_and_what_was_typed_is_kept(self, anna):
        content = {"events": "a", "objects": "b", **list_keys(item_of())}
        found_by_model("objects", "a plate")
        assignment = hold(anna, item_of())
        save_draft(assignment=assignment, base_version=0, content=content)
        with pytest.raises(
            AnnotateError, match="The list of objects has changed since you started"
        ):
            submit_elements(
                assignment_id=assignment.pk, annotator=anna, key=uuid4(), base_version=1,
                content=content,
            )  # fmt: skip
        assert not Extraction.objects.filter(author=anna).exists()
        assignment.refresh_from_db()
        assert (assignment.state, assignment.draft) == ("held", content)

    def test_without_the_key_of_a_list_it_is_refused(self, anna):
        with pytest.raises(AnnotateError, match="The list of events has changed since you started"):
            submit(anna, item_of(), events="a", events_list="")

    def test_the_audit_log_has_the_old_and_the_new_lists(self, anna):
        submit(anna, item_of(), events="a", objects="b")
        event = AuditEvent.objects.get(verb="check elements")
        assert (event.before["events"], event.after) == (
            EVENTS,
            {"events": ["a"], "objects": ["b"]},
        )


class TestOutdating:
    def outdated(self, project, preset="default"):
        recompute(project=project, name="capst")
        reports = current_reports(project, CAPST)
        counts = outdated_clips(project, preset, reports, references(project, preset))
        return list(counts.values())

    def test_a_correction_outdates_judgments_of_the_earlier_list(
        self, project, clip, elements_run, ada, anna
    ):
        captions = predictions(project, "Model A", {clip: PREDICTION})
        model = word_overlap(project)
        judge(run=start(project, captions, model))
        assert self.outdated(project) == [0]
        hand_out_elements(project=project, preset="default", admin=ada)
        submit(anna, item_of(), events="A woman picks up a knife", objects="")
        assert self.outdated(project) == [1]
        run = start(project, captions, model)
        judge(run=run)
        assert self.outdated(project) == [0]
        used = run.items.get().results["events"]["reference"]
        assert used["elements"] == ["A woman picks up a knife"]

    def test_corrected_objects_of_a_temporal_caption_outdate_nothing(
        self, project, clip, elements_run, anna
    ):
        judge(run=start(project, predictions(project, "A", {clip: PREDICTION}),
                        word_overlap(project)))  # fmt: skip
        parent = Extraction.objects.get(caption__kind="temporal", kind="objects")
        Extraction.objects.create(
            caption=parent.caption, kind="objects", author=anna, parent=parent,
            recipe=parent.recipe, method=parent.method,
        )  # fmt: skip
        assert self.outdated(project) == [0]

    def test_a_newer_human_caption_outdates_it_too(self, project, clip, elements_run):
        judge(run=start(project, predictions(project, "A", {clip: PREDICTION}),
                        word_overlap(project)))  # fmt: skip
        caption(clip, "spatial", "A man in a kitchen.")
        assert self.outdated(project) == [1]
