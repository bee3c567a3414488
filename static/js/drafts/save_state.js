/* Show where the text is saved: beside the buttons, in the page title, and to screen readers only
   when it matters. */

import { momentOf, now } from "../ui/moments.js";

const TICK_MS = 1000;

export function showSaveState(sync) {
  const line = document.getElementById("save-state");
  const spoken = document.getElementById("save-announcement");
  const signedOut = document.getElementById("signed-out");
  const title = document.title;
  let last = sync.state;

  const draw = () => {
    line.dataset.state = LOOK[sync.state] ?? sync.state;
    const text = words(sync);
    if (line.textContent !== text) line.textContent = text;
    // Announce the shown text once for each kind of trouble.
    if (sync.state in TITLE && spoken.textContent !== text) spoken.textContent = text;
  };

  sync.addEventListener("state", () => {
    draw();
    signedOut.hidden = sync.state !== "signed-out";
    const prefix = TITLE[sync.state];
    document.title = prefix ? `${prefix}: ${title}` : title;
    const isTrouble = sync.state in TITLE;
    if (sync.state === "saved" && last in TITLE) spoken.textContent = "Everything is saved.";
    if (isTrouble || sync.state === "saved") last = sync.state;
  });
  setInterval(draw, TICK_MS);
  draw();
}

const LOOK = { "signed-out": "offline", refused: "conflict", closed: "unsaved" };
const TITLE = {
  offline: "Offline",
  "signed-out": "Signed out",
  conflict: "Two versions",
  refused: "Not saved",
};

function words(sync) {
  switch (sync.state) {
    case "saving":
      return "Saving…";
    case "unsaved":
      return "Not saved yet";
    case "offline":
      if (!sync.isDirty) return "Offline, everything is saved";
      return sync.store.failed ? "Offline, keep this page open" : "Offline, kept on this device";
    case "signed-out":
      return "Signed out, kept on this device";
    case "conflict":
      return sync.isReachable ? "Both versions above" : "Offline, both versions kept on this device";
    case "refused":
      return sync.message;
    case "closed":
      return "No longer saved";
    default:
      return sync.savedAt ? `Saved ${ago(sync.savedAt)}` : "Saved as you type";
  }
}

function ago(moment) {
  const seconds = Math.max(0, Math.round((now() - moment) / 1000));
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return `on ${momentOf(moment)}`;
}
