"""The list of verifications: its rows, filters and totals, and who may read which."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.formats import date_format

from annotate.models import Assignment, User, WorkItem
from annotate.queue.services import claim_next, skip
from review.annotation_table.exchange import import_annotations
from review.studies.models import Study, StudyCaption
from review.verification.models import Verification
from review.verification.queries import list_verifications
from tests.cast import client_of, count_queries, join, make_clip, make_person, make_project
from tests.hand_work import machine_caption
from tests.review.annotation_table.test_lovr_annotations import HEADER, PLAIN
from tests.review.verification.verifying import (
    ALL_OK,
    CAPTION,
    MENDED,
    hold_verification,
    open_verification,
    verified,
    verify,
)
from tests.work import hold

HOSTILE = "<script>alert(1)</script>"
OFF_TOPIC = ALL_OK | {"verdict-3": "D", "delete-3": "1", "theme": "off"}


@pytest.fixture
def project(db):
    return make_project(protocol="lovr")


def page_of(person, project, **query):
    address = reverse("review:verifications", args=[project.slug])
    return client_of(person).get(address, query)


def clip_names(response):
    """The clips' names, as listed."""
    return [row.caption.clip.name for row in response.context["page"]]


def clip_of(project, name):
    return make_clip(project, original_name=f"{name}.mp4")


def test_it_lists_the_newest_first_with_both_ways_of_counting(project, anna, ada):
    verified(anna, clip_of(project, "first"), ALL_OK)
    verified(anna, clip_of(project, "second"))
    response = page_of(ada, project)
    assert clip_names(response) == ["second", "first"]
    newest = response.context["page"][0]
    assert (newest.errors_a, newest.errors_b, newest.errors_c, newest.topic_errors) == (1, 1, 1, 0)
    assert (newest.content_errors, newest.content_error_sentences) == (3, 2)
    assert newest.made_by == "Anna"


def test_the_totals_follow_the_filters(project, anna, ada):
    verified(anna, clip_of(project, "first"), ALL_OK)
    verified(anna, clip_of(project, "second"))
    totals = page_of(ada, project).context["totals"]
    assert (totals.verifications, totals.captions, totals.sentences) == (2, 2, 8)
    assert (totals.content_errors, totals.content_error_sentences) == (3, 2)
    assert (totals.content_errors_each, totals.content_error_sentences_each) == (1.5, 1)
    assert (totals.corrected, totals.off_theme) == (1, 0)
    assert [(row.type, row.sentences, row.per_100) for row in totals.types] == [
        ("A", 1, 12.5),
        ("B", 1, 12.5),
        ("C", 1, 12.5),
        ("D", 0, 0),
    ]
    assert page_of(ada, project, q="second").context["totals"].sentences == 4


def test_an_empty_list_says_what_to_do(project, ada, emil):
    assert "Import a table" in page_of(ada, project).content.decode()
    page = page_of(emil, project).content.decode()
    assert "No verifications yet" in page
    assert "Import a table" not in page


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"q": "DOO"}, ["door"]),
        ({"error": "A"}, ["door"]),
        ({"error": "D"}, ["rope"]),
        ({"error": "none"}, ["film"]),
        ({"theme": "off"}, ["rope"]),
        ({"theme": "ok"}, ["film", "door"]),
        ({"error": "A", "theme": "off"}, []),
        ({"error": "E", "theme": "?", "who": "person-x", "study": "0"}, ["film", "rope", "door"]),
    ],
)
def test_each_filter_keeps_its_verifications(project, anna, ada, query, names):
    verified(anna, clip_of(project, "door"))
    off = ALL_OK | {"verdict-2": "D", "delete-2": "1", "theme": "off"}
    verified(anna, clip_of(project, "rope"), off)
    verified(anna, clip_of(project, "film"), ALL_OK)
    response = page_of(ada, project, **query)
    assert clip_names(response) == names
    if not names:
        assert "No matching verifications" in response.content.decode()


def test_the_filter_by_person_offers_people_and_labels_of_tables(project, anna, ben, ada):
    verified(anna, clip_of(project, "door"))
    verified(ben, clip_of(project, "rope"))
    row = "door,7,general,One.,,,,,ok,,,\n"
    import_annotations(project=project, lines=(HEADER + row).splitlines(True), marks=PLAIN)
    form = page_of(ada, project).context["form"]
    assert form.fields["who"].choices == [
        ("", "Any"),
        (f"person-{anna.pk}", "Anna"),
        (f"person-{ben.pk}", "Ben"),
        ("label-7", "7 (table)"),
    ]
    assert clip_names(page_of(ada, project, who=f"person-{ben.pk}")) == ["rope"]
    [imported] = page_of(ada, project, who="label-7").context["page"]
    assert imported.made_by == "7"


def test_verifications_are_filtered_by_study(project, anna, ada):
    verified(anna, clip_of(project, "door"))
    caption = verified(anna, clip_of(project, "rope"))
    study = Study.objects.create(
        project=project, kind="threshold", people=1, strata=1, scorer="s", scorer_name="EVQAScore"
    )
    StudyCaption.objects.create(study=study, caption=caption)
    page = page_of(ada, project, study=str(study.pk))
    assert clip_names(page) == ["rope"]
    day = date_format(study.created_at, "j M Y")
    assert page.context["form"].fields["study"].choices[1:] == [
        (str(study.pk), f"Study {study.pk}, {day}, 1 caption")
    ]


