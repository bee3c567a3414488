"""What is refused, with its code; every message ends with what to do about it."""

import socket
import struct
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import av
import pytest

from annotate.media.containers import DEMUXERS, OPTIONS
from annotate.media.errors import MediaError
from annotate.media.probe import Limits, probe
from tests.annotate.media.render import Sound, render, render_sound_only

LIMITS = Limits()
FASTSTART = {"movflags": "+faststart"}


def refuse(path: Path, limits: Limits = LIMITS) -> str:
    with pytest.raises(MediaError) as refused:
        probe(path, limits)
    assert refused.value.message[-1] == "."
    assert str(path.parent) not in refused.value.message
    return refused.value.code


def write(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_empty(tmp_path):
    assert refuse(write(tmp_path / "a.mp4", b"")) == "empty"


def test_text_named_mp4(tmp_path):
    assert refuse(write(tmp_path / "a.mp4", "These are not the frames.\n" * 50)) == "not_a_video"


@pytest.mark.parametrize(
    ("head", "kind"),
    [(b"\x89PNG\r\n\x1a\n" + bytes(99), "“png”"), (b"\x1a\x00GIMP", ""), (b"OggS" * 30, "")],
)
def test_another_kind_is_named_where_it_is_known(tmp_path, head, kind):
    with pytest.raises(MediaError) as refused:
        probe(write(tmp_path / "a.mp4", head))
    assert refused.value.code == "not_a_video"
    assert kind in refused.value.message


def test_one_byte(tmp_path):
    assert refuse(write(tmp_path / "a.mp4", b"x")) == "not_a_video"


def test_a_header_and_nothing_else(tmp_path):
    head = struct.pack(">I4s4sI", 16, b"ftyp", b"isom", 0)
    assert refuse(write(tmp_path / "a.mp4", head)) == "truncated"


def test_mp4_without_its_index(tmp_path):
    whole = render(tmp_path / "whole.mp4", frames=30).read_bytes()
    assert refuse(write(tmp_path / "a.mp4", whole[: whole.index(b"moov") - 4])) == "truncated"


@pytest.mark.parametrize(
    ("name", "share"),
    [(name, share) for name in ("a.mp4", "a.mkv", "a.avi", "a.flv") for share in (0.5, 0.99)]
    + [("a.wmv", 0.5)],
)
def test_a_file_cut_short(tmp_path, name, share):
    settings = {"a.avi": {"codec": "mpeg4"}, "a.wmv": {"codec": "wmv2"}}.get(name, {})
    options = FASTSTART if name == "a.mp4" else {}
    whole = render(tmp_path / name, frames=60, container_options=options, **settings).read_bytes()
    assert refuse(write(tmp_path / name, whole[: int(len(whole) * share)])) == "truncated"


def test_an_mp4_whose_last_box_claims_the_rest_but_lacks_samples(tmp_path):
    path = render(tmp_path / "a.mp4", frames=60, container_options=FASTSTART)
    data = bytearray(path.read_bytes())
    place = data.index(b"mdat") - 4
    data[place : place + 4] = bytes(4)
    assert probe(write(path, bytes(data))).frames == 60
    assert refuse(write(path, bytes(data[:-300]))) == "truncated"


def test_an_avi_without_its_index(tmp_path):
    data = render(tmp_path / "a.avi", codec="mpeg4").read_bytes()
    assert refuse(write(tmp_path / "b.avi", data[: data.index(b"idx1")])) == "truncated"


@pytest.mark.parametrize(("name", "codec"), [("a.ts", "libx264"), ("a.mpg", "mpeg2video")])
def test_a_recording_of_a_broadcast_may_begin_and_end_in_the_middle_of_a_picture(
    tmp_path, name, codec
):
    options = {"g": "10", "b": "4M"}
    path = render(tmp_path / name, frames=60, size=(640, 384), codec=codec, options=options)
    data = path.read_bytes()
    facts = probe(write(path, data[len(data) // 3 + 7 : len(data) * 4 // 5]))
    assert 15 < facts.frames < 40
    assert (facts.fps, facts.variable_frame_rate) == (25, False)


def test_a_hole_in_the_middle(tmp_path):
    path = render(tmp_path / "a.mp4", frames=60, container_options=FASTSTART)
    data = bytearray(path.read_bytes())
    middle = (data.index(b"mdat") + len(data)) // 2
    data[middle : middle + 3000] = bytes(3000)
    assert refuse(write(path, bytes(data))) == "damaged"


def test_sound_without_picture(tmp_path):
    assert refuse(render_sound_only(tmp_path / "a.mp4")) == "audio_only"


def test_too_many_bytes(tmp_path):
    assert refuse(render(tmp_path / "a.mp4"), Limits(max_bytes=1000)) == "too_large"


def test_too_long(tmp_path):
    path = render(tmp_path / "a.mp4", frames=60, fps=25)
    assert refuse(path, Limits(max_seconds=2)) == "too_long"
    assert probe(path, Limits(max_seconds=3)).frames == 60


def test_too_many_pixels(tmp_path):
    path = render(tmp_path / "a.mp4")
    assert refuse(path, Limits(max_pixels=160 * 96 - 1)) == "too_many_pixels"
    assert probe(path, Limits(max_pixels=160 * 96)).frames == 12


def test_a_frame_every_five_seconds(tmp_path):
    path = render(tmp_path / "a.mkv", times=[Fraction(5 * number) for number in range(4)])
    assert refuse(path) == "bad_fps"


def test_a_thousand_frames_per_second(tmp_path):
    assert refuse(render(tmp_path / "a.mp4", fps=1000, frames=40)) == "bad_fps"


def test_all_frames_at_one_time(tmp_path):
    assert refuse(without_frame_times(render(tmp_path / "a.mp4", options={"bf": "0"}))) == "bad_fps"


def without_frame_times(path: Path) -> Path:
    """Set the time that each frame lasts to zero in the MP4's time-to-sample table."""
    data = bytearray(path.read_bytes())
    table = data.index(b"stts")
    (entries,) = struct.unpack_from(">I", data, table + 8)
    for entry in range(entries):
        struct.pack_into(">I", data, table + 12 + 8 * entry + 4, 0)
    return write(path, bytes(data))


@pytest.fixture
def listener():
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        server.settimeout(0.3)
        yield server


def was_called(server: socket.socket) -> bool:
    try:
        server.accept()[0].close()
    except TimeoutError:
        return False
    return True


def playlists(target: str) -> dict[str, str]:
    dash = (
        f'<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><BaseURL>{target}'
    )
    return {
        "hls": f"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{target}\n#EXT-X-ENDLIST\n",
        "concat": f"ffconcat version 1.0\nfile '{target}'\n",
        "dash": dash,
        "pls": f"[playlist]\nFile1={target}\n",
    }


@pytest.mark.parametrize("kind", ["hls", "concat", "dash", "pls"])
def test_a_playlist_opens_neither_a_file_nor_a_connection(tmp_path, listener, kind):
    clip = render(tmp_path / "secret.ts")
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/secret.ts"
    for target in (str(clip), f"file://{clip}", address):
        assert refuse(write(tmp_path / "a.mp4", playlists(target)[kind])) == "playlist"
    assert not was_called(listener)


def test_no_demuxer_of_ours_follows_a_playlist_that_got_past_the_probing(tmp_path, listener):
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/secret.ts"
    paths = [write(tmp_path / name, text) for name, text in playlists(address).items()]
    for demuxer in DEMUXERS:
        for path in paths:
            try:
                with av.open(str(path), format=demuxer, options=OPTIONS) as opened:
                    list(opened.demux())
            except av.FFmpegError:
                pass
    assert not was_called(listener)
    unsafe = {"hls", "concat", "dash", "image2", "imf", "sdp", "tty", "lavfi", "vobsub", "webvtt"}
    assert not unsafe & {*DEMUXERS}
    assert (OPTIONS["format_whitelist"], OPTIONS["protocol_whitelist"]) == (
        ",".join(DEMUXERS), "file",
    )  # fmt: skip


def test_a_name_like_an_address_is_a_local_file(tmp_path, listener, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path(f"http:127.0.0.1:{listener.getsockname()[1]}") / "a.mp4"
    path.parent.mkdir()
    render(tmp_path / "a.mp4").rename(path)
    assert probe(path).frames == 12
    assert not was_called(listener)


def refer_elsewhere(path: Path, other: Path) -> Path:
    """Blank the MP4's own samples and let its data reference name the other file."""
    data = bytearray(path.read_bytes())
    start, end = data.index(b"mdat") + 4, data.index(b"moov") - 4
    data[start:end] = bytes(end - start)
    name = str(other).encode()
    name += bytes(len(name) % 2)
    alias = bytes(10 + 1 + 27 + 12 + 1 + 63 + 16) + struct.pack(">HH", 1, 1) + bytes(16)
    alias += struct.pack(">HH", 2, len(name)) + name + struct.pack(">hH", -1, 0)
    entry = struct.pack(">I4sI", 12 + len(alias), b"alis", 0) + alias
    old = data.index(b"url ", end) - 4
    data[old : old + 12] = entry
    for box in (b"moov", b"trak", b"mdia", b"minf", b"dinf", b"dref"):
        at = data.index(box, end) - 4
        (size,) = struct.unpack_from(">I", data, at)
        struct.pack_into(">I", data, at, size + len(entry) - 12)
    return write(path, bytes(data))


def test_an_mp4_that_keeps_its_samples_in_another_file_does_not_open_it(tmp_path):
    other = render(tmp_path / "secret.mp4")
    path = refer_elsewhere(render(tmp_path / "a.mp4"), other)
    daring = {"enable_drefs": "1", "use_absolute_path": "1"}
    with av.open(str(path), options=daring) as container:
        assert len(list(container.decode(video=0))) == 12
    assert refuse(path) == "truncated"


def test_a_codec_that_nothing_here_decodes(tmp_path):
    path = render(tmp_path / "a.mp4")
    data = path.read_bytes().replace(b"avc1", b"zzzz").replace(b"avcC", b"zzzC")
    assert refuse(write(path, data)) == "unknown_codec"


def test_cover_art_is_not_a_video(tmp_path):
    path = render(
        tmp_path / "a.mp4", codec="mjpeg", pix_fmt="yuvj420p", frames=1, sound=Sound(0, 1, 1)
    )
    with av.open(str(path)) as source, av.open(str(tmp_path / "b.mp4"), "w") as output:
        streams = {s: output.add_stream_from_template(s) for s in source.streams}
        streams[source.streams.video[0]].disposition = av.stream.Disposition.attached_pic
        for packet in source.demux():
            if packet.size:
                packet.stream = streams[packet.stream]
                output.mux(packet)
    assert refuse(tmp_path / "b.mp4") == "audio_only"
