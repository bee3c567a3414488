/* The fields that mend a sentence: its correction, the frames it talks about, what is missing
   before it. They are built where they are asked for, and only there, so that a caption of ten
   thousand sentences stays light. What was typed comes back with its mark. */

import { copyOf, find } from "../ui/dom.js";
import { keeper, setAside, takeBack } from "./aside.js";

const MENDS = ["A", "B", "D"];
const EDGES = { span: ["start", "end"], missing: ["text", "start", "end"] };
const OPEN = { mend: "openMend", span: "openSpan", missing: "openGap" };
const KEPT = /^before-((?:mend|span|missing)-(\d+))$/;
const FIELD = /^(correction|delete|span|missing)-(\d+)(?:-(?:text|start|end))?$/;

export class Mending {
  /** `rows` are the sentences, `end` is the place behind them. */
  constructor(form, rows, end) {
    this.form = form;
    this.rows = rows;
    this.end = end;
    this.kept = new Map();
    this.marked = new Set(); // the sentences that had C when they were last decided
    this.startFrame = Number(form.dataset.startFrame);
    this.isEditable = form.dataset.editable === "true";
  }

  /** The fields that this verdict asks for, and no others. */
  show(number, types) {
    const row = this.rows[number];
    if (this.isEditable) {
      const isDue = types.some((letter) => MENDS.includes(letter));
      const mend = part(row, "mend");
      if (isDue && !mend) this.openMend(number);
      if (!isDue && mend && !this.isTyped("mend", number)) detach(mend);
      const isMissing = types.includes("C");
      if (isMissing && !("c" in row.dataset) && !this.isMissing(number) && !this.isMissing(number + 1)) this.openGap(number);
      if (isMissing) {
        row.dataset.c = "";
        this.marked.add(number);
      } else delete row.dataset.c;
    }
    const isDeleted = Boolean(field(`delete-${number}`)?.checked);
    if (isDeleted) row.dataset.deleted = "";
    else delete row.dataset.deleted;
    if (part(row, "mend")) this.showDeletion(number, isDeleted);
  }

  /** A deleted sentence has no correction; what was typed comes back when it stays after all. */
  showDeletion(number, isDeleted) {
    const correction = field(`correction-${number}`);
    if (isDeleted === correction.hidden) return;
    correction.hidden = isDeleted;
    if (!this.isEditable) return;
    if (isDeleted) this.kept.set(number, correction.value);
    correction.value = isDeleted ? "" : (this.kept.get(number) ?? textOf(this.rows[number]));
  }

  /** Takes away what a verdict with these types has no use for, and keeps what somebody typed
      there. Gives the names of that. `hasC` tells whether a sentence is marked C. */
  settle(number, types, hasC) {
    const gone = [];
    const drop = (kind, at, what) => this.drop(kind, at) && gone.push(what);
    if (!types.some((letter) => MENDS.includes(letter))) drop("mend", number, "the correction");
    else if (field(`delete-${number}`)?.checked && !types.includes("B") && !types.includes("D")) {
      field(`delete-${number}`).checked = false;
      gone.push("the deletion");
    }
    if (this.marked.has(number) && !types.includes("C")) {
      this.marked.delete(number);
      if (!hasC(number - 1)) drop("missing", number, "what is missing");
      if (!hasC(number + 1)) drop("missing", number + 1, "what is missing");
    }
    return [...new Set(gone)];
  }

  /** Takes the fields away, if they are there; true where somebody had typed in them. */
  drop(kind, number) {
    const values = this.valuesOf(kind, number);
    if (!values) return false;
    const fields = document.getElementById(`${kind}-${number}`);
    const isTyped = this.isTyped(kind, number);
    if (isTyped) this.keep(kind, number, values);
    detach(fields);
    return isTyped;
  }

  /** Sets the values aside. Of a correction its text alone: the next mark must not delete the
      sentence unasked. */
  keep(kind, number, values) {
    const isMend = kind === "mend";
    const isText = !isMend || (values[0].trim() && values[0].trim() !== textOf(this.rows[number]).trim());
    const row = this.rows[number] ?? this.end;
    if (isText) setAside(row, `${kind}-${number}`, isMend ? [values[0]] : values);
  }

  /** Return the text of the fields of this kind, or null if the sentence has no such field. */
  valuesOf(kind, number) {
    if (!field(`${kind}-${number}`)) return null;
    if (kind === "mend") {
      const correction = field(`correction-${number}`);
      return [correction.hidden ? (this.kept.get(number) ?? "") : correction.value, field(`delete-${number}`).checked ? "1" : ""];
    }
    return EDGES[kind].map((edge) => field(`${kind}-${number}-${edge}`).value);
  }

  /** Whether the fields say something; a correction that repeats its sentence does not. */
  isTyped(kind, number) {
    const values = this.valuesOf(kind, number) ?? [];
    if (kind === "mend" && values[0]?.trim() === textOf(this.rows[number]).trim()) return values[1] === "1";
    return values.some((value) => value.trim());
  }

  /** Builds the fields where they are not, and puts the values there; null takes them away. What
      somebody has typed there since is kept. */
  put(kind, number, values) {
    if (!values) return void this.drop(kind, number);
    const there = this.valuesOf(kind, number);
    const isOther = there && this.isTyped(kind, number) && there.join("\n") !== values.join("\n");
    this[OPEN[kind]](number);
    takeBack(`${kind}-${number}`);
    if (isOther) this.keep(kind, number, there);
    if (kind === "mend") {
      const correction = field(`correction-${number}`);
      correction.hidden = false;
      correction.value = values[0];
      field(`delete-${number}`).checked = values[1] === "1";
    } else EDGES[kind].forEach((edge, at) => (field(`${kind}-${number}-${edge}`).value = values[at]));
  }

