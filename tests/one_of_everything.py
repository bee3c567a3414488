"""One of everything, made for the tests of who may open which address."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from annotate.clip_changes.services import change_clips
from annotate.examples.services import add_example
from annotate.imports.services import add_item, open_batch
from annotate.models import (
    Assignment,
    Candidate,
    Caption,
    Clip,
    GuidelineVersion,
    Invitation,
    Membership,
    NearDuplicate,
    SavedView,
    User,
    WorkItem,
)
from annotate.models.jobs import Job
from annotate.projects.services.members import hash_token
from annotate.questions.services import ask
from annotate.tokens.services import make_token
from annotate.webhooks.services.endpoints import add_webhook
from inference.models import ModelSpec
from inference.planning.recipes import model_recipe
from inference.recipes import as_json
from review.capst.models import CapstItem, CapstRun
from review.captions.references import references_digest
from review.composed.models import ImportedRanking
from review.frozen.models import Release
from review.frozen.takedowns import Takedown
from review.modifications.models import ModificationPrompt, ModificationRun
from review.panels.models import Panel, Participant
from review.panels.services import make_panel
from review.pay.models import PayStatement
from review.pay.terms import set_currency
from review.published.models import HumanImport
from review.quality.models import GivenAnswer, Pause
from review.quality.services import add_known_answer
from review.reports.services import recompute
from review.spot_checks.services import draw_spot_check
from review.statistics.models import BenchmarkRow
from review.studies.models import Study
from review.triplets.models import TripletSet
from review.verification.judgment import Judgment, Verdict
from review.verification.recording import record_verification
from tests.annotate.notices.noticing import tell
from tests.cast import NO_PROOF, make_clip, make_person, make_project, make_video
from tests.inference.cast import start_run
from tests.review.comparisons.comparing import next_caption_pair, start_round, vote
from tests.review.comparisons.rounds import rated_round
from tests.review.composed.retrieval import bare_report
from tests.review.ratings.rating import make_example
from tests.review.retrieval.vectors import bare_report as bare_recall
from tests.review.retrieval.vectors import import_set, rank
from tests.review.summary.metric_rows import overlap_of
from tests.review.triplets.triplets import make_label
from tests.work import WRITE_UP


def make_world() -> dict:
    """One of everything, and the arguments that each address may need."""
    project = make_project()
    anna, emil, rita, ada = (
        make_person(name, project, role)
        for name, role in (
            ("Anna", "annotator"),
            ("Emil", "expert"),
            ("Rita", "reviewer"),
            ("Ada", "admin"),
        )
    )
    clip = make_clip(project)
    rated = rated_round(project, clip)
    write = WorkItem.objects.create(project=project, clip=clip, kind="write", needed=2)
    hold = Assignment.objects.create(
        item=write,
        annotator=anna,
        lease_expires_at=timezone.now() + timedelta(minutes=30),
    )
    batch = open_batch(project=project, admin=ada)
    item = add_item(batch=batch, name="a.mp4", size=10)
    invitation = Invitation.objects.create(
        project=project,
        token_hash=hash_token("token"),
        invited_by=ada,
        expires_at=timezone.now() + timedelta(days=1),
        is_annotator=True,
    )
    caption = Caption.objects.create(
        project=project, clip=clip, kind="general", source="machine", text="A dive.", word_count=2
    )
    candidate = Candidate.objects.create(
        project=project,
        video=clip.video,
        number=1,
        end_frame=9,
        start_frame=1,
        subcategory="Diving",
    )
    example = make_example(project)
    verification = record_verification(
        caption=caption, judgment=Judgment((Verdict(frozenset()),), (), True), label="1"
    )
    study = Study.objects.create(project=project, kind="rating", people=1, per_rater=1)
    threshold_study = Study.objects.create(
        project=project, kind="threshold", people=1, scorer="f" * 64, strata=1
    )
    release = Release.objects.create(
        project=project,
        version="0.1.0",
        content_hash="0" * 64,
        clip_count=0,
        created_by=ada,
        proof=NO_PROOF,
    )
    triplets = TripletSet.objects.create(project=project, number=1, state="finished")
    report, query = bare_report(project)
    direction = WorkItem.objects.create(project=project, clip=clip, kind="modify")
    prompt = ModificationPrompt.objects.create(project=project, version=1, instruction="Say.")
    ben, olaf = make_person("Ben", project, "annotator"), make_person("Olaf")
    model = ModelSpec.objects.create(project=project, name="Draft", backend="opencv-draft")
    run = start_run(project=project, kind="caption", model=model, admin=ada)
    judging = CapstRun.objects.create(
        project=project,
        kind="capst",
        title="Elements of the human captions",
        extractor=model,
        extractor_recipe=as_json(model_recipe(model)),
        state="done",
        is_planned=True,
    )
    judged = CapstItem.objects.create(
        run=judging, clip=clip, events_reference=caption, objects_reference=caption
    )
    writing = ModificationRun.objects.create(
        project=project, kind="modifications", model=model, prompt=prompt
    )
    # Of the release too, which holds no caption.
    overlap_of(project, "Model", references_digest({}))
    # A clip of its own: who could still compare its captions may not read them elsewhere.
    start_round(project, [make_clip(project)])
    compared, caption_pair = next_caption_pair(project, rita)
    vote(compared)
    shown_example = add_example(
        project=project,
        kind="write",
        clip=make_clip(project),
        parts=[("Overview", "A dive.")],
        is_good=True,
        comment="It is short.",
        admin=ada,
    )
    guideline_version = GuidelineVersion.objects.get(project=project)
    webhook, _ = add_webhook(
        project=project,
        admin=ada,
        address="https://hooks.example.org/",
        events=["job.finished"],
        site="https://vericap.example",
    )
    source, unused = (_finished_write_up(make_clip(project), ben) for _ in range(2))
    known_answer = add_known_answer(
        project=project,
        kind="write",
        source_id=source.pk,
        purpose="training",
        explanation="It names all objects.",
        admin=ada,
    )
    given_answer = GivenAnswer.objects.create(
        known_answer=known_answer,
        person=anna,
        assignment=Assignment.objects.create(
            item=known_answer.item,
            annotator=anna,
            state="submitted",
            lease_expires_at=timezone.now(),
        ),
        content={},
        is_right=True,
        share=1,
    )
    set_currency(project=project, currency="EUR", admin=ada)
    check = draw_spot_check(project=project, kind="write", per_person=1, seed=0, admin=ada)
    panel, _ = make_panel(
        project=project,
        admin=ada,
        values={
            "name": "Pilot", "items": {"write": 2}, "places": 5, "minutes": None,
            "id_parameter": "PROLIFIC_PID", "study_parameter": "", "session_parameter": "",
            "completed_code": "DONE", "screened_out_code": "", "out_of_time_code": "",
            "return_address": "", "expires_at": None,
        },
    )  # fmt: skip
    Panel.objects.update(token_hash=hash_token("token"))
    participant = Participant.objects.create(panel=panel, person=anna, external_id="anna")
    recompute(project=project, name="statistics")
    recompute(project=project, name="assessment")
    return {
        "people": {"anna": anna, "emil": emil, "rita": rita, "ada": ada, "olaf": olaf},
        "slug": project.slug,
        "round_id": rated.pk,
        "import_id": HumanImport.objects.create(project=project, name="CaReBench v1").pk,
        "set_id": rated.systems.first().caption_set_id,
        "kind": "write",
        "dataset_file": "labels",
        "list_name": "clips",
        "assignment_id": hold.pk,
        "caption_id": caption.pk,
        "notice_id": tell(anna, project, hold).pk,
        "question_id": ask(assignment=hold, person=anna, text="A bear?").question_id,
        "verification_id": verification.pk,
        "example_id": example.pk,
        "shown_id": shown_example.pk,
        "guideline_version_id": guideline_version.pk,
        "study_id": study.pk,
        "threshold_study_id": threshold_study.pk,
        "clip_id": clip.pk,
        "change_id": change_clips(
            project=project, clips=[clip.pk], action="tag", values={"tag": "good"}, actor=ada
        ).pk,
        "saved_view_id": SavedView.objects.create(
            project=project, owner=anna, list_name="clips", name="Mine"
        ).pk,
        "candidate_id": candidate.pk,
        "label_id": make_label(project, "of everything").pk,
        "video_id": clip.video.pk,
        "pair_id": NearDuplicate.objects.create(
            project=project, first=clip.video, second=make_video(project), distance=2
        ).pk,
        "thing_kind": "video",
        "thing_id": clip.video.pk,
        "batch_id": batch.pk,
        "item_id": item.pk,
        "work_item_id": write.pk,
        "direction_id": direction.pk,
        "modification_id": query.modification_id,
        "writing_id": writing.pk,
        "judging_id": judging.pk,
        "judged_id": judged.pk,
        "invitation_id": invitation.pk,
        "membership_id": Membership.objects.get(user=ben).pk,
        "model_id": model.pk,
        "run_id": run.pk,
        "job_id": Job.objects.create(project=project, kind="labels", created_by=ada).pk,
        "build_id": Job.objects.create(
            project=project, kind="release", lane="all", title="9.0.0", state="failed"
        ).pk,
        "token": "token",
        "token_id": make_token(
            membership=Membership.objects.get(user=anna), name="Export", scope="read", days=7
        )[0].pk,
        "webhook_id": webhook.pk,
        "number": triplets.number,
        "table": "pairs",
        "counts": "words",
        "vectors_id": Job.objects.create(
            project=project,
            kind="vectors",
            lane="a",
            parameters={"source": "labels:1", "fusion": "", "format": "npz"},
        ).pk,
        "report_id": report.pk,
        "recall_id": rank(bare_recall(project), caption).report_id,
        "captions": "general",
        "way": "t2v",
        "asked_id": caption.pk,
        "vector_set_id": import_set(project).pk,
        "query_id": query.pk,
        "ranking_id": ImportedRanking.objects.create(
            project=project, triplets=triplets, name="Elsewhere", group="general", clips={}
        ).pk,
        "caption_pair_id": caption_pair.pk,
        "version": release.version,
        "takedown_id": Takedown.objects.create(
            project=project, what="caption", caption=caption, reason="consent"
        ).pk,
        "format_name": "carebench",
        "ending": "csv",
        "known_id": known_answer.pk,
        "source_id": unused.pk,
        "answer_id": given_answer.pk,
        "pause_id": Pause.objects.create(
            project=project, person=ben, kind="write", right=0, answered=5
        ).pk,
        "panel_id": panel.pk,
        "participant_id": participant.pk,
        "person_id": ben.pk,
        "check_id": check.pk,
        "of": f"spot-check-{check.pk}",
        "statement_id": PayStatement.objects.create(
            project=project,
            person=ben,
            until=timezone.now().date(),
            units=0,
            entries=0,
            digest="0" * 64,
            approved_by=ada,
        ).pk,
        "spot_item_id": check.items.get().pk,
        "row_id": BenchmarkRow.objects.create(project=project, name="MSVD", source="2011").pk,
    }


def _finished_write_up(clip: Clip, person: User) -> Assignment:
    item = WorkItem.objects.create(
        project=clip.project, clip=clip, kind="write", open_slots=0, state="done"
    )
    return Assignment.objects.create(
        item=item,
        annotator=person,
        state="submitted",
        draft=WRITE_UP,
        lease_expires_at=timezone.now(),
        submitted_at=timezone.now(),
    )
