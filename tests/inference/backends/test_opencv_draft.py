"""What the measured draft says about clips whose facts are known, sentence by sentence."""

import re
from fractions import Fraction

import cv2
import numpy as np
import pytest

from inference.backends.opencv_draft import SAMPLING, describe, describe_frame
from inference.backends.protocols import (
    ClipFrames,
)
from inference.frames import read_clip
from inference.sampling import Sampling
from tests.inference.rendered import (
    BLUE,
    FPS,
    GREEN,
    GREY,
    HEIGHT,
    RED,
    WHITE,
    WIDTH,
    YELLOW,
    flat,
    render,
    texture,
    with_square,
    write,
)

GROUND = texture(1)
WIDE_GROUND = texture(2, 2 * WIDTH, 2 * HEIGHT)
SHORT = 6  # frames: enough for what is said of colors and light
STILL = "The picture stands still."
IN_PLACE = "The picture as a whole stays in place."


@pytest.fixture
def say(tmp_path):
    """A function from draw(frame number) to what is said of the clip so drawn.

    Each pair of frames takes 2 ms to measure, so a clip is as long as its test needs.
    """
    return lambda draw, frames=FPS: describe(render(tmp_path, SAMPLING, draw, frames))


def sentences(text):
    # A full stop within a number has no space after it.
    return [part.rstrip(".") + "." for part in text.replace("\n\n", " ").split(". ")]


def view(left, top):
    return WIDE_GROUND[round(top) : round(top) + HEIGHT, round(left) : round(left) + WIDTH]


@pytest.mark.parametrize("ground", [GROUND, flat(BLUE)], ids=["on a texture", "on a flat ground"])
@pytest.mark.parametrize(
    ("place", "way"),
    [
        (lambda n: (10 + 4 * n, 60), "to the right"),
        (lambda n: (260 - 4 * n, 60), "to the left"),
        (lambda n: (130, 130 - 2 * n), "up"),
        (lambda n: (130, 2 * n), "down"),
        (lambda n: (60 + 2 * n, 120 - 2 * n), "up and to the right"),
    ],
    ids=["right", "left", "up", "down", "up and right"],
)
def test_a_thing_that_moves(say, ground, place, way):
    text = say(lambda n: with_square(ground, *place(n)))
    assert f"There is little motion, {way}: about " in text
    assert "The whole picture" not in text


def test_a_thing_that_moves_to_and_fro_has_no_direction(say):
    text = say(lambda n: with_square(GROUND, 130 + 60 * np.sin(n / 4), 60))
    assert "There is moderate change: about " in text
    assert " motion" not in text


@pytest.mark.parametrize(
    ("start", "when"),
    [(0, "early on"), (9, "half-way through"), (19, "towards the end")],
)
def test_when_the_motion_is(say, start, when):
    text = say(lambda n: with_square(GROUND, 40 + 9 * min(max(n - start, 0), 6), 60))
    assert f", most of it {when}." in text


def test_motion_all_along_has_no_time(say):
    assert "most of it" not in say(lambda n: with_square(GROUND, 4 * n, 60))


def test_little_things_that_move_are_counted_in_tenths(say):
    def draw(number):
        drawn = GROUND.copy()
        drawn[80:90, 40 + 3 * number : 50 + 3 * number] = YELLOW
        return drawn

    assert re.search(r"There is little motion, to the right: about 0\.\d% of the ", say(draw))


@pytest.mark.parametrize(
    ("left", "where"),
    [
        (20, "mostly in the left third"),
        (136, "mostly in the middle third"),
        (250, "mostly in the right third"),
    ],
)
def test_where_the_motion_is(say, left, where):
    assert f", {where}." in say(lambda n: with_square(GROUND, left, 2 * n))


def test_motion_at_both_sides(say):
    text = say(lambda n: with_square(with_square(GROUND, 20, 2 * n), 250, 2 * n))
    assert ", mostly at the left and right." in text


def test_motion_everywhere(say):
    noise = lambda n: np.random.default_rng(n).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)  # noqa: E731
    text = say(noise, SHORT)
    assert "There is much change: about " in text
    assert ", across its whole width." in text


