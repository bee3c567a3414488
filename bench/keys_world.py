"""Projects with a few items of each kind of human work, for one person who works by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import av
import numpy as np

ITEMS = 4  # of each kind; the first is taken already
FRAMES, FPS, WIDTH, HEIGHT = 250, 25, 640, 360
SENTENCES = (
    "A woman in a yellow coat opens a wooden door. She steps out into the snow. "
    "A brown dog follows her down the stairs. Both walk along a white fence."
)
TEXT = (
    "A red sailing boat leaves the grey harbor wall while two children in yellow coats wave from "
    "the pier, and a dog runs along the stones, stops at a ladder and looks back at them. "
)
Make = Callable[..., Any]


def build(folder: Any) -> dict[str, int]:
    """Make the projects and their work; return the first assignment of each kind."""
    from annotate.models import Membership
    from tests.cast import make_person, make_project

    media = _render(folder)
    first: dict[str, int] = {}
    kim = make_person("Kim")
    for protocol, make_work in (("carebench", _carebench), ("lovr", _lovr), ("tfcovr", _tfcovr)):
        project = make_project(protocol, protocol=protocol)
        roles = {"is_annotator": True, "is_expert": True, "is_reviewer": True}
        member = Membership.objects.create(project=project, user=kim, **roles)
        kinds = make_work(project, _maker(media), kim)
        first |= {kind: _take(member, kind) for kind in kinds}
    return first


def _take(member: Any, kind: str) -> int:
    from annotate.queue.services.taking import take_work

    assignment = take_work(membership=member, kind=kind)
    assert assignment is not None, f"Nothing to take: {kind}."
    return int(assignment.pk)


def _carebench(project: Any, make: Make, kim: Any) -> list[str]:
    from annotate.models import Role
    from review.elements.services import hand_out_elements
    from review.identification.services import start_test
    from review.rounds.services import open_round
    from tests.cast import make_person
    from tests.merge_work import BIKES_A, BIKES_B, open_merge
    from tests.review.capst.capst_runs import described_clip, judge, start, word_overlap
    from tests.review.comparisons.comparing import make_set
    from tests.review.identification.identifying import make_complete
    from tests.split_work import make_merged
    from tests.work import make_work

    anna, ben = (make_person(name, project, Role.ANNOTATOR) for name in ("Anna", "Ben"))
    for _ in range(ITEMS):
        make_work(make(project), "write", needed=1)
        open_merge(make(project), (anna, BIKES_A), (ben, BIKES_B))
        clip = make(project)
        make_merged(clip, anna)
        make_work(clip, "split", needed=1)
    compared = [make(project) for _ in range(ITEMS)]
    texts = {"Egret": TEXT * 8, "Heron": f"{TEXT * 7}It rains."}
    sets = [make_set(project, name, compared, text) for name, text in texts.items()]
    open_round(project=project, admin=None, sets=sets, votes_per_pair=9, shared_percent=0)
    for word in ("boat", "horse", "kettle", "ladder", "melon"):
        make_complete(project, ben, word, make=make, category="Things", subcategory="Things")
    start_test(project=project, admin=anna, kinds=["spatial"], options=4, people=1)
    for _ in range(ITEMS):
        described_clip(project, make=make)
    judge(run=start(project, None, word_overlap(project)))
    hand_out_elements(project=project, preset="default", admin=None)
    _open_sign_offs(project, make, anna, ben)
    return ["write", "merge", "split", "signoff", "compare", "identify", "elements"]


def _open_sign_offs(project: Any, make: Make, anna: Any, ben: Any) -> None:
    from annotate.models import Project, Role
    from tests.cast import make_person
    from tests.review.cast import complete, open_clip

    emil = make_person("Emil", project, Role.EXPERT)
    limits = {"min_words": project.min_words, "max_words": project.max_words}
    Project.objects.filter(pk=project.pk).update(sign_offs=1, min_words=5)
    project.refresh_from_db()
    for number in range(ITEMS):
        clip = open_clip(project, f"scene-{number}", make=make)
        complete(project, clip, [anna, ben], emil)
    Project.objects.filter(pk=project.pk).update(**limits)


def _lovr(project: Any, make: Make, kim: Any) -> list[str]:
    from annotate.corpus.services.opening import open_dynamics_check
    from tests.hand_work import attempt, machine_caption, open_hand
    from tests.review.ratings.rating import describe, make_examples, open_study, train
    from tests.review.verification.verifying import open_verification

    make_examples(project, 5, 3, 0, make=make)
    train(kim, project)
    describe(project, ITEMS, make=make)
    open_study(project, ITEMS)
    for _ in range(ITEMS):
        open_verification(machine_caption(make(project), SENTENCES))
        open_dynamics_check(make(project).video)
        tried = machine_caption(make(project), TEXT)
        open_hand(tried.clip, attempt(tried, 0.1))
    return ["hand", "verify", "rate", "dynamics"]


def _tfcovr(project: Any, make: Make, kim: Any) -> list[str]:
    from annotate.models import Clip, Video
    from review.triplets.verdicts import hand_out_queries
    from tests.review.capst.judging import modify_item, pair_item
    from tests.review.triplets.triplets import make_label, make_pair, make_triplet, modify

    def labelled(key: str, clips: int) -> tuple[Any, list[Any]]:
        label = make_label(project, key, f"Forward, {key} somersaults")
        made = [make(project) for _ in range(clips)]
        Clip.objects.filter(pk__in=[clip.pk for clip in made]).update(label=label)
        Video.objects.filter(pk__in=[clip.video_id for clip in made]).update(split="test")
        kept = Clip.objects.filter(pk__in=[clip.pk for clip in made]).select_related("video")
        return label, list(kept)

    labels = [labelled(key, 3) for key in ("1.5", "2.5", "3.5", "4.5", "5.5")]
    for (first, _), (second, _) in pairwise(labels):
        pair_item(make_pair(first, second, "", similarity=0.9))
    made = [labelled(f"{number} pike", 4) for number in range(ITEMS + 1)]
    triplet = None
    for (source, clips), (target, targets) in pairwise(made):
        modify_item(make_pair(source, labelled(f"{target.key}, twisted", 1)[0]))
        modification = modify(source, target, f"show {target.key}")
        for place in range(3):
            triplet = make_triplet(clips[0], modification, targets[place], place=place)
    assert triplet is not None
    triplets = triplet.query.triplets
    hand_out_queries(triplets=triplets, split="test", most=10, people=1, admin=None)
    return ["pair", "modify", "triplet"]


def _maker(media: Any) -> Make:
    from tests.cast import make_clip
    from tests.media import attach_media

    def make(project: Any, **fields: Any) -> Any:
        size: dict[str, Any] = {"fps_num": FPS, "frames": FRAMES, "width": WIDTH, "height": HEIGHT}
        strip = {"columns": 10, "rows": 1, "tile_width": 80, "tile_height": 45}
        frames = [tile * FRAMES // 10 for tile in range(10)]
        clip = make_clip(project, **size, filmstrip={**strip, "frames": frames}, **fields)
        attach_media(clip.video, media)
        return clip

    return make


def _render(folder: Any) -> Any:
    """Render ten seconds of 640 by 360 that compress as badly as a hand-held camera's."""
    from tests.media import render_filmstrip, render_poster

    noise = np.random.default_rng(1).integers(0, 60, (HEIGHT, WIDTH * 2, 3), dtype=np.uint8)
    with av.open(str(folder / "playback.mp4"), "w", options={"movflags": "+faststart"}) as out:
        stream = out.add_stream("libx264", rate=FPS)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.options = {"preset": "ultrafast", "crf": "30", "g": "50"}
        for number in range(FRAMES):
            picture = np.ascontiguousarray(noise[:, number * 3 : number * 3 + WIDTH]) + 60
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            out.mux(stream.encode(frame))
        out.mux(stream.encode())
    render_poster(folder / "poster.jpg")
    render_filmstrip(folder / "filmstrip.jpg")
    return folder
