/* The Merge page: take sentences, count words, show origins and the merged text. */

import { askOnce, linkTo } from "../ui/ask_once.js";
import { Follower } from "../drafts/follow.js";
import { fillField } from "../drafts/form.js";
import { closeDialog, openDialog } from "../ui/dialog.js";
import { onKeys } from "../keys/grammar.js";
import { fieldOf, find, findAll } from "../ui/dom.js";
import { breaksRules, countedByServer, drawCounts } from "./counts.js";
import { addRow, field, fillRows, insert, isRemovable, isTyped, move, PARTS, partOf, putBack, refresh, renumber, replaceText, rowsOf, sourceText, takeOut, textOf, undo } from "./rows.js";

const form = find("#work-form", HTMLFormElement);
const isEditable = form.dataset.editable === "true";
const parts = PARTS.map((name) => document.getElementById(name));
const allRows = () => parts.flatMap(rowsOf);
const rowAt = (element) => element?.closest?.("#work-form [data-row]") ?? null;
let lastRow = null; // the row that last had the focus, which keys act on; else the first
/** @type {{row: HTMLElement, back: () => void}[]} */
const undoSteps = []; // what takes back each act of a key or button, the latest last
const drawQuestion = askQuestion();
const origins = new Follower(form, document.getElementById("merge-sources").dataset.originsUrl, showOrigins);

/** Notify the draft of a change by a button or key, as if it were typed. */
function changed(row) {
  field(row, "text").dispatchEvent(new Event("input", { bubbles: true }));
}

const actions = {
  a: (row) => take(row, "a"),
  b: (row) => take(row, "b"),
  both: (row) => take(row, "both"),
  clear: (row) => set(row, ""),
  undo(row) {
    changing([row], () => undo(row));
    settle(row);
  },
  up: (row) => shift(row, -1),
  down: (row) => shift(row, 1),
  remove(row) {
    if (!isRemovable(row)) return;
    const part = partOf(row);
    const next = row.nextElementSibling ?? row.previousElementSibling;
    const place = rowsOf(part).indexOf(row);
    row.remove();
    renumber(part);
    undoSteps.push({ row, back: () => insert(part, row, place) });
    (next ? field(next, "text") : part).focus();
    form.dispatchEvent(new Event("input", { bubbles: true }));
  },
};

function take(row, which) {
  const text = sourceText(row, which);
  if (text) set(row, text);
}

function set(row, text) {
  changing([row], () => replaceText(row, text));
  settle(row);
}

/** Change the texts of rows by one act, which one U takes back. */
function changing(rows, act) {
  const old = rows.map((row) => ({ row, text: textOf(row), before: field(row, "before").value }));
  act();
  const changes = old.filter(({ row, text }) => textOf(row) !== text).map((change) => ({ ...change, left: textOf(change.row) }));
  if (changes.length) undoSteps.push({ row: changes[0].row, back: () => changes.forEach(putBack) });
}

function settle(row) {
  changed(row);
  field(row, "text").focus();
}

function shift(row, by) {
  const focused = document.activeElement;
  if (!move(row, by)) return;
  undoSteps.push({ row, back: () => move(row, -by) });
  changed(row);
  (row.contains(focused) ? focused : field(row, "text")).focus();
  row.scrollIntoView({ block: "nearest" });
}

function takeAll(part, which) {
  const rows = rowsOf(part);
  const perform = () => {
    changing(rows, () => rows.forEach((row) => replaceText(row, sourceText(row, which))));
    changed(rows[0]);
  };
  const typed = rows.filter(isTyped).length;
  if (!typed) return perform();
  const dialog = document.getElementById("replace");
  dialog.querySelector("[data-count]").textContent = typed === 1 ? "Your text in 1 row" : `Your text in ${typed} rows`;
  dialog.querySelector("[data-replace]").onclick = () => {
    closeDialog(dialog);
    perform();
  };
  openDialog(dialog);
}

function draw() {
  drawCounts();
  drawPreview();
}

function currentRow() {
  return rowAt(document.activeElement) ?? (lastRow?.isConnected ? lastRow : (allRows()[0] ?? null));
}

function markCurrent() {
  const current = currentRow();
  for (const row of allRows()) row.toggleAttribute("data-current", row === current);
}

function drawPreview() {
  const current = rowAt(document.activeElement);
  const written = allRows().filter((row) => textOf(row).trim());
  for (const preview of document.querySelectorAll("[data-preview]")) {
    const pieces = written.flatMap((row, place) => {
      const piece = document.createElement("span");
      piece.textContent = textOf(row).trim();
      piece.dataset.current = String(row === current);
      return place ? [" ", piece] : [piece];
    });
    preview.replaceChildren(...(pieces.length ? pieces : ["Nothing yet."]));
  }
}

function showOrigins({ origins, sentences }, content) {
  for (const row of allRows()) row.querySelector("[data-origin]").textContent = origins[row.id] ?? "";
  countedByServer(sentences, content);
}

/** Ask before a submit while conflicts are not ticked. */
function askQuestion() {
  const notice = document.getElementById("unlooked");
  if (!notice) return () => {};
  return askOnce(form, [{ notice, links: unlookedLinks }], { ready: () => origins.pending, isWrong: breaksRules });
}