def test_a_larger_thing_makes_more_motion(say):
    stripe = np.concatenate([flat(WHITE, 20), flat(BLUE, 20)], axis=1)
    stripes = np.tile(stripe, (1, 16, 1))
    ground = flat(GREEN)

    def draw(number):
        drawn = ground.copy()
        drawn[40:140, 60:260] = stripes[:100, 40 - number % 40 : 240 - number % 40]
        return drawn

    assert "There is moderate motion, to the right: about " in say(draw)


def test_nothing_moves(say):
    text = say(lambda n: GROUND)
    assert STILL in sentences(text)
    assert "motion" not in text


@pytest.mark.parametrize(
    ("path", "picture", "camera", "speed"),
    [
        (lambda n: (160 + 3 * n, 90), "to the left", "to the right", 23),
        (lambda n: (160 - 2 * n, 90), "to the right", "to the left", 16),
        (lambda n: (160, 90 + 1 * n), "up", "down", 8),
        (lambda n: (160, 90 - 1 * n), "down", "up", 8),
        (lambda n: (160 - 2 * n, 90 - 1.5 * n), "down and to the right", "up and to the left", 20),
    ],
    ids=["right", "left", "down", "up", "aslant"],
)
def test_a_camera_that_turns(say, path, picture, camera, speed):
    text = say(lambda n: view(*path(n)))
    lead = f"The whole picture moves {picture} by "
    assert f"as when a camera turns {camera}." in text
    assert int(text.split(lead)[1].split("%")[0]) == pytest.approx(speed, abs=1)
    assert "Nothing else in it moves." in sentences(text)


def test_a_camera_that_turns_and_a_thing_that_moves_the_other_way(say):
    text = say(lambda n: with_square(view(160 + 2 * n, 90), 10 + 4 * n, 60))
    assert "The whole picture moves to the left by " in text
    assert "Beside that there is little motion, to the right: about " in text


def test_a_camera_that_is_not_held_still(say):
    text = say(lambda n: view(160 + 9 * np.sin(n / 3), 90 + 9 * np.cos(n / 3)))
    assert "The whole picture moves to and fro, as when a camera is not held still." in text


@pytest.mark.parametrize(
    ("growth", "says", "rate"),
    [(0.01, "The whole picture grows by ", 20), (-0.006, "The whole picture shrinks by ", 12)],
)
def test_a_camera_that_zooms(say, growth, says, rate):
    def draw(number):
        scale = (1 if growth > 0 else 1.4) + growth * number
        about = cv2.getRotationMatrix2D((WIDTH, HEIGHT), 0, scale)
        about[:, 2] -= WIDTH / 2, HEIGHT / 2
        return cv2.warpAffine(WIDE_GROUND, about, (WIDTH, HEIGHT))

    text = say(draw)
    assert int(text.split(says)[1].split("%")[0]) == pytest.approx(rate, abs=4)
    assert "The whole picture moves" not in text


def test_one_shot(say):
    text = say(lambda n: GROUND)
    assert "\n" not in text
    assert sentences(text)[:2] == [
        "The clip lasts 1.0 seconds (25 frames), and its picture is wide (1.78 to 1).",
        "It is one shot without a hard cut.",
    ]


def test_two_shots_get_a_paragraph_each(say):
    text = say(lambda n: with_square(GROUND, 5 * n, 60) if n < 10 else flat(RED))
    whole, first, second = text.split("\n\n")
    assert "It has 2 shots, divided by 1 hard cut." in whole
    assert "The shortest shot lasts 0.40 seconds, the longest 0.6 seconds." in whole
    assert "Its colors are mostly red (60%)" in whole
    assert "Shot 1 has the most change from frame to frame." in whole
    assert sentences(first)[0] == "Shot 1 runs from 0.0 to 0.4 seconds."
    assert "There is little motion, to the right" in first
    assert sentences(second)[:2] == [
        "Shot 2 runs from 0.4 to 1.0 seconds.",
        "Its strong color is red (100%).",
    ]
    assert sentences(second)[-1] == STILL


