/* Write by hand: count words, start from a model's text, and copy single sentences.

   A replaced text is kept in the hidden field "before", which is part of the draft, and can be
   restored until the work is submitted. */

import { setBudget } from "../ui/budget.js";
import { openDialog } from "../ui/dialog.js";
import { find } from "../ui/dom.js";
import { fits } from "../ui/limits.js";
import { countWords } from "../ui/words.js";

const MAX_BEFORE = 19_000; // characters; the server stores no more in one field
const form = find("#work-form", HTMLFormElement);
const { text: field, before } = form.elements;
const counter = form.querySelector("[data-count-of=text]");
const budget = document.querySelector(".work-bar .budget");
const bringBack = document.getElementById("bring-back");
const status = document.getElementById("hand-status");
const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById("replace"));
const attempts = [...document.querySelectorAll("[data-attempt]")];
let caret = null; // where the next sentence goes; null for the end

function draw() {
  const words = countWords(field.value);
  counter.textContent = words === 1 ? "1 word" : `${words} words`;
  if (budget) setBudget(budget, words);
  bringBack.hidden = form.dataset.editable !== "true" || kept().length === 0;
}

function kept() {
  try {
    const texts = JSON.parse(before.value || "[]");
    return Array.isArray(texts) ? texts.map(String) : [];
  } catch {
    return [];
  }
}

/** Drop the oldest texts if they are too long to store. */
function keep(texts) {
  const remaining = texts.filter((text, place) => text.trim() && texts.lastIndexOf(text) === place);
  while (remaining.length > 1 && JSON.stringify(remaining).length > MAX_BEFORE) remaining.shift();
  before.value = remaining.length ? JSON.stringify(remaining) : "";
}

function write(text, message) {
  field.value = text;
  caret = null;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
  field.setSelectionRange(0, 0);
  field.scrollTop = 0;
  status.textContent = message;
}

function startFrom(text) {
  keep([...kept(), field.value]);
  write(text, "The text is in the field. Check each word against the clip.");
}

/** Restore the latest kept text. The current one becomes the oldest kept, so nothing is lost. */
function goBack() {
  const texts = kept();
  const last = texts.pop();
  keep([field.value, ...texts.filter((text) => text !== field.value)]);
  write(last, "The previous text is restored.");
}

/** Return whether the field holds text that no model wrote. */
function isTyped() {
  const squeeze = (text) => text.split(/\s+/).filter(Boolean).join(" ");
  const text = squeeze(field.value);
  return text !== "" && !attempts.some((attempt) => squeeze(attempt.textContent) === text);
}

function offer(attempt) {
  const text = attempt.textContent.trim();
  if (!isTyped()) return startFrom(text);
  dialog.querySelector("[data-replace]").onclick = () => {
    dialog.close();
    startFrom(text);
  };
  openDialog(dialog);
}

/** Insert the sentence like typed text, so that Ctrl+Z removes it: no newer API keeps the undo
    history. */
function add(sentence, { byKey }) {
  const at = caret ?? field.value.length;
  const left = at > 0 && /\S/.test(field.value[at - 1]) ? " " : "";
  const right = /^\S/.test(field.value.slice(at)) ? " " : "";
  field.focus({ preventScroll: true });
  field.setSelectionRange(at, at);
  const text = left + sentence.textContent.trim() + right;
  if (!fits(field, text, () => "The sentence doesn’t fit: the text is too long.")) return;
  document.execCommand("insertText", false, text);
  if (byKey) sentence.focus({ preventScroll: true });
  status.textContent = "The sentence is in your caption.";
}

function listenToSentences(attempt) {
  const sentences = [...attempt.querySelectorAll("[data-sentence]")];
  // Each text is one Tab stop; the arrows move between its sentences.
  sentences.forEach((sentence, place) => {
    sentence.setAttribute("role", "button");
    sentence.tabIndex = place === 0 ? 0 : -1;
  });
  attempt.addEventListener("click", (event) => {
    const sentence = event.target.closest("[data-sentence]");
    const isSelecting = !getSelection().isCollapsed;
    if (sentence && !isSelecting) add(sentence, { byKey: false });
  });
  attempt.addEventListener("keydown", (event) => {
    const place = sentences.indexOf(event.target);
    if (place < 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const next = sentences[place + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? NaN)];
    if (next) {
      event.target.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    } else if (event.key === "Enter" || event.key === " ") add(event.target, { byKey: true });
    else return;
    event.preventDefault();
  });
}

form.addEventListener("input", draw);
form.addEventListener("work:filled", draw);
draw();

if (form.dataset.editable === "true") {
  for (const attempt of attempts) listenToSentences(attempt);
  field.addEventListener("blur", () => (caret = field.selectionEnd));
  bringBack.addEventListener("click", goBack);
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-start-from]");
    if (button) offer(button.closest("details").querySelector("[data-attempt]"));
  });
}
