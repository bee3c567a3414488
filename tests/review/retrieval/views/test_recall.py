"""Recall and ReBias as a page, as files, and asking for them."""

from itertools import pairwise

import pytest
from django.http import QueryDict
from django.urls import reverse

from annotate.models import Caption, Clip
from review.reports.services import recompute
from review.retrieval.pages import PAGE
from tests.cast import client_of, count_queries, join, make_clip, make_project
from tests.review.reports.computing import compute_as_asked
from tests.review.retrieval.vectors import (
    described,
    embed,
    import_set,
    imported,
    make_computed_world,
    write,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(kept):
    return make_computed_world()


@pytest.fixture
def clips(shared):
    return shared["clips"]


@pytest.fixture
def other(rita, ada):
    """A project without vectors, with Rita and Ada."""
    other = make_project("Other")
    join(other, rita, "reviewer")
    join(other, ada, "admin")
    return other


@pytest.fixture
def url(project):
    return reverse("review:report_page", args=[project.slug, "recall"])


@pytest.fixture
def recompute_url(project):
    return reverse("review:recompute_report", args=[project.slug, "recall"])


def compute(project):
    [report] = recompute(project=project, name="recall")
    recompute(project=project, name="rebias")
    return report


def compute_all(project):
    for name in ("recall", "rebias"):
        recompute(project=project, name=name)


def context_of(person):
    return PAGE.context(person.memberships.get(), QueryDict())


def test_it_says_which_runs_to_start(other, ada, rita):
    url = reverse("review:report_page", args=[other.slug, "recall"])
    text = client_of(ada).get(url).text
    assert "No vectors to compare yet" in text
    assert f"{reverse('inference:new_run', args=[other.slug])}?kind=embed" in text
    assert "?kind=embed" not in client_of(rita).get(url).text


def test_it_says_which_half_is_missing(other, rita):
    url = reverse("review:report_page", args=[other.slug, "recall"])
    clip = make_clip(other)
    embed(clip, 1, 0)
    assert "no current caption has a vector" in client_of(rita).get(url).text


def test_it_shows_the_numbers_of_the_paper(project, rita, url):
    report = compute(project)
    text = client_of(rita).get(url).text
    assert "CARE" in text
    # One of three temporal captions finds its clip first: in the table, and in the one by K.
    assert text.count('<td class="num first">33.3</td>') == 4
    assert "28.57<" in text
    assert "22.22<" in text
    assert "100·|1&nbsp;−&nbsp;S/T|" in text
    assert reverse("review:recall_model", args=[project.slug, report.pk]) in text
    assert "have changed since" not in text


def test_each_direction_says_its_queries_and_its_gallery(project, rita, url):
    embed(make_clip(project), 1, 1)
    report = compute(project)
    page = reverse("review:recall_model", args=[project.slug, report.pk])
    for text in (client_of(rita).get(address).text for address in (url, page)):
        # Among four clips, but among three captions only.
        assert ">3 / 4</td>" in text
        assert ">3 / 3</td>" in text
        # Nothing else can come out of so few at 5.
        assert '(100.0)<span class="visually-hidden"> gallery of at most 5</span>' in text
        assert "In parentheses: recall at a K" in text
    text = client_of(rita).get(page).text
    assert ">2 / 4</td>" in text  # of the category Sports


def test_an_admin_chooses_whose_captions_count(project, ada, url, clips):
    caption = Caption.objects.create(
        project=project, clip=clips[0], kind="general", source="merged", text="A.", word_count=1
    )
    embed(caption, 1, 0)
    compute(project)
    client = client_of(ada)
    assert "Only human captions count." in client.get(url).text
    choose = reverse("review:recall_captions", args=[project.slug])
    assert client.post(choose).headers["Location"] == url
    project.refresh_from_db()
    assert not project.recall_by_human
    compute(project)
    assert "The current caption of each clip counts" in client.get(url).text
    client.post(choose, {"human_only": "on"})
    project.refresh_from_db()
    assert project.recall_by_human


def test_it_says_of_which_sources_the_captions_are(project, rita, url, clips):
    project.recall_by_human = False
    project.save(update_fields=["recall_by_human"])
    for kind, source in (("general", "merged"), ("spatial", "human")):
        caption = Caption.objects.create(
            project=project, clip=clips[0], kind=kind, source=source, text="A.", word_count=1
        )
        embed(caption, 1, 0)
    report = compute(project)
    text = client_of(rita).get(url).text
    assert "General captions: 1 merged, 2 machine." in text
    assert "Spatial captions: 1 human, 2 machine." in text
    assert "Temporal captions: 3 machine." in text
    page = client_of(rita).get(reverse("review:recall_model", args=[project.slug, report.pk])).text
    assert 'General captions<span class="small muted">1 merged, 2 machine</span>' in page


def test_models_whose_captions_are_of_other_sources_are_named(project, rita, url, clips):
    project.recall_by_human = False
    project.save(update_fields=["recall_by_human"])
    by_hand = Caption.objects.create(
        project=project, clip=clips[1], kind="general", source="human", text="A.", word_count=1
    )
    for embedded in (*clips, by_hand):
        embed(embedded, 1, 0, space="b" * 64, model="Other")
    compute_all(project)
    text = client_of(rita).get(url).text
    of_care = "captions: 2 machine (CARE, 32 frames, evenly spread)"
    assert f"{of_care}; 1 human (Other, 32 frames, eve" in text


def test_it_says_what_lexical_is(project, rita, url, clips):
    compute(project)
    note = "Lexical represents a clip by its machine caption"
    assert note not in client_of(rita).get(url).text
    project.model_specs.update(backend="lexical")
    assert note in client_of(rita).get(url).text
    Caption.objects.create(
        project=project, clip=clips[1], kind="general", source="human", text="A.", word_count=1
    )
    assert note not in client_of(rita).get(url).text, "human captions only"


def test_it_says_when_what_it_was_computed_from_has_changed(project, rita, url, clips):
    compute(project)
    write(clips[0], "Another dive.")
    text = client_of(rita).get(url).text
    assert "have changed since" in text
    assert '<span class="badge warn">old</span>' in text


def test_a_report_of_what_is_gone_is_shown_as_old(project, rita):
    compute(project)
    project.embeddings.all().delete()
    [row] = context_of(rita)["rows"]
    assert row.is_old


def two_models(project, clips):
    """CARE, which finds everything at 1, and Other, whose vectors are all alike."""
    for clip in clips:
        for embedded in (clip, *clip.captions.all()):
            embed(embedded, 1, 1, space="b" * 64, model="Other")
    compute_all(project)


def models_in_order(response) -> dict[str, list[str]]:
    parts = response.context["parts"]
    return {part.section.key: [row.model for row in part.models] for part in parts}


def test_every_column_sorts_its_table(project, rita, url, clips):
    two_models(project, clips)
    client = client_of(rita)
    best, worst = ["CARE", "Other"], ["Other", "CARE"]
    response = client.get(url)
    assert models_in_order(response) == {"general": best, "halves": best}
    assert response.text.count('aria-sort="descending"') == 2
    response = client.get(url, {"sort": "general.v2t_1", "ascending": "1"})
    assert models_in_order(response) == {"general": worst, "halves": best}
    link = 'aria-sort="ascending"><a href="/p/dives/recall/?sort=general.v2t_1#general">'
    assert link in response.text
    response = client.get(url, {"sort": "halves.table5", "ascending": "1"})
    assert models_in_order(response) == {"general": best, "halves": worst}


def test_an_unknown_column_sorts_nothing(project, rita, url, clips):
    two_models(project, clips)
    response = client_of(rita).get(url, {"sort": "general.nobody"})
    assert models_in_order(response)["general"] == ["CARE", "Other"]


def test_an_undefined_rebias_says_why(other, rita):
    url = reverse("review:report_page", args=[other.slug, "recall"])
    for _ in range(11):
        described(other, (1, 0), (1, 0), (1, 0), (1, 0))
    report = compute(other)
    for page in (url, reverse("review:recall_model", args=[other.slug, report.pk])):
        text = client_of(rita).get(page).text
        assert "undefined" in text
        assert "The mean spatial recall is 0, and Equation 1 divides by it." in text


def test_models_that_differ_in_their_frames_are_one_study(project, rita, url, clips):
    recompute(project=project, name="recall")
    assert "Frames: CARE" not in client_of(rita).get(url).text
    for count in (8, 128):
        for clip in clips:
            embed(clip, 1, 1, sampling={"kind": "middle", "count": count})
    recompute(project=project, name="recall")
    assert "Frames: CARE" in client_of(rita).get(url).text
    [study] = context_of(rita)["studies"]
    assert [row.name for row in study.table.rows] == [
        "8 frames, evenly spread",
        "32 frames, evenly spread",
        "128 frames, evenly spread",
    ]
    chart = study.chart
    assert [tick.label for tick in chart.settings] == ["8", "32", "128"]
    assert len(chart.lines) == 6
    heights = sorted(line.label_y for line in chart.lines)
    assert all(after - before >= 13 for before, after in pairwise(heights))
    # Right first with 32 frames, and nothing with the others.
    at_1 = chart.lines[0].points
    assert at_1[0][1] == at_1[2][1] == chart.base
    assert at_1[1][1] == chart.ticks[-1].at


def test_a_study_leaves_out_what_is_undefined_and_tells_galleries_apart(project, rita, url, clips):
    for clip in clips[:2]:
        embed(clip, 1, 1, sampling={"kind": "middle", "count": 8})
    # The only clip of this setting has no caption, so that nothing is asked.
    embed(make_clip(project), 1, 1, sampling={"kind": "middle", "count": 16})
    compute_all(project)
    [study] = context_of(rita)["studies"]
    assert [row.name for row in study.table.rows] == [
        "8 frames, evenly spread",
        "32 frames, evenly spread",
    ]
    assert [tick.label for tick in study.chart.settings] == ["8", "32"]
    assert study.is_unlike
    assert "These settings have different numbers" in client_of(rita).get(url).text


def test_vectors_from_a_file_are_a_model_like_others(other, rita):
    url = reverse("review:report_page", args=[other.slug, "recall"])
    clip = make_clip(other)
    of_set = import_set(other, "Long-CLIP <L/14>")
    imported(of_set, clip, 1, 0)
    imported(of_set, write(clip), 1, 0)
    assert "Not computed yet" in client_of(rita).get(url).text
    compute(other)
    text = client_of(rita).get(url).text
    assert "Long-CLIP &lt;L/14&gt;" in text
    assert "from a file" in text
    of_set.is_used = False
    of_set.save()
    assert "Long-CLIP" not in client_of(rita).get(url).text


def test_a_failure_is_shown(project, rita, url, recompute_url, clips):
    embed(clips[0], 1, 0, 0)
    client_of(rita).post(recompute_url)
    for name in ("recall", "rebias"):
        assert "CARE has vectors" in compute_as_asked(project, name).reason
    text = client_of(rita).get(url).text
    assert "CARE has vectors of 2 and of 3 dimensions in one space. Embed everything again." in text


def test_more_models_take_no_more_database_queries(project, rita, url):
    def queries() -> int:
        for name in ("recall", "rebias"):
            recompute(project=project, name=name)
        with count_queries() as count:
            assert client_of(rita).get(url).status_code == 200
        return int(count)

    import_set(project)
    baseline = queries()
    for number in range(2):
        for clip in Clip.objects.all():
            embed(clip, 1, 1, space=f"{number}" * 64, model=f"Model {number}")
            for caption in clip.captions.all():
                embed(caption, 1, 1, space=f"{number}" * 64, model=f"Model {number}")
        import_set(project, f"Set {number}")
    assert queries() == baseline
