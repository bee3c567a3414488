"""New run offers the run that the protocol needs next, set up."""

import pytest
from django.core.cache import cache

from annotate.models import Caption, Project
from inference.errors import InferenceError
from inference.models import InferenceRun, ModelSpec
from inference.planning.needs import needs_of
from inference.runs import new_run_page
from inference.runs.next_run import due_runs, runs_ahead
from tests.cast import client_of, count_queries, make_clip
from tests.hand_work import open_hand
from tests.inference.cast import make_model, start_run
from tests.inference.scored import make_clips, score, score_run, write
from tests.markup import shows

NEW = "/p/dives/runs/new/"


@pytest.fixture
def lovr(project):
    Project.objects.update(protocol="lovr")
    project.refresh_from_db()
    return project


def due(project):
    return [(run.need.key, run.because) for run in due_runs(project)]


def test_an_empty_project_needs_no_run(project, ada):
    assert due(project) == []
    assert "No run is needed now." in client_of(ada).get(NEW).text


def test_videos_are_cut_first(lovr, ada):
    make_clip(lovr)
    make_clip(lovr)
    # What works on the clips or the kept videos comes once they are cut.
    assert due(lovr) == [("segment", "2 videos aren’t cut into clips yet.")]
    page = client_of(ada).get(NEW).text
    assert "Next: Segment" in page
    assert 'href="?kind=segment&amp;next=1"' in page


def test_captions_then_scores_then_refining_then_fusing(lovr):
    clips = make_clips(lovr, 3)
    write(clips[0])
    assert due(lovr)[0] == ("caption", "2 of 3 clips have no caption yet.")
    others = [write(clip) for clip in clips[1:]]
    assert due(lovr)[0] == ("score", "3 captions have no score yet.")
    run = score_run(lovr, make_model(lovr, "lexical"))
    score(clips[0], 0.1, run, caption=Caption.objects.get(clip=clips[0]))
    for other in others:
        score(other.clip, 0.5, run, caption=other)
    assert [key for key, _ in due(lovr) if key in ("refine", "fuse")] == []
    assert runs_ahead(lovr).waits == "Refine: Adopt a threshold first."
    lovr.thresholds.create(scorer=run_scorer(lovr), scorer_name="EVQAScore", value=0.2)
    assert due(lovr)[0] == ("refine", "1 caption below the threshold isn’t refined.")
    lovr.thresholds.create(scorer=run_scorer(lovr), scorer_name="EVQAScore", value=0.05)
    assert due(lovr)[0] == ("fuse", "1 video has no caption of the whole video yet.")


def run_scorer(project):
    return project.quality_scores.values_list("scorer", flat=True)[0]


def test_the_form_begins_with_the_newest_run(lovr, ada):
    make_model(lovr, name="First")
    second = make_model(lovr, name="Second")
    clip = make_clip(lovr)
    run = start_run(project=lovr, kind="caption", model=second, options={"max_tokens": 77})
    response = client_of(ada).get(f"{NEW}?kind=caption&next=1")
    form = response.context["form"]
    # Nothing is described yet, so videos are cut first, and the form stays as the paper has it.
    assert response.context["following"] is None
    write(clip)
    make_clip(lovr)
    waiting = client_of(ada).get(NEW).text
    assert shows(waiting, "In progress: Caption")
    assert "Set up this run" not in waiting
    InferenceRun.objects.update(state="done")
    response = client_of(ada).get(f"{NEW}?kind=caption&next=1")
    form = response.context["form"]
    assert (form["scope"].initial, response.context["preview"].to_do) == ("missing", 1)
    beyond = "1 clip with a caption, or to be written by hand, is left out."
    assert response.context["preview"].beyond == beyond
    assert form["model"].initial == str(second.pk)
    assert form["max_tokens"].initial == 77
    assert "Next in the protocol." in response.text
    assert f"Model and settings are those of caption run {run.pk}." in response.text
    plain = client_of(ada).get(f"{NEW}?kind=caption").context["form"]
    assert plain["max_tokens"].initial == 1024


def test_a_retired_model_is_not_chosen(lovr, ada):
    make_model(lovr, name="New")
    old = make_model(lovr, name="Old")
    write(make_clip(lovr))
    make_clip(lovr)
    start_run(project=lovr, kind="caption", model=old)
    InferenceRun.objects.update(state="done")
    ModelSpec.objects.filter(pk=old.pk).update(is_active=False)
    response = client_of(ada).get(f"{NEW}?kind=caption&next=1")
    assert response.context["following"].setup.model is None
    assert "Its model is no longer in use: choose another." in response.text


