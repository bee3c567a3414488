/* Connect the curve and the list of a video's clips (templates/inference/videos/video.html) to its
   player: a cut, a time in the list or any place on the curve seeks the player, and both show its
   position. Without this module the links open the video itself at their time. */

import { mountPlayers } from "../player/player.js";

const [player] = mountPlayers();
/** @type {SVGSVGElement | null} */
const curve = document.querySelector("[data-curve]");
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
  const link = event.target.closest("[data-frame]");
  if (!link || !plain(event)) return;
  event.preventDefault();
  event.stopPropagation();
  show(Number(link.dataset.frame));
});

if (curve) {
  const [left, right, frames] = ["left", "right", "frames"].map((name) => Number(curve.dataset[name]));
  const playhead = curve.querySelector(".playhead");

  curve.addEventListener("click", (event) => {
    if (event.target.closest("[data-frame]") || !plain(event)) return;
    const box = curve.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * curve.viewBox.baseVal.width;
    if (at >= left && at <= right) show(Math.floor(((at - left) / (right - left)) * frames));
  });

  const move = (frame) => playhead.setAttribute("transform", `translate(${((right - left) * frame) / frames} 0)`);
  player.root.addEventListener("player:frame", (event) => move(event.detail.frame));
  playhead.removeAttribute("hidden");
}

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
