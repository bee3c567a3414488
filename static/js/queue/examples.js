/* Examples in a guideline: load a player when its example is opened, and stop it when the example
   or the guideline is closed. */

import { find, findAll } from "../ui/dom.js";

for (const example of findAll("[data-example]", HTMLDetailsElement)) {
  const video = find("video", HTMLVideoElement, example);
  const source = video.dataset.src;
  if (!source) continue; // without data-src it already has its address
  example.addEventListener("toggle", () => {
    if (!example.open) {
      video.pause();
    } else if (!video.src) {
      video.preload = "metadata";
      video.src = source;
    }
  });
  example.closest("dialog")?.addEventListener("close", () => video.pause());
}
