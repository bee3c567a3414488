/* Says how much of the clip was played, beside the player of a work page, and once for a screen reader
   when it is enough to submit. */

import { countFrames } from "./intervals.js";

const share = document.getElementById("watched");
const announcement = document.getElementById("announcement");

if (share) {
  const required = Number(share.dataset.required);
  const shown = share.querySelector("[data-percent]");
  document.addEventListener("player:watched", ({ detail }) => {
    const before = Number(shown.textContent);
    const percent = Math.floor((100 * countFrames(detail.intervals)) / Number(share.dataset.frames));
    const bar = share.querySelector("progress");
    bar.value = percent;
    bar.classList.toggle("ok", required > 0 && percent >= required);
    shown.textContent = String(percent);
    if (required && before < required && percent >= required) {
      announcement.textContent = `You have watched ${percent} % of the clip, which is enough to submit.`;
    }
  });
}
