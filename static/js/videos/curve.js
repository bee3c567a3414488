/* Connect the curve and the list of a video's clips (templates/inference/videos/video.html) to its
   player: a cut, a time in the list or any place on the curve seeks the player, and both show its
   position. A tab may swap the curve for another. Without this module the links open the video
   itself at their time. */

import { mountPlayers } from "../player/player.js";

const [player] = mountPlayers();
const list = document.querySelector("#video-parts");
const rows = [...document.querySelectorAll("tr[data-first]")];

function show(frame) {
  player.seekFrame(frame);
  const stage = player.root.getBoundingClientRect();
  if (stage.top < 0 || stage.bottom > innerHeight) player.root.scrollIntoView({ block: "nearest" });
}

function plain(event) {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

document.addEventListener("click", (event) => {
  if (!plain(event)) return;
  const link = event.target.closest("[data-frame]");
  /** @type {SVGSVGElement | null} */
  const curve = event.target.closest("[data-curve]");
  if (link) {
    event.preventDefault();
    event.stopPropagation();
    show(Number(link.dataset.frame));
  } else if (curve) {
    const { left, right, frames } = scaleOf(curve);
    const box = curve.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * curve.viewBox.baseVal.width;
    if (at >= left && at <= right) show(Math.floor(((at - left) / (right - left)) * frames));
  }
});

/** Return the edges of the curve and how many frames lie between them. */
function scaleOf(curve) {
  const [left, right, frames] = ["left", "right", "frames"].map((name) => Number(curve.dataset[name]));
  return { left, right, frames };
}

function movePlayhead(frame) {
  const curve = document.querySelector("[data-curve]");
  if (!curve) return;
  const { left, right, frames } = scaleOf(curve);
  const playhead = curve.querySelector(".playhead");
  playhead.setAttribute("transform", `translate(${((right - left) * frame) / frames} 0)`);
  playhead.removeAttribute("hidden");
}

player.root.addEventListener("player:frame", (event) => movePlayhead(event.detail.frame));
document.addEventListener("htmx:load", () => movePlayhead(player.frame));

/** Mark the current clip, and scroll the list to it unless the person is reading there. */
function follow(frame) {
  const now = rows.find((row) => !("earlier" in row.dataset) && frame >= row.dataset.first && frame < row.dataset.end);
  const before = rows.find((row) => row.ariaCurrent);
  if (now === before) return;
  before?.removeAttribute("aria-current");
  if (!now) return;
  now.setAttribute("aria-current", "true");
  if (list.matches(":hover, :focus-within")) return;
  const head = list.querySelector("thead").offsetHeight;
  const { offsetTop: top, offsetHeight: height } = now;
  if (top - head < list.scrollTop) list.scrollTop = top - head;
  else if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
}

if (list) player.root.addEventListener("player:frame", (event) => follow(event.detail.frame));
