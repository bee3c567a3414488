"""The page of the thresholds: the estimate, the picture, and what another value would do."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from annotate.models import Membership, User
from inference.models import QualityThreshold
from review.reports.services import recompute
from review.studies.services import stop_study
from tests.cast import client_of, count_queries, make_person
from tests.inference.cast import make_model
from tests.inference.scored import OTHER, make_clips, score, score_run, write
from tests.review.threshold.studying import judge_sample, scored_captions, start_study
from tests.review.verification.verifying import ALL_OK, open_verification, verify
from tests.work import hold

pytestmark = pytest.mark.django_db
VALUES = [n / 40 for n in range(40)]


@pytest.fixture
def url(project):
    return reverse("review:report_page", args=[project.slug, "threshold"])


@pytest.fixture
def study(project):
    scored_captions(project, VALUES)
    return start_study(project, captions=40)


def page(ada, url, **query):
    return client_of(ada).get(url, query)


def part_of(ada, url, **query):
    [part] = page(ada, url, **query).context["parts"]
    return part


def words_of(response) -> str:
    text = re.sub(r"<(script|style|svg).*?</\1>", "", response.text, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def test_without_scores_it_says_what_to_do(url, ada):
    response = page(ada, url)
    assert "No scores yet" in response.text
    assert "?kind=score" in response.text


def test_without_a_study_it_says_what_to_do(project, url, ada):
    scored_captions(project, VALUES)
    words = words_of(page(ada, url))
    assert "No estimate yet. Start a study below" in words
    assert "40 captions are available." in words
    assert "LoVR's 0.2 applies until you adopt another value." in words


def test_too_few_captions_for_a_study_are_counted_with_what_helps(project, url, ada):
    scored_captions(project, [0.1, 0.2])
    uncaptioned, unscored, _ = make_clips(project, 3)
    write(unscored)
    write(uncaptioned, source="human")
    response = page(ada, url)
    words = words_of(response)
    assert "There are too few captions for a study ." in words
    assert "Start study" not in words
    assert "A study needs 20 captions; 2 are available." in words
    clips = response.context["parts"][0].shortage.stock.clips
    assert (
        f"Clips to describe {clips} With a caption 4 Scored by this scorer 2 Already in a study 0"
        in words
    )
    assert (
        "1 of the clips with a caption has one by people. Studies use machine captions only."
        in words
    )
    assert "Score the 1 other caption with this scorer’s model and settings." in words
    assert f"Caption the {clips - 4} other clip" in words
    assert "Upload more videos or segment long ones" in words
    for kind in ("score", "caption", "segment"):
        assert f"?kind={kind}" in response.text


def test_a_stopped_study_without_labels_leads_to_another(project, url, ada):
    scored_captions(project, VALUES[:20])
    study = start_study(project)
    assert "It is computed when people have verified" in words_of(page(ada, url))
    assert "You can’t start another study now" in words_of(page(ada, url))
    stop_study(study=study, admin=ada)
    words = words_of(page(ada, url))
    assert "The study stopped before everybody had verified any caption." in words
    assert "Start another below" in words
    assert "It is computed when people have verified" not in words
    assert "20 captions are available." in words
    assert "Start study" in words


def test_studies_with_different_numbers_of_people_show_their_verifications(
    project, anna, ben, url, ada
):
    scored_captions(project, VALUES)
    for study in (start_study(project, people=2), start_study(project, people=1)):
        judge_sample(study, anna, below=0.5)
        if study.people == 2:
            judge_sample(study, ben, below=0.5)
    recompute(project=project, name="threshold")
    assert "from 40 captions with 60 verifications." in words_of(page(ada, url))


def test_without_an_estimate_it_gives_the_reason(project, study, anna, url, ada):
    judge_sample(study, anna, below=0)
    recompute(project=project, name="threshold")
    assert "No estimate. Nobody found an error" in words_of(page(ada, url))


def test_only_current_machine_captions_are_counted(project, url, ada):
    run = score_run(project, make_model(project, "lexical"))
    low, high, people = make_clips(project, 3)
    score(low, 0.15, run)
    score(low, 0.1, run)
    score(high, 0.2, run)
    score(people, -0.3, run, caption=write(people, source="human"))
    part = part_of(ada, url)
    assert (part.scored, part.captions, part.trial.choice.kept, part.trial.choice.back) == (
        4,
        2,
        1,
        1,
    )
    assert "All 2 current, scored machine captions" in page(ada, url).text


def test_each_scorer_has_its_own(project, url, ada):
    run = score_run(project, make_model(project, "lexical"))
    first, second = make_clips(project, 2)
    scorer = score(first, 0.1, run).scorer
    score(second, 0.4, run, scorer=OTHER)
    QualityThreshold.objects.create(
        project=project, scorer=scorer, scorer_name="x", value=0.05, adopted_by=ada
    )
    response = page(ada, url)
    parts = {part.scorer: part for part in response.context["parts"]}
    assert (parts[scorer].threshold, parts[scorer].trial.choice.back) == (0.05, 0)
    assert (parts[OTHER].threshold, parts[OTHER].trial.choice.back) == (0.2, 0)
    assert "Scores of different scorers are not comparable" in response.text


def test_the_study_shows_its_progress(project, anna, ben, url, ada):
    scored_captions(project, VALUES)
    study = start_study(project, captions=20, people=3)
    Membership.objects.exclude(user__in=[anna, ben, ada]).delete()
    judge_sample(study, anna, below=0.5)
    first = study.captions.select_related("caption", "item").order_by("pk")[0]
    verify(hold(ben, first.item), first.caption, ALL_OK)
    words = words_of(page(ada, url))
    assert re.search(rf"Study {study.pk}, \d+ \w+ \d+, 20 captions 0 of 20 captions", words)
    assert "0 of 20 captions verified by all three" in words
    assert "21 of 60 verifications: Anna 20, Ben 1." in words
    assert "Only 2 members can verify captions, and a study needs 3 people for each." in words
    User.objects.filter(pk=ben.pk).update(is_active=False)
    assert "Only 1 member can verify captions" in words_of(page(ada, url))


def test_two_of_one_name_are_two_and_only_what_was_asked_for_is_counted(
    project, anna, ben, url, ada
):
    scored_captions(project, VALUES)
    study = start_study(project, captions=20, people=2)
    namesake = make_person("Anna2", project, "annotator")
    User.objects.filter(pk=namesake.pk).update(name="Anna")
    judge_sample(study, anna, below=0.5)
    judge_sample(study, namesake, below=0.5)
    caption = study.captions.select_related("caption").order_by("pk")[0].caption
    verify(hold(ben, open_verification(caption, 3)), caption, ALL_OK)
    assert "40 of 40 verifications: Anna 20, Anna 20." in words_of(page(ada, url))


def test_a_running_study_of_one_person_needs_no_second(project, study, anna, url, ada):
    assert "can verify captions" not in page(ada, url).text


def test_simulated_labels_are_named(project, url, ada):
    assert "Simulated" not in page(ada, url).text
    project.is_simulated = True
    project.save()
    assert "Simulated" in page(ada, url).text


def test_more_scorers_captions_and_thresholds_take_no_more_queries(project, url, ada, anna):
    run = score_run(project, make_model(project, "lexical"))
    client = client_of(ada)

    def queries(number: int) -> int:
        scorer = str(number) * 64
        captions = [write(clip) for clip in make_clips(project, 20)]
        for place, caption in enumerate(captions):
            score(caption.clip, place / 40, run, caption=caption, scorer=scorer)
        judge_sample(start_study(project, captions=20), anna, below=0.2)
        recompute(project=project, name="threshold")
        QualityThreshold.objects.create(
            project=project, scorer=scorer, scorer_name="x", value=0.3, adopted_by=ada
        )
        with count_queries() as count:
            client.get(url)
        return int(count)

    once = queries(1)
    queries(2)
    assert queries(3) == once <= 27


def test_forty_thousand_scores_stay_a_small_page(project, url, ada, monkeypatch):
    scored_captions(project, [n / 1000 for n in range(20, 40)])
    many = {n: n % 1000 / 1000 for n in range(40_000)}
    scorer = project.quality_scores.all()[0].scorer
    monkeypatch.setattr("review.threshold.pages.current_values", lambda _: {scorer: many})
    assert len(page(ada, url).content) < 30_000


def test_runs_and_refine_lead_here(project, url, ada):
    run = score_run(project, make_model(project, "lexical"))
    make_model(project, "opencv-draft", name="Writer", refine_order=1)
    score(make_clips(project, 1)[0], 0.1, run)
    for address in (
        reverse("inference:runs", args=[project.slug]),
        reverse("inference:run", args=[project.slug, run.pk]),
        reverse("inference:new_run", args=[project.slug]) + "?kind=refine",
    ):
        assert f'href="{url}"' in client_of(ada).get(address).text


def test_a_missing_interval_has_its_reason(project, anna, ada, url):
    scored_captions(project, [0.3] * 12 + [0.7] * 12)
    judge_sample(start_study(project, captions=24), anna, below=0.5)
    recompute(project=project, name="threshold")
    answer = page(ada, url)
    why = "Only one threshold divides the captions, so there is no interval."
    assert f"from 24 captions that one person verified. {why}" in words_of(answer)
    assert f'title="{why}">none' in answer.text
