/* The keys of a work page whose clips loop in step: Space, or Alt+K while writing, plays and pauses
   all of them. */

import { isSingleKey } from "../ui/choice_keys.js";
import { mountLoops } from "./loops.js";
import { keepSingleKeys } from "./keys.js";

const PRESSED_BY_SPACE = "button, summary, input, a";
const [loops] = mountLoops();
if (loops) start();

function start() {
  keepSingleKeys(loops.root.querySelector("[data-single-keys]"));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return;
    const isAsked = event.altKey
      ? event.code === "KeyK" && !event.getModifierState("AltGraph")
      : event.code === "Space" && !event.target.closest(PRESSED_BY_SPACE) && isSingleKey(event, loops.root);
    if (!isAsked) return;
    event.preventDefault();
    loops.toggle();
  });
}
