"""Short films of every kind that cuts are looked for in, and what PySceneDetect makes of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import av
import cv2
import numpy as np
from av import VideoFrame
from scenedetect import SceneManager, open_video
from scenedetect.detector import SceneDetector

SCENE = 10  # frames


@dataclass(frozen=True)
class Film:
    """`gray` films hold chroma 128 throughout; `peak` is the brightest value; films that are not
    `faded` are cut. `noise` is added to each frame."""

    size: tuple[int, int] = (160, 90)
    frames: int = 41
    fps: int = 8
    gray: bool = False
    peak: int = 255
    faded: bool = False
    noise: int = 0
    codec: str = "libx264"
    pix_fmt: str = "yuv420p"
    matrix: int = 2  # H.273: unspecified
    color_range: int = 0
    options: dict[str, str] = field(default_factory=dict)

    def render(self, path: Path) -> Path:
        random = np.random.default_rng(0)
        with av.open(str(path), "w") as output:
            options = {"preset": "ultrafast", "threads": "1"} if self.codec == "libx264" else {}
            stream = output.add_stream(
                self.codec, rate=self.fps, options={**options, **self.options}
            )
            stream.width, stream.height = self.size
            stream.pix_fmt = self.pix_fmt
            stream.codec_context.colorspace = self.matrix
            stream.codec_context.color_range = self.color_range
            for number in range(self.frames):
                picture = self._draw(number)
                picture = picture + random.integers(-self.noise, self.noise + 1, picture.shape)
                picture = np.clip(picture, 0, 255).astype(np.uint8)
                frame = VideoFrame.from_ndarray(picture, format="gray" if self.gray else "rgb24")
                frame = frame.reformat(format=self.pix_fmt, dst_color_range=self.color_range)
                frame.colorspace, frame.color_range = self.matrix, self.color_range
                frame.pts = number
                output.mux(stream.encode(frame))
            output.mux(stream.encode())
        return path

    def _draw(self, number: int) -> np.ndarray:
        """Blocks of the scene's own brightness and color that move a little with each frame."""
        width, height = self.size
        random = np.random.default_rng(number // SCENE)
        shape = (7, 12) if self.gray else (7, 12, 3)
        blocks = random.integers(0, self.peak + 1, shape, dtype=np.uint8)
        picture = cv2.resize(blocks, (width + SCENE, height))[:, number % SCENE :][:, :width]
        # Through black in the middle of each scene.
        light = abs(number % SCENE - SCENE // 2) / (SCENE // 2) if self.faded else 1
        return picture * light


FILMS = {
    "gray": Film(gray=True, noise=2),
    "gray fades": Film(gray=True, peak=120, faded=True),
    "gray fades, HD": Film(size=(1280, 720), frames=16, gray=True, peak=60, faded=True),
    "color": Film(noise=3),
    "color fades": Film(faded=True),
    "dark": Film(size=(320, 180), peak=24, noise=1),
    "dark fades": Film(size=(320, 180), peak=40, faded=True),
    "noise": Film(noise=60),
    "high": Film(size=(90, 160)),
    "odd width": Film(size=(161, 96), codec="ffv1"),
    "odd height": Film(size=(160, 97), codec="ffv1"),
    "odd": Film(size=(161, 97), codec="ffv1", gray=True, peak=80, faded=True),
    "BT.709": Film(size=(192, 108), matrix=1, color_range=1),
    "full range": Film(size=(192, 108), pix_fmt="yuvj420p", color_range=2),
    "4:2:2": Film(pix_fmt="yuv422p"),
    "4:4:4": Film(pix_fmt="yuv444p"),
    "10 bits": Film(pix_fmt="yuv420p10le"),
    "RGB": Film(codec="ffv1", pix_fmt="bgr0"),
    "one frame": replace(Film(), frames=1),
}


def detect(path: Path, detector: SceneDetector, *, downscale: int = 1) -> list[int]:
    """Return PySceneDetect's first frames of scenes, read by OpenCV."""
    manager = SceneManager()
    manager.auto_downscale = False
    manager.downscale = downscale
    manager.add_detector(detector)
    manager.detect_scenes(open_video(str(path), backend="opencv"))
    scenes = manager.get_scene_list(start_in_scene=True)
    return [start.frame_num for start, _ in scenes]
