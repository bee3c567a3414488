/* Choosing between two captions by key, on the page of a vote and where it is changed.

   1 to 4 choose where nobody types, or only on the choices when single keys are confined to the
   player; with Alt they work anywhere. Enter goes on with what is chosen. Shift with 1 to 4 does both at
   once: a chord, so that nobody votes by a slip, and never by a key that is held down. Up and down
   scroll both captions. */

import { TYPES } from "../player/keys.js";
import { find } from "../ui/dom.js";

const DIGIT = /^(?:Digit|Numpad)([1-4])$/;
const LINES = { ArrowUp: -2, ArrowDown: 2 };
const OWN_ENTER = `${TYPES}, button, a, summary, dialog, [popover], [role=slider]`;
/** @type {HTMLFieldSetElement} */
const choices = document.querySelector("[data-compare]");
const sides = [...document.querySelectorAll("[data-side]")];
const chosen = document.getElementById("compare-chosen");
/** @type {HTMLInputElement} */
const singleKeys = document.querySelector("[data-single-keys]");
const bar = document.querySelector(".work-bar");
document.addEventListener("keydown", scroll);
if (choices) start();
if (bar) new ResizeObserver(standAboveBar).observe(bar);

function start() {
  document.addEventListener("keydown", (event) => {
    if (!isOpen() || event.ctrlKey || event.metaKey || event.isComposing) return;
    if (isEnter(event)) goOn();
    else if (!pick(event)) return;
    event.preventDefault();
  });
  choices.form.addEventListener("change", draw);
  choices.form.addEventListener("work:filled", draw);
  draw();
}

function isOpen() {
  return !("closed" in choices.dataset) && choices.form.dataset.editable !== "false";
}

/** False where the key is no choice. */
function pick(event) {
  const key = DIGIT.exec(event.code)?.[1];
  if (!key || event.target.closest("dialog, [popover]")) return false;
  if (event.altKey ? event.shiftKey || event.getModifierState("AltGraph") : !isSingle(event)) return false;
  if (event.shiftKey && event.repeat) return false;
  const radio = find(`[data-key="${key}"]`, HTMLInputElement, choices);
  radio.checked = true;
  radio.dispatchEvent(new Event("change", { bubbles: true }));
  say(`${nameOf(radio)} is chosen.`);
  if (event.shiftKey) goOn();
  return true;
}

function isSingle(event) {
  if (event.target.closest(TYPES)) return false;
  return singleKeys.checked || choices.contains(event.target);
}

/** Enter where it does nothing else. On a choice or a tick it would submit without the next pair. */
function isEnter(event) {
  if (event.key !== "Enter" || event.altKey || event.shiftKey || event.repeat) return false;
  return !event.target.closest(OWN_ENTER);
}

function goOn() {
  if (!choices.querySelector(":checked")) return say("Nothing is chosen yet. 1 to 4 choose.");
  choices.form.requestSubmit(document.getElementById("submit-next"));
}

/** Both captions, as far as they go; beyond that the page scrolls. */
function scroll(event) {
  const lines = LINES[event.key];
  if (!lines || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest(`${OWN_ENTER}, input, [data-side]`)) return;
  const moved = sides.map((side) => {
    const before = side.scrollTop;
    side.scrollTop += lines * Number.parseFloat(getComputedStyle(side).fontSize) * 1.6;
    return side.scrollTop !== before;
  });
  if (moved.includes(true)) event.preventDefault();
}

function draw() {
  const radio = choices.querySelector(":checked");
  if (chosen) chosen.textContent = radio ? nameOf(radio) : "Nothing chosen yet";
}

/** On a phone the choices stick there, and the bar's height depends on what it says. */
function standAboveBar() {
  document.documentElement.style.setProperty("--bar-height", `${bar.offsetHeight}px`);
}

function say(text) {
  document.getElementById("outcome-status").textContent = text;
}

function nameOf(radio) {
  return document.getElementById(radio.getAttribute("aria-labelledby")).textContent;
}
