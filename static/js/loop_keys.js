/* The keys of a work page whose clips loop in step: Space, or Alt+K while writing, plays and pauses
   all of them. */

import { mountLoops } from "./loops.js";
import { keepSingleKeys, TYPES } from "./player_keys.js";

const PRESSED_BY_SPACE = `${TYPES}, button, summary, input, a, dialog, [popover]`;
const [loops] = mountLoops();
if (loops) start();

function start() {
  const singleKeys = loops.root.querySelector("[data-single-keys]");
  keepSingleKeys(singleKeys);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return;
    const isAsked = event.altKey
      ? event.code === "KeyK" && !event.getModifierState("AltGraph")
      : event.code === "Space" && !event.target.closest(PRESSED_BY_SPACE) && (singleKeys.checked || loops.root.contains(event.target));
    if (!isAsked) return;
    event.preventDefault();
    loops.toggle();
  });
}
