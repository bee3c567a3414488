"""The page Ratings: the studies, the people, and what the ratings say."""

import pytest
from django.urls import reverse

from annotate.models import Assignment, Clip, Project
from review.reports.few import FEW
from review.reports.models import Report
from review.reports.services import recompute
from review.studies.models import Study
from tests.cast import client_of, count_queries, make_person, make_project
from tests.review.ratings.rating import describe, hold_rating, make_examples, open_study, rate
from tests.review.reports.computing import work_on_report
from tests.review.summary.metric_rows import stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(db):
    return make_project(protocol="lovr")


@pytest.fixture
def study(project, anna, rita):
    make_examples(project)
    describe(project, 2, 1)
    return open_study(project, 2, 1, people=2, per_rater=3)


def ratings(person, project, **query):
    return client_of(person).get(
        reverse("review:report_page", args=[project.slug, "ratings"]), query
    )


def post(person, name, *args, **data):
    return client_of(person).post(reverse(f"review:{name}", args=args), data)


def rate_some(study, person, *values):
    captions = [row.caption for row in study.captions.order_by("caption")]
    for caption, value in zip(captions, values, strict=False):
        rate(hold_rating(person, caption), value)


def test_without_a_study_it_says_what_comes_first(project, ada, emil):
    page = ratings(ada, project)
    assert "Raters are trained first: choose at least 3 examples." in page.text
    assert "No captions are left to draw" in page.text
    assert f'href="{reverse("review:rating_examples", args=[project.slug])}"' in page.text
    page = ratings(emil, project)
    assert "An admin starts it." in page.text
    assert "Start study" not in page.text


def test_an_admin_starts_a_study(project, ada, anna):
    make_examples(project)
    describe(project, 4, 2)
    page = ratings(ada, project)
    assert (page.context["form"]["clips"].value(), page.context["form"]["videos"].value()) == (4, 2)
    data = {"clips": 3, "videos": 1, "people": 1, "per_rater": "", "seed": 5}
    response = post(ada, "open_rating_study", project.slug, **data)
    assert response.headers["Location"] == reverse(
        "review:report_page", args=[project.slug, "ratings"]
    )
    study = Study.objects.get()
    assert (study.people, study.per_rater, study.seed, study.created_by) == (1, 4, 5, ada)
    page = ratings(ada, project)
    assert "0 of 4 ratings" in page.text
    assert "Start study" not in page.text


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"clips": 99}, "99 captions of clips are asked for, and there are 4"),
        ({"clips": "x"}, "Enter a whole number."),
        ({"people": 0}, "greater than or equal to 1"),
        ({"per_rater": 1}, "the shares of 1 people cover 1"),
        ({"seed": -1}, "greater than or equal to 0"),
    ],
)
def test_an_invalid_study_is_refused(project, ada, anna, changed, sentence):
    make_examples(project)
    describe(project, 4)
    data = {"clips": 3, "videos": 0, "people": 1, "per_rater": "", "seed": 0}
    response = post(ada, "open_rating_study", project.slug, **data | changed)
    assert response.status_code == 422
    assert sentence in response.text
    assert not Study.objects.exists()


def test_it_shows_the_progress_of_everybody(project, study, anna, rita, ada):
    rate_some(study, anna, 5, 4)
    page = ratings(ada, project)
    assert "2 of 6 ratings" in page.text
    people = {r.progress.person: (r.progress.done, r.progress.mean) for r in page.context["raters"]}
    assert people == {anna: (2, 4.5), rita: (0, None)}
    assert "No report yet" in page.text


def test_it_says_who_rates_faster_than_the_clip_lasts(project, study, anna, rita, ada):
    rate_some(study, anna, 5, 4, 3)
    rate_some(study, rita, 5)
    Clip.objects.update(duration_ms=6000)
    for held, seconds in zip(Assignment.objects.order_by("pk"), (2, 4, 5, 0), strict=True):
        Assignment.objects.filter(pk=held.pk).update(active_seconds=seconds)
    page = ratings(ada, project)
    hasty = {r.progress.person: r.progress.hasty for r in page.context["raters"]}
    assert hasty == {anna: 2, rita: 0}
    assert "2 of 3 faster than the clip" in page.text


