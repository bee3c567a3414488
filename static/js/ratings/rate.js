/* The scale from 0 to 5 by key, on the page of a rating, in the training and for a new example, whose
   refused form brings another scale.

   The bar repeats the choice, since the scale can be out of view below a long caption. In the
   training, Enter and Ctrl+Enter answer. */

import { choiceKeys, nameOf } from "../keys/choices.js";
import { onKeys } from "../keys/grammar.js";

/** @type {HTMLFieldSetElement | null} */
let scale = null;
const chosen = document.getElementById("rate-chosen");
/** @type {HTMLFormElement | null} */
const training = document.querySelector("#training-form");
mount();
document.addEventListener("htmx:load", mount);
if (training) onKeys("work", { submit: answer });

function mount() {
  /** @type {HTMLFieldSetElement | null} */
  const current = document.querySelector("[data-scale]");
  if (!current || current === scale) return;
  scale = current;
  const { form } = scale;
  choiceKeys(scale, { group: "rate", isOpen, submit: () => form.requestSubmit(document.getElementById("submit-next")) });
  form.addEventListener("change", draw);
  form.addEventListener("work:filled", draw);
  draw();
}

function isOpen() {
  return !("closed" in scale.dataset) && scale.form.dataset.editable !== "false";
}

function draw() {
  const radio = scale.querySelector(":checked");
  if (chosen) chosen.textContent = radio ? nameOf(radio) : "Not rated yet";
}

function answer(event) {
  if (!event.repeat) training.requestSubmit();
}
