"""What webhooks are told about: ids and addresses, once, if the event is committed."""

from __future__ import annotations

import json

import pytest
from django.db import transaction

from annotate.jobs.services.control import cancel_job
from annotate.jobs.services.ending import end_job
from annotate.models import Job, JobItem, Webhook, WebhookDelivery
from annotate.projects.services.members import accept_invitation, invite
from annotate.webhooks.services.announcing import announce
from tests.cast import make_person, make_project

pytestmark = pytest.mark.django_db

SITE = "https://vericap.example"


def announcements() -> list[tuple[str, dict]]:
    bodies = [json.loads(row.body) for row in WebhookDelivery.objects.order_by("id")]
    return [(body["type"], body["data"]) for body in bodies]


def start(project, ada):
    return Job.objects.create(project=project, kind="labels", is_planned=True, created_by=ada)


def test_a_job_that_ends_or_is_canceled(webhook, project, ada):
    ended, canceled = start(project, ada), start(project, ada)
    for position, state in enumerate(("failed", "done"), 1):
        JobItem.objects.create(job=ended, position=position, state=state)
    end_job(ended.pk, Job.State.FAILED, "“A dive.” can't be read.")
    assert end_job(ended.pk, Job.State.DONE) is False
    cancel_job(job=canceled, admin=ada)
    assert announcements() == [
        (
            "job.finished",
            {
                "project": "dives",
                "job": job.pk,
                "kind": "labels",
                "state": state,
                "items": items,
                "failed": failed,
                "page": f"{SITE}/p/dives/jobs/{job.pk}/",
                "resource": f"{SITE}/api/v1/projects/dives/jobs/{job.pk}/",
            },
        )
        for job, state, items, failed in (
            (ended, "failed", 2, 1),
            (canceled, "cancelled", 0, 0),
        )
    ]


def test_a_webhook_is_told_of_a_new_member_without_name_and_address(webhook, project, ada):
    _, token = invite(project=project, admin=ada, roles=["reviewer"])
    rita = make_person("Rita")
    membership = accept_invitation(token=token, user=rita)
    accept_invitation(token=token, user=rita)
    assert announcements() == [
        (
            "member.joined",
            {
                "project": "dives",
                "member": membership.pk,
                "roles": ["reviewer"],
                "page": f"{SITE}/p/dives/members/",
                "resource": f"{SITE}/api/v1/projects/dives/members/{membership.pk}/",
            },
        )
    ]


def test_only_webhooks_that_are_on_and_want_the_event(webhook, project, ada):
    other = make_project("Other")
    make_webhook = Webhook.objects.create
    shared = {"site": SITE, "seed": "a", "created_by": ada, "address": "https://a.example/"}
    make_webhook(project=other, events=["job.finished"], **shared)
    make_webhook(project=project, events=["job.finished"], is_on=False, **shared)
    make_webhook(project=project, events=["member.joined"], **shared)
    end_job(start(project, ada).pk, Job.State.DONE)
    assert [row.webhook for row in WebhookDelivery.objects.all()] == [webhook]


def test_a_webhook_is_not_told_of_what_is_not_committed(webhook, project, ada):
    with transaction.atomic():
        end_job(start(project, ada).pk, Job.State.DONE)
        transaction.set_rollback(True)
    assert announcements() == []


def test_what_ends_costs_one_query_where_there_is_no_webhook(project, django_assert_num_queries):
    with django_assert_num_queries(3):  # a savepoint and its end
        announce(
            project=project,
            event=Webhook.Event.JOB_FINISHED,
            ids={},
            page=("annotate:jobs", [project.slug]),
            resource=("api:jobs", [project.slug]),
        )
