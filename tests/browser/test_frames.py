"""The number beside the video is that of the frame on the screen, in Chromium and in Firefox."""

import av
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from annotate.media.ingest import Targets, ingest
from annotate.media.probe import Limits
from tests.browser.work_pages import visit
from tests.cast import make_clip
from tests.media import attach_media
from tests.numbered_film import (
    BETWEEN,
    BLOCK,
    BLOCKS,
    FPS_DEN,
    FPS_NUM,
    FRAMES,
    HEIGHT,
    WIDTH,
    decode_numbers,
    render_numbered,
)
from tests.work import hold, make_work

# Each of these answers [the number beside the video, the number in the picture], long enough
# after the last change that a late picture would be there.
TOOLS = """
([blocks, block, width, height, between]) => {
  const video = document.querySelector("video");
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const press = (name) => document.querySelector(`[data-do=${name}]`).click();
  const look = async () => {
    await wait(50);
    while (video.seeking) await wait(20);
    await wait(50);
    context.drawImage(video, 0, 0, width, height);
    const row = context.getImageData(0, height / 2, width, 1).data;
    let picture = 0;
    for (let bit = 0; bit < blocks; bit += 1) {
      if (row[(bit * block + block / 2) * 4] > between) picture |= 1 << bit;
    }
    return [Number(document.querySelector("[data-show=frame]").textContent.slice(1)), picture];
  };
  window.tools = {
    async fresh() {
      while (video.readyState < 2) await wait(20);
      await wait(200);
      return look();
    },
    async step(name) {
      press(name);
      return look();
    },
    async goTo(frame) {
      const field = document.querySelector(".player-goto");
      field.value = `f${frame}`;
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
      return look();
    },
    async playFor(milliseconds) {
      press("play");
      await wait(milliseconds);
      press("play");
      await wait(200);
      return look();
    },
    async loopEnd() {
      const script = document.querySelector("script[src*='js/player/player.']");
      const [player] = (await import(script.src)).mountPlayers();
      press("range-out");
      const last = player.range[1] - 1;
      press("range-clear");
      return [last, (await look())[1]];
    },
  };
}
"""


@pytest.fixture(scope="session")
def numbered_film(tmp_path_factory):
    """The playback file of a film with B-frames and one keyframe in 4 s, as an import copies it."""
    folder = tmp_path_factory.mktemp("film")
    source = render_numbered(folder / "film.mkv")
    names = ("playback.mp4", "poster.jpg", "filmstrip.jpg")
    targets = Targets(*(folder / name for name in names))
    ingest(source, targets, Limits())
    assert decode_numbers(targets.playback) == list(range(FRAMES))
    with av.open(str(targets.playback)) as container:
        packets = [packet for packet in container.demux(video=0) if packet.size]
    assert any(packet.pts != packet.dts for packet in packets)
    assert sum(packet.is_keyframe for packet in packets) == 1
    return targets.playback


@pytest.fixture
def held(project, anna, rendered_media, numbered_film):
    """Anna's hold on the film."""
    size = {"frames": FRAMES, "width": WIDTH, "height": HEIGHT}
    clip = make_clip(project, fps_num=FPS_NUM, fps_den=FPS_DEN, **size)
    default_storage.save(clip.video.playback_file, ContentFile(numbered_film.read_bytes()))
    attach_media(clip.video, rendered_media)
    return hold(anna, make_work(clip))


@pytest.mark.parametrize("engine", ["browser", "firefox"])
def test_the_number_is_that_of_the_picture(page_of, anna, held, engine):
    page = page_of(anna, engine=engine)

    def look(script: str) -> list[int]:
        return page.evaluate(f"tools.{script}")

    fresh = []
    for _ in range(2):
        visit(page, held)
        page.evaluate(TOOLS, [BLOCKS, BLOCK, WIDTH, HEIGHT, BETWEEN])
        fresh.append(look("fresh()"))
    assert fresh == [[0, 0]] * 2

    steps = [look("step('frame-forward')") for _ in range(9)]
    assert steps == [[frame, frame] for frame in range(1, 10)]
    assert look("step('frame-back')") == [8, 8]

    sought = [95, 50, 1, 94, 23]
    assert [look(f"goTo({frame})") for frame in sought] == [[frame, frame] for frame in sought]
    assert look("loopEnd()") == [23, 23]

    look("goTo(0)")
    pauses = [look(f"playFor({milliseconds})") for milliseconds in range(120, 320, 40)]
    assert [number for number, _ in pauses] == [picture for _, picture in pauses]
    assert pauses[-1][0] > pauses[0][0] > 0
    last = pauses[-1][1]
    assert look("loopEnd()") == [last, last]
    assert look("step('frame-forward')") == [last + 1, last + 1]
