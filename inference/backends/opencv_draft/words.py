"""Measured facts in plain sentences. A number is in them only as it was measured, rounded."""

from __future__ import annotations

from collections.abc import Sequence

from inference.backends.opencv_draft.facts import Facts, ShotFacts
from inference.backends.opencv_draft.motion import Motion, Vector
from inference.backends.opencv_draft.pictures import Look

MAX_SHOTS = 12  # shots that get their own paragraph
NAMED_SHARE = 0.04  # share of the picture from which a color is named
MAX_COLORS = 4
MAIN_SHARE = 0.4  # share of a part of the picture from which its color is named

LIGHT = ((15, "very dark"), (38, "dark"), (65, "of medium brightness"), (85, "bright"))
CONTRAST = ((8, "low"), (22, "medium"))
CHROMA = ((12, "pale "), (30, ""))
BLUR = ((0.45, "sharp"), (0.6, "soft"))
SHAPES = (
    (1 / 1.6, "tall"),
    (1 / 1.2, "a little taller than wide"),
    (1.2, "about square"),
    (1.6, "a little wider than tall"),
)
AMOUNT = ((0.03, "little"), (0.12, "moderate"))
TELLING = 3  # L* between shots; a smaller difference isn't mentioned
MAXIMUM = 0.6  # share of the change that counts as most of it, on one side or at one time
TIMES = ("early on", "half-way through", "towards the end")
SIDES = ("left", "middle", "right")


def write(facts: Facts) -> str:
    """Return one paragraph for the clip, and one per shot if there are several."""
    if len(facts.shots) == 1:
        only = facts.shots[0]
        return _paragraph(*_opening(facts), *_look(only.look), *_change(only))
    paragraphs = [_paragraph(*_opening(facts), *_overview(facts))]
    for number, shot in enumerate(facts.shots[:MAX_SHOTS], start=1):
        span = _span(facts, number, shot)
        paragraphs.append(_paragraph(span, *_look(shot.look), *_change(shot)))
    return "\n\n".join(paragraphs)


def write_theme(facts: Facts) -> str:
    """Return a phrase: the main colors, the light, and the number of shots of the whole."""
    lengths = [(shot.shot.end - shot.shot.start) or 1 for shot in facts.shots]
    shares = _shares(facts, lengths)
    main = [name for name, share in shares if share >= NAMED_SHARE][:2] or [shares[0][0]]
    weights = zip(facts.shots, lengths, strict=True)
    light = round(sum(shot.look.light * length for shot, length in weights) / sum(lengths))
    count = len(facts.shots)
    shots = f"{count} {_noun(facts)}{'' if count == 1 else 's'}"
    colors = " and ".join(main)
    return f"Measured, not recognized: {colors}, {_grade(light, LIGHT, 'very bright')}, {shots}"


def _shares(facts: Facts, lengths: Sequence[float]) -> list[tuple[str, float]]:
    """Return each color's share of all shots, by their `lengths`, the largest first."""
    shares: dict[str, float] = {}
    for shot, length in zip(facts.shots, lengths, strict=True):
        for name, share in shot.look.shares:
            shares[name] = shares.get(name, 0.0) + share * length / sum(lengths)
    return sorted(shares.items(), key=lambda item: -item[1])


def write_frame(look: Look, aspect: float) -> str:
    return _paragraph(f"The picture is {_shape(aspect)}.", *_look(look))


