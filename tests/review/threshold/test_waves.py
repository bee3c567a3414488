"""Threshold studies that draw their captions in waves, more where the threshold is uncertain."""

import pytest
from django.urls import reverse

from annotate.models import AuditEvent
from review.errors import ReviewError
from review.reports.registry import REPORTS
from review.reports.services import recompute
from review.studies.queries import running_reason
from review.studies.services import stop_study
from review.threshold.sample import even_chances, wave_sizes
from review.threshold.studies import EVEN, UNCERTAIN
from review.threshold.waves import draw_next_wave
from tests.annotate.queue.test_concurrency import in_threads
from tests.cast import client_of, make_person, make_project
from tests.review.threshold.studying import judge_sample, scored_captions, start_study

pytestmark = pytest.mark.django_db
VALUES = [n / 300 for n in range(150)]
WAVES = {"captions": 60, "design": UNCERTAIN}


@pytest.fixture
def study(project, ada):
    scored_captions(project, VALUES)
    return start_study(project, admin=ada, **WAVES)


def verify_wave(study, person, below=0.2):
    """`person` verifies the wave that was drawn last."""
    judge_sample(study, person, below, captions=study.captions.filter(wave=study.wave))


def page(project, person):
    return client_of(person).get(reverse("review:report_page", args=[project.slug, "threshold"]))


def test_waves_are_even_parts_that_suffice_for_an_estimate_and_for_the_strata():
    assert wave_sizes(500, 10) == [100] * 5
    assert wave_sizes(103, 10) == [20, 20, 21, 21, 21]
    assert wave_sizes(103, 50) == [51, 52]
    assert wave_sizes(39, 10) == []


def test_the_plain_design_draws_each_caption_of_a_range_with_the_same_chance():
    chances = even_chances([0.0, *[0.5 + n / 1000 for n in range(50)], 1.0], 10, 4)
    assert chances[0] == (0, 1)
    assert chances[1] == (2, 8 / 50)
    assert sum(chance for _, chance in chances) == pytest.approx(10)


def test_later_waves_look_where_the_threshold_is_uncertain_and_are_weighted(project, study, anna):
    first = list(study.captions.values_list("probability", "even", "wave"))
    assert (len(first), study.waves, study.undrawn) == (20, 3, 40)
    assert {(probability == even, wave) for probability, even, wave in first} == {(True, 1)}
    verify_wave(study, anna)
    assert running_reason(study) == "The study is still running."
    for wave in (2, 3):
        recompute(project=project, name="threshold")
        study.refresh_from_db()
        assert (study.wave, study.undrawn) == (wave, 60 - 20 * wave)
        verify_wave(study, anna)
    [report] = recompute(project=project, name="threshold")
    study.refresh_from_db()
    assert (study.wave, study.captions.count()) == (3, 60)
    assert running_reason(study) == ""
    assert "|design:60 captions in 3 waves, 0.5 even, metrics.design 1|" in report.signature

    drawn = list(study.captions.select_related("score"))
    assert all(
        0 < sampled.probability <= 1 and sampled.probability >= sampled.even / 2
        for sampled in drawn
    )
    later = [sampled for sampled in drawn if sampled.wave > 1]
    near = [sampled for sampled in later if abs(sampled.score.value - 0.2) < 0.05]
    assert len(near) > 1.3 * len(later) * 0.2  # of the scores, a fifth are so near
    assert any(sampled.probability > sampled.even for sampled in near)

    estimate = report.result["per_type"]["rules"]["change_point"]
    assert estimate["threshold"] == pytest.approx(0.2, abs=0.01)
    assert estimate["is_weighted"]
    assert 20 < report.result["effective"] < 60
    [inputs] = REPORTS["threshold"].inputs(project)
    weights = {label.caption: label.weight for label in inputs.labels[:60]}
    assert weights == {sampled.caption_id: sampled.even / sampled.probability for sampled in drawn}
    event = AuditEvent.objects.filter(verb="draw wave").latest("pk")
    assert (event.after["wave"], event.after["captions"]) == (3, 20)
    assert event.after["low"] < estimate["threshold"] <= event.after["high"]