def test_only_the_first_twelve_shots_are_described_in_their_order(say):
    text = say(lambda n: texture(n // 8, spread=110), frames=8 * 14)
    whole, *shots = text.split("\n\n")
    assert "It has 14 shots, divided by 13 hard cuts." in whole
    assert sentences(whole)[-1] == "The first 12 shots are described one by one."
    assert [sentences(shot)[0] for shot in shots] == [
        f"Shot {n} runs from {(n - 1) * 0.32:.1f} to {n * 0.32:.1f} seconds." for n in range(1, 13)
    ]


def test_the_same_colors_arranged_anew_are_another_shot(say):
    halves = np.concatenate([flat(BLUE, WIDTH // 2), flat(YELLOW, WIDTH // 2)], axis=1)
    text = say(lambda n: halves if n < 12 else halves[:, ::-1])
    assert "It has 2 shots, divided by 1 hard cut." in text


def test_a_flash_of_light_is_no_cut(say):
    assert "It is one shot" in say(lambda n: flat(WHITE) if n in (10, 11) else GROUND)


def test_a_thing_that_races_through_is_no_cut(say):
    assert "It is one shot" in say(lambda n: with_square(GROUND, 16 * n - 60, 60))


def test_a_picture_mostly_red(say):
    def draw(number):
        drawn = flat(RED)
        drawn[:, : WIDTH // 5] = WHITE
        return drawn

    assert "Its strong colors are mostly red (80%), then white (20%)." in say(draw, SHORT)


def test_colors_at_the_sides(say):
    sky = np.concatenate([flat((140, 190, 235), height=90), flat(GREEN, height=90)])
    assert "The top third is mainly light blue, the bottom third green." in say(
        lambda n: sky, SHORT
    )
    sides = np.concatenate([flat(BLUE, 160), flat(YELLOW, 160)], axis=1)
    assert "The left third is mainly blue, the right third yellow." in say(lambda n: sides, SHORT)


@pytest.mark.parametrize(
    ("grey", "says"),
    [
        (12, "very dark (lightness 3 of 100)"),
        (55, "dark (lightness 23 of 100)"),
        (125, "of medium brightness (lightness 52 of 100)"),
        (185, "bright (lightness 75 of 100)"),
        (250, "very bright (lightness 98 of 100)"),
    ],
)
def test_how_bright_it_is(say, grey, says):
    assert f"The picture is {says}, with low contrast (0) and hardly any edges." in say(
        lambda n: flat((grey,) * 3), SHORT
    )


def test_strong_contrast(say):
    halves = np.concatenate([flat(WHITE, 160), flat((10, 10, 10), 160)], axis=1)
    assert "with high contrast (47) and sharp edges." in say(lambda n: halves, SHORT)


@pytest.mark.parametrize(
    ("light", "way"),
    [(lambda n: 0.3 + 0.028 * n, "brighter"), (lambda n: 1 - 0.028 * n, "darker")],
)
def test_it_gets_brighter_or_darker(say, light, way):
    text = say(lambda n: (GROUND * light(n)).astype(np.uint8))
    assert f"It gets {way}, from a lightness of " in text
    assert STILL in sentences(text)


def test_flicker_is_no_trend(say):
    assert "It gets" not in say(lambda n: flat((90 + 60 * (n % 2),) * 3))


def test_black_and_white(say):
    colorless = np.repeat(GROUND[..., :1], 3, axis=2)
    assert "The picture is black and white." in sentences(say(lambda n: colorless, SHORT))


def test_one_red_thing_is_enough_for_color(say):
    colorless = np.repeat(GROUND[..., :1], 3, axis=2)
    text = say(lambda n: with_square(colorless, 100, 60, RED), SHORT)
    assert "black and white" not in text


def test_blurred_and_sharp(say):
    drawn = with_square(with_square(flat(GREY), 40, 60), 200, 30, BLUE)
    assert " sharp edges." in say(lambda n: drawn, SHORT)
    blurred = cv2.GaussianBlur(drawn, (0, 0), 8)
    assert " blurred edges." in say(lambda n: blurred, SHORT)


def test_a_single_frame(say):
    text = say(lambda n: GROUND, frames=1)
    assert sentences(text)[0] == (
        "The clip lasts 0.04 seconds (a single frame), and its picture is wide (1.78 to 1)."
    )
    assert "cut" not in text
    assert "moves" not in text
    assert STILL not in text


@pytest.mark.parametrize("frames", [2, 3, 5])
def test_a_few_frames(say, frames):
    text = say(lambda n: GROUND, frames=frames)
    assert sentences(text)[1] == "It is one shot without a hard cut."
    assert sentences(text)[-1] == STILL


def test_far_apart_frames_give_views_and_say_nothing_of_motion(tmp_path):
    draw = lambda n: with_square(GROUND, n, 60) if n < 60 else flat(RED)  # noqa: E731
    path = write(tmp_path / "clip.mp4", draw, 100)
    text = describe(read_clip(path, 0, 100, Fraction(FPS), Sampling("middle", count=4)))
    whole, first, second = text.split("\n\n")
    assert "The 4 frames that were looked at show at least 2 different views." in whole
    assert sentences(first)[0] == "View 1 is there by 0.0 seconds."
    assert sentences(second)[0] == "View 2 is there by 2.5 seconds."
    assert "shot" not in text
    assert "mov" not in text
    assert "still" not in text


def test_the_pairs_of_a_long_clip_still_tell_its_motion():
    numbers = SAMPLING.numbers(2500, Fraction(FPS))
    frames = np.stack([with_square(GROUND, 4 * n % 360 - 40, 60) for n in numbers])
    text = describe(ClipFrames(frames, numbers, 2500, float(FPS)))
    assert "Only 240 frames were looked at, and no hard cut shows." in text
    assert "There is little motion, to the right: about " in text
    assert " changes within 0.08 seconds, " in text


def test_one_frame_of_many(tmp_path):
    clip = render(tmp_path, Sampling("middle", count=1), lambda n: GROUND)
    assert "Only 1 frame was looked at, and no hard cut shows." in describe(clip)


@pytest.mark.parametrize("size", [(2, 2), (20, 300), (300, 20), (47, 47), (48, 256), (1, 1)])
def test_strips_and_specks_are_described(size):
    noise = np.random.default_rng(0).integers(0, 256, (5, *size, 3), np.uint8)
    text = describe(ClipFrames(noise, (0, 1, 2, 3, 4), 5, 25.0))
    assert sentences(text)[1] == "It is one shot without a hard cut."
    assert (" change: about " in text) == (min(size) >= 48)


def test_repeated_frames_do_no_harm(tmp_path):
    clip = render(tmp_path, Sampling("middle", count=8), lambda n: GROUND, frames=3)
    assert clip.numbers == (0, 1, 2, 2, 2, 2, 2, 2)
    assert sentences(describe(clip))[-1] == STILL


@pytest.mark.parametrize(
    ("width", "height", "shape"),
    [
        (160, 90, "wide (1.78 to 1)"),
        (160, 100, "wide (1.60 to 1)"),
        (120, 90, "a little wider than tall (1.33 to 1)"),
        (100, 90, "about square (1.11 to 1)"),
        (90, 120, "a little taller than wide (0.75 to 1)"),
        (90, 160, "tall (0.56 to 1)"),
    ],
)
def test_only_a_picture_far_from_square_is_wide_or_tall(width, height, shape):
    drawn = np.full((height, width, 3), 127, np.uint8)
    assert sentences(describe_frame(drawn))[0] == f"The picture is {shape}."


def test_a_frame_alone():
    drawn = flat(BLUE)
    drawn[: HEIGHT // 2] = WHITE
    assert describe_frame(drawn) == (
        "The picture is wide (1.78 to 1). Its strong colors are mostly white (50%), "
        "then blue (50%). The top third is mainly white, the bottom third blue. "
        "The picture is of medium brightness (lightness 63 of 100), with high contrast (33) "
        "and sharp edges."
    )
