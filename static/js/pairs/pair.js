/* Judge a label pair: a key or a click on a choice submits it and opens the next pair. U returns to
   the previous pair, where the same keys change its verdict. */

import { choiceKeys } from "../keys/choices.js";

const choices = /** @type {HTMLFieldSetElement | null} */ (document.getElementById("kind"));
if (choices) start();

function start() {
  const { form } = choices;
  let byPointer = false;
  choiceKeys(choices, {
    group: "pair",
    isOpen: () => "judge" in form.dataset || form.dataset.editable === "true",
    submit,
    chosen: submit,
  });
  document.addEventListener("keydown", () => (byPointer = false));
  choices.addEventListener("pointerdown", () => (byPointer = true));
  choices.addEventListener("change", () => byPointer && submit());
}

/** The arrows only move between choices and never submit one. */
function submit() {
  const { form } = choices;
  if ("judge" in form.dataset) form.requestSubmit();
  else if (form.dataset.editable === "true") form.requestSubmit(document.getElementById("submit-next"));
}
