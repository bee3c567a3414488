/* Show how much of the clip was played, beside the player of a work page, and announce it once when
   it is enough to submit. */

import { countFrames } from "./intervals.js";

const share = document.getElementById("watched");
const announcement = document.getElementById("announcement");

if (share) {
  const required = Number(share.dataset.required);
  const frames = Number(share.dataset.frames);
  const percentText = share.querySelector("[data-percent]");
  const bar = share.querySelector("progress");
  document.addEventListener("player:watched", ({ detail }) => show(countFrames(detail.intervals)));
  // rounded as in the heartbeat; frames watched before a reload count
  document.addEventListener("loops:watched", ({ detail }) => {
    show(Math.max(Math.floor(detail.share * frames), Math.ceil((Number(percentText.textContent) * frames) / 100)));
  });

  function show(watched) {
    const before = Number(percentText.textContent);
    const percent = Math.floor((100 * watched) / frames);
    bar.value = percent;
    bar.classList.toggle("ok", required > 0 && percent >= required);
    percentText.textContent = String(percent);
    if (required && before < required && percent >= required) {
      announcement.textContent = `You have watched ${percent} % of the clip, which is enough to submit.`;
    }
  }
}
