/* The card of keys (templates/annotate/keys/card.html): show the current keys here and wherever the
   page names them, and let a person change them. */

import { find, findAll } from "../ui/dom.js";
import { chordOf, namesOf } from "./chords.js";
import { choose, current, idOf, isChanged, reset, signs } from "./personal.js";

/** @typedef {import("./personal.js").Column} Column */

const RESERVED = new Set(["Tab", "Enter", "Escape", "Space", "F1", "?", "Backspace"]);
// Browsers use these for the address bar and menus.
const RESERVED_ALT = new Set(["Alt+KeyD", "Alt+KeyE", "Alt+KeyF", "Alt+Space", "Alt+Enter", "Alt+ArrowLeft", "Alt+ArrowRight"]);
const card = document.getElementById("page-keys");
/** @type {{id: string, label: string, button: HTMLButtonElement} | null} */
let waiting = null;
if (card) start();

function start() {
  const change = find("[data-change-keys]", HTMLButtonElement, card);
  change.addEventListener("click", () => {
    const isOn = change.getAttribute("aria-pressed") !== "true";
    change.setAttribute("aria-pressed", String(isOn));
    showButtons(isOn);
    say(isOn ? "Choose what to change." : "");
  });
  find("[data-reset-keys]", HTMLButtonElement, card).addEventListener("click", () => {
    reset();
    say("All keys have their defaults again.");
    change.focus();
  });
  card.addEventListener("keydown", take, { capture: true });
  card.addEventListener("focusout", () => setTimeout(() => waiting && document.activeElement !== waiting.button && stop("")));
  document.addEventListener("keys:changed", draw);
  draw();
}

/** Show a button beside each key that can be changed. */
function showButtons(isOn) {
  stop("");
  for (const button of findAll("[data-change]", HTMLButtonElement, card)) button.remove();
  if (!isOn) return;
  for (const group of current()) {
    for (const key of group.keys.filter(({ fixed }) => !fixed)) {
      const id = idOf(group, key);
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "button small", textContent: "Change" });
      button.dataset.change = id;
      button.setAttribute("aria-label", `Change the key of ${key.label}`);
      button.addEventListener("click", () => listen(id, key.label, button));
      card.querySelector(`[data-label-of="${id}"]`).append(" ", button);
    }
  }
}

function listen(id, label, button) {
  stop("");
  waiting = { id, label, button };
  button.textContent = "Press a key";
  say(`Press the key for “${label}”, alone or with Alt. Esc keeps it as it is.`);
}

function stop(text) {
  if (waiting) waiting.button.textContent = "Change";
  waiting = null;
  say(text);
}

/** Take the pressed key. After a refusal, show the reason and wait for another key. */
function take(event) {
  if (!waiting || event.key === "Tab") return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key === "Escape") return stop("");
  const chord = chordOf(event);
  if (!chord) return;
  const { id, label } = waiting;
  const fault = faultOf(chord, id);
  if (fault) return say(fault);
  choose(id, chord.startsWith("Alt+") ? "anywhere" : "keys", chord);
  stop(`${words(chord)} now does “${label}”.`);
}

/** Return why a chord can't be chosen, or "". */
function faultOf(chord, id) {
  const code = chord.split("+").at(-1);
  if (/Ctrl|Shift/.test(chord)) return `${words(chord)} can’t be used: choose a key alone or with Alt.`;
  if (RESERVED.has(code) || RESERVED_ALT.has(chord)) return `${words(chord)} is needed for something else. Choose another key.`;
  for (const group of current()) {
    const boundKey = group.keys.find((key) => idOf(group, key) !== id && [...key.keys, ...key.anywhere].includes(chord));
    if (boundKey) return `${words(chord)} already does “${boundKey.label}”. Choose another key.`;
  }
  return "";
}

function words(chord) {
  return namesOf(chord, signs).join(" ");
}

function say(text) {
  card.querySelector("[data-keys-status]").textContent = text;
}

function draw() {
  card.querySelector("[data-reset-keys]").hidden = !isChanged();
  if (!isChanged() && !card.dataset.drawn) return; // the server has drawn the default keys
  card.dataset.drawn = "";
  for (const group of current()) {
    for (const key of group.keys.filter(({ fixed }) => !fixed)) {
      const id = idOf(group, key);
      for (const column of /** @type {Column[]} */ (["keys", "anywhere"])) {
        card.querySelector(`[data-${column}-of="${id}"]`).replaceChildren(...key[column].flatMap(marks));
      }
      for (const hint of document.querySelectorAll(`kbd[data-hint="${id}"]`)) hint.textContent = words(key.keys[0] ?? key.anywhere[0]);
    }
  }
}

function marks(chord) {
  return namesOf(chord, signs).flatMap((name) => {
    const mark = document.createElement("kbd");
    mark.textContent = name;
    return [mark, " "];
  });
}