def test_hostile_text_is_only_text(project, anna, ada):
    User.objects.filter(pk=anna.pk).update(name=HOSTILE)
    verified(anna, clip_of(project, "door"))
    clip = make_clip(project, original_name=f"{HOSTILE}.mp4")
    rows = f'"{clip.name}","{HOSTILE}",general,One.,,,,,ok,,,\n'
    import_annotations(project=project, lines=(HEADER + rows).splitlines(True), marks=PLAIN)
    page = page_of(ada, project, q=HOSTILE).content.decode()
    assert HOSTILE not in page
    assert page.count("&lt;script&gt;") >= 4


@pytest.mark.parametrize("reader", ["ada", "rita"])
def test_the_queries_are_the_same_at_1_3_and_60_rows(project, anna, reader, request):
    person = request.getfixturevalue(reader)

    def queries():
        with count_queries() as count:
            response = page_of(person, project)
        return count, len(response.context["page"])

    def load(first, last):
        rows = [f"door,{n},general,One.,,,,,ok,,,\n" for n in range(first, last)]
        lines = (HEADER + "".join(rows)).splitlines(True)
        import_annotations(project=project, lines=lines, marks=PLAIN)

    verified(anna, clip_of(project, "door"))
    baseline, _ = queries()
    load(0, 2)
    three, rows = queries()
    assert rows == 3
    load(2, 60)
    many, rows = queries()
    assert rows == 50
    assert int(baseline) == int(three) == int(many)


@pytest.mark.parametrize("filters", [{}, {"q": "door"}, {"error": "A"}, {"theme": "off"}])
def test_the_totals_are_the_same_whether_the_database_or_the_page_adds_up(
    project, anna, ben, ada, rita, filters
):
    """Something could be hidden from Rita, nothing from an admin who does no other work."""
    both = machine_caption(clip_of(project, "door"), CAPTION)
    item = open_verification(both, people=2)
    verify(hold(anna, item), both, MENDED)
    verify(hold(ben, item), both, ALL_OK)
    verified(anna, clip_of(project, "gate"), OFF_TOPIC)
    (by_rita, of_rita), (by_ada, of_ada) = (
        list_verifications(person.memberships.get(), filters) for person in (rita, ada)
    )
    assert (list(by_rita), of_rita) == (list(by_ada), of_ada)
    assert of_rita.verifications == len(by_rita)
    assert {verification.project for verification in Verification.objects.all()} == {project}


class TestIndependence:
    """Nobody reads what others found in a caption that they could still verify."""

    @pytest.fixture
    def caption(self, project, anna):
        """Two people are asked, and one of them, Anna, has answered."""
        caption = machine_caption(clip_of(project, "door"), CAPTION)
        verify(hold_verification(anna, caption, people=2), caption, MENDED)
        return caption

    def test_a_reviewer_who_could_take_it_does_not_see_it(self, project, caption, rita):
        response = page_of(rita, project)
        page = response.content.decode()
        assert clip_names(response) == []
        assert response.context["totals"].content_errors == 0
        assert "1 verification is hidden" in page
        assert "Nothing visible yet" in page

    def test_a_reviewer_who_holds_it_or_has_skipped_it_does_not_see_it(
        self, project, caption, rita
    ):
        membership = rita.memberships.select_related("project").get()
        held = claim_next(membership=membership, kind="verify")
        assert clip_names(page_of(rita, project)) == []
        skip(assignment_id=held.pk, annotator=rita, reason="Too long.")
        assert clip_names(page_of(rita, project)) == []

    def test_a_reviewer_does_not_see_it_while_somebody_else_holds_it_and_may_release_it(
        self, project, caption, ben, rita
    ):
        claim_next(membership=ben.memberships.select_related("project").get(), kind="verify")
        assert clip_names(page_of(rita, project)) == []

    def test_a_reviewer_who_has_submitted_theirs_reads_both(self, project, caption, rita):
        membership = rita.memberships.select_related("project").get()
        held = claim_next(membership=membership, kind="verify")
        verify(held, caption, ALL_OK)
        assert clip_names(page_of(rita, project)) == ["door", "door"]

    def test_a_reviewer_reads_it_once_nobody_else_is_asked(self, project, caption, rita):
        WorkItem.objects.update(state=WorkItem.State.CANCELLED)
        assert clip_names(page_of(rita, project)) == ["door"]

    def test_people_who_can_never_take_it_read_it_at_once(self, project, caption, ada, emil):
        assert clip_names(page_of(ada, project)) == ["door"]
        assert clip_names(page_of(emil, project)) == ["door"]

    def test_an_admin_who_verifies_too_waits_as_well(self, project, caption):
        zoe = make_person("Zoe")
        join(project, zoe, "admin", "annotator")
        assert clip_names(page_of(zoe, project)) == []

    def test_a_person_who_still_holds_it_waits_even_without_the_role(self, project, caption, emil):
        item = WorkItem.objects.get(subject=caption.pk)
        Assignment.objects.create(item=item, annotator=emil, lease_expires_at=item.created_at)
        assert clip_names(page_of(emil, project)) == []

    def test_neither_the_page_nor_the_table_gives_it_away(self, project, caption, rita):
        client = client_of(rita)
        verification = caption.verifications.get()
        address = reverse("review:verification", args=[project.slug, verification.pk])
        assert client.get(address).status_code == 404
        table = client.get(
            reverse("review:download_annotations", args=[project.slug]),
            {"before": "<<", "behind": ">>", "missing": "<MISSING>"},
        )
        assert table.getvalue().decode() == HEADER

    def test_the_history_of_the_clip_does_not_give_it_away(self, project, caption, rita):
        clip_page = reverse("annotate:clip", args=[project.slug, caption.clip_id])
        assert "His cap is orange." not in client_of(rita).get(clip_page).content.decode()
        WorkItem.objects.update(state=WorkItem.State.DONE)
        assert "His cap is orange." in client_of(rita).get(clip_page).content.decode()
