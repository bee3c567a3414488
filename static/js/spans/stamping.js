/* Time sentences while writing: one key gives the sentence at the caret the loop of the player;
   without a loop, the first press sets its start to the current frame and the second its end. A
   field can be timed if it has a hidden field "spans-<name>", which is part of the draft, so the
   times are saved with the text. */

import { onKeys } from "../keys/grammar.js";
import { find, findAll } from "../ui/dom.js";
import { Marks } from "./marks.js";
import { showSpans, spanButton, wordsOf } from "./timeline.js";

const form = find("#work-form", HTMLFormElement);
const isEditable = form.dataset.editable === "true";
const timeline = showSpans();
const stores = findAll('input[name^="spans-"]', HTMLInputElement, form);
const fields = stores.map((store) => new Marks(form.elements[store.name.replace("spans-", "")], store));
const lists = new Map(fields.map((marks) => [marks, listOf(marks.field)]));
const status = find("#stamp-status", HTMLElement);
timeline.root.after(find(".stamping", HTMLElement)); // on a phone it stays in view with the player
let current = fields[0];
let undoSteps = [];

/** Return the list of a field's times. It is below the field, but Tab skips it: on one of its
    buttons, further typing would act as keys. */
function listOf(field) {
  const list = document.createElement("ul");
  list.className = "span-list";
  field.before(list);
  return list;
}

/** Return the number of a sentence in the whole text. */
function numberOf(marks, place) {
  const earlier = fields.slice(0, fields.indexOf(marks));
  return place + 1 + earlier.reduce((sum, { sentences }) => sum + sentences.length, 0);
}

function draw() {
  const spans = fields.flatMap((marks) => marks.list.map((mark) => spanOf(marks, mark)));
  timeline.draw(spans.filter(({ place }) => place >= 0).sort((a, b) => a.start - b.start));
  for (const marks of fields) {
    lists.get(marks).replaceChildren(...spans.filter((span) => span.marks === marks).map(entry));
  }
}

function spanOf(marks, mark) {
  const place = marks.placeOf(mark);
  const number = numberOf(marks, place);
  const { start, end } = mark;
  const name = place < 0 ? "A sentence that is gone" : `Sentence ${number}`;
  return { marks, place, name, mark: place < 0 ? "?" : String(number), start, end };
}

function entry(span) {
  const item = document.createElement("li");
  const play = spanButton(timeline, span);
  play.className = "button small quiet";
  play.textContent = `${span.mark} · ${wordsOf(span, timeline.player.fps)}`;
  item.append(play);
  if (isEditable) item.append(removeButton(span));
  return item;
}

function removeButton(span) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button small quiet icon-only";
  button.textContent = "×";
  button.setAttribute("aria-label", `Remove the time of ${span.name.toLowerCase()}`);
  button.addEventListener("click", () => {
    removeTime(span);
    span.marks.field.focus({ preventScroll: true });
  });
  return button;
}

/** Change the marks, then draw and save them and make the change undoable. */
function changing(marks, act) {
  undoSteps.push({ marks, value: marks.store.value });
  act();
  changed(marks);
}

function changed({ store }) {
  draw();
  store.dispatchEvent(new Event("change", { bubbles: true }));
}

function sentenceAt(target) {
  current = fields.find(({ field }) => field === target) ?? current;
  return { marks: current, place: current.placeAt(current.field.selectionStart) };
}

function stamp(target) {
  const { marks, place } = sentenceAt(target);
  if (place < 0) return say("Write the sentence first, then set its time.");
  const name = `Sentence ${numberOf(marks, place)}`;
  const { player } = timeline;
  const frame = player.aim - player.start;
  const [first, end] = timeline.range?.map((edge) => edge - player.start) ?? [frame, frame + 1];
  const mark = marks.markOf(place);
  // A time of one frame waits for its end.
  const isSecond = !timeline.range && mark && mark.end - mark.start === 1;
  const span = isSecond ? { start: Math.min(mark.start, first), end: Math.max(mark.end, end) } : { start: first, end };
  changing(marks, () => marks.set(place, span.start, span.end));
  const rest = span.end - span.start === 1 ? ". Set the time again where it ends." : ".";
  return say(`${name}: ${wordsOf(span, player.fps)}${rest}`);
}

function removeTime({ marks, place, name }) {
  changing(marks, () => marks.remove(place));
  say(`${name} has no time now.`);
}

function unstamp(target) {
  const { marks, place } = sentenceAt(target);
  const name = `Sentence ${numberOf(marks, place)}`;
  if (place < 0 || !marks.markOf(place)) return say("This sentence has no time.");
  return removeTime({ marks, place, name });
}

function undo() {
  const last = undoSteps.pop();
  if (!last) return false;
  last.marks.store.value = last.value;
  last.marks.read();
  changed(last.marks);
  return say("The times are as they were before.");
}

function say(text) {
  status.textContent = text;
  return true;
}

function reread() {
  undoSteps = [];
  for (const marks of fields) marks.read();
  draw();
}

form.addEventListener("work:filled", reread);
form.addEventListener("focusin", ({ target }) => sentenceAt(target));
for (const marks of fields) {
  marks.field.addEventListener("input", () => {
    const markCount = marks.list.length;
    marks.follow();
    if (markCount || marks.list.length) draw();
  });
}
draw();

if (isEditable) {
  const button = find("[data-stamp]", HTMLButtonElement);
  button.addEventListener("pointerdown", (event) => event.preventDefault()); // the caret stays in the text
  button.addEventListener("click", () => stamp(current.field));
  onKeys(button.dataset.stamp, { stamp: ({ target }) => stamp(target), unstamp: ({ target }) => unstamp(target) });
  onKeys("work", { undo });
}
