/* Choices that a single key picks: radio buttons with data-key.

   A key works where nobody types and not in the notice of what a submit lacks, where somebody may
   believe to be in a field already; or only on the clips and the choices when single keys are
   confined to them (the checkbox in the list of keys). */

import { TYPES } from "../keys/typing.js";

/** The radio button of this key event, or null. */
export function choiceOf(event, choices) {
  if (!isSingleKey(event, choices)) return null;
  return choices.querySelector(`[data-key="${event.code.replace("Key", "")}"]:not(:disabled)`);
}

export function isSingleKey(event, choices) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing || event.repeat) return false;
  if (event.target.closest(`${TYPES}, #problems, dialog, [popover]`)) return false;
  /** @type {HTMLInputElement | null} */
  const anywhere = document.querySelector("[data-single-keys]");
  return !anywhere || anywhere.checked || choices.contains(event.target) || Boolean(event.target.closest("[data-loops]"));
}
