/* The picture and time under the pointer, above the filmstrip. */

import { formatTime } from "./timecode.js";

export function connectPreview(player) {
  const { timeline, strip } = player;
  const box = player.find(".player-preview");
  const picture = box.querySelector("canvas");
  const context = picture.getContext("2d");

  timeline.addEventListener("pointermove", ({ clientX, pointerType }) => {
    if (pointerType === "touch") return; // a finger would hide it, and the main picture follows anyway
    const { left, width } = timeline.getBoundingClientRect();
    const frame = strip.frameAt(clientX - left);
    box.hidden = false;
    picture.hidden = !strip.drawTile(context, frame);
    const offset = frame - player.start;
    box.querySelector("span").textContent = `${formatTime(offset / player.fps)} f${offset}`;
    const half = box.offsetWidth / 2;
    box.style.left = `${Math.min(Math.max(clientX - left, half), width - half)}px`;
  });
  timeline.addEventListener("pointerleave", () => (box.hidden = true));
}
