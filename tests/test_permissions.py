"""Every address, and who may use it. An address that is missing here fails the test."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotate.models import Membership
from tests.cast import client_of, make_project
from tests.one_of_everything import make_world

pytestmark = [pytest.mark.django_db, pytest.mark.page]

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
    "annotate:make_current": ("post", {ADMIN}),
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
    "annotate:jobs": ("get", {ADMIN}),
    "annotate:jobs_live": ("get", {ADMIN}),
    "annotate:job": ("get", {ADMIN}),
    "annotate:job_live": ("get", {ADMIN}),
    "annotate:cancel_job": ("post", {ADMIN}),
    "annotate:retry_job": ("post", {ADMIN}),
    "annotate:requeue_job": ("post", {ADMIN}),
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
    "review:agreement": ("get", WATCHING),
    "review:agreement_live": ("get", WATCHING),
    "review:recompute_agreement": ("post", {ADMIN}),
    "review:threshold": ("get", {ADMIN}),
    "review:adopt_threshold": ("get", {ADMIN}),
    "review:hand_out_low_captions": ("post", {ADMIN}),
    "review:recompute_threshold": ("post", {ADMIN}),
    "review:start_study": ("post", {ADMIN}),
    "review:stop_threshold_study": ("post", {ADMIN}),
    "review:verifications": ("get", WATCHING),
    "review:verification": ("get", WATCHING),
    "review:study_corrections": ("get", WATCHING),
    "review:study_correction": ("get", WATCHING),
    "review:decide_study_correction": ("post", WATCHING),
    "review:annotation_table": ("get", WATCHING),
    "review:download_annotations": ("get", WATCHING),
    "review:upload_annotations": ("post", {ADMIN}),
    "review:leaderboard": ("get", WATCHING),
    "review:leaderboard_live": ("get", WATCHING),
    "review:recompute_leaderboard": ("post", WATCHING),
    "review:leaderboard_round": ("get", WATCHING),
    "review:filtered_votes": ("get", WATCHING),
    "review:leaderboard_csv": ("get", WATCHING),
    "review:leaderboard_json": ("get", WATCHING),
    "review:votes_csv": ("get", WATCHING),
    "review:votes_json": ("get", WATCHING),
    "review:correlation": ("get", WATCHING),
    "review:correlation_live": ("get", WATCHING),
    "review:recompute_correlation": ("post", WATCHING),
    "review:correlation_round": ("get", WATCHING),
    "review:caption_sets": ("get", {ADMIN}),
    "review:caption_sets_live": ("get", {ADMIN}),
    "review:make_caption_set": ("post", {ADMIN}),
    "review:import_predictions": ("post", {ADMIN}),
    "review:recompute_overlap": ("post", {ADMIN}),
    "review:caption_set": ("get", {ADMIN}),
    "review:offer_caption_set": ("post", {ADMIN}),
    "review:comparisons": ("get", {ADMIN}),
    "review:preview_round": ("post", {ADMIN}),
    "review:open_round": ("post", {ADMIN}),
    "review:comparison_round": ("get", {ADMIN}),
    "review:end_round": ("post", {ADMIN}),
    "review:label_pairs": ("get", WATCHING),
    "review:label_pairs_live": ("get", WATCHING),
    "review:compare_labels": ("post", {ADMIN}),
    "review:hand_out_pairs": ("post", {ADMIN}),
    "review:modifications": ("get", WATCHING),
    "review:modifications_live": ("get", WATCHING),
    "review:start_modification_run": ("post", {ADMIN}),
    "review:cancel_modification_run": ("post", {ADMIN}),
    "review:resume_modification_run": ("post", {ADMIN}),
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
    "review:metrics": ("get", WATCHING),
    "review:metrics_live": ("get", WATCHING),
    "review:recompute_metrics": ("post", WATCHING),
    "review:metrics_file": ("get", WATCHING),
    "review:release_metrics": ("get", WATCHING),
    "review:release_metrics_file": ("get", WATCHING),
    "review:report": ("get", WATCHING),
    "review:report_live": ("get", WATCHING),
    "review:report_file": ("get", WATCHING),
    "review:recompute_report": ("post", WATCHING),
    "review:recall": ("get", WATCHING),
    "review:recall_live": ("get", WATCHING),
    "review:recompute_recall": ("post", WATCHING),
    "review:recall_csv": ("get", WATCHING),
    "review:recall_json": ("get", WATCHING),
    "review:recall_model": ("get", WATCHING),
    "review:import_vectors": ("post", {ADMIN}),
    "review:remove_vectors": ("post", {ADMIN}),
    "review:retrieval": ("get", WATCHING),
    "review:retrieval_live": ("get", WATCHING),
    "review:recompute_retrieval": ("post", WATCHING),
    "review:retrieval_csv": ("get", WATCHING),
    "review:retrieval_json": ("get", WATCHING),
    "review:retrieval_queries": ("get", WATCHING),
    "review:retrieval_query": ("get", WATCHING),
    "review:votes": ("get", {EXPERT, REVIEWER}),
    "review:capst": ("get", WATCHING),
    "review:capst_live": ("get", WATCHING),
    "review:start_capst_run": ("post", {ADMIN}),
    "review:judge_capst_again": ("post", {ADMIN}),
    "review:find_elements": ("post", {ADMIN}),
    "review:hand_out_elements": ("post", {ADMIN}),
    "review:recompute_capst": ("post", WATCHING),
    "review:capst_run": ("get", WATCHING),
    "review:cancel_capst_run": ("post", {ADMIN}),
    "review:resume_capst_run": ("post", {ADMIN}),
    "review:capst_clip": ("get", WATCHING),
    "review:leakage": ("get", WATCHING),
    "review:leakage_live": ("get", WATCHING),
    "review:recompute_leakage": ("post", WATCHING),
    "review:releases": ("get", EVERY_MEMBER),
    "review:releases_live": ("get", EVERY_MEMBER),
    "review:release": ("get", EVERY_MEMBER),
    "review:build_release": ("post", {ADMIN}),
    "review:download_release": ("get", EVERY_MEMBER),
}
# Not pages: a member without the file gets 404 too, so these are tested with the views.
MEDIA = {"annotate:media_playback", "annotate:media_poster", "annotate:media_filmstrip"}
# Votes belong to whoever cast them: 404 for others who vote, 403 for those who don't.
OWN_VOTE = {
    "review:vote": "get",
    "review:change_vote": "post",
    "review:show_names": "post",
}
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
    "review:check_elements": "post",
}
ADMIN_OF_ANY_PROJECT = {"annotate:new_project"}


def all_views(resolver: URLResolver | None = None, namespace: str = "") -> dict[str, Callable]:
    views: dict[str, Callable] = {}
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLPattern):
            views[f"{namespace}{entry.name}"] = entry.callback
        else:
            inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
            views |= all_views(entry, inner)
    return views


def test_every_address_is_in_the_table():
    own = set(OWN_WORK) | set(OWN_VOTE)
    listed = PUBLIC | SIGNED_IN | set(BY_ROLE) | MEDIA | own | ADMIN_OF_ANY_PROJECT
    assert all_views().keys() - listed == set()
    assert listed - all_views().keys() == set()


@pytest.fixture(scope="module")
def shared_world(django_db_setup, django_db_blocker):
    """Made once for all these tests, which are too many to make one of everything for each; what a
    test does is taken back after it."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)


