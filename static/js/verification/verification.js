/* The page of a verification (templates/review/verification/verification.html): a time plays its
   part of the clip in a loop. Without this module its link opens the video's file at that time. */

import { mountPlayers } from "../player/player.js";

const [player] = mountPlayers();

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-first]");
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { first, end } = link.dataset;
  player.setRange(Number(first), Number(end));
  player.seekFrame(Number(first));
  if (player.video.paused) player.togglePlay();
  const stage = player.root.getBoundingClientRect();
  if (stage.top < 0 || stage.bottom > innerHeight) player.root.scrollIntoView({ block: "nearest" });
});
