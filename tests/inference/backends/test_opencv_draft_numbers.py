"""Every number in the text is the measurement, and every measurement is the picture's."""

import re

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inference.backends.opencv_draft.facts import Facts, ShotFacts, measure_clip
from inference.backends.opencv_draft.motion import Motion, sum_up
from inference.backends.opencv_draft.pictures import (
    LIGHT_WEIGHT,
    PALETTE,
    PARTS,
    Look,
    look_at,
    measure_blur,
    name_pixels,
)
from inference.backends.opencv_draft.shots import Shot, find_shots
from inference.backends.opencv_draft.steps import Step, measure_steps
from inference.backends.opencv_draft.words import write, write_frame
from inference.backends.protocols import ClipFrames
from tests.inference.rendered import BLUE, GREY, flat, texture, with_square

NAMES = list(PALETTE)
NAMED = re.compile(rf"({'|'.join(sorted(NAMES, key=len, reverse=True))}) \((\d+)%\)")
SHARE = st.floats(0, 1)
SPEED = st.floats(-2, 2)
VECTOR = st.tuples(SPEED, SPEED)


@st.composite
def looks(draw):
    weights = np.array(draw(st.lists(st.integers(0, 50), min_size=5, max_size=9))) + 0.01
    names = draw(st.permutations(NAMES))[: len(weights)]
    shares = sorted(weights / weights.sum(), reverse=True)
    return Look(
        shares=tuple(zip(names, map(float, shares), strict=True)),
        light=draw(st.floats(0, 100)),
        contrast=draw(st.floats(0, 50)),
        chroma=draw(st.floats(0, 60)),
        colorless=draw(st.booleans()),
        parts={part: (draw(st.sampled_from(NAMES)), draw(SHARE)) for part in PARTS},
        blur=draw(st.none() | SHARE),
    )


@st.composite
def motions(draw):
    thirds = np.array(draw(st.tuples(SHARE, SHARE, SHARE))) + 0.01
    changed = draw(st.just(0.0) | st.floats(0.002, 1))
    picture = draw(st.none() | st.just((0.0, 0.0)) | VECTOR)
    return Motion(
        seconds=draw(st.floats(0.01, 0.15)),
        picture=picture,
        wanders=draw(st.booleans()) if picture and any(picture) else False,
        zoom=draw(st.just(0.0) | st.floats(0.04, 3) | st.floats(-3, -0.04)),
        changed=changed,
        thirds=tuple(map(float, thirds / thirds.sum())),
        when=draw(st.none() | st.just((0.7, 0.2, 0.1)) | st.just((0.3, 0.3, 0.4))),
        object=draw(st.none() | VECTOR) if changed else None,
    )


@st.composite
def clips(draw):
    lengths = draw(st.lists(st.integers(7, 500), min_size=1, max_size=15))
    ends = np.cumsum(lengths)
    shots = [
        ShotFacts(
            shot=Shot(int(end - length), int(end) - 1, float(end - length) / 25, float(end) / 25),
            look=draw(looks()),
            light=draw(st.none() | st.tuples(st.floats(0, 100), st.floats(0, 100))),
            motion=draw(st.none() | motions()),
        )
        for length, end in zip(lengths, ends, strict=True)
    ]
    return Facts(
        seconds=float(ends[-1]) / 25,
        frames=int(ends[-1]),
        samples=draw(st.integers(1, 300)),
        aspect=draw(st.floats(0.2, 5)),
        dense=draw(st.booleans()),
        shots=tuple(shots),
    )


class Reader:
    """Takes the numbers out of a text, sentence by sentence, and holds each against a fact."""

    def __init__(self, text):
        self.rest = text

    def take(self, pattern, *facts):
        """The first place that reads like `pattern`, if any, must hold these numbers."""
        match = re.search(pattern, self.rest)
        if match is None:
            return
        numbers = [group for group in match.groups() if group is not None]
        assert numbers == [format(fact, form) for fact, form in facts], match.group()
        self.rest = self.rest.replace(match.group(), "", 1)

    def finish(self):
        assert re.findall(r"\d", self.rest) == [], self.rest


def seconds(value):
    return (value, ".1f" if value >= 0.5 else ".2f")


def percent(value):
    return (value * 100, ".0f" if value >= 0.01 else ".1f")


def read_look(reader, look):
    reader.take(r"\(lightness (\d+) of 100\)", (round(look.light), "d"))
    reader.take(r" contrast \((\d+)\)", (round(look.contrast), "d"))
    shares = dict(look.shares)
    for name, percentage in NAMED.findall(reader.rest):
        assert percentage == f"{shares[name] * 100:.0f}"
    reader.rest = NAMED.sub("", reader.rest)