function unlookedLinks() {
  return [...form.querySelectorAll(".merge-conflict-list li:has(input:not(:checked))")].map((item) => {
    const { hash, dataset } = find("a[data-conflict]", HTMLAnchorElement, item);
    return linkTo(hash, item.dataset.about, { conflict: dataset.conflict });
  });
}

/** Copy the ticks of the list on top to the same conflicts beside the rows. */
function showTicks() {
  const ticks = findAll(".merge-conflict-list input", HTMLInputElement, form);
  for (const tick of ticks) {
    for (const twin of findAll(`[data-looked-at="${tick.name}"]`, HTMLInputElement, form)) twin.checked = tick.checked;
  }
  const count = document.querySelector("[data-looked]");
  if (count) count.textContent = String(ticks.filter((tick) => tick.checked).length);
  drawQuestion();
}

form.addEventListener("input", (event) => {
  const row = rowAt(event.target);
  if (row) refresh(row);
  draw();
  origins.soon();
});
form.addEventListener("change", (event) => {
  const tick = fieldOf(event);
  const name = tick.dataset.lookedAt;
  if (name) form.elements[name].checked = tick.checked;
  showTicks();
});
form.addEventListener("work:fill", (event) => {
  event.preventDefault();
  const { content } = event.detail;
  fillRows(content);
  undoSteps.length = 0;
  for (const tick of findAll(".merge-conflict-list input", HTMLInputElement, form)) fillField(tick, content[tick.name] ?? "");
});
form.addEventListener("work:filled", () => {
  draw();
  markCurrent();
  showTicks();
  origins.soon();
});
form.addEventListener("focusin", ({ target }) => {
  lastRow = rowAt(target) ?? lastRow;
  markCurrent();
  drawPreview();
});

form.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  /** @type {HTMLAnchorElement} */
  const link = event.target.closest("a[data-conflict]");
  if (link) {
    event.preventDefault();
    const row = document.getElementById(link.hash.slice(1));
    row.scrollIntoView({ block: "center" });
    field(row, "text").focus({ preventScroll: true });
  }
  if (!button || !isEditable) return;
  if (button.dataset.do) actions[button.dataset.do](rowAt(button));
  if (button.dataset.takeAll) takeAll(button.closest("[data-part]"), button.dataset.takeAll);
  if ("add" in button.dataset) {
    const row = addRow(button.closest("[data-part]"));
    undoSteps.push({ row, back: () => takeOut(row) });
    changed(row);
    field(row, "text").focus();
  }
});

/** Move to a row: into its text if the person is typing, else to the row itself. */
function goTo(row, isTyping) {
  if (!row) return;
  lastRow = row;
  (isTyping ? field(row, "text") : row).focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function step(by, event) {
  const row = currentRow();
  const rows = allRows();
  const isIn = row.contains(event.target);
  goTo(isIn ? rows[rows.indexOf(row) + by] : row, event.target.matches("textarea"));
}

/** Take a sentence and move to the next row. */
function takeByKey(which) {
  return (event) => {
    const row = currentRow();
    if (!row || !isEditable) return false;
    const text = sourceText(row, which);
    if (!text) return say("There is no such sentence in this row.");
    changing([row], () => replaceText(row, text));
    changed(row);
    const rows = allRows();
    const next = rows[rows.indexOf(row) + 1];
    say(`Taken.${next ? "" : " That was the last row."}`);
    goTo(next ?? row, event.target.matches("textarea"));
    return true;
  };
}

/** Take back the last act of a key or button. */
function undoLast() {
  const last = undoSteps.pop();
  if (!last) return say("Nothing to undo.");
  last.back();
  const row = last.row.isConnected ? last.row : allRows()[0];
  changed(row);
  goTo(row, false);
  return say("It is as it was before.");
}

function lookAtConflicts() {
  const ticks = findAll("[data-looked-at]", HTMLInputElement, currentRow());
  const isDone = ticks.every(({ checked }) => checked);
  for (const tick of ticks) if (tick.checked === isDone) tick.click();
}

function say(text) {
  document.getElementById("merge-status").textContent = text;
}

const ifEditable = (act) => (event) => (isEditable ? act(event) : false);
onKeys("merge", {
  a: takeByKey("a"),
  b: takeByKey("b"),
  both: takeByKey("both"),
  edit: ifEditable(() => field(currentRow(), "text").focus()),
  up: (event) => step(-1, event),
  down: (event) => step(1, event),
  "next-empty": () => goTo(allRows().find((row) => !textOf(row).trim()), false),
  looked: ifEditable(lookAtConflicts),
  "move-up": ifEditable(() => shift(currentRow(), -1)),
  "move-down": ifEditable(() => shift(currentRow(), 1)),
}, { region: form });
onKeys("work", {
  undo: ifEditable(undoLast),
  leave: ({ target }) => Boolean(rowAt(target)) && target !== rowAt(target) && goTo(rowAt(target), false),
}, { region: form });

for (const row of allRows()) refresh(row);
showTicks();
draw();
markCurrent();
const isAsked = document.querySelector("dialog[open], #problems:not([hidden]), #conflict:not([hidden])");
if (isEditable && !isAsked && document.activeElement === document.body && !location.hash) {
  const [first] = allRows();
  const next = allRows().find((row) => !textOf(row).trim()) ?? first;
  // On a phone the first row is below the title, which says what to do.
  if (next === first && matchMedia("(max-width: 48rem)").matches) first.focus({ preventScroll: true });
  else goTo(next, false);
}
