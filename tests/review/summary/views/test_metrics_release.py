"""The numbers of one release: only those that were made from exactly what it holds."""

import pytest
from django.http import QueryDict
from django.urls import reverse

from review.capst.models import CapstItem
from review.captions.references import references_digest
from review.frozen.models import Release, ReleasedClip
from review.reports.services import recompute
from review.summary.pages import MetricsPage
from tests.cast import NO_PROOF, client_of, make_clip
from tests.review.capst.capst_runs import (
    caption,
    described_clip,
    judge,
    predictions,
    start,
    word_overlap,
)
from tests.review.retrieval.vectors import embed, imported, write
from tests.review.summary.metric_rows import import_set, overlap_of, ratings_of, recall_of

pytestmark = pytest.mark.django_db
KINDS = ("general", "spatial", "temporal")


@pytest.fixture
def clips(project):
    """Three clips with vectors, all captions of which have vectors too."""
    clips = [described_clip(project) for _ in range(3)]
    for place, clip in enumerate(clips):
        embed(clip, 1, place)
        for text in clip.captions.all():
            embed(text, 1, place)
    return clips


@pytest.fixture
def release(project, clips):
    return release_of(project, clips)


def release_of(project, clips, version="1.0.0"):
    made = Release.objects.create(
        project=project,
        version=version,
        content_hash="0" * 64,
        clip_count=len(clips),
        proof=NO_PROOF,
    )
    for clip in clips:
        general, spatial, temporal = (
            clip.captions.filter(kind=kind).order_by("pk").first() for kind in KINDS
        )
        ReleasedClip.objects.create(
            release=made, clip=clip, file_name=f"{clip.pk}.mp4", caption=general,
            spatial_caption=spatial, temporal_caption=temporal,
        )  # fmt: skip
    return made


def section_keys(person, release):
    membership = person.memberships.get()
    context = MetricsPage().context(membership, QueryDict(), release)
    return [part.section.key for group in context["groups"] for part in group.parts]


def compute(project, *names):
    for name in names:
        recompute(project=project, name=name)


def test_vectors_of_all_current_captions_are_of_the_release(project, rita, release):
    compute(project, "recall", "rebias")
    assert section_keys(rita, release) == ["general", "halves"]


def test_a_newer_caption_is_in_no_release(project, rita, clips, release):
    newer = caption(clips[0], "general", "Another dive.", "merged")
    embed(newer, 1, 0)
    compute(project, "recall", "rebias")
    assert section_keys(rita, release) == []


def test_what_is_computed_from_more_clips_is_not_of_the_release(project, rita, release):
    embed(make_clip(project), 1, 5)
    compute(project, "recall")
    assert section_keys(rita, release) == []


def test_what_lacks_a_caption_is_not_of_the_release(project, rita, clips, release):
    project.embeddings.filter(caption__kind="general").first().delete()
    compute(project, "recall")
    assert section_keys(rita, release) == []


def test_an_old_report_is_of_no_release(project, rita, clips, release):
    compute(project, "recall")
    type(clips[0].video).objects.filter(pk=clips[0].video_id).update(category="Another")
    assert section_keys(rita, release) == []


def test_a_file_of_vectors_stays_of_the_release_it_was_made_for(project, rita, clips, release):
    project.embeddings.all().delete()
    of_set = import_set(project, "Long-CLIP")
    for place, clip in enumerate(clips):
        imported(of_set, clip, 1, place)
        imported(of_set, clip.captions.get(kind="general"), 1, place)
    compute(project, "recall")
    write(clips[0], "Another dive.")
    assert section_keys(rita, release) == ["general"]
    newer = release_of(project, clips[:2], "2.0.0")
    assert section_keys(rita, newer) == []


def test_capst_is_of_the_release_whose_captions_it_judged_against(project, rita, clips, release):
    captions = predictions(project, "CARE", dict.fromkeys(clips, "A woman in a red coat."))
    judge(run=start(project, captions, word_overlap(project)))
    compute(project, "capst")
    assert CapstItem.objects.count() == 3
    assert section_keys(rita, release) == ["events", "objects"]
    assert section_keys(rita, release_of(project, clips[:2], "2.0.0")) == []


def test_the_overlap_is_of_the_release_with_the_same_captions(project, rita, clips, release):
    of_release = {clip.pk: clip.captions.get(kind="general").pk for clip in clips}
    overlap_of(project, "CARE", references_digest(of_release))
    overlap_of(project, "Another", "01234567")
    membership = rita.memberships.get()
    context = MetricsPage().context(membership, QueryDict(), release)
    [part] = context["groups"][0].parts
    assert [row.name for row in part.section.rows] == ["CARE"]
    assert context["left_out"] == 1


def test_a_score_is_of_the_release_that_both_its_halves_are_of(project, rita, clips, release):
    captions = predictions(project, "CARE", dict.fromkeys(clips, "A woman in a red coat."))
    judge(run=start(project, captions, word_overlap(project)))
    compute(project, "recall", "capst", "unified")
    assert "unified" in section_keys(rita, release)
    recall_of(project, "Elsewhere")
    compute(project, "unified")
    assert "unified" not in section_keys(rita, release)


def test_votes_are_about_no_release(project, rita, release):
    ratings_of(project, CARE=1000.0)
    assert section_keys(rita, release) == []


def test_the_page_says_what_is_left_out(project, rita, release):
    ratings_of(project, CARE=1000.0)
    url = reverse("review:report_page", args=[project.slug, "metrics", "1.0.0"])
    text = client_of(rita).get(url).text
    assert "Metrics of release 1.0.0" in text
    assert "No numbers for this release" in text
    assert 'Left out: <span class="number">1</span>' in text


def test_the_release_links_to_its_metrics_for_those_who_may(project, rita, anna, release):
    page = reverse("review:release", args=[project.slug, "1.0.0"])
    url = reverse("review:report_page", args=[project.slug, "metrics", "1.0.0"])
    assert url in client_of(rita).get(page).text
    assert url not in client_of(anna).get(page).text
