/* Enter and Ctrl+Enter follow the Continue link below an answer of a training. The link gets the
   focus without scrolling; autofocus in the bar at the bottom would scroll past the answer. */

import { onKeys } from "../keys/grammar.js";
import { find } from "../ui/dom.js";

const forward = find("[data-go-on]", HTMLElement);
forward.focus({ preventScroll: true });
onKeys("work", { submit: goOn });

/** A key that is held down must not skip an explanation. */
function goOn(event) {
  if (!event.repeat) forward.click();
}
