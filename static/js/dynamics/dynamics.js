/* The dynamics check: the two verdicts by key, how much of the video was watched, and a question
   before a submit when that is little.

   D and N work where nobody types, or only on the choices when single keys are confined to the
   player. With Alt they are 1 and 2: Alt+D is the browser's, Option+N a dead key on a Mac. */

import { askOnce, linkTo } from "../ui/ask_once.js";
import { addInterval, countFrames } from "../player/intervals.js";
import { TYPES } from "../player/keys.js";
import { find } from "../ui/dom.js";

const KEYS = { KeyD: "dynamic", KeyN: "static" };
const ALT_KEYS = { Digit1: "dynamic", Digit2: "static" };
const form = find("#work-form", HTMLFormElement);
const choices = document.getElementById("verdict");
/** @type {HTMLInputElement} */
const singleKeys = document.querySelector("[data-single-keys]");

document.addEventListener("keydown", (event) => {
  const verdict = form.dataset.editable === "true" && verdictFor(event);
  if (!verdict) return;
  event.preventDefault();
  choose(verdict);
});

function verdictFor(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return null;
  if (event.target.closest("dialog, [popover]")) return null;
  if (event.altKey) return event.getModifierState("AltGraph") ? null : ALT_KEYS[event.code];
  if (event.target.closest(TYPES)) return null;
  if (!singleKeys.checked && !choices.contains(event.target)) return null;
  return KEYS[event.code];
}

/** The focus stays where it is: on a choice the arrows would change it instead of seeking. */
function choose(verdict) {
  const radio = find(`[value="${verdict}"]`, HTMLInputElement, choices);
  radio.checked = true;
  radio.dispatchEvent(new Event("change", { bubbles: true }));
  const name = document.getElementById(`${verdict}-name`).textContent;
  document.getElementById("verdict-status").textContent = `${name} is chosen.`;
}

const watched = document.getElementById("watched");
const before = watched.dataset.watched.split(" ").filter(Boolean).map((pair) => pair.split("-").map(Number));
const start = Number(watched.dataset.start);
const percentShown = watched.querySelector("[data-percent]");
const drawQuestion = askOnce(form, [{ notice: document.getElementById("unwatched"), links: unwatchedLinks }]);
form.addEventListener("change", drawQuestion);

/** Without a verdict there is nothing to submit, and that is said first. */
function unwatchedLinks() {
  const percent = Number(percentShown.textContent);
  const isChosen = choices.querySelector(":checked");
  if (!isChosen || percent >= Number(watched.dataset.enough)) return [];
  return [linkTo("#watched", `${percent} % of this video`)];
}

document.addEventListener("player:watched", ({ detail }) => {
  let seen = before;
  for (const [first, end] of detail.intervals) seen = addInterval(seen, first - start, end - start);
  const percent = Math.floor((100 * countFrames(seen)) / Number(watched.dataset.frames));
  watched.querySelector("progress").value = percent;
  percentShown.textContent = String(percent);
  drawQuestion();
});
