/* The list of sentences: choose their targets by pointer and key, and update the two texts. A
   sentence that was edited in a text is never changed; its row says so. */

import { onKeys } from "../keys/grammar.js";
import { find } from "../ui/dom.js";
import { Emitter } from "../ui/emitter.js";
import { findSentence, put, takeOut } from "./placing.js";

export const FIELDS = ["spatial", "temporal"];
const TARGETS = ["spatial", "temporal", "both", "neither"];
const includes = (target, field) => target === field || target === "both";

export class Sentences extends Emitter {
  constructor(form, { show }) {
    super();
    this.form = form;
    this.show = show; // (field, start, end) -> scrolls to the range
    this.rows = [...form.querySelectorAll(".split-sentence")];
    this.undoButton = find("#undo-target", HTMLButtonElement);
    this.done = [];
    this.isEditable = form.dataset.editable === "true";
    this.readTargets();
    this.setCurrent(this.undecided[0] ?? this.rows[0], {});
    this.listen();
  }

  get undecided() {
    return this.rows.filter((row) => !row.dataset.target);
  }

  sentence(row) {
    const number = Number(row.dataset.number);
    return { number, text: this.form.elements[`sentence-${number}`].value };
  }

  placed(field) {
    return this.rows.filter((row) => includes(row.dataset.target, field)).map((row) => this.sentence(row));
  }

  row(number) {
    return this.rows.find((row) => row.dataset.number === String(number));
  }

  readTargets() {
    for (const row of this.rows) row.dataset.target = row.querySelector("input:checked")?.value ?? "";
  }

  /** Handle a form that was filled by a draft. */
  refresh() {
    this.readTargets();
    for (const row of this.rows) note(row, []);
    this.done = [];
    this.undoButton.disabled = true;
    this.changed();
  }

  assign(row, target, { isUndo = false } = {}) {
    const from = row.dataset.target;
    if (from === target) return;
    if (!this.isEditable) return choose(row, from);
    const before = this.texts();
    const sentence = this.sentence(row);
    const notes = [];
    for (const field of FIELDS) {
      const placed = this.placed(field);
      const [had, wants] = [includes(from, field), includes(target, field)];
      const box = this.form.elements[field];
      if (wants && !had) {
        const result = put(box.value, sentence, placed);
        write(box, result.text);
        if (result.outcome === "edited") notes.push(this.alreadyThere(row, field, result));
      } else if (had && !wants) {
        const result = takeOut(box.value, sentence, placed);
        write(box, result.text);
        if (result.outcome === "edited") notes.push(this.staysThere(field, result));
      }
    }
    choose(row, target);
    note(row, notes);
    if (!isUndo) this.done.push({ row, from, before, after: this.texts() });
    this.undoButton.disabled = this.done.length === 0;
    this.form.dispatchEvent(new Event("input", { bubbles: true }));
    this.changed(`Sentence ${sentence.number + 1}: ${target || "not decided"}.`);
  }

  undo({ scroll = true } = {}) {
    const last = this.done.pop();
    if (!last) return;
    const now = this.texts();
    const { row, from, before, after } = last;
    if (FIELDS.every((field) => now[field] === after[field])) {
      for (const field of FIELDS) write(this.form.elements[field], before[field]);
      choose(row, from);
      note(row, []);
      this.form.dispatchEvent(new Event("input", { bubbles: true }));
    } else {
      this.assign(row, from, { isUndo: true }); // the text was edited since: undo only the sentence
    }
    this.undoButton.disabled = this.done.length === 0;
    this.setCurrent(row, { scroll });
    this.changed(`Sentence ${Number(row.dataset.number) + 1}: ${from || "not decided"} again.`);
  }

  /** Replace the unedited old wording of a sentence by its new wording. */
  replace(old, number) {
    const row = this.row(number);
    const { text } = this.sentence(row);
    const before = this.texts();
    const fields = FIELDS.filter((field) => {
      const box = this.form.elements[field];
      const place = findSentence(box.value, { number, text: old });
      if (place) write(box, box.value.slice(0, place.start) + text + box.value.slice(place.end));
      return place;
    });
    if (fields.length === 0) return false;
    const from = row.dataset.target;
    const target = fields.length === 2 ? "both" : fields[0];
    choose(row, target);
    this.done.push({ row, from, before, after: this.texts() });
    this.undoButton.disabled = false;
    this.form.dispatchEvent(new Event("input", { bubbles: true }));
    this.changed(`Sentence ${number + 1}: reworded in ${fields.join(" and ")}.`);
    return true;
  }

