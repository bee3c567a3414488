/* Decide about a candidate by key: S selects, R goes to the reason or rejects with the typed one,
   U undoes, N continues. They work where nobody types, or not at all when single keys are confined to
   the player; in the reason, Enter rejects. */

import { TYPES } from "../keys/typing.js";
import { find } from "../ui/dom.js";

const form = find("#decision", HTMLFormElement);
/** @type {HTMLInputElement} */
const singleKeys = document.querySelector("[data-single-keys]");
/** @type {HTMLInputElement} */
const reason = form.querySelector("[name=reason]");
/** @type {HTMLButtonElement} */
const needsReason = form.querySelector("[data-reason]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) return;
  if (event.target === reason) {
    if (event.key === "Escape") reason.blur();
    if (event.key !== "Enter") return;
    event.preventDefault(); // else the first button of the form, Select, would be pressed
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
