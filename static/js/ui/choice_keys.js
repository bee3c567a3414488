/* Choices that a single key picks: radio buttons with data-key.

   A key works outside text fields, but not in the notice about missing fields, where a person may
   think that a field has the focus. When single keys are limited (the checkbox in the list of
   keys), it works only on the clips and the choices. */

import { isComposing, TYPES } from "../keys/typing.js";

/** Return the radio button of this key event, or null. */
export function choiceOf(event, choices) {
  if (!isSingleKey(event, choices)) return null;
  return choices.querySelector(`[data-key="${event.code.replace("Key", "")}"]:not(:disabled)`);
}

export function isSingleKey(event, choices) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isComposing(event) || event.repeat) return false;
  if (event.target.closest(`${TYPES}, #problems, dialog, [popover]`)) return false;
  /** @type {HTMLInputElement | null} */
  const anywhere = document.querySelector("[data-single-keys]");
  return !anywhere || anywhere.checked || choices.contains(event.target) || Boolean(event.target.closest("[data-loops]"));
}
