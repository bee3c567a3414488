/* Signing off: a key chooses a verdict, and a verdict that sends a text back leads to the comment. */

import { choiceOf } from "../ui/choice_keys.js";
import { find } from "../ui/dom.js";

const choices = /** @type {HTMLFieldSetElement | null} */ (document.getElementById("verdict"));
if (choices) document.addEventListener("keydown", chooseByKey);

/** The focus stays where it is, except for the comment that a text sent back needs. */
function chooseByKey(event) {
  const form = find("#work-form", HTMLFormElement);
  const radio = form.dataset.editable === "true" && choiceOf(event, choices);
  if (!radio) return;
  event.preventDefault();
  radio.checked = true;
  radio.dispatchEvent(new Event("change", { bubbles: true }));
  const name = document.getElementById(radio.getAttribute("aria-labelledby")).textContent;
  document.getElementById("verdict-status").textContent = `${name} is chosen.`;
  const comment = find("#comment", HTMLTextAreaElement);
  if (radio.value !== "agree" && !comment.value.trim()) comment.focus();
}
