/* Decide between proposed corrections by key: a digit chooses, Enter or Ctrl+Enter decides. Without
   this module the choices are plain radio buttons. */

import { choiceOf } from "../ui/choice_keys.js";
import { isComposing, TYPES } from "../keys/typing.js";

const USES_ENTER = `${TYPES}, a, button, summary, dialog, [popover]`;
const form = /** @type {HTMLFormElement} */ (document.getElementById("decision"));

document.addEventListener("keydown", (event) => {
  const radio = choiceOf(event, form);
  if (radio) {
    event.preventDefault();
    radio.checked = true;
    radio.focus({ preventScroll: true });
    radio.closest("label").scrollIntoView({ block: "nearest" });
  } else if (decides(event)) {
    event.preventDefault();
    form.requestSubmit();
  }
});

function decides(event) {
  if (event.key !== "Enter" || event.altKey || event.shiftKey || event.repeat || isComposing(event)) return false;
  return event.ctrlKey || event.metaKey || !event.target.closest(USES_ENTER);
}
