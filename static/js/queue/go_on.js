/* The way on below an answer of a training: Enter and Ctrl+Enter take it. It gets the focus without
   scrolling, which autofocus in the bar at the bottom would do past the answer. */

import { onKeys } from "../keys/grammar.js";
import { find } from "../ui/dom.js";

const forward = find("[data-go-on]", HTMLElement);
forward.focus({ preventScroll: true });
onKeys("work", { submit: goOn });

/** Keys that are held down don't pass over an explanation that nobody has read. */
function goOn(event) {
  if (!event.repeat) forward.click();
}
