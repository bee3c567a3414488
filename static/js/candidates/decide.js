/* Decide about a candidate by key: S selects, R moves to the reason or rejects with the reason that
   is typed, U undoes, N opens the next one. The keys work outside text fields, and not at all when
   single keys are limited to the player. In the reason, Enter rejects. */

import { isComposing, TYPES } from "../keys/typing.js";
import { find } from "../ui/dom.js";

const form = find("#decision", HTMLFormElement);
/** @type {HTMLInputElement} */
const singleKeys = document.querySelector("[data-single-keys]");
/** @type {HTMLInputElement} */
const reason = form.querySelector("[name=reason]");
/** @type {HTMLButtonElement} */
const needsReason = form.querySelector("[data-reason]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isComposing(event)) return;
  if (event.target === reason) {
    if (event.key === "Escape") reason.blur();
    if (event.key !== "Enter") return;
    event.preventDefault(); // else Enter presses the form's first button, Select
    needsReason.click();
    return;
  }
  if (event.target.closest(`${TYPES}, dialog, [popover]`) || !singleKeys.checked) return;
  const target = targetOf(event.code);
  if (!target) return;
  event.preventDefault();
  if (target === reason) target.focus();
  else target.click();
});

/** @returns {HTMLElement | null} */
function targetOf(code) {
  if (code === "KeyN") return document.getElementById("next-candidate");
  if (code === "KeyR" && needsReason) return reason;
  return form.querySelector(`[data-key="${code}"]`) ?? (code === "KeyU" ? document.getElementById("undo-last") : null);
}
