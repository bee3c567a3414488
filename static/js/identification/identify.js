/* Picking a clip: a digit picks, Enter submits and opens the next text, U returns to the last pick. */

import { choiceOf, isSingleKey } from "../ui/choice_keys.js";
import { find } from "../ui/dom.js";

const PRESSED_BY_ENTER = "button, summary, a";
const choices = /** @type {HTMLFieldSetElement | null} */ (document.getElementById("place"));
if (choices) document.addEventListener("keydown", onKey);

function onKey(event) {
  const radio = choiceOf(event, choices);
  if (radio) {
    event.preventDefault();
    radio.checked = true;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (!isSingleKey(event, choices)) {
    return;
  } else if (event.code === "KeyU") {
    find("[data-undo]", HTMLAnchorElement).click();
  } else if (event.key === "Enter" && !event.target.closest(PRESSED_BY_ENTER)) {
    event.preventDefault();
    choices.form.requestSubmit(document.getElementById("submit-next"));
  }
}