def read_shot(reader, shot):
    read_look(reader, shot.look)
    if shot.light:
        first, last = shot.light
        reader.take(r"from a lightness of (\d+) to one of (\d+)\.", (round(first), "d"),
                    (round(last), "d"))  # fmt: skip
    if shot.motion:
        motion = shot.motion
        if motion.picture:
            reader.take(r" by ([\d.]+)% of its width", percent(np.hypot(*motion.picture)))
        reader.take(r" by (\d+)% a second", (abs(motion.zoom) * 100, ".0f"))
        reader.take(r"about ([\d.]+)% of the picture", percent(motion.changed))
        reader.take(r"within (\d\.\d\d) seconds", (motion.seconds, ".2f"))


@given(facts=clips())
def test_every_number_is_a_fact_rounded(facts):
    whole, *rest = write(facts).split("\n\n")
    reader = Reader(whole)
    reader.take(r"The clip lasts ([\d.]+) seconds \((\d+) frames",
                seconds(facts.seconds), (facts.frames, "d"))  # fmt: skip
    reader.take(r"\((\d\.\d\d) to 1\)", (facts.aspect, ".2f"))
    count = len(facts.shots)
    reader.take(r"It has (\d+) shots, divided by (\d+) hard cut", (count, "d"), (count - 1, "d"))
    reader.take(r"The (\d+) frames .* least (\d+) different", (facts.samples, "d"), (count, "d"))
    reader.take(r"Only (\d+) frames? w", (facts.samples, "d"))
    if count == 1:
        assert rest == []
        read_shot(reader, facts.shots[0])
        reader.finish()
        return
    lengths = [shot.shot.end - shot.shot.start for shot in facts.shots]
    reader.take(r"The shortest shot lasts ([\d.]+) seconds, the longest ([\d.]+) seconds",
                seconds(min(lengths)), seconds(max(lengths)))  # fmt: skip
    lights = [shot.look.light for shot in facts.shots]
    reader.take(r" (\d+) is the brightest and \w+ (\d+) the darkest",
                (np.argmax(lights) + 1, "d"), (np.argmin(lights) + 1, "d"))  # fmt: skip
    if all(shot.motion for shot in facts.shots):
        most = np.argmax([shot.motion.changed for shot in facts.shots])
        reader.take(r" (\d+) has the most change", (most + 1, "d"))
    reader.take(r"The first (12) (?:shot|view)s are described", (12, "d"))
    weights = np.array(lengths) / sum(lengths)
    shares = {
        name: sum(
            dict(shot.look.shares).get(name, 0.0) * weight
            for shot, weight in zip(facts.shots, weights, strict=True)
        )
        for name in NAMES
    }
    for name, percentage in NAMED.findall(whole):
        assert int(percentage) == pytest.approx(shares[name] * 100, abs=0.51)
    reader.rest = NAMED.sub("", reader.rest)
    reader.finish()
    assert len(rest) == min(count, 12)
    for number, (shot, text) in enumerate(zip(facts.shots, rest, strict=False), start=1):
        reader = Reader(text)
        reader.take(r"Shot (\d+) runs from ([\d.]+) to ([\d.]+) seconds", (number, "d"),
                    (shot.shot.start, ".1f"), (shot.shot.end, ".1f"))  # fmt: skip
        reader.take(r"View (\d+) is there by ([\d.]+) seconds", (number, "d"),
                    (shot.shot.start, ".1f"))  # fmt: skip
        read_shot(reader, shot)
        reader.finish()


@given(facts=clips())
def test_a_paragraph_is_neither_long_nor_a_scrap(facts):
    whole, *shots = write(facts).split("\n\n")
    # A clip of one color that never moves says less than a real one, which has 40 words at least.
    assert 30 <= len(whole.split()) <= 145
    assert all(20 <= len(shot.split()) <= 145 for shot in shots)


def lightness(pictures):
    """L* by the definition (CIE 15), from sRGB."""
    linear = pictures / 255.0
    linear = np.where(linear <= 0.04045, linear / 12.92, ((linear + 0.055) / 1.055) ** 2.4)
    luminance = linear @ np.array([0.2126729, 0.7151522, 0.0721750])
    cube = np.where(
        luminance > (6 / 29) ** 3, np.cbrt(luminance), luminance * (29 / 6) ** 2 / 3 + 4 / 29
    )
    return 116 * cube - 16


def test_light_and_contrast_agree_with_their_definition():
    pictures = np.stack([texture(seed, spread=110) for seed in range(3)])
    look = look_at(pictures)
    light = lightness(pictures.astype(float))
    assert look.light == pytest.approx(light.mean(), abs=0.15)
    assert look.contrast == pytest.approx(np.mean([each.std() for each in light]), abs=0.15)


def test_shares_of_colors_agree_with_the_nearest_of_the_palette():
    picture = texture(4, spread=127)
    weights = np.array([LIGHT_WEIGHT, 1, 1])
    to_lab = lambda rgb: cv2.cvtColor(np.float32(rgb) / 255, cv2.COLOR_RGB2LAB) * weights  # noqa: E731
    palette = to_lab(np.array([list(PALETTE.values())]))[0]
    distances = np.linalg.norm(to_lab(picture)[:, :, None] - palette, axis=3)
    nearest = np.bincount(distances.argmin(axis=2).ravel(), minlength=len(NAMES)) / 57600
    shares = dict(look_at(picture[None]).shares)
    # The table of names holds 32 levels of each channel, so that borders move a little.
    assert [shares[name] for name in NAMES] == pytest.approx(list(nearest), abs=0.02)


