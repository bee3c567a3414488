"""Copy the packets of a soundtrack that is AAC without gaps, which browsers play.

To check it, all of it is decoded: a packet that can't be decoded ends playback in Chromium. Packets
of silence fill the time before the sound begins and after it ends, because Firefox can't seek
beyond the end of the sound.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from av import AudioCodecContext, AudioFrame, Packet
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.error import FFmpegError

from annotate.media.decoding import exact
from annotate.media.sound import BLOCK

RATES = frozenset({16000, 22050, 24000, 32000, 44100, 48000})
LAYOUTS = frozenset({"mono", "stereo"})
# Seconds. Encoders begin with up to 0.1 s of silence, which the copy's edit list cuts off.
MAX_EARLY = Fraction(1, 10)


@dataclass(frozen=True)
class SoundPlan:
    """The number of copied packets; the first begins `position` samples after the first picture."""

    position: int
    packets: int


class SoundCheck:
    """Decodes a soundtrack, packet by packet, to find out whether it can be copied."""

    def __init__(self, stream: AudioStream | None) -> None:
        self.stream = stream
        self._fits = stream is not None and (
            stream.codec_context.name == "aac"
            and stream.codec_context.profile == "LC"
            and stream.codec_context.sample_rate in RATES
            and stream.codec_context.layout.name in LAYOUTS
            and bool(stream.codec_context.extradata)
        )
        self._packets = 0
        # The first packet, in ticks, and what is heard first after an edit list, in seconds.
        self._first: int | None = None
        self._begin: Fraction | None = None

    def add(self, packet: Packet[Any]) -> None:
        """Take the next packet of the stream."""
        if self._fits and packet.size and self.stream is not None:
            self._fits = self._is_block(packet, self.stream)

    def plan(self, start: Fraction) -> SoundPlan | None:
        """Return how to copy the packets beside pictures that begin at `start`, in seconds.

        Return None if they can't be copied.
        """
        if not self._fits or self.stream is None or self._begin is None:
            return None
        assert self._first is not None
        time = self._first * exact(self.stream.time_base)
        position = round((time - start) * self.stream.codec_context.sample_rate)
        return None if self._begin < start - MAX_EARLY else SoundPlan(position, self._packets)

    def _is_block(self, packet: Packet[Any], stream: AudioStream) -> bool:
        """Return whether the packet follows the previous one, within half a packet, and really has
        a block of this sound, whatever the header claims."""
        context = stream.codec_context
        if packet.pts is None or packet.is_corrupt or packet.has_sidedata("new_extradata"):
            return False
        self._first = packet.pts if self._first is None else self._first
        # Fractions for each packet would take as long as copying it.
        seconds = (packet.pts - self._first) * float(exact(packet.time_base))
        if abs(seconds * context.sample_rate - self._packets * BLOCK) > BLOCK / 2:
            return False
        try:
            frames = stream.decode(packet)
        except FFmpegError:
            return False
        if frames and self._begin is None and frames[0].pts is not None:
            self._begin = frames[0].pts * exact(frames[0].time_base)
        # Nothing is heard of a packet that an edit list cuts off; at the end it isn't copied.
        self._packets += bool(frames) or self._begin is None
        return all(
            not frame.is_corrupt
            and frame.samples <= BLOCK
            and frame.sample_rate == context.sample_rate
            and frame.layout.name == context.layout.name
            for frame in frames
        )


class CopiedSound:
    """Writes the packets of a soundtrack, and silence up to the first and after the last."""

    def __init__(
        self, output: OutputContainer, source: AudioStream, plan: SoundPlan, duration: Fraction
    ) -> None:
        context = source.codec_context
        self.output = output
        self.stream = output.add_stream_from_template(source)
        self.stream.time_base = self.tick = Fraction(1, context.sample_rate)
        self.stream.metadata.clear()
        self.silence = encode_silence(context.sample_rate, context.layout.name)
        self.begin, self.position = plan.position, min(plan.position, -(-plan.position % BLOCK))
        self.packets = plan.packets
        self.end = round(duration * context.sample_rate)

    def add_packet(self, packet: Packet[Any]) -> None:
        """Write the next packet of the source."""
        self._stay_silent_until(self.begin)
        if packet.size and self.packets:
            self.packets -= 1
            self._write(packet)

    def finish(self) -> None:
        """Write silence until the pictures end."""
        self._stay_silent_until(self.end)

    def _stay_silent_until(self, position: int) -> None:
        while self.position < position:
            packet = Packet(self.silence)
            packet.is_keyframe = True
            self._write(packet)

    def _write(self, packet: Packet[Any]) -> None:
        if self.position < self.end:
            packet.stream, packet.time_base = self.stream, self.tick
            packet.pts = packet.dts = self.position
            packet.duration = min(BLOCK, self.end - self.position)
            self.output.mux(packet)
        self.position += BLOCK


def encode_silence(rate: int, layout: str) -> bytes:
    """Return a packet of AAC-LC that is silent after any other packet."""
    encoder = AudioCodecContext.create("aac", "w")
    encoder.sample_rate, encoder.layout, encoder.format = rate, layout, "fltp"
    samples = np.zeros((1 if layout == "mono" else 2, BLOCK), np.float32)
    packets = []
    for number in range(3):
        frame = AudioFrame.from_ndarray(samples, "fltp", layout)
        frame.sample_rate, frame.pts = rate, number * BLOCK
        packets += encoder.encode(frame)
    return bytes(packets[-1])
