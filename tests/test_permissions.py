"""Every address, and who may use it. An address that is missing here fails the test."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from annotate.models import (
    Assignment,
    Caption,
    ImportBatch,
    ImportItem,
    Invitation,
    Membership,
    WorkItem,
)
from annotate.services.members import hash_token
from inference.models import ModelSpec
from inference.services.starting import start_run
from review.models import Release, Study, TripletSet
from review.models.label_pairs import ModificationPrompt
from review.models.modification_runs import ModificationRun
from review.services.verifying import record_verification
from review.verification.judgement import Judgement, Verdict
from tests.cast import client_of, make_clip, make_person, make_project
from tests.review.rating import make_example
from tests.review.retrieval import bare_report

ANNOTATOR, EXPERT, REVIEWER, ADMIN = "anna", "emil", "rita", "ada"
EVERY_MEMBER = {ANNOTATOR, EXPERT, REVIEWER, ADMIN}
WATCHING = {EXPERT, REVIEWER, ADMIN}
TRAINING = {REVIEWER, ADMIN}
RATING = {ANNOTATOR, REVIEWER}

PUBLIC = {
    "account_login",
    "account_signup",
    "account_inactive",
    "account_logout",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "annotate:join",
    "favicon",
}
SIGNED_IN = {"annotate:projects", "account_change_password"}

# name: (method, who may). Somebody else of the project gets 403, an outsider 404.
BY_ROLE = {
    "annotate:my_work": ("get", EVERY_MEMBER),
    "annotate:claim": ("post", {ANNOTATOR}),
    "annotate:project_settings": ("get", {ADMIN}),
    "annotate:members": ("get", {ADMIN}),
    "annotate:invite": ("post", {ADMIN}),
    "annotate:withdraw_invitation": ("post", {ADMIN}),
    "annotate:change_roles": ("post", {ADMIN}),
    "annotate:remove_member": ("post", {ADMIN}),
    "annotate:corpus": ("get", EVERY_MEMBER),
    "annotate:corpus_balance": ("get", EVERY_MEMBER),
    "annotate:clip": ("get", EVERY_MEMBER),
    "annotate:change_video_facts": ("post", {ADMIN}),
    "annotate:send_back_split": ("post", {EXPERT}),
    "annotate:send_back_merge": ("post", {EXPERT}),
    "annotate:labels": ("get", EVERY_MEMBER),
    "annotate:dataset": ("get", {ADMIN}),
    "annotate:upload": ("get", {ADMIN}),
    "annotate:imports": ("get", {ADMIN}),
    "annotate:start_import": ("post", {ADMIN}),
    "annotate:check_manifest": ("post", {ADMIN}),
    "annotate:import_batch": ("get", {ADMIN}),
    "annotate:import_rows": ("get", {ADMIN}),
    "annotate:add_import_item": ("post", {ADMIN}),
    "annotate:requeue_imports": ("post", {ADMIN}),
    "annotate:import_item": ("get", {ADMIN}),
    "annotate:put_chunk": ("put", {ADMIN}),
    "annotate:retry_import": ("post", {ADMIN}),
    "annotate:cancel_import": ("post", {ADMIN}),
    "inference:models": ("get", {ADMIN}),
    "inference:new_model": ("get", {ADMIN}),
    "inference:add_built_in_models": ("post", {ADMIN}),
    "inference:model": ("get", {ADMIN}),
    "inference:use_model": ("post", {ADMIN}),
    "inference:place_model": ("post", {ADMIN}),
    "inference:runs": ("get", {ADMIN}),
    "inference:runs_live": ("get", {ADMIN}),
    "inference:new_run": ("get", {ADMIN}),
    "inference:preview_run": ("post", {ADMIN}),
    "inference:run": ("get", {ADMIN}),
    "inference:run_live": ("get", {ADMIN}),
    "inference:cancel_run": ("post", {ADMIN}),
    "inference:retry_run": ("post", {ADMIN}),
    "inference:requeue_run": ("post", {ADMIN}),
    "inference:video": ("get", EVERY_MEMBER),
    "inference:clip_scores": ("get", EVERY_MEMBER),
    "review:overview": ("get", WATCHING),
    "review:offer_again": ("post", {ADMIN}),
    "review:threshold": ("get", {ADMIN}),
    "review:adopt_threshold": ("get", {ADMIN}),
    "review:hand_out_low_captions": ("post", {ADMIN}),
    "review:recompute_threshold": ("post", {ADMIN}),
    "review:start_study": ("post", {ADMIN}),
    "review:stop_threshold_study": ("post", {ADMIN}),
    "review:verifications": ("get", WATCHING),
    "review:verification": ("get", WATCHING),
    "review:annotation_table": ("get", WATCHING),
    "review:download_annotations": ("get", WATCHING),
    "review:upload_annotations": ("post", {ADMIN}),
    "review:label_pairs": ("get", WATCHING),
    "review:label_pairs_live": ("get", WATCHING),
    "review:compare_labels": ("post", {ADMIN}),
    "review:hand_out_pairs": ("post", {ADMIN}),
    "review:modifications": ("get", WATCHING),
    "review:modifications_live": ("get", WATCHING),
    "review:start_modification_run": ("post", {ADMIN}),
    "review:stop_modification_run": ("post", {ADMIN}),
    "review:ask_modification_again": ("post", {ADMIN}),
    "review:modification": ("get", {EXPERT, ADMIN}),
    "review:change_modification": ("post", {EXPERT, ADMIN}),
    "review:withdraw_modification": ("post", {EXPERT, ADMIN}),
    "review:modification_prompts": ("get", WATCHING),
    "review:save_modification_prompt": ("post", {EXPERT, ADMIN}),
    "review:ratings": ("get", WATCHING),
    "review:open_rating_study": ("post", {ADMIN}),
    "review:recompute_ratings": ("post", WATCHING),
    "review:stop_rating_study": ("post", {ADMIN}),
    "review:change_rating_share": ("post", {ADMIN}),
    "review:rating_examples": ("get", TRAINING),
    "review:new_rating_example": ("get", TRAINING),
    "review:add_rating_example": ("post", TRAINING),
    "review:move_rating_example": ("post", TRAINING),
    "review:retire_rating_example": ("post", TRAINING),
    "review:training": ("get", RATING),
    "review:training_example": ("get", RATING),
    "review:answer_training": ("post", RATING),
    "review:split_videos": ("get", {ADMIN}),
    "review:triplets": ("get", WATCHING),
    "review:triplets_live": ("get", WATCHING),
    "review:generate_triplets": ("post", {ADMIN}),
    "review:triplet_set": ("get", WATCHING),
    "review:hand_out_queries": ("post", {ADMIN}),
    "review:download_triplets": ("get", WATCHING),
    "review:retrieval": ("get", WATCHING),
    "review:retrieval_live": ("get", WATCHING),
    "review:recompute_retrieval": ("post", WATCHING),
    "review:retrieval_csv": ("get", WATCHING),
    "review:retrieval_json": ("get", WATCHING),
    "review:retrieval_queries": ("get", WATCHING),
    "review:retrieval_query": ("get", WATCHING),
    "review:releases": ("get", EVERY_MEMBER),
    "review:release": ("get", EVERY_MEMBER),
    "review:build_release": ("post", {ADMIN}),
    "review:download_release": ("get", EVERY_MEMBER),
}
# Not pages: a member without the file gets 404 too, so these are tested with the views.
MEDIA = {"annotate:media_playback", "annotate:media_poster", "annotate:media_filmstrip"}
# Work belongs to the person who holds it: 404 for everybody else, whatever their role.
OWN_WORK = {
    "annotate:work": "get",
    "annotate:save_draft": "post",
    "annotate:heartbeat": "post",
    "annotate:submit": "post",
    "annotate:skip": "post",
    "annotate:take_again": "post",
    "annotate:send_back": "post",
    "annotate:split_checks": "post",
    "annotate:merge_origins": "post",
    "review:rate": "post",
    "review:judge_pair_again": "post",
    "review:check_modification": "post",
}
ADMIN_OF_ANY_PROJECT = {"annotate:new_project"}


def all_names(resolver: URLResolver | None = None, namespace: str = "") -> set[str]:
    names: set[str] = set()
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLPattern):
            names.add(f"{namespace}{entry.name}")
        else:
            inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
            names |= all_names(entry, inner)
    return names


def test_every_address_is_in_the_table():
    listed = PUBLIC | SIGNED_IN | set(BY_ROLE) | MEDIA | set(OWN_WORK) | ADMIN_OF_ANY_PROJECT
    assert all_names() - listed == set()
    assert listed - all_names() == set()


@pytest.fixture
def world(project, anna, emil, rita, ada, olaf):
    """One of everything, and the arguments that each address may need."""
    clip = make_clip(project)
    write = WorkItem.objects.create(project=project, clip=clip, kind="write", needed=2)
    hold = Assignment.objects.create(
        item=write,
        annotator=anna,
        lease_expires_at=timezone.now() + timedelta(minutes=30),
    )
    batch = ImportBatch.objects.create(project=project, created_by=ada)
    item = ImportItem.objects.create(batch=batch, row=1, name="a.mp4", size=10)
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
    example = make_example(project)
    verification = record_verification(
        caption=caption, judgement=Judgement((Verdict(frozenset()),), (), True), label="1"
    )
    study = Study.objects.create(project=project, kind="rating", people=1, per_rater=1)
    threshold_study = Study.objects.create(
        project=project, kind="threshold", people=1, scorer="f" * 64, strata=1
    )
    release = Release.objects.create(
        project=project, version="0.1.0", content_hash="0" * 64, clip_count=0, created_by=ada
    )
    triplets = TripletSet.objects.create(project=project, number=1, state="finished")
    report, query = bare_report(project)
    direction = WorkItem.objects.create(project=project, clip=clip, kind="modify")
    prompt = ModificationPrompt.objects.create(project=project, version=1, instruction="Say.")
    ben = make_person("Ben", project, "annotator")
    model = ModelSpec.objects.create(project=project, name="Draft", backend="opencv-draft")
    run = start_run(project=project, kind="caption", model=model, admin=ada)
    writing = ModificationRun.objects.create(project=project, model=model, prompt=prompt)
    return {
        "slug": project.slug,
        "kind": "write",
        "assignment_id": hold.pk,
        "caption_id": caption.pk,
        "verification_id": verification.pk,
        "example_id": example.pk,
        "study_id": study.pk,
        "threshold_study_id": threshold_study.pk,
        "clip_id": clip.pk,
        "video_id": clip.video.pk,
        "batch_id": batch.pk,
        "item_id": item.pk,
        "work_item_id": write.pk,
        "direction_id": direction.pk,
        "modification_id": query.modification_id,
        "writing_id": writing.pk,
        "invitation_id": invitation.pk,
        "membership_id": Membership.objects.get(user=ben).pk,
        "model_id": model.pk,
        "run_id": run.pk,
        "token": "token",
        "number": triplets.number,
        "report_id": report.pk,
        "query_id": query.pk,
        "version": release.version,
        "format_name": "carebench",
    }


def address(name: str, world: dict) -> str:
    if name == "review:offer_again":
        world = world | {"item_id": world["work_item_id"]}
    if name == "review:stop_threshold_study":
        world = world | {"study_id": world["threshold_study_id"]}
    return reverse(name, kwargs={key: world[key] for key in arguments_of(name)})


def arguments_of(name: str) -> list[str]:
    resolver = get_resolver()
    *namespaces, last = name.split(":")
    for namespace in namespaces:
        resolver = resolver.namespace_dict[namespace][1]
    return resolver.reverse_dict.getlist(last)[0][0][0][1]


def status(request, person: str | None, method: str, url: str) -> int:
    client = client_of(request.getfixturevalue(person) if person else None)
    return getattr(client, method)(url).status_code


@pytest.mark.parametrize("person", [ANNOTATOR, EXPERT, REVIEWER, ADMIN])
@pytest.mark.parametrize("name", sorted(BY_ROLE))
def test_the_role_decides(request, world, name, person):
    method, allowed = BY_ROLE[name]
    answer = status(request, person, method, address(name, world))
    if person in allowed:
        assert answer not in {403, 404, 405}
        assert answer < 500
    else:
        assert answer == 403


@pytest.mark.parametrize("name", sorted([*BY_ROLE, *MEDIA]))
def test_an_outsider_finds_nothing(request, world, name):
    method, _ = BY_ROLE.get(name, ("get", None))
    assert status(request, "olaf", method, address(name, world)) == 404


@pytest.mark.parametrize("name", sorted([*BY_ROLE, *MEDIA, *OWN_WORK, *SIGNED_IN]))
def test_a_visitor_is_sent_to_sign_in(request, world, name):
    method = BY_ROLE[name][0] if name in BY_ROLE else OWN_WORK.get(name, "get")
    client = client_of(None)
    response = getattr(client, method)(address(name, world))
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/accounts/sign-in/")


@pytest.mark.parametrize("person", [EXPERT, REVIEWER, ADMIN, "olaf"])
@pytest.mark.parametrize("name", sorted(OWN_WORK))
def test_somebody_elses_work_is_not_there(request, world, name, person):
    assert status(request, person, OWN_WORK[name], address(name, world)) == 404


@pytest.mark.parametrize("name", sorted(OWN_WORK))
def test_own_work_is_gone_once_one_has_left_the_project(request, world, anna, name):
    Membership.objects.filter(user=anna).delete()
    assert status(request, ANNOTATOR, OWN_WORK[name], address(name, world)) == 404


@pytest.mark.parametrize("name", sorted(BY_ROLE))
def test_the_other_verb_is_refused(request, world, name):
    method, allowed = BY_ROLE[name]
    other = "get" if method in {"post", "put"} else "delete"
    person = sorted(allowed)[0]
    assert status(request, person, other, address(name, world)) == 405


@pytest.mark.parametrize("name", sorted(BY_ROLE))
def test_an_id_of_another_project_is_not_there(request, world, ada, name):
    """Ada administers a second project; nothing of the first is reachable through it."""
    other = make_project("Other")
    for role_holder in (ANNOTATOR, EXPERT, REVIEWER, ADMIN):
        person = request.getfixturevalue(role_holder)
        Membership.objects.create(
            project=other,
            user=person,
            is_annotator=True,
            is_expert=True,
            is_reviewer=True,
            is_admin=True,
        )
    if set(arguments_of(name)) <= {"slug", "kind"}:
        return
    method, allowed = BY_ROLE[name]
    url = address(name, world | {"slug": other.slug})
    assert status(request, sorted(allowed)[0], method, url) == 404


def test_signed_in_pages_open_for_anybody_signed_in(request, world):
    for name in SIGNED_IN:
        assert status(request, "olaf", "get", address(name, world)) == 200


def test_public_pages_open_for_a_visitor(request, world):
    for name in PUBLIC - {"account_reset_password_from_key", "account_logout", "favicon"}:
        assert status(request, None, "get", address(name, world)) == 200
