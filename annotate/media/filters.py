"""Redraw frames as the playback file shows them, with FFmpeg's filters."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import atan2, degrees

from av import VideoFrame
from av.error import BlockingIOError as NothingYet
from av.error import EOFError as Finished
from av.filter import Graph
from av.video.reformatter import ColorRange

from annotate.media.decoding import exact

Size = tuple[int, int]

MAX_SIDE, HD_HEIGHT = 1920, 720
# Transfers of H.273 whose pictures are for brighter screens: PQ and HLG.
HDR = {16: "PQ", 18: "HLG"}
HDR_TO_SDR = "out_range=tv:out_transfer=bt709:out_primaries=bt709:out_color_matrix=bt709"
# Matrices of H.273 that FFmpeg's `scale` knows, and the transfers and primaries that it doesn't.
UNSPECIFIED = 2
MATRICES, NO_TRANSFERS, NO_PRIMARIES = {0, 1, 2, 4, 5, 6, 7, 9}, {0, 3, 9, 10}, {0, 3}
TURNS = {0: [], 90: ["transpose=clock"], 180: ["hflip", "vflip"], 270: ["transpose=cclock"]}


def read_orientation(frame: VideoFrame) -> tuple[int, bool]:
    """Return the clockwise rotation (0, 90, 180, 270), and whether the frame is mirrored first."""
    if "DISPLAYMATRIX" not in frame.side_data:
        return 0, False
    # Nine numbers in the reading machine's byte order; the first rows are a b u, c d v.
    matrix = frame.side_data["DISPLAYMATRIX"]  # type: ignore[typeddict-item]  # stubs lack it
    a, b, _, c, d, *_ = struct.unpack("=9i", bytes(matrix))
    mirrored = a * d - b * c < 0
    if mirrored:
        a, b = -a, -b
    return round(degrees(atan2(b, a)) / 90) * 90 % 360, mirrored


def playback_size(size: Size, aspect: Fraction) -> Size:
    """Return the even sides with square pixels, the longer one at most MAX_SIDE."""
    width, height = square(size, aspect)
    scale = min(Fraction(1), MAX_SIDE / max(width, height))
    return even(width * scale), even(height * scale)


def square(size: Size, aspect: Fraction) -> tuple[Fraction, Fraction]:
    """Return the sides of a picture whose pixels, of this aspect, are made square by stretching."""
    return size[0] * max(aspect, Fraction(1)), size[1] / min(aspect, Fraction(1))


def even(length: Fraction) -> int:
    return max(2, round(length / 2) * 2)


class Redrawing:
    """Turns frames upright and into 8 bits, 4:2:0 and `size`, with bars where they have another
    shape; without fields or the brightness of HDR. Their times stay.
    """

    def __init__(
        self, size: Size, turned: tuple[int, bool], aspect: Fraction, *, interlaced: bool
    ) -> None:
        self._size, self._turned, self._aspect = size, turned, aspect
        self._interlaced = interlaced
        self._graph: Graph | None = None
        self._kind: tuple[object, ...] = ()

    def draw_all(self, frames: Iterable[VideoFrame]) -> Iterator[tuple[int, VideoFrame]]:
        """Yield the number of each frame and how it is drawn."""
        for number, frame in enumerate(frames):
            frame.pts, frame.time_base = number, Fraction(1)
            _drop_unknown_colors(frame)
            kind = (frame.width, frame.height, frame.format.name, frame.colorspace,
                    frame.color_range, frame.color_trc)  # fmt: skip
            if kind != self._kind:
                yield from self._finish()
                self._kind, self._graph = kind, self._build(frame)
            if self._graph is None:
                yield number, frame
            else:
                self._graph.push(frame)
                yield from self._pull(self._graph)
        yield from self._finish()

    def _finish(self) -> Iterator[tuple[int, VideoFrame]]:
        if self._graph is not None:
            self._graph.push(None)
            yield from self._pull(self._graph)

    def _pull(self, graph: Graph) -> Iterator[tuple[int, VideoFrame]]:
        while True:
            try:
                frame = graph.vpull()
            except (NothingYet, Finished):
                return
            yield int((frame.pts or 0) * exact(frame.time_base)), frame

    def _build(self, frame: VideoFrame) -> Graph | None:
        """Return the filters that a frame of this kind needs, None if it needs none."""
        filters = self._describe(frame)
        if not filters:
            return None
        graph = Graph()
        last = graph.add(
            "buffer",
            f"video_size={frame.width}x{frame.height}:pix_fmt={frame.format.name}:"
            f"time_base=1/1:colorspace={frame.colorspace}:range={frame.color_range}",
        )
        for description in ",".join(filters).split(","):
            name, _, options = description.partition("=")
            following = graph.add(name, options)
            last.link_to(following)
            last = following
        last.link_to(graph.add("buffersink"))
        graph.configure()
        return graph

    def _describe(self, frame: VideoFrame) -> list[str]:
        filters = ["bwdif=mode=send_frame:deint=interlaced"] if self._interlaced else []
        rotation, mirrored = self._turned
        filters += (["hflip"] if mirrored else []) + TURNS[rotation]
        size, aspect = (frame.width, frame.height), self._aspect
        if rotation % 180:
            size, aspect = size[::-1], 1 / aspect
        inner = self._fit(*square(size, aspect))
        is_hdr = frame.color_trc in HDR
        if (
            is_hdr
            or size != inner
            or frame.format.name != "yuv420p"
            or frame.color_range == ColorRange.JPEG
        ):
            scale = f"scale={inner[0]}:{inner[1]}:flags=bicubic:out_range=tv"
            if is_hdr:
                # After scaling down: it takes half as long as encoding the picture.
                scale += f",scale={HDR_TO_SDR}"
            elif frame.format.is_rgb:
                # Else the matrix stays: another than the source's would tint grays.
                matrix = "bt709" if frame.height >= HD_HEIGHT else "smpte170m"
                scale += f":out_color_matrix={matrix}"
            filters += [scale, "format=yuv420p"]
        if inner != self._size:
            sides = zip(self._size, inner, strict=True)
            left, top = ((outer - own) // 4 * 2 for outer, own in sides)
            filters.append(f"pad={self._size[0]}:{self._size[1]}:{left}:{top}")
        return filters

    def _fit(self, width: Fraction, height: Fraction) -> Size:
        """Return the size of a picture inside the bars, which rounding alone doesn't make."""
        scale = min(self._size[0] / width, self._size[1] / height)
        sides = even(width * scale), even(height * scale)
        inner = [
            outer if outer - own <= 2 else own for outer, own in zip(self._size, sides, strict=True)
        ]
        return inner[0], inner[1]


def _drop_unknown_colors(frame: VideoFrame) -> None:
    """`scale` refuses them even if it needs none."""
    if frame.colorspace not in MATRICES:
        frame.colorspace = UNSPECIFIED
    if frame.color_trc in NO_TRANSFERS:
        frame.color_trc = UNSPECIFIED
    if frame.color_primaries in NO_PRIMARIES:
        frame.color_primaries = UNSPECIFIED
