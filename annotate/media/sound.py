"""Encode a soundtrack with the start and length of the video, and silence in its gaps."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from av import AudioFrame, AudioResampler, Packet
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.error import FFmpegError

from annotate.media.decoding import exact
from annotate.media.timing import has_restarted

RATES = (32000, 44100, 48000)
BLOCK = 1024  # AAC's frame
SLACK = Fraction(1, 25)  # Sound is moved only if its timestamps are further off, in seconds.


class Soundtrack:
    """Encodes decoded sound as AAC so that it covers exactly `duration` seconds from `start`.

    `moves`: as in the Clock of the pictures; the clock of the sound is set where theirs is.
    """

    def __init__(
        self,
        output: OutputContainer,
        source: AudioStream,
        start: Fraction,
        duration: Fraction,
        *,
        moves: Sequence[Fraction] = (Fraction(0),),
        may_jump: bool = False,
    ) -> None:
        context = source.codec_context
        self.rate = context.sample_rate if context.sample_rate in RATES else 48000
        self.layout = "mono" if context.channels == 1 else "stereo"
        self.output = output
        self.start = start
        self.moves, self.may_jump = moves, may_jump
        self.time: Fraction | None = None
        self.stream = output.add_stream("aac", rate=self.rate, layout=self.layout)
        self.stream.bit_rate = 128_000
        self.total = round(duration * self.rate)
        self.received = 0
        self.encoded = 0
        self.waiting = self._silence(0)
        self.resampler: AudioResampler | None = None
        self.source_kind: tuple[str, str, int] | None = None

    def add_packet(self, packet: Packet[Any]) -> None:
        """Take the next packet of the source; a damaged one becomes silence."""
        try:
            frames = packet.decode()
        except FFmpegError:
            return  # Only the picture must be complete.
        for frame in frames:
            if isinstance(frame, AudioFrame):
                self.add(frame)

    def add(self, frame: AudioFrame) -> None:
        """Take the next decoded frame of the source."""
        kind = (frame.format.name, frame.layout.name, frame.sample_rate)
        if kind != self.source_kind:
            self._drain()
            self.resampler = AudioResampler("fltp", self.layout, self.rate)
            self.source_kind = kind
        if frame.pts is not None:
            self._align(self._read_time(frame.pts * exact(frame.time_base)) * self.rate)
        assert self.resampler is not None
        for resampled in self.resampler.resample(frame):
            self._append(resampled.to_ndarray())

    def finish(self) -> None:
        """Fill up with silence, encode the rest and close the encoder."""
        self._drain()
        self._pad_to(self.total)
        self._encode(at_least=1)
        self.output.mux(self.stream.encode(None))

    def _read_time(self, time: Fraction) -> Fraction:
        """Return the seconds since the first picture."""
        if self.time is not None and has_restarted(time, self.time, may_jump=self.may_jump):
            self.moves = self.moves[1:] or self.moves
        self.time = time
        return time + self.moves[0] - self.start

    def _align(self, position: Fraction) -> None:
        """Fill a gap before the next samples, or note their overlap."""
        slack = SLACK * self.rate if self.received > 0 else 0
        if position > self.received + slack:
            self._pad_to(min(round(position), self.total))
        elif position < self.received - slack:
            self.received = round(position)

    def _append(self, samples: np.ndarray) -> None:
        """Keep the samples after those we have and before the end."""
        have = self.encoded + self.waiting.shape[1]
        fresh = samples[:, max(0, have - self.received) : max(0, self.total - self.received)]
        self.received += samples.shape[1]
        self.waiting = np.concatenate([self.waiting, fresh], axis=1)
        self._encode(at_least=BLOCK)

    def _pad_to(self, position: int) -> None:
        while (have := self.encoded + self.waiting.shape[1]) < position:
            silence = self._silence(min(BLOCK, position - have))
            self.waiting = np.concatenate([self.waiting, silence], axis=1)
            self._encode(at_least=BLOCK)
        self.received = max(self.received, position)

    def _drain(self) -> None:
        if self.resampler is not None:
            for resampled in self.resampler.resample(None):
                self._append(resampled.to_ndarray())

    def _encode(self, *, at_least: int) -> None:
        while self.waiting.shape[1] >= at_least:
            block, self.waiting = np.split(self.waiting, [BLOCK], axis=1)
            frame = AudioFrame.from_ndarray(np.ascontiguousarray(block), "fltp", self.layout)
            frame.sample_rate = self.rate
            frame.time_base = Fraction(1, self.rate)
            frame.pts = self.encoded
            self.encoded += block.shape[1]
            self.output.mux(self.stream.encode(frame))

    def _silence(self, samples: int) -> np.ndarray:
        return np.zeros((1 if self.layout == "mono" else 2, samples), np.float32)