@pytest.fixture
def world(shared_world, db):
    return shared_world


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


def status(world: dict, person: str | None, method: str, url: str) -> int:
    client = client_of(world["people"][person] if person else None)
    return getattr(client, method)(url).status_code


# On PostgreSQL, too: it sends the queries of every page.
@pytest.mark.both_databases
@pytest.mark.parametrize("person", [ANNOTATOR, EXPERT, REVIEWER, ADMIN])
@pytest.mark.parametrize("name", sorted(BY_ROLE))
def test_the_role_decides(world, name, person):
    method, allowed = BY_ROLE[name]
    answer = status(world, person, method, address(name, world))
    if person in allowed:
        assert answer not in {403, 404, 405}
        assert answer < 500
    else:
        assert answer == 403


@pytest.mark.parametrize("name", sorted([*BY_ROLE, *MEDIA, *OWN_VOTE]))
def test_an_outsider_finds_nothing(world, name):
    method = BY_ROLE[name][0] if name in BY_ROLE else OWN_VOTE.get(name, "get")
    assert status(world, "olaf", method, address(name, world)) == 404


@pytest.mark.parametrize(
    ("person", "answer"), [(ANNOTATOR, 403), (ADMIN, 403), (EXPERT, 404), (REVIEWER, None)]
)
@pytest.mark.parametrize("name", sorted(OWN_VOTE))
def test_a_vote_is_there_for_whoever_cast_it(world, name, person, answer):
    found = status(world, person, OWN_VOTE[name], address(name, world))
    assert found == answer if answer else found in {200, 302, 422}


