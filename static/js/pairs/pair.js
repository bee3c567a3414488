/* Judging a label pair: a key or a click on a choice submits it at once and brings the next pair;
   U goes back to the last one, where the same keys change its verdict. */

import { choiceOf, isSingleKey } from "../ui/choice_keys.js";

const choices = /** @type {HTMLFieldSetElement | null} */ (document.getElementById("kind"));
if (choices) start();

function start() {
  let byPointer = false;
  document.addEventListener("keydown", (event) => {
    byPointer = false;
    const radio = choiceOf(event, choices);
    if (radio) {
      event.preventDefault();
      radio.checked = true;
      submit();
    } else if (event.code === "KeyU" && isSingleKey(event, choices)) {
      document.querySelector("[data-undo]")?.click();
    }
  });
  choices.addEventListener("pointerdown", () => (byPointer = true));
  choices.addEventListener("change", () => byPointer && submit());
}

/** The arrows only move between the choices, so that nobody decides by passing over one. */
function submit() {
  const { form } = choices;
  if ("judge" in form.dataset) form.requestSubmit();
  else if (form.dataset.editable === "true") form.requestSubmit(document.getElementById("submit-next"));
}