  /** All that stands in the fields about a sentence, for `restore`. */
  snapshot(number) {
    const parts = [["mend", number], ["span", number], ["missing", number], ["missing", number + 1]];
    return parts.map(([kind, at]) => [kind, at, this.valuesOf(kind, at)]);
  }

  restore(parts) {
    for (const [kind, number, values] of parts) this.put(kind, number, values);
  }

  isMissing(place) {
    return Boolean(field(`missing-${place}`));
  }

  /** With what was set aside, else with the sentence as it stands. */
  openMend(number) {
    if (field(`mend-${number}`)) return;
    const mend = copied("mend-template", number, number + 1);
    const span = part(this.rows[number], "span");
    if (span) span.before(mend);
    else this.rows[number].append(mend);
    const [correction] = takeBack(mend.id) ?? [textOf(this.rows[number])];
    field(`correction-${number}`).value = correction;
  }

  openGap(place) {
    if (this.isMissing(place)) return;
    const row = this.rows[place] ?? this.end;
    row.prepend(copied("gap-template", place, row === this.end ? "the end" : `sentence ${place + 1}`));
    const values = takeBack(`missing-${place}`);
    if (values) EDGES.missing.forEach((edge, at) => (field(`missing-${place}-${edge}`).value = values[at]));
  }

  openSpan(number) {
    if (!part(this.rows[number], "span")) this.rows[number].append(copied("span-template", number, number + 1));
  }

  edit(number) {
    this.openMend(number);
    const correction = field(`correction-${number}`);
    if (correction.hidden) return;
    if (!correction.value) {
      correction.value = textOf(this.rows[number]);
      changed(correction);
    }
    writeIn(correction);
  }

  /** Deletes the sentence, or keeps it after all. */
  toggleDeletion(number) {
    this.openMend(number);
    const box = field(`delete-${number}`);
    box.checked = !box.checked;
    changed(box);
  }

  /** The cursor to where this type of error is mended; a deleted sentence shows no such field. */
  write(number, type) {
    if (type === "C" && !this.isMissing(number) && !this.isMissing(number + 1)) this.openGap(number);
    const missing = field(`missing-${number}-text`) ?? field(`missing-${number + 1}-text`);
    writeIn(type === "C" ? missing : field(`correction-${number}`));
  }

  insert(place) {
    this.openGap(place);
    writeIn(field(`missing-${place}-text`));
  }

  /** Takes out the fields of a span or of a missing segment. */
  remove(fields) {
    const row = fields.closest(".verify-row");
    row.focus();
    fields.remove();
    changed(this.form);
  }

  /** Puts one edge of the fields named `name` to a frame of the video; an edge that is now on the
      wrong side of it is to be marked again. */
  mark(name, edge, frame) {
    const [start, end] = [field(`${name}-start`), field(`${name}-end`)];
    const marked = edge === "start" ? start : end;
    const other = edge === "start" ? end : start;
    marked.value = String(frame - this.startFrame);
    if (start.value && end.value && Number(start.value) >= Number(end.value)) other.value = "";
    changed(marked);
  }

  /** The player counts the video's frames, the work those of the clip. */
  take(name, [first, end]) {
    field(`${name}-start`).value = String(first - this.startFrame);
    field(`${name}-end`).value = String(end - this.startFrame);
    changed(field(`${name}-end`));
  }

  /** The frames of the video that the fields name, or null. */
  range(name) {
    const [first, end] = ["start", "end"].map((edge) => field(`${name}-${edge}`)?.value.trim() ?? "");
    if (!/^\d+$/.test(first) || !/^\d+$/.test(end) || Number(first) >= Number(end)) return null;
    return [Number(first) + this.startFrame, Number(end) + this.startFrame];
  }

  /** Builds the fields that a stored draft needs, before it is put into the form. */
  prepare(content) {
    const open = { correction: "openMend", delete: "openMend", ...OPEN };
    for (const [name, value] of Object.entries(content)) {
      const [, kind, digits] = (value && name.match(FIELD)) || [];
      const number = Number(digits);
      if (!kind || number > this.rows.length || (kind !== "missing" && !this.rows[number])) continue;
      if (!field(name)) this[open[kind]](number);
    }
    for (const [name, value] of Object.entries(content)) {
      const [, of, digits] = (value && name.match(KEPT)) || [];
      const row = this.rows[Number(digits)] ?? this.end;
      if (of && Number(digits) <= this.rows.length && !field(name)) row.append(keeper(of, value));
    }
  }
}

function textOf(row) {
  return row.querySelector("[data-text]").textContent;
}

/** The cursor to the end of what stands there. */
function writeIn(writing) {
  writing.focus();
  writing.setSelectionRange(writing.value.length, writing.value.length);
  writing.scrollIntoView({ block: "nearest" }); // for focus alone the bar hides nothing
}

/** Takes the fields out of the page. The focus leaves them first: a field that loses it as it goes
    reports its change, and what answers to that would find the page half changed. */
function detach(fields) {
  if (fields.contains(document.activeElement)) fields.closest(".verify-row").focus({ preventScroll: true });
  fields.remove();
}

function part(row, kind) {
  return row.querySelector(`:scope > .verify-${kind}`);
}

function field(name) {
  return /** @type {HTMLInputElement | null} */ (document.getElementById(name));
}

function changed(element) {
  element.dispatchEvent(new Event("input", { bubbles: true }));
}

function copied(template, number, ordinal) {
  const copy = copyOf(find(`#${template}`, HTMLTemplateElement));
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const attribute of element.attributes) {
      attribute.value = attribute.value.replace("NUMBER", number).replace("ORDINAL", ordinal);
    }
  }
  return copy;
}