@pytest.mark.parametrize("name", NAMES)
def test_each_color_of_the_palette_has_its_own_name(name):
    picture = flat(PALETTE[name], 8, 8)
    assert {NAMES[index] for index in name_pixels(picture).ravel()} == {name}


@given(pixels=st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=9, max_size=9))
def test_shares_add_up(pixels):
    look = look_at(np.array(pixels, np.uint8).reshape(1, 3, 3, 3))
    assert sum(share for _, share in look.shares) == pytest.approx(1)
    assert [share for _, share in look.shares] == sorted(
        (share for _, share in look.shares), reverse=True
    )


def test_blur_grows_with_blurring():
    drawn = with_square(with_square(flat(GREY), 40, 60), 200, 30, BLUE)
    blurs = [look_at(cv2.GaussianBlur(drawn, (0, 0), sigma)[None]).blur for sigma in (0.5, 2, 4, 8)]
    assert blurs == sorted(blurs)


def test_a_flat_picture_tells_nothing_of_its_sharpness():
    assert look_at(flat(BLUE)[None]).blur is None
    assert measure_blur(np.zeros((1, 1, 3), np.float32)) is None


@pytest.mark.parametrize("seconds", [0.04, 0.08, 0.12])
def test_speed_does_not_depend_on_how_far_apart_the_frames_are(seconds):
    ground = texture(2, 640)
    moved = round(100 * seconds)
    frames = np.stack([ground[:, 50 : 50 + 320], ground[:, 50 - moved : 50 - moved + 320]])
    (step,) = measure_steps(frames, (0.0, seconds), 9)
    assert step.picture == (
        pytest.approx(moved / 320 / seconds, abs=0.01),
        pytest.approx(0, abs=0.01),
    )


def test_no_step_is_longer_than_flow_can_follow():
    frames = np.stack([texture(2)] * 5)
    assert measure_steps(frames, (0.0, 0.16, 0.4, 0.8, 2.0), 9) == []
    assert [step.seconds for step in measure_steps(frames, (0.0, 0.05, 0.1, 0.3, 0.44), 9)] == [
        pytest.approx(0.1),
        pytest.approx(0.05),
        pytest.approx(0.14),
    ]


def test_no_more_steps_than_asked_for():
    frames = np.stack([texture(2)] * 20)
    assert len(measure_steps(frames, [place / 25 for place in range(20)], 6)) == 6


def step(picture=(0.0, 0.0), zoom=0.0, changed=0.0, thirds=(0.0, 0.0, 0.0), object_=None):
    return Step(0.08, picture, zoom, changed, thirds, object_)


def test_a_shot_is_the_mean_of_its_steps():
    motion = sum_up(
        [
            step((0.1, 0.0), changed=0.1, thirds=(1.0, 0.0, 0.0), object_=(0.3, 0.0)),
            step((0.2, 0.1), changed=0.3, thirds=(0.0, 1.0, 0.0), object_=(0.1, 0.0)),
        ]
    )
    assert motion.picture == pytest.approx((0.15, 0.05))
    assert motion.changed == pytest.approx(0.2)
    assert motion.thirds == pytest.approx((0.25, 0.75, 0))
    assert motion.object == pytest.approx((0.15, 0))


def test_nothing_is_said_of_the_picture_that_most_steps_could_not_measure():
    assert sum_up([step(None), step(None), step((0.2, 0.0))]).picture is None
    assert sum_up([step(None), step((0.2, 0.0)), step((0.2, 0.0))]).picture is not None


def test_without_steps_there_is_no_motion():
    assert sum_up([]) is None


def test_shots_cover_the_clip():
    frames = np.stack([texture(place // 8, spread=110) for place in range(24)])
    clip = ClipFrames(frames, tuple(range(0, 48, 2)), 50, 25.0)
    shots = find_shots(clip)
    assert [(shot.first, shot.last) for shot in shots] == [(0, 7), (8, 15), (16, 23)]
    assert [(shot.start, shot.end) for shot in shots] == [(0, 0.64), (0.64, 1.28), (1.28, 2)]


def test_a_frame_is_put_in_words_like_a_clip():
    look = look_at(flat((255, 255, 255))[None])
    assert write_frame(look, 1.0) == (
        "The picture is about square (1.00 to 1). The picture is black and white. "
        "Its color is white (100%). The picture is very bright (lightness 100 of 100), "
        "with low contrast (0) and hardly any edges."
    )


def test_measuring_twice_gives_the_same_facts():
    frames = np.stack([with_square(texture(1), 4 * place, 60) for place in range(12)])
    clip = ClipFrames(frames, tuple(range(12)), 12, 25.0)
    assert measure_clip(clip) == measure_clip(clip)
