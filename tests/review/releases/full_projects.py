"""A project of each protocol with what a release can hold, hostile texts included."""

from __future__ import annotations

from annotate.models import Caption, Clip
from annotate.text.words import count_words
from review.elements.models import Extraction
from review.pairs.models import PairVerdict
from review.verification.models import MissingSegment
from tests.cast import make_person
from tests.hand_work import machine_caption
from tests.inference.cast import make_model
from tests.inference.scored import score, score_run
from tests.inference.segmented import segment
from tests.review.cast import complete, open_clip
from tests.review.releases.judged import (
    caption_run,
    find_dynamic,
    import_verdict,
    made_by,
    make_test,
    pick,
    rate,
    sign_off,
)
from tests.review.releases.released_triplets import FORMULA, make_dives, make_set, query_of, verify
from tests.review.verification.verifying import hold_verification
from tests.review.verification.verifying import verify as verify_caption

HOSTILE = 'She says "no",\n=1+1\t\x01\u2028, <b>\U0001f938</b> \\ {{x}}'


def carebench(project, make_playable_clip):
    anna, ben, emil = (
        make_person(name, project, role)
        for name, role in (("Anna", "annotator"), ("Ben", "annotator"), ("Emil", "expert"))
    )
    for name, category in (("äpfel", "Sports, Excercise"), ("ball", "Sports")):
        clip = open_clip(project, name, make=make_playable_clip, category=category)
        complete(project, clip, [ben, anna], emil)
    temporal = Caption.objects.filter(kind="temporal").first()
    Extraction.objects.create(
        caption=temporal, kind="events", elements=["she=1 turns"], method="x", author=anna
    )
    return project


def lovr(project, make_playable_clip):
    project.protocol = "lovr"
    project.save()
    video = make_playable_clip(project, original_name="talk scene.mp4").video
    third = video.frames // 3
    segment(video, [0, third, 2 * third], min_video_seconds=0, min_clips=1)
    clips = list(video.clips.exclude(end_frame=video.frames, start_frame=0).order_by("start_frame"))
    first = machine_caption(clips[0], "Wrong.")
    text = Caption.objects.create(
        project=project, clip=clips[0], kind="general", source="corrected", text=HOSTILE,
        word_count=count_words(HOSTILE), provenance=[{"label": "Secret Name"}],
        spans=[{"text_start": 4, "text_end": 8, "start_frame": 1, "end_frame": 3}],
    )  # fmt: skip
    text.parents.add(first)
    last = Caption.objects.create(
        project=project, clip=clips[2], kind="general", source="machine", text="She stands.",
        word_count=2, provenance=made_by(caption_run(project)),
    )  # fmt: skip
    whole = Caption.objects.create(
        project=project, clip=video.clips.get(start_frame=0, end_frame=video.frames),
        kind="full_video", source="machine", text="Whole.", word_count=1,
        provenance=[{"model": "Fuser"}],
    )  # fmt: skip
    whole.parents.add(text, last)
    score(
        clips[0],
        0.1 + 0.2,
        score_run(project, make_model(project, backend="lexical")),
        caption=text,
    )
    return project


def tfcovr(project, make_playable_clip):
    dives = make_dives(make_playable_clip)
    triplets = make_set(dives, seed=7)
    ben, anna = (make_person(name, dives, "annotator") for name in ("Ben", "Anna"))
    query = triplets.queries.filter(split="test").order_by("pk").first()
    names = list(query.targets.values_list("target__name", flat=True))
    verify(ben, query, wrong=names[:1], corrected="turn =1 more")
    verify(anna, query, wrong=names[:1], corrected="turn =1 more")
    verify(anna, query_of(triplets, "clip-01"))
    pair = query.modification.pair
    PairVerdict.objects.create(pair=pair, label="Secret Name", kind="temporal")
    assert FORMULA in dives.triplet_sets.get().queries.values_list("modification__text", flat=True)
    return dives


def judge_carebench(project):
    clips = list(Clip.objects.filter(project=project).order_by("pk"))
    eva, enzo, uma = (
        make_person(name, project, role)
        for name, role in (("Eva", "expert"), ("Enzo", "expert"), ("Uma", "reviewer"))
    )
    for expert in (enzo, eva):
        sign_off(expert, clips[0])
    sign_off(eva, clips[1], "merge")
    test = make_test(project, clips)
    for clip in clips:
        pick(uma, test, clip, clips[0])


def judge_lovr(project):
    machine = Caption.objects.get(text="She stands.")
    rita, uma = (make_person(name, project, "reviewer") for name in ("Rita", "Uma"))
    find_dynamic(uma, machine.clip.video, is_dynamic=False)
    content = {"verdict-0": "A", "correction-0": "She sits. =1+1", "theme": "ok"}
    content |= {"span-0-start": "1", "span-0-end": "2"}
    verify_caption(hold_verification(rita, machine), machine, content)
    MissingSegment.objects.create(
        verification=machine.verifications.get(), place=1, text=HOSTILE, start_frame=0, end_frame=9
    )
    import_verdict("Secret Name", machine)
    rate(rita, Caption.objects.get(text=HOSTILE), 3)


MAKERS = {"carebench": carebench, "lovr": lovr, "tfcovr": tfcovr}
