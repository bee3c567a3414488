/* The scale from 0 to 5 by key, on the page of a rating and in the training.

   The bar repeats the choice, since the scale can be out of view below a long caption. In the
   training, Enter and Ctrl+Enter answer. */

import { choiceKeys, nameOf } from "../keys/choices.js";
import { onKeys } from "../keys/grammar.js";

/** @type {HTMLFieldSetElement} */
const scale = document.querySelector("[data-scale]");
const chosen = document.getElementById("rate-chosen");
/** @type {HTMLFormElement | null} */
const training = document.querySelector("#training-form");
if (scale) start();
if (training) onKeys("work", { submit: answer });

function start() {
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