@pytest.mark.parametrize("name", sorted([*BY_ROLE, *MEDIA, *OWN_WORK, *OWN_VOTE, *SIGNED_IN]))
def test_a_visitor_is_sent_to_sign_in(world, name):
    method = BY_ROLE[name][0] if name in BY_ROLE else (OWN_WORK | OWN_VOTE).get(name, "get")
    client = client_of(None)
    response = getattr(client, method)(address(name, world))
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/accounts/sign-in/")


@pytest.mark.parametrize("person", [EXPERT, REVIEWER, ADMIN, "olaf"])
@pytest.mark.parametrize("name", sorted(OWN_WORK))
def test_somebody_elses_work_is_not_there(world, name, person):
    assert status(world, person, OWN_WORK[name], address(name, world)) == 404


@pytest.mark.parametrize("name", sorted(OWN_WORK))
def test_own_work_is_gone_once_one_has_left_the_project(world, name):
    Membership.objects.filter(user=world["people"][ANNOTATOR]).delete()
    assert status(world, ANNOTATOR, OWN_WORK[name], address(name, world)) == 404


@pytest.mark.parametrize("name", sorted(BY_ROLE))
def test_the_other_verb_is_refused(world, name):
    method, allowed = BY_ROLE[name]
    other = "get" if method in {"post", "put"} else "delete"
    person = sorted(allowed)[0]
    assert status(world, person, other, address(name, world)) == 405


@pytest.mark.parametrize("name", sorted(BY_ROLE))
def test_an_id_of_another_project_is_not_there(world, name):
    """Ada administers a second project; nothing of the first is reachable through it."""
    other = make_project("Other")
    every_role = dict.fromkeys(("is_annotator", "is_expert", "is_reviewer", "is_admin"), True)
    for role_holder in (ANNOTATOR, EXPERT, REVIEWER, ADMIN):
        person = world["people"][role_holder]
        Membership.objects.create(project=other, user=person, **every_role)
    if set(arguments_of(name)) <= {"slug", "kind"}:
        return
    method, allowed = BY_ROLE[name]
    url = address(name, world | {"slug": other.slug})
    assert status(world, sorted(allowed)[0], method, url) == 404


def test_a_nul_character_in_a_form_breaks_nothing(world):
    """PostgreSQL stores none; a field refuses it, or it is replaced."""
    fields = (
        *("name", "email", "q", "text", "kind", "domain", "direction", "comment", "code", "move"),
        *("reason", "detail", "value", "explanation", "roles", "category", "model", "version"),
        *("instruction", "scorer", "offer", "state", "sets", "run", "source", "target", "title"),
    )
    typed = dict.fromkeys(fields, "a\0b")
    for name, (method, allowed) in BY_ROLE.items():
        if method == "post":
            person = sorted(allowed)[0]
            answer = client_of(world["people"][person]).post(address(name, world), typed)
            assert answer.status_code < 500, name
    for name, method in OWN_WORK.items():
        if method == "post":
            answer = client_of(world["people"][ANNOTATOR]).post(address(name, world), typed)
            assert answer.status_code < 500, name


def test_signed_in_pages_open_for_anybody_signed_in(world):
    for name in SIGNED_IN:
        assert status(world, "olaf", "get", address(name, world)) == 200


def test_public_pages_open_for_a_visitor(world):
    for name in PUBLIC - {"account_reset_password_from_key", "account_logout", "favicon"}:
        assert status(world, None, "get", address(name, world)) == 200