def test_it_shows_the_report_with_its_signature(project, study, anna, rita, emil):
    rate_some(study, anna, 5, 4, 1)
    rate_some(study, rita, 4, 4, 0)
    client = client_of(emil)
    client.post(reverse("review:recompute_report", args=[project.slug, "ratings"]))
    assert "A worker is computing the numbers" in ratings(emil, project).text
    work_on_report(project, "ratings")
    page = ratings(emil, project)
    assert [part.result.n_ratings for part in page.context["parts"]] == [6, 4, 2]
    assert Report.objects.get().signature in page.text.replace("&amp;", "&")
    assert 'id="histogram-clips"' in page.text
    shifts = {r.progress.person: round(r.shift, 2) for r in page.context["raters"]}
    assert shifts == {anna: 0.67, rita: -0.67}
    assert "+0.67" in page.text
    assert "New ratings have arrived." not in page.text


def report_in(page):
    """The section of the report, without the titles of its pictures."""
    section = page.text.split('id="report"')[1].split("</section>")[0]
    return section.replace("Ratings from 0 to 5", "")


def test_ratings_of_too_few_captions_have_no_interval_and_say_why(project, study, anna, rita, ada):
    rate_some(study, anna, 5, 4, 1)
    rate_some(study, rita, 4, 4, 0)
    [report] = recompute(project=project, name="ratings")
    summary = report.result["all"]
    assert None not in (summary["low"], summary["high_share_low"], summary["alpha"]["low"])
    text = report_in(ratings(ada, project))
    assert "From 3 captions; an interval needs at least 10." in text
    assert " to " not in text
    many = {**summary, "n_captions": FEW, "alpha": {**summary["alpha"], "n_units": FEW}}
    stored(project, "ratings", report.subject, {**report.result, "all": many})
    text = report_in(ratings(ada, project))
    for estimate in (summary, summary["alpha"]):
        assert f"({estimate['low']:.2f} to {estimate['high']:.2f})".replace("-", "−") in text


def test_undefined_numbers_have_a_reason(project, study, anna, ada):
    rate_some(study, anna, 5)
    recompute(project=project, name="ratings")
    page = ratings(ada, project)
    assert "Nobody else has rated the same captions." in page.text
    assert "There are no ratings yet." in page.text
    assert 'id="histogram-videos"' not in page.text
    rate_some(study, make_person("Ben", project, "annotator"), 4)
    assert "New ratings have arrived." in ratings(ada, project).text


def test_ratings_in_nobodys_share_are_counted(project, study, anna, rita, ada):
    assert "assigned to nobody" not in ratings(ada, project).text
    response = post(ada, "change_rating_share", project.slug, study.pk, per_rater=1)
    assert response.status_code == 302
    assert "4 ratings of this study are assigned to nobody" in ratings(ada, project).text
    refused = post(ada, "change_rating_share", project.slug, study.pk, per_rater=0)
    assert refused.status_code == 422
    study.refresh_from_db()
    assert study.per_rater == 1


def test_a_study_is_stopped_and_another_started(project, study, anna, ada):
    rate_some(study, anna, 5)
    page = ratings(ada, project)
    assert page.text.index("Stop this study…") < page.text.index("Stop study</button>")
    post(ada, "stop_rating_study", project.slug, study.pk)
    post(ada, "stop_rating_study", project.slug, study.pk)
    page = ratings(ada, project)
    assert "Stopped" in page.text
    assert "1 of 6 ratings, stopped" in page.text
    describe(project, 1)
    open_study(project, 1)
    page = ratings(ada, project, study=study.pk)
    assert page.context["chosen_study"] == study
    assert len(page.context["studies"]) == 2
    share = reverse("review:change_rating_share", args=[project.slug, study.pk])
    refused = client_of(ada).post(f"{share}?study={study.pk}", {"per_rater": 0})
    assert (refused.status_code, refused.context["chosen_study"]) == (422, study)
    assert ratings(ada, project, study="nonsense").context["chosen_study"] != study


def test_only_projects_that_rate_have_it_in_their_navigation(project, ada):
    assert ">Ratings</a>" in ratings(ada, project).text
    Project.objects.update(protocol="carebench")
    assert ">Ratings</a>" not in ratings(ada, project).text


def test_simulated_ratings_say_so(project, study, ada):
    assert "Simulated" not in ratings(ada, project).text
    Project.objects.update(is_simulated=True)
    assert "Simulated" in ratings(ada, project).text


def test_the_queries_do_not_grow_with_studies_people_and_ratings(project, ada):
    make_examples(project)
    counts = []
    for number in (1, 3):
        for _ in range(number):
            name = f"Rater{Study.objects.count()}{number}"
            person = make_person(name, project, "annotator")
            describe(project, 1)
            rate_some(open_study(project, 1), person, 4)
        recompute(project=project, name="ratings")
        client = client_of(ada)
        with count_queries() as count:
            client.get(reverse("review:report_page", args=[project.slug, "ratings"]))
        counts.append(int(count))
    assert counts[0] == counts[1]