def test_a_wave_waits_for_its_last_verdict_and_is_not_drawn_once_the_study_stopped(study, anna):
    judge_sample(study, anna, below=0.2, most=19)
    assert draw_next_wave(study=study, low=0.1, high=0.2) == 0
    judge_sample(study, anna, below=0.2, captions=study.captions.order_by("pk")[19:])
    stop_study(study=study, admin=None)
    assert draw_next_wave(study=study, low=0.1, high=0.2) == 0
    assert study.captions.count() == 20


def test_it_ends_where_no_other_caption_is_left(project, study, anna, ada):
    start_study(project, captions=105)  # another study takes most of them
    verify_wave(study, anna)
    assert draw_next_wave(study=study, low=None, high=None) == 20
    study.refresh_from_db()
    verify_wave(study, anna)
    assert draw_next_wave(study=study, low=0.1, high=0.2) == 5
    study.refresh_from_db()
    assert (study.wave, study.waves, study.undrawn) == (3, 3, 0)


def test_a_plain_study_stays_as_it_was(project, anna, ada):
    scored_captions(project, VALUES)
    study = start_study(project, captions=40, design=EVEN)
    assert set(study.captions.values_list("wave", "probability", "even")) == {(1, None, None)}
    judge_sample(study, anna, below=0.1)
    [report] = recompute(project=project, name="threshold")
    assert "design" not in report.signature
    assert report.result["effective"] is None
    assert not report.result["per_type"]["rules"]["change_point"]["is_weighted"]
    # Nobody has verified a caption of a study that was only started, so the estimate stays.
    start_study(project, **WAVES)
    text = page(project, ada).text
    assert "have changed since" not in text
    assert "Apart from those of a study" in text


def test_the_page_says_how_captions_were_drawn(project, study, anna, ada):
    text = " ".join(page(project, ada).text.split())
    assert "0 of 60 captions verified" in text
    assert 'Wave <span class="number">1 of 3</span>.' in text
    assert '<span class="number">40</span> captions are drawn once everybody asked' in text
    for _ in range(3):
        study.refresh_from_db()
        verify_wave(study, anna)
        recompute(project=project, name="threshold")
    text = " ".join(page(project, ada).text.split())
    assert "Drawn in 3 waves." in text
    assert "captions of equal weight." in text


def test_the_form_draws_evenly_unless_waves_are_chosen(project, ada, anna):
    scorer = scored_captions(project, VALUES)[0].scorer
    url = reverse("review:start_study", args=[project.slug])
    form = {"scorer": scorer, "captions": "39", "people": "1", "strata": "5", "seed": "0"}
    refused = client_of(ada).post(url, form | {"design": UNCERTAIN})
    assert refused.status_code == 422
    [part] = refused.context["parts"]
    [error] = part.study_form.errors["captions"]
    assert error.startswith("Two waves of 20 captions each need 40 captions.")
    assert '<option value="uncertain" selected>' in refused.text
    with pytest.raises(ReviewError, match="or for fewer ranges of scores"):
        start_study(project, captions=60, strata=40, design=UNCERTAIN)
    started = client_of(ada).post(url, form | {"captions": "41", "design": UNCERTAIN}, follow=True)
    assert "20 captions wait for 1 person each. 21 more follow in waves." in started.text


@pytest.mark.django_db(transaction=True)
def test_two_workers_draw_one_wave():
    project = make_project()
    anna = make_person("Anna", project, "annotator")
    scored_captions(project, VALUES[:80])
    study = start_study(project, **WAVES)
    verify_wave(study, anna)
    drawn = in_threads(lambda _: draw_next_wave(study=study, low=0.1, high=0.2), range(4))
    assert sorted(drawn) == [0, 0, 0, 20]
    assert study.captions.filter(wave=2).count() == 20
    assert study.captions.filter(wave=2, item__open_slots=1).count() == 20