def _paragraph(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _opening(facts: Facts) -> list[str]:
    frames = "a single frame" if facts.frames == 1 else f"{facts.frames} frames"
    first = (
        f"The clip lasts {_seconds(facts.seconds)} ({frames}), "
        f"and its picture is {_shape(facts.aspect)}."
    )
    count = len(facts.shots)
    if facts.frames == 1:
        return [first]
    if facts.dense:
        if count == 1:
            return [first, "It is one shot without a hard cut."]
        cuts = "1 hard cut" if count == 2 else f"{count - 1} hard cuts"
        return [first, f"It has {count} shots, divided by {cuts}."]
    if count == 1:
        looked = "1 frame was" if facts.samples == 1 else f"{facts.samples} frames were"
        return [first, f"Only {looked} looked at, and no hard cut shows."]
    seen = f"The {facts.samples} frames that were looked at show at least {count} different views."
    return [first, seen]


def _overview(facts: Facts) -> list[str]:
    """Describe what all shots share, and how they differ."""
    lengths = [shot.shot.end - shot.shot.start for shot in facts.shots]
    sentences = []
    if facts.dense:
        shortest, longest = _seconds(min(lengths)), _seconds(max(lengths))
        sentences.append(f"The shortest shot lasts {shortest}, the longest {longest}.")
    if all(shot.look.colorless for shot in facts.shots):
        sentences.append("All of it is black and white.")
    sentences.append(_colors(_shares(facts, lengths)))
    sentences += _extremes(facts)
    if len(facts.shots) > MAX_SHOTS:
        sentences.append(f"The first {MAX_SHOTS} {_noun(facts)}s are described one by one.")
    return sentences


def _extremes(facts: Facts) -> list[str]:
    noun, sentences = _noun(facts).capitalize(), []
    lights = [shot.look.light for shot in facts.shots]
    if max(lights) - min(lights) >= TELLING:
        brightest, darkest = _largest(lights), _largest([-light for light in lights])
        sentences.append(
            f"{noun} {brightest} is the brightest and {noun.lower()} {darkest} the darkest."
        )
    changes = [shot.motion.changed for shot in facts.shots if shot.motion]
    if len(changes) == len(facts.shots) and max(changes) > 0:
        sentences.append(f"{noun} {_largest(changes)} has the most change from frame to frame.")
    return sentences


def _span(facts: Facts, number: int, shot: ShotFacts) -> str:
    start, end = shot.shot.start, shot.shot.end
    if facts.dense:
        return f"Shot {number} runs from {start:.1f} to {end:.1f} seconds."
    # It begins somewhere between two samples.
    return f"View {number} is there by {start:.1f} seconds."


def _look(look: Look) -> list[str]:
    light, contrast = round(look.light), round(look.contrast)
    strength = "" if look.colorless else _grade(look.chroma, CHROMA, "strong ")
    edges = "hardly any" if look.blur is None else _grade(look.blur, BLUR, "blurred")
    return [
        "The picture is black and white." if look.colorless else "",
        _colors(look.shares, strength),
        *_layout(look),
        f"The picture is {_grade(light, LIGHT, 'very bright')} (lightness {light} of 100), "
        f"with {_grade(contrast, CONTRAST, 'high')} contrast ({contrast}) and {edges} edges.",
    ]


def _colors(shares: Sequence[tuple[str, float]], strength: str = "") -> str:
    named_shares = [item for item in shares if item[1] >= NAMED_SHARE][:MAX_COLORS] or shares[:1]
    (first, share), *others = named_shares
    if not others:
        return f"Its {strength}color is {first} ({_percent(share)})."
    rest = _listed([f"{name} ({_percent(part)})" for name, part in others])
    lead = "mostly " if share >= 0.5 else ""
    return f"Its {strength}colors are {lead}{first} ({_percent(share)}), then {rest}."


def _layout(look: Look) -> list[str]:
    """Describe which sides of the picture differ in color."""
    sentences = []
    for side, other in (("top", "bottom"), ("left", "right")):
        (first, share), (second, other_share) = look.parts[side], look.parts[other]
        if first != second and min(share, other_share) >= MAIN_SHARE:
            sentences.append(f"The {side} third is mainly {first}, the {other} third {second}.")
    return sentences


def _change(shot: ShotFacts) -> list[str]:
    """Describe what changes during a shot."""
    sentences = []
    if shot.light:
        first, last = shot.light
        way = "brighter" if last > first else "darker"
        sentences.append(
            f"It gets {way}, from a lightness of {round(first)} to one of {round(last)}."
        )
    return sentences + (_motion(shot.motion) if shot.motion else [])


def _motion(motion: Motion) -> list[str]:
    if motion.still:
        return ["The picture stands still."]
    sentences = [*_whole_picture(motion)]
    if not motion.changed:
        return [*sentences, "Nothing else in it moves."]
    shifts = motion.picture not in (None, (0.0, 0.0))
    lead = "Beside that there is" if shifts or motion.zoom else "There is"
    amount = _grade(motion.changed, AMOUNT, "much")
    # A change without direction, such as a flicker, isn't called motion.
    kind = f"motion, {_towards(motion.object)}" if motion.object else "change"
    sentences.append(
        f"{lead} {amount} {kind}: about {_percent(motion.changed)} of the picture changes "
        f"within {motion.seconds:.2f} seconds, {_where(motion.thirds)}{_when(motion.when)}."
    )
    return sentences


def _whole_picture(motion: Motion) -> list[str]:
    sentences = []
    if motion.picture is not None and motion.wanders:
        sentences.append("The whole picture moves to and fro, as when a camera is not held still.")
    elif motion.picture not in (None, (0.0, 0.0)):
        x, y = motion.picture
        speed = _percent((x * x + y * y) ** 0.5)
        sentences.append(
            f"The whole picture moves {_towards((x, y))} by {speed} of its width a second, "
            f"as when a camera turns {_towards((-x, -y))}."
        )
    if motion.zoom:
        way, zooming = ("grows", "in") if motion.zoom > 0 else ("shrinks", "out")
        lead = "It also" if sentences else "The whole picture"
        rate = _percent(abs(motion.zoom))
        sentences.append(f"{lead} {way} by {rate} a second, as when a camera zooms {zooming}.")
    if motion.picture == (0.0, 0.0) and not motion.zoom:
        sentences.append("The picture as a whole stays in place.")
    return sentences


def _where(thirds: tuple[float, float, float]) -> str:
    side = thirds.index(max(thirds))
    if thirds[side] >= MAXIMUM:
        return f"mostly in the {SIDES[side]} third"
    if min(thirds) >= 0.2:
        return "across its whole width"
    if min(thirds) == thirds[1]:
        return "mostly at the left and right"
    return f"mostly in the {'left' if thirds[0] > thirds[2] else 'right'} and middle thirds"


def _when(thirds: tuple[float, float, float] | None) -> str:
    if thirds is None or max(thirds) < MAXIMUM:
        return ""
    return f", most of it {TIMES[thirds.index(max(thirds))]}"


def _towards(vector: Vector) -> str:
    """Return the direction on the screen; y points down."""
    x, y = vector
    side = "to the right" if x > 0 else "to the left"
    upright = "down" if y > 0 else "up"
    if abs(x) >= 2 * abs(y):
        return side
    return upright if abs(y) >= 2 * abs(x) else f"{upright} and {side}"


def _noun(facts: Facts) -> str:
    return "shot" if facts.dense else "view"


def _largest(figures: Sequence[float]) -> int:
    """Return the number of the shot with the largest value, the first in a tie."""
    return figures.index(max(figures)) + 1


def _shape(aspect: float) -> str:
    return f"{_grade(aspect, SHAPES, 'wide')} ({aspect:.2f} to 1)"


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} seconds" if seconds >= 0.5 else f"{seconds:.2f} seconds"


def _percent(share: float) -> str:
    return f"{share * 100:.0f}%" if share >= 0.01 else f"{share * 100:.1f}%"


def _grade(value: float, grades: Sequence[tuple[float, str]], beyond: str) -> str:
    return next((name for limit, name in grades if value < limit), beyond)


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