  alreadyThere(row, field, { start, end }) {
    const add = () => {
      const box = this.form.elements[field];
      const before = this.texts();
      write(box, put(box.value, this.sentence(row), this.placed(field), { evenIfEdited: true }).text);
      this.done.push({ row, from: row.dataset.target, before, after: this.texts() });
      this.undoButton.disabled = false;
      note(row, []);
      this.form.dispatchEvent(new Event("input", { bubbles: true }));
    };
    return {
      text: `Already in the ${field} text, edited; nothing was added.`,
      actions: [["Show it", () => this.show(field, start, end)], ["Add it anyway", add]],
    };
  }

  staysThere(field, { start, end }) {
    return {
      text: `Edited in the ${field} text, so it stays there.`,
      actions: [["Show it", () => this.show(field, start, end)]],
    };
  }

  texts() {
    return Object.fromEntries(FIELDS.map((field) => [field, this.form.elements[field].value]));
  }

  setCurrent(row, { focus = false, scroll = false }) {
    if (!row) return;
    for (const other of this.rows) other.toggleAttribute("data-current", other === row);
    this.current = row;
    if (focus) (row.querySelector("input:checked") ?? row.querySelector("input")).focus({ preventScroll: true });
    if (focus || scroll) row.scrollIntoView({ block: "nearest" });
  }

  goOn({ focus }) {
    const at = this.rows.indexOf(this.current);
    const after = [...this.rows.slice(at + 1), ...this.rows.slice(0, at)];
    this.setCurrent(after.find((row) => !row.dataset.target) ?? this.current, { focus, scroll: true });
  }

  move(step, focus = true) {
    this.setCurrent(this.rows[this.rows.indexOf(this.current) + step], { focus });
  }

  changed(said = "") {
    this.emit("targets", { said });
  }

  listen() {
    for (const row of this.rows) {
      row.addEventListener("focusin", () => this.setCurrent(row, {}));
      row.addEventListener("click", (event) => {
        if (!event.target.closest("button, a, label, input, summary")) this.setCurrent(row, { focus: true });
      });
      row.addEventListener("change", (event) => {
        if (event.target.type === "radio") this.assign(row, event.target.value);
      });
    }
    // By pointer, the button stays below it: a second click must not choose in a sentence.
    this.undoButton.addEventListener("click", ({ detail: isPointer }) => this.undo({ scroll: !isPointer }));
    this.listenToKeys();
  }

  listenToKeys() {
    const isIn = (target) => this.rows.some((row) => row.contains(target));
    const assign = (target) => (event) => {
      if (!this.isEditable) return false;
      this.assign(this.current, target);
      return this.goOn({ focus: isIn(event.target) });
    };
    const region = { region: isIn, ownsArrows: true };
    onKeys("split", {
      ...Object.fromEntries(TARGETS.map((target) => [target, assign(target)])),
      up: () => this.move(-1),
      down: () => this.move(1),
      undecided: () => this.setCurrent(this.undecided[0], { focus: true }),
    }, region);
    onKeys("work", { undo: () => this.undo() }, region);
    document.addEventListener("keydown", (event) => {
      const isUndo = event.code === "KeyZ" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      // The keys that choose work without any focus, too.
      if (!isUndo || !(isIn(event.target) || event.target === document.body)) return;
      event.preventDefault();
      this.undo();
    });
  }
}

function choose(row, target) {
  row.dataset.target = target;
  for (const radio of row.querySelectorAll("input[type=radio]")) radio.checked = radio.value === target;
}

/** Replace only the part that differs, so that the caret stays in place. */
function write(box, text) {
  const old = box.value;
  if (old === text) return;
  let start = 0;
  while (start < old.length && start < text.length && old[start] === text[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, text.length) - start;
  while (end < most && old[old.length - 1 - end] === text[text.length - 1 - end]) end += 1;
  box.setRangeText(text.slice(start, text.length - end), start, old.length - end, "preserve");
}

function note(row, notes) {
  const place = row.querySelector("[data-note]");
  place.hidden = notes.length === 0;
  place.replaceChildren(...notes.map(({ text, actions }) => {
    const line = document.createElement("span");
    line.append(text, ...actions.map(([label, act]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button quiet small";
      button.textContent = label;
      button.addEventListener("click", act);
      return button;
    }));
    return line;
  }));
}
