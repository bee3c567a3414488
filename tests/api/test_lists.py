"""Every list of the API: pages, orders, and the number of statements."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.imports.services import add_item, open_batch
from annotate.models import (
    ImportBatch,
    Invitation,
    Job,
    Membership,
    Project,
)
from review.comparisons.models import Round
from review.frozen.models import Release
from review.published.models import HumanImport
from review.retrieval.models import VectorSet
from review.triplets.models import ComposedQuery, Triplet
from tests.addresses import address_of, api_views, arguments_of
from tests.api.asking import problem, program_of
from tests.cast import NO_PROOF, count_queries, make_clip
from tests.inference.cast import make_model
from tests.inference.scored import write
from tests.review.comparisons.comparing import make_set
from tests.review.composed.retrieval import bare_report
from tests.review.triplets.triplets import make_label
from tests.work import hold, make_work

pytestmark = pytest.mark.django_db


def fill(project, person):
    """One more row for each list."""
    clip = make_clip(project)
    write(clip)
    make_label(project, clip.name)
    make_model(project, name=clip.name)
    hold(person, make_work(clip))
    Job.objects.create(project=project, kind="labels")
    fill_reports(project)
    release = {"version": f"0.0.{clip.pk}", "content_hash": "0" * 64, "clip_count": 0,
               "proof": NO_PROOF}  # fmt: skip
    Release.objects.create(project=project, **release)
    ended = {"kind": "general", "votes_per_pair": 1, "ended_at": timezone.now()}
    Round.objects.create(project=project, **ended)
    start = {"token_hash": f"{clip.pk:064}", "expires_at": timezone.now() + timedelta(days=1)}
    Invitation.objects.create(project=project, invited_by=person, is_expert=True, **start)
    batch = open_batch(project=project, admin=person)
    add_item(batch=ImportBatch.objects.earliest("pk"), name=f"{batch.pk}.mp4", size=10)
    make_set(project, clip.name, [clip])
    HumanImport.objects.create(project=project, name=clip.name)
    VectorSet.objects.create(project=project, name=clip.name, dimension=2, file_name="a.npz")


def fill_reports(project):
    """One more report, and one more query of the set of triplets that it is about."""
    query = ComposedQuery.objects.filter(triplets__project=project).first()
    if query is None:
        bare_report(project)
        return
    report = project.reports.latest("pk")
    report.pk = None
    report.save()
    fields = {"triplets": query.triplets, "modification": query.modification, "split": "test"}
    other = ComposedQuery.objects.create(clip=make_clip(project, split="test"), **fields)
    Triplet.objects.create(query=other, target=query.clip)


def lists(project: Project) -> dict[str, str]:
    """The address of each list by its name; one that is missing here fails the test."""
    batch = ImportBatch.objects.filter(project=project).earliest("pk")
    values = {"slug": project.slug, "number": 1, "batch_id": batch.pk}
    return {
        name: address_of(name, {key: values[key] for key in arguments_of(name)})
        for name, view in api_views().items()
        if hasattr(view.cls, "get") and view.cls.get.operation.orders
    }


def test_every_list_has_pages_orders_an_etag_and_few_statements(project, ada):
    Membership.objects.filter(user=ada).update(is_reviewer=True, is_annotator=True)
    program = program_of(ada, project)
    statements = []
    for rows in (1, 3):
        while project.releases.count() < rows:
            fill(project, ada)
        program.get("")  # stores that the token is used
        counts = {}
        for name, address in lists(project).items():
            with count_queries() as count:
                assert program.get(address).status_code == 200
            counts[name] = int(count)
        statements.append(counts)
    assert statements[0] == statements[1]
    assert {name: number for name, number in counts.items() if number > 5} == {}
    orders = {name: orders_of(name) for name in lists(project)}
    assert len(list(filter(None, orders.values()))) >= 8
    for name, address in lists(project).items():
        check_list(program, address)
        for order in orders[name]:
            check_order(program, address, order)
        if orders[name]:
            assert problem(program.get(f"{address}?order=colour")) == (422, "invalid"), name


def check_list(program, address):
    """Its pages have each row once, it names itself by an ETag, and it refuses other filters."""
    whole = program.get(f"{address}?limit=200")
    rows, following = [], f"{address}?limit=2"
    while following:
        page = program.get(following)
        assert page.status_code == 200, page.text
        rows += page.json()["results"]
        following = page.json()["next"]
    assert rows == whole.json()["results"], address
    again = program.ask("get", f"{address}?limit=200", if_none_match=whole.headers["ETag"])
    assert again.status_code == 304, address
    assert problem(program.get(f"{address}?colour=red")) == (422, "invalid")
    assert problem(program.get(f"{address}?cursor=x")) == (422, "invalid")


def check_order(program, address, order):
    rows = program.rows(f"{address}?order={order}")
    backwards = program.rows(f"{address}?order={opposite(order)}")
    assert rows == backwards[::-1], (address, order)


def orders_of(name):
    query = api_views()[name].cls.get.operation.query().fields
    return list(query["order"].choices) if "order" in query else []


def opposite(order):
    return order.removeprefix("-") if order.startswith("-") else f"-{order}"
