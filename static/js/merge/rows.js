/* The rows of the Merge page: their texts, places and names.

   No text is lost: a replaced text goes into the row's "before" field, which is part of the draft,
   and Undo restores it. Replacing many rows asks first if any text was typed. */

import { copyOf, find, findAll } from "../ui/dom.js";

export const PARTS = ["overview", "objects", "actions", "misc"];

const MAX_BEFORE = 12_000; // characters; the server accepts 20,000 in one field
const FIELDS = ["a", "b", "a_text", "b_text", "before", "text"];

export const field = (row, name) => row.querySelector(`[data-field="${name}"]`);
export const rowsOf = (part) => [...part.querySelectorAll("[data-row]")];
export const partOf = (row) => row.closest("[data-part]");
export const textOf = (row) => field(row, "text").value;

/** Return the text that taking `which` (a, b, both) puts into the row. */
export function sourceText(row, which) {
  const [a, b] = [field(row, "a_text").value, field(row, "b_text").value];
  if (which === "a") return a;
  if (which === "b") return b;
  return same(a, b) ? a : [a, b].filter(Boolean).join(" ");
}

/** Return whether the row has text that taking can't restore. */
export function isTyped(row) {
  return Boolean(textOf(row).trim()) && !isSource(row, textOf(row));
}

export function replaceText(row, text) {
  const old = textOf(row);
  if (old.trim() && !same(old, text)) keep(row, [...keptBy(row), old]);
  write(row, text);
}

/** Restore the latest kept text; the current one becomes the oldest kept one. */
export function undo(row) {
  const kept = keptBy(row);
  const text = kept.pop();
  const now = textOf(row);
  keep(row, now.trim() && !same(now, text) ? [now, ...kept] : kept);
  write(row, text);
}

/** Restore the text of a row before an act, which left another one. What was typed since is kept. */
export function putBack({ row, text, before, left }) {
  const now = textOf(row);
  field(row, "before").value = before;
  if (now.trim() && !same(now, left)) keep(row, [...keptBy(row), now]);
  write(row, text);
}

export function keptBy(row) {
  try {
    const kept = JSON.parse(field(row, "before").value || "[]");
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    return [];
  }
}

export function move(row, by) {
  const rows = rowsOf(partOf(row));
  const place = rows.indexOf(row) + by;
  if (place < 0 || place >= rows.length) return false;
  if (by < 0) rows[place].before(row);
  else rows[place].after(row);
  renumber(partOf(row));
  return true;
}

export function addRow(part, after = null) {
  const row = blankRow();
  if (after) after.after(row);
  else part.querySelector("[data-rows]").append(row);
  renumber(part);
  return row;
}

/** Put a removed row back at its place. */
export function insert(part, row, place) {
  part.querySelector("[data-rows]").insertBefore(row, rowsOf(part)[place] ?? null);
  renumber(part);
}

/** Remove an added row again, unless something was written in it. */
export function takeOut(row) {
  if (!row.isConnected || !isRemovable(row)) return;
  const part = partOf(row);
  row.remove();
  renumber(part);
}

/** Return whether the row can be removed: it is an added, empty row. Source sentences always stay. */
export function isRemovable(row) {
  return !field(row, "a").value && !field(row, "b").value && !textOf(row).trim();
}

/** Show the buttons that apply to the row. */
export function refresh(row) {
  const button = (name) => row.querySelector(`[data-do="${name}"]`);
  if (!button("undo")) return;
  button("undo").hidden = keptBy(row).length === 0;
  button("remove").hidden = !isRemovable(row);
  for (const which of ["a", "b", "both"]) {
    if (button(which)) button(which).hidden = !sourceText(row, which) || (which === "both" && !hasBoth(row));
  }
  button("clear").hidden = !textOf(row).trim();
}

/** Fill the rows from a draft. Rows that the draft lacks stay below, empty. */
export function fillRows(content) {
  for (const name of PARTS) {
    const part = document.getElementById(name);
    const present = rowsOf(part);
    const ordered = numbersIn(content, name).map((number) => {
      const values = Object.fromEntries(FIELDS.map((key) => [key, content[`${name}-${number}-${key}`] ?? ""]));
      const matchIndex = present.findIndex((row) => ["a", "b", "a_text", "b_text"].every((key) => field(row, key).value === values[key]));
      const row = matchIndex < 0 ? blankRow() : present.splice(matchIndex, 1)[0];
      for (const key of FIELDS) if (field(row, key).value !== values[key]) field(row, key).value = values[key];
      if (matchIndex < 0) showSources(row);
      return row;
    });
    for (const row of present) {
      write(row, "");
      field(row, "before").value = "";
      if (isRemovable(row)) row.remove();
      else ordered.push(row);
    }
    part.querySelector("[data-rows]").append(...ordered);
    renumber(part);
  }
}

function numbersIn(content, part) {
  const pattern = new RegExp(`^${part}-(\\d{1,4})-text$`);
  const numbers = Object.keys(content).flatMap((name) => pattern.exec(name)?.[1] ?? []);
  return numbers.map(Number).sort((a, b) => a - b);
}

/** Rename the rows and their labels by place. */
export function renumber(part) {
  rowsOf(part).forEach((row, place) => {
    row.id = `${part.dataset.part}-${place}`;
    const label = `${part.dataset.label}, row ${place + 1}`;
    row.setAttribute("aria-label", label);
    field(row, "text").setAttribute("aria-label", `${label}: merged`);
    for (const key of FIELDS) field(row, key).name = `${row.id}-${key}`;
    refresh(row);
    for (const tick of row.querySelectorAll("[data-looked-at]")) {
      for (const link of findAll(`[data-conflict="${tick.dataset.lookedAt}"]`, HTMLAnchorElement)) link.hash = row.id;
    }
  });
}

function blankRow() {
  return copyOf(find("#blank-row", HTMLTemplateElement));
}

/** Show the sentences of a row that comes from a draft older than the last rewrite. */
function showSources(row) {
  for (const side of ["a", "b"]) {
    const cell = row.querySelector(`[data-side="${side}"]`);
    const text = field(row, `${side}_text`).value;
    if (!cell || !text) continue;
    const reading = document.createElement("p");
    reading.className = "reading";
    reading.dir = "auto";
    reading.textContent = text;
    cell.replaceChildren(reading);
    cell.classList.remove("none");
    row.classList.remove("own");
  }
}

function hasBoth(row) {
  const [a, b] = [sourceText(row, "a"), sourceText(row, "b")];
  return Boolean(a && b && !same(a, b));
}

function keep(row, texts) {
  const kept = texts.filter((text, place) => texts.lastIndexOf(text) === place);
  while (JSON.stringify(kept).length > MAX_BEFORE && kept.length > 1) {
    const sourceIndex = kept.findIndex((text) => isSource(row, text)); // one key can take it again
    kept.splice(Math.max(sourceIndex, 0), 1);
  }
  field(row, "before").value = kept.length ? JSON.stringify(kept) : "";
}

function isSource(row, text) {
  return ["a", "b", "both"].some((which) => same(sourceText(row, which), text));
}

function write(row, text) {
  field(row, "text").value = text;
  refresh(row);
}

function same(a, b) {
  return a.split(/\s+/).filter(Boolean).join(" ") === b.split(/\s+/).filter(Boolean).join(" ");
}
