"""AAC that browsers play is copied beside copied pictures, and heard when it was."""

from dataclasses import replace

import av
import numpy as np
import pytest

from annotate.media.ingest import Targets, ingest
from annotate.media.probe import Limits
from tests.annotate.media.render import Sound, render

FRAMES, FPS = 50, 25
LENGTH = FRAMES / FPS
LOUD = 40  # bytes; a packet of silence has fewer
TONE = Sound(0.8, 1.2, LENGTH, rate=48_000)


@pytest.fixture
def targets(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    return Targets(folder / "playback.mp4", folder / "poster.jpg", folder / "filmstrip.jpg")


def film(path, sound=TONE):
    return render(path, frames=FRAMES, fps=FPS, options={"g": "20", "bf": "2"}, sound=sound)


def read_sound(path):
    """The packets with the tone, when it begins and ends after the first picture, and the end."""
    loud = []
    with av.open(str(path)) as container:
        packets = [bytes(packet) for packet in container.demux(audio=0) if packet.size > LOUD]
    with av.open(str(path)) as container:
        picture = next(container.decode(video=0))
        start = float(picture.pts * picture.time_base)
    with av.open(str(path)) as container:
        for frame in container.decode(audio=0):
            places = np.flatnonzero(np.abs(frame.to_ndarray()[0]) > 0.1)
            time = float(frame.pts * frame.time_base) - start
            loud += [time + place / frame.sample_rate for place in places]
        end = time + frame.samples / frame.sample_rate
    return packets, loud[0], loud[-1], end


def check_copy(source, playback):
    """The packets with the tone are the source's, and are heard within a millisecond."""
    packets, begin, end, _ = read_sound(source)
    copied, copied_begin, copied_end, length = read_sound(playback)
    assert len(packets) > 5
    assert copied == packets
    assert (copied_begin, copied_end) == pytest.approx((begin, end), abs=0.001)
    # It lasts as long as the pictures: Firefox seeks no further than the sound.
    assert LENGTH <= length < LENGTH + 0.05


@pytest.mark.parametrize(
    ("name", "sound"),
    [
        ("a.mp4", TONE),
        ("a.mp4", replace(TONE, layout="mono", rate=44_100)),
        ("a.mp4", replace(TONE, layout="mono", rate=22_050)),
        ("a.mov", replace(TONE, rate=44_100)),
        ("a.mkv", TONE),
        ("a.flv", replace(TONE, rate=44_100)),
        ("a.mp4", replace(TONE, length=1.3)),
        ("a.mp4", replace(TONE, length=4)),
        ("a.mp4", replace(TONE, offset=0.03)),
        ("a.mp4", replace(TONE, offset=0.5, length=1)),
    ],
    ids=[
        "stereo", "mono", "low rate", "MOV", "MKV with priming", "FLV", "short", "long",
        "a little late", "late and short",
    ],
)  # fmt: skip
def test_sound_that_browsers_play_is_copied_and_heard_when_it_was(tmp_path, targets, name, sound):
    source = film(tmp_path / name, sound)
    assert ingest(source, targets, Limits()).playback.has_audio
    check_copy(source, targets.playback)


def shift_packets(source, target, move):
    """Copy a file; `move(number, packet)` says by how many samples each packet of sound is moved,
    or None for one that is left out."""
    with av.open(str(source)) as container, av.open(str(target), "w") as output:
        streams = {s: output.add_stream_from_template(s) for s in container.streams}
        number = 0
        for packet in container.demux():
            if not packet.size:
                continue
            if packet.stream.type == "audio":
                moved = move(number, packet)
                number += 1
                if moved is None:
                    continue
                packet.pts, packet.dts = packet.pts + moved, packet.dts + moved
            packet.stream = streams[packet.stream]
            output.mux(packet)
    return target


@pytest.mark.parametrize("before", [2112, 9600])
def test_what_an_edit_list_cuts_off_before_the_pictures_stays_cut_off(tmp_path, targets, before):
    """Apple's encoder has 2,112 samples before the sound begins."""
    source = shift_packets(film(tmp_path / "a.mp4"), tmp_path / "b.mp4", lambda *_: 1024 - before)
    ingest(source, targets, Limits())
    check_copy(source, targets.playback)


def check_encoded(source, playback):
    packets, begin, end, _ = read_sound(source)
    encoded, encoded_begin, encoded_end, length = read_sound(playback)
    assert not set(packets) & set(encoded)
    assert LENGTH <= length < LENGTH + 0.05
    assert (encoded_begin, encoded_end) == pytest.approx((begin, end), abs=0.03)


@pytest.mark.parametrize(
    ("name", "move"),
    [
        ("b.mp4", lambda number, packet: None if number == 20 else 0),
        ("b.mp4", lambda number, packet: 4800 if number > 20 else 0),
        ("b.mkv", lambda number, packet: -9600),
    ],
    ids=["a packet is missing", "a gap", "begins before the pictures"],
)
def test_packets_that_dont_lie_end_to_end_are_encoded(tmp_path, targets, name, move):
    source = shift_packets(film(tmp_path / "a.mp4"), tmp_path / name, move)
    ingest(source, targets, Limits())
    check_encoded(source, targets.playback)


def test_he_aac_is_encoded(tmp_path, targets):
    """The header states AAC-LC and behind it, as old players skip it, SBR at twice the rate."""
    source = film(tmp_path / "a.mp4", replace(TONE, rate=24_000))
    data = source.read_bytes()
    plain, extended = b"\x13\x10\x56\xe5\x00", b"\x13\x10\x56\xe5\x98"
    assert data.count(plain) == 1
    source.write_bytes(data.replace(plain, extended))
    with av.open(str(source)) as container:
        assert next(container.decode(audio=0)).sample_rate == 48_000
    ingest(source, targets, Limits())
    check_encoded(source, targets.playback)


@pytest.mark.parametrize("sound", [replace(TONE, layout="5.1"), replace(TONE, rate=96_000)])
def test_other_layouts_and_rates_are_encoded(tmp_path, targets, sound):
    source = film(tmp_path / "a.mp4", sound)
    ingest(source, targets, Limits())
    check_encoded(source, targets.playback)


def test_a_broken_packet_of_sound_becomes_silence(tmp_path, targets):
    """Copied, it would end playback in Chromium."""
    source = film(tmp_path / "a.mp4")
    with av.open(str(source)) as container:
        packet = [packet for packet in container.demux(audio=0) if packet.size][70]
    data = bytearray(source.read_bytes())
    data[packet.pos : packet.pos + packet.size] = b"\xff" * packet.size
    source.write_bytes(data)
    ingest(source, targets, Limits())
    with av.open(str(targets.playback)) as container:
        assert sum(frame.samples for frame in container.decode(audio=0)) >= LENGTH * 48_000


def test_nothing_of_the_sound_s_metadata_is_copied(tmp_path, targets):
    source = tmp_path / "b.mp4"
    with av.open(str(film(tmp_path / "a.mp4"))) as container, av.open(str(source), "w") as output:
        streams = {s: output.add_stream_from_template(s) for s in container.streams}
        streams[container.streams.audio[0]].metadata["handler_name"] = "Garden party"
        for packet in container.demux():
            if packet.size:
                packet.stream = streams[packet.stream]
                output.mux(packet)
    assert b"Garden" in source.read_bytes()
    ingest(source, targets, Limits())
    check_copy(source, targets.playback)
    assert b"Garden" not in targets.playback.read_bytes()