def test_a_first_refine_run_is_measured_as_the_scores(lovr, ada):
    lexical = make_model(lovr, "lexical")
    make_model(lovr, "lexical", name="Other vectors")
    run = score_run(lovr, lexical, keywords_at_most=100)
    score(make_clip(lovr), 0.1, run)
    lovr.thresholds.create(scorer=run_scorer(lovr), scorer_name="EVQAScore", value=0.2)
    for query in ("&next=1", "", f"&like={run.pk}&model={lexical.pk}"):
        response = client_of(ada).get(f"{NEW}?kind=refine{query}")
        begun = response.context["form"]
        assert begun["model"].initial == str(lexical.pk)
        assert begun["keywords_at_most"].initial == 100
        origin = f"Model and settings are those of score run {run.pk}."
        assert (origin if "next" in query else f"as in run {run.pk}") in response.text


def test_what_is_embedded_is_filled_in(project, ada):
    make_model(project, "lexical")
    clip = make_clip(project)
    write(clip, source="merged")
    write(clip, kind="spatial", source="human")
    assert [key for key, _ in due(project)] == ["embed-clips", "embed-captions", "embed-spatial"]
    response = client_of(ada).get(f"{NEW}?kind=embed&of=spatial&next=1")
    assert response.context["form"]["of"].initial == "spatial"
    assert "1 spatial caption has no vector yet." in response.text


def test_its_queries_dont_grow(lovr, ada):
    counts = []
    for rows in (1, 3):
        while lovr.clips.count() < rows:
            write(make_clip(lovr))
        with count_queries() as count:
            client_of(ada).get(NEW)
        counts.append(int(count))
    assert counts[0] == counts[1]


def test_a_large_project_is_counted_once_a_minute(lovr, monkeypatch):
    cache.clear()
    monkeypatch.setattr(new_run_page, "MAX_COUNTED_AT_ONCE", 0)
    make_clip(lovr)
    before = due(lovr)
    make_clip(lovr)
    assert due(lovr) == before


def test_a_proposed_caption_run_leaves_captions_and_clips_for_people_alone(lovr, ada):
    described, by_hand, bare = make_clips(lovr, 3)
    write(described)
    open_hand(by_hand)
    draft = make_model(lovr)
    assert due(lovr)[0] == ("caption", "1 of 2 clips has no caption yet.")
    page = client_of(ada).get(f"{NEW}?kind=caption&next=1").context["preview"]
    assert (page.to_do, page.replaces.machine) == (1, 0)
    run = start_run(project=lovr, kind="caption", model=draft, scope="missing")
    assert list(run.items.values_list("clip", flat=True)) == [bare.pk]
    with pytest.raises(InferenceError, match="can’t be limited to"):
        start_run(project=lovr, kind="segment", scope="outdated")


def test_the_preview_of_a_segment_run_says_what_it_leaves_out(lovr, ada):
    make_clip(lovr)
    make_clip(lovr, frames=25 * 1000)
    preview = client_of(ada).get(f"{NEW}?kind=segment&next=1").context["preview"]
    assert preview.too_short == (
        "1 of these 2 videos is shorter than 15 min, and the run leaves it out. To keep it, lower "
        "“Shortest video” under Settings. Videos that are cut into fewer than 40 clips are left "
        "out, too."
    )


def test_a_theme_run_says_which_captions_it_makes_out_of_date(lovr, ada, settings):
    settings.VERICAP_ALLOWED_MODELS = ["Qwen/*"]
    vlm = make_model(lovr, "transformers-vlm", model_id="Qwen/Qwen2.5-VL")
    clip = make_clip(lovr)
    write(clip)
    run = start_run(project=lovr, kind="caption", model=vlm)
    run.items.update(state="done", result=write(clip))
    InferenceRun.objects.update(state="done")
    preview = client_of(ada).get(f"{NEW}?kind=theme&model={vlm.pk}").context["preview"]
    assert preview.told_otherwise == (
        "1 model caption goes out of date: the model was told another theme, or none."
    )
    theme = next(need for need in needs_of(lovr) if need.kind == "theme")
    assert theme.notes == ("A theme run makes 1 model caption out of date.",)
    run.items.update(stale_because="theme")
    captions = next(need for need in needs_of(lovr) if need.kind == "caption")
    assert (captions.outdated, captions.scope) == (1, "outdated")
    InferenceRun.objects.update(kind="refine")
    refined = next(need for need in needs_of(lovr) if need.kind == "refine")
    assert refined.notes == (
        "1 refined caption is out of date: the theme of the video was changed.",
    )
