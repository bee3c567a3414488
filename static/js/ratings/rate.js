/* The scale from 0 to 5 by key, on the page of a rating and in the training.

   The digits work where nobody types, or only on the scale when single keys are confined to the
   player. With Alt they work anywhere. What is chosen also stands in the bar: below a long caption
   the scale may be out of sight. In the training, Ctrl+Enter answers and then goes on; work pages have it already. */

import { TYPES } from "../player/keys.js";
import { find } from "../ui/dom.js";

const DIGIT = /^(?:Digit|Numpad)([0-5])$/;
/** @type {HTMLFieldSetElement} */
const scale = document.querySelector("[data-scale]");
const chosen = document.getElementById("rate-chosen");
/** @type {HTMLInputElement} */
const singleKeys = document.querySelector("[data-single-keys]");
const forward = document.querySelector("#training-form, [data-go-on]");
if (scale) start();
if (forward) document.addEventListener("keydown", goOn);

function start() {
  document.addEventListener("keydown", (event) => {
    const value = isOpen() && valueFor(event);
    if (!value) return;
    event.preventDefault();
    choose(value);
  });
  scale.form.addEventListener("change", draw);
  scale.form.addEventListener("work:filled", draw);
  draw();
}

function isOpen() {
  return !("closed" in scale.dataset) && scale.form.dataset.editable !== "false";
}

function valueFor(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return null;
  if (event.target.closest("dialog, [popover]")) return null;
  const value = DIGIT.exec(event.code)?.[1];
  if (!value) return null;
  if (event.altKey) return event.getModifierState("AltGraph") ? null : value;
  if (event.target.closest(TYPES)) return null;
  return singleKeys.checked || scale.contains(event.target) ? value : null;
}

/** The focus stays where it is: on a choice the arrows would change it instead of seeking. */
function choose(value) {
  const radio = find(`[value="${value}"]`, HTMLInputElement, scale);
  radio.checked = true;
  radio.dispatchEvent(new Event("change", { bubbles: true }));
  document.getElementById("value-status").textContent = `${nameOf(radio)} is chosen.`;
}

function draw() {
  const radio = scale.querySelector(":checked");
  if (chosen) chosen.textContent = radio ? nameOf(radio) : "Not rated yet";
}

function nameOf(radio) {
  return document.getElementById(radio.getAttribute("aria-labelledby")).textContent;
}

/** On the link itself the browser would open another tab. Keys that are held down don't pass over an
    explanation that nobody has read. */
function goOn(event) {
  if (!(event.ctrlKey || event.metaKey) || event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  if (event.repeat) return;
  if (forward instanceof HTMLFormElement) forward.requestSubmit();
  else forward.click();
}
