"""Every address, and who may use it. An address that is missing here fails the test."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client

from annotate.models import Membership
from review.reports.page import PAGES
from tests.addresses import address_of, all_views, arguments_of, in_batches
from tests.cast import join, make_project, session_of
from tests.inference_addresses import INFERENCE_ADDRESSES
from tests.nul_characters import WITH_NUL
from tests.one_of_everything import make_world
from tests.open_addresses import (
    MEDIA,
    OF_SUPERUSERS,
    OWN_VOTE,
    OWN_WORK,
    PUBLIC,
    SIGNED_IN,
    SIGNED_IN_FORMS,
)
from tests.project_addresses import PROJECT_ADDRESSES
from tests.quality_addresses import QUALITY_ADDRESSES
from tests.release_addresses import RELEASE_ADDRESSES
from tests.report_addresses import FURTHER_FILES, REPORT_PAGES, report_addresses
from tests.shared_world import kept_for_the_module
from tests.statements_by_role import BY_WHO_ASKS, statements_sent
from tests.swapped_parts import check_parts

pytestmark = pytest.mark.django_db

ANNOTATOR, EXPERT, REVIEWER, ADMIN = "anna", "emil", "rita", "ada"
EVERY_MEMBER = {ANNOTATOR, EXPERT, REVIEWER, ADMIN}
WATCHING = {EXPERT, REVIEWER, ADMIN}
TRAINING = {REVIEWER, ADMIN}
RATING = {ANNOTATOR, REVIEWER}

# name: (method, who may). Somebody else of the project gets 403, an outsider 404.
BY_ROLE = {
    "annotate:my_work": ("get", EVERY_MEMBER),
    "annotate:claim": ("post", {ANNOTATOR}),
    "annotate:choices": ("get", {ANNOTATOR}),
    "annotate:choose": ("post", {ANNOTATOR}),
    "annotate:questions": ("get", EVERY_MEMBER),
    "annotate:answer_question": ("post", WATCHING),
    "annotate:corpus": ("get", EVERY_MEMBER),
    "annotate:corpus_balance": ("get", EVERY_MEMBER),
    "annotate:near_duplicates": ("get", {ADMIN}),
    "annotate:keep_both": ("post", {ADMIN}),
    "annotate:undo_keep_both": ("post", {ADMIN}),
    "annotate:save_view": ("post", EVERY_MEMBER),
    "annotate:columns": ("post", EVERY_MEMBER),
    "annotate:change_clips": ("get", {EXPERT, ADMIN}),
    "annotate:make_clip_change": ("post", {EXPERT, ADMIN}),
    "annotate:clip_change": ("get", {EXPERT, ADMIN}),
    "annotate:undo_clip_change": ("post", {EXPERT, ADMIN}),
    "annotate:clip": ("get", EVERY_MEMBER),
    "annotate:change_video_facts": ("post", {ADMIN}),
    "annotate:make_current": ("post", {ADMIN}),
    "annotate:withdraw_clip": ("post", {ADMIN}),
    "annotate:take_back_clip": ("post", {ADMIN}),
    "annotate:disputed_videos": ("get", {ADMIN}),
    "annotate:ask_third_person": ("post", {ADMIN}),
    "annotate:decide_dynamics": ("post", {ADMIN}),
    "annotate:send_back_split": ("post", {EXPERT}),
    "annotate:send_back_merge": ("post", {EXPERT}),
    "annotate:labels": ("get", EVERY_MEMBER),
    "annotate:label": ("get", EVERY_MEMBER),
    "annotate:correct_label": ("post", {ADMIN}),
    "annotate:correct_clip_label": ("post", {ADMIN}),
    "annotate:count_as_one": ("post", {ADMIN}),
    "annotate:count_apart": ("post", {ADMIN}),
    "annotate:dataset": ("get", {ADMIN}),
    "annotate:download_dataset": ("get", {ADMIN}),
    "annotate:candidates": ("get", {ADMIN}),
    "annotate:decide_candidates": ("post", {ADMIN}),
    "annotate:cutting_live": ("get", {ADMIN}),
    "annotate:cut_candidates": ("post", {ADMIN}),
    "annotate:add_candidates": ("get", {ADMIN}),
    "annotate:candidate": ("get", {ADMIN}),
    "annotate:decide_candidate": ("post", {ADMIN}),
    "annotate:jobs": ("get", {ADMIN}),
    "annotate:jobs_live": ("get", {ADMIN}),
    "annotate:job": ("get", {ADMIN}),
    "annotate:job_live": ("get", {ADMIN}),
    "annotate:import_state": ("get", {ADMIN}),
    "annotate:import_faults": ("get", {ADMIN}),
    "annotate:cancel_job": ("post", {ADMIN}),
    "annotate:retry_job": ("post", {ADMIN}),
    "annotate:requeue_job": ("post", {ADMIN}),
    "review:adopt_threshold": ("get", {ADMIN}),
    "review:try_threshold": ("get", {ADMIN}),
    "review:hand_out_low_captions": ("post", {ADMIN}),
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
    "review:filtered_votes": ("get", WATCHING),
    "review:import_results": ("get", {ADMIN}),
    "review:make_caption_set": ("post", {ADMIN}),
    "review:import_predictions": ("post", {ADMIN}),
    "review:caption_set": ("get", {ADMIN}),
    "review:load_capst_prompts": ("post", {ADMIN}),
    "review:use_own_capst_prompts": ("post", {ADMIN}),
    "review:recall_captions": ("post", {ADMIN}),
    "review:human_captions": ("get", {ADMIN}),
    "review:check_human_captions": ("post", {ADMIN}),
    "review:human_import": ("get", {ADMIN}),
    "review:human_import_faults": ("get", {ADMIN}),
    "review:import_human_captions": ("post", {ADMIN}),
    "review:remove_human_captions": ("post", {ADMIN}),
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
    "review:keep_modification": ("post", {EXPERT, ADMIN}),
    "review:modification_prompts": ("get", WATCHING),
    "review:save_modification_prompt": ("post", {EXPERT, ADMIN}),
    "review:open_rating_study": ("post", {ADMIN}),
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
    "review:import_triplets": ("get", {ADMIN}),
    "review:split_videos": ("get", {ADMIN}),
    "review:import_splits": ("post", {ADMIN}),
    "review:triplets": ("get", WATCHING),
    "review:triplets_live": ("get", WATCHING),
    "review:generate_triplets": ("post", {ADMIN}),
    "review:preview_triplets": ("post", {ADMIN}),
    "review:triplet_set": ("get", WATCHING),
    "review:hand_out_queries": ("post", {ADMIN}),
    "review:download_triplets": ("get", WATCHING),
    "review:triplet_words": ("get", WATCHING),
    "review:triplet_statistics": ("get", WATCHING),
    "review:triplet_figure": ("get", WATCHING),
    "review:retrieval_figure": ("get", WATCHING),
    "review:tables": ("get", {ADMIN}),
    "review:vectors": ("get", {ADMIN}),
    "review:download_vectors": ("get", {ADMIN}),
    "review:download_table": ("get", {ADMIN}),
    "review:remove_imported": ("post", {ADMIN}),
    "review:recall_model": ("get", WATCHING),
    "review:recall_queries": ("get", WATCHING),
    "review:recall_query": ("get", WATCHING),
    "review:import_vectors": ("post", {ADMIN}),
    "review:remove_vectors": ("post", {ADMIN}),
    "review:composed_results": ("get", WATCHING),
    "review:download_composed_results": ("get", WATCHING),
    "review:import_rankings": ("post", {ADMIN}),
    "review:rank_here": ("post", {ADMIN}),
    "review:remove_ranking": ("post", {ADMIN}),
    "review:retrieval_queries": ("get", WATCHING),
    "review:retrieval_query": ("get", WATCHING),
    "review:votes": ("get", {EXPERT, REVIEWER}),
    "review:start_capst_run": ("post", {ADMIN}),
    "review:rerun_outdated": ("post", {ADMIN}),
    "review:find_elements": ("post", {ADMIN}),
    "review:audit_log": ("get", {ADMIN}),
    "review:download_audit_log": ("get", {ADMIN}),
    "review:start_identification": ("post", {ADMIN}),
    "review:end_identification": ("post", {ADMIN}),
    "review:hand_out_elements": ("post", {ADMIN}),
    "review:capst_run": ("get", WATCHING),
    "review:cancel_capst_run": ("post", {ADMIN}),
    "review:resume_capst_run": ("post", {ADMIN}),
    "review:capst_clip": ("get", WATCHING),
    "review:benchmarks": ("get", {ADMIN}),
    "review:download_benchmarks": ("get", {ADMIN}),
    "review:device_hours": ("get", {ADMIN}),
    "review:download_device_hours": ("get", {ADMIN}),
    "review:benchmark_rows": ("get", {ADMIN}),
    "review:benchmark_row": ("get", {ADMIN}),
    "review:add_benchmark_row": ("post", {ADMIN}),
    "review:paste_benchmark_rows": ("post", {ADMIN}),
    "review:remove_benchmark_row": ("post", {ADMIN}),
}
BY_ROLE |= INFERENCE_ADDRESSES | PROJECT_ADDRESSES | QUALITY_ADDRESSES | RELEASE_ADDRESSES
BY_ROLE |= report_addresses()
OF_THE_PERSON = {*MEDIA, *OWN_WORK, *OWN_VOTE, *SIGNED_IN, *SIGNED_IN_FORMS}
ADMIN_OF_ANY_PROJECT = {"annotate:new_project"}


def test_every_address_is_in_the_table():
    own = set(OWN_WORK) | set(OWN_VOTE)
    by_role = {name.partition(" ")[0] for name in BY_ROLE}
    listed = PUBLIC | SIGNED_IN | SIGNED_IN_FORMS | by_role | MEDIA | own | ADMIN_OF_ANY_PROJECT
    listed |= OF_SUPERUSERS
    assert all_views().keys() - listed == set()
    assert listed - all_views().keys() == set()


def test_every_page_of_reports_is_in_the_table():
    assert REPORT_PAGES.keys() == PAGES.keys()


@pytest.fixture(scope="module")
def shared_world(django_db_setup, django_db_blocker):
    """Made once, because these tests are many; what a test does is taken back after it."""
    with kept_for_the_module(django_db_blocker):
        world = make_world()
        world["sessions"] = {name: session_of(person) for name, person in world["people"].items()}
        yield world


@pytest.fixture
def world(shared_world, db, monkeypatch):
    """What a refusal looks like is tested in test_error_pages.py; here it is its status alone."""
    for code in (403, 404):
        refuse = partial(refused_with, code)
        monkeypatch.setattr(f"config.urls.handler{code}", refuse, raising=False)
    return shared_world


def refused_with(code: int, request: HttpRequest, exception: Exception) -> HttpResponse:
    return HttpResponse(status=code)


def address(name: str, world: dict) -> str:
    if name in {"annotate:choose", "review:offer_again"}:
        world = world | {"item_id": world["work_item_id"]}
    if name == "review:stop_threshold_study":
        world = world | {"study_id": world["threshold_study_id"]}
    return address_of(name, {key: world[key] for key in arguments_of(name)})


def method_of(name: str) -> str:
    own = OWN_WORK | OWN_VOTE | dict.fromkeys(SIGNED_IN_FORMS, "post")
    return BY_ROLE[name][0] if name in BY_ROLE else own.get(name, "get")


def ask(
    world: dict, person: str | None, method: str, url: str, fields: dict[str, str] | None = None
) -> HttpResponse:
    """Return the answer; what the request has changed is checked and taken back."""
    client = Client()
    if person is not None:
        client.cookies[settings.SESSION_COOKIE_NAME] = world["sessions"][person]
    sent = {"data": fields} if method == "post" else {}
    with transaction.atomic():
        answer = getattr(client, method)(url, **sent)
        check_parts(answer)
        if method != "get" and answer.status_code < 400:
            connection.check_constraints()
        transaction.set_rollback(True)
    return answer


def status(world: dict, person: str | None, method: str, url: str) -> int:
    return ask(world, person, method, url).status_code


def statuses(
    world: dict, people: Iterable[str], name: str, fields: dict[str, str] | None = None
) -> dict[str, int]:
    url, method = address(name, world), method_of(name)
    return {person: ask(world, person, method, url, fields).status_code for person in people}


@in_batches(sorted(BY_ROLE))
def test_the_role_decides_and_a_nul_character_breaks_nothing(world, subtests, names):
    for name in names:
        with subtests.test(name):
            check_roles(world, name)


def check_roles(world: dict, name: str) -> None:
    _, allowed = BY_ROLE[name]
    people = EVERY_MEMBER
    if connection.vendor == "postgresql":
        # A refusal sends no query that the page doesn't.
        people = {ADMIN} if ADMIN in allowed and name not in BY_WHO_ASKS else allowed
    elif name in FURTHER_FILES:
        people = EVERY_MEMBER - allowed | {ADMIN}
    answers, sent = {}, {}
    for person in sorted(people):  # the admin first: what is kept for the next request is new then
        with statements_sent() as sent[person]:
            answers |= statuses(world, [person], name, WITH_NUL)
    refused = {person for person, answer in answers.items() if answer == 403}
    assert refused == people - allowed
    served = {person: answers[person] for person in people & allowed}
    assert {p: code for p, code in served.items() if code in {404, 405} or code >= 500} == {}
    if people >= allowed and ADMIN in allowed and name not in BY_WHO_ASKS:
        others = {person: sent[person] - sent[ADMIN] for person in allowed}
        assert not any(others.values()), f"Add {name} to BY_WHO_ASKS: {others}"


@in_batches(sorted([*BY_ROLE, *OF_THE_PERSON]))
def test_it_is_shut_to_visitors_outsiders_and_other_verbs(world, subtests, names):
    for name in names:
        with subtests.test(name):
            check_refusals(world, name)


def check_refusals(world: dict, name: str) -> None:
    answer = ask(world, None, method_of(name), address(name, world))
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/accounts/sign-in/")
    if name not in SIGNED_IN | SIGNED_IN_FORMS:
        others = {EXPERT, REVIEWER, ADMIN, "olaf"} if name in OWN_WORK else {"olaf"}
        assert statuses(world, others, name) == dict.fromkeys(others, 404)
    if name in BY_ROLE or name in OWN_WORK:
        person = min(BY_ROLE[name][1]) if name in BY_ROLE else ANNOTATOR
        other = "get" if method_of(name) in {"post", "put"} else "delete"
        assert status(world, person, other, address(name, world)) == 405


def test_a_vote_is_shown_to_the_reviewer_who_cast_it(world, subtests):
    for name in OWN_VOTE:
        with subtests.test(name):
            answers = statuses(world, EVERY_MEMBER, name)
            assert answers.pop(REVIEWER) in {200, 302, 422}
            assert answers == {ANNOTATOR: 403, ADMIN: 403, EXPERT: 404}


def test_own_work_is_gone_once_one_has_left_the_project(world, subtests):
    Membership.objects.filter(user=world["people"][ANNOTATOR]).delete()
    for name in OWN_WORK:
        with subtests.test(name):
            assert statuses(world, [ANNOTATOR], name) == {ANNOTATOR: 404}


NO_IDS = {"slug", "kind", "table", "dataset_file", "list_name"}
WITH_AN_ID = [name for name in sorted(BY_ROLE) if not set(arguments_of(name)) <= NO_IDS]


@in_batches(WITH_AN_ID)
def test_an_id_of_another_project_is_not_there(world, subtests, names):
    """Every role in a second project shows nothing of the first through it."""
    other = make_project("Other")
    for person in EVERY_MEMBER:
        join(other, world["people"][person], "annotator", "expert", "reviewer", "admin")
    for name in names:
        with subtests.test(name):
            person = min(BY_ROLE[name][1])
            assert statuses(world | {"slug": other.slug}, [person], name) == {person: 404}


def test_a_nul_character_in_a_form_of_own_work_breaks_nothing(world, subtests):
    for name in OWN_WORK:
        if method_of(name) == "post":
            with subtests.test(name):
                assert statuses(world, [ANNOTATOR], name, WITH_NUL)[ANNOTATOR] < 500


def test_signed_in_pages_open_for_anybody_signed_in(world, subtests):
    for name in SIGNED_IN | SIGNED_IN_FORMS:
        with subtests.test(name):
            code = 302 if name in SIGNED_IN_FORMS else 200
            assert status(world, "olaf", method_of(name), address(name, world)) == code


def test_public_pages_open_for_a_visitor(world, subtests):
    # The last two need a key or a signature that is theirs alone, and are tested with their views.
    others = {"account_logout", "favicon", "account_reset_password_from_key"}
    for name in PUBLIC - others - {"annotate:signed_clip"}:
        with subtests.test(name):
            assert status(world, None, "get", address(name, world)) == 200
