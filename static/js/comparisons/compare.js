/* Choose between two captions by key, on the voting page and where a vote is changed. Up and down
   scroll both captions. */

import { choiceKeys, nameOf } from "../keys/choices.js";
import { onKeys } from "../keys/grammar.js";

const LINES = 2;
/** @type {HTMLFieldSetElement} */
const choices = document.querySelector("[data-compare]");
const sides = [...document.querySelectorAll("[data-side]")];
const chosen = document.getElementById("compare-chosen");
onKeys("compare", { "scroll-up": (event) => scroll(event, -LINES), "scroll-down": (event) => scroll(event, LINES) });
if (choices) start();

function start() {
  const { form } = choices;
  choiceKeys(choices, { group: "compare", isOpen, submit: () => form.requestSubmit(document.getElementById("submit-next")) });
  form.addEventListener("change", draw);
  form.addEventListener("work:filled", draw);
  draw();
}

function isOpen() {
  return !("closed" in choices.dataset) && choices.form.dataset.editable !== "false";
}

/** Scroll both captions. Return false if neither can move, so that the page scrolls instead. */
function scroll({ target }, lines) {
  if (target.closest("[data-side]")) return false;
  const moved = sides.map((side) => {
    const before = side.scrollTop;
    side.scrollTop += lines * Number.parseFloat(getComputedStyle(side).fontSize) * 1.6;
    return side.scrollTop !== before;
  });
  return moved.includes(true);
}

function draw() {
  const radio = choices.querySelector(":checked");
  if (chosen) chosen.textContent = radio ? nameOf(radio) : "Nothing chosen yet";
}
