/* The fields that correct a sentence: its correction, its frames, what is missing before it. They
   are built only when needed, so that a caption of ten thousand sentences stays fast. Typed text
   comes back with its mark. */

import { copyOf, find } from "../ui/dom.js";
import { keeper, setAside, takeBack } from "./aside.js";

const MENDS = ["A", "B", "D"];
const EDGES = { span: ["start", "end"], missing: ["text", "start", "end"] };
const OPEN = { mend: "openMend", span: "openSpan", missing: "openGap" };
const KEPT = /^before-((?:mend|span|missing)-(\d+))$/;
const FIELD = /^(correction|delete|span|missing)-(\d+)(?:-(?:text|start|end))?$/;

export class Mending {
  /** `rows` are the sentences, `end` is the place after them. */
  constructor(form, rows, end) {
    this.form = form;
    this.rows = rows;
    this.end = end;
    this.kept = new Map();
    this.marked = new Set(); // the sentences marked C at their last verdict
    this.startFrame = Number(form.dataset.startFrame);
    this.isEditable = form.dataset.editable === "true";
  }

  /** Show the fields that this verdict needs, and no others. */
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

  /** Show whether the sentence is deleted. Deleting hides its correction; undoing that restores the
      text. */
  showDeletion(number, isDeleted) {
    const correction = field(`correction-${number}`);
    if (isDeleted === correction.hidden) return;
    correction.hidden = isDeleted;
    if (!this.isEditable) return;
    if (isDeleted) this.kept.set(number, correction.value);
    correction.value = isDeleted ? "" : (this.kept.get(number) ?? textOf(this.rows[number]));
  }

  /** Remove the fields that a verdict with these types doesn't need, and set aside what was typed
      there. Return the names of what was set aside. `hasC(number)`: whether a sentence is marked C. */
  settle(number, types, hasC) {
    const removed = [];
    const drop = (kind, at, what) => this.drop(kind, at) && removed.push(what);
    if (!types.some((letter) => MENDS.includes(letter))) drop("mend", number, "the correction");
    else if (field(`delete-${number}`)?.checked && !types.includes("B") && !types.includes("D")) {
      field(`delete-${number}`).checked = false;
      removed.push("the deletion");
    }
    if (this.marked.has(number) && !types.includes("C")) {
      this.marked.delete(number);
      if (!hasC(number - 1)) drop("missing", number, "the missing content");
      if (!hasC(number + 1)) drop("missing", number + 1, "the missing content");
    }
    return [...new Set(removed)];
  }

  /** Remove the fields, if any. Return whether anything was typed there. */
  drop(kind, number) {
    const values = this.valuesOf(kind, number);
    if (!values) return false;
    const fields = document.getElementById(`${kind}-${number}`);
    const isTyped = this.isTyped(kind, number);
    if (isTyped) this.keep(kind, number, values);
    detach(fields);
    return isTyped;
  }

  /** Set the values aside. For a correction, only its text: the next mark must not delete the
      sentence. */
  keep(kind, number, values) {
    const isMend = kind === "mend";
    const isText = !isMend || (values[0].trim() && values[0].trim() !== textOf(this.rows[number]).trim());
    const row = this.rows[number] ?? this.end;
    if (isText) setAside(row, `${kind}-${number}`, isMend ? [values[0]] : values);
  }

  /** Return the values of the fields of this kind, or null if the sentence has no such field. */
  valuesOf(kind, number) {
    if (!field(`${kind}-${number}`)) return null;
    if (kind === "mend") {
      const correction = field(`correction-${number}`);
      return [correction.hidden ? (this.kept.get(number) ?? "") : correction.value, field(`delete-${number}`).checked ? "1" : ""];
    }
    return EDGES[kind].map((edge) => field(`${kind}-${number}-${edge}`).value);
  }

  /** Return whether the fields have content; a correction equal to its sentence doesn't count. */
  isTyped(kind, number) {
    const values = this.valuesOf(kind, number) ?? [];
    if (kind === "mend" && values[0]?.trim() === textOf(this.rows[number]).trim()) return values[1] === "1";
    return values.some((value) => value.trim());
  }

  /** Build missing fields and fill in the values; null removes the fields. Text typed there since
      is set aside. */
  put(kind, number, values) {
    if (!values) return void this.drop(kind, number);
    const currentValues = this.valuesOf(kind, number);
    const isReplaced = currentValues && this.isTyped(kind, number) && currentValues.join("\n") !== values.join("\n");
    this[OPEN[kind]](number);
    takeBack(`${kind}-${number}`);
    if (isReplaced) this.keep(kind, number, currentValues);
    if (kind === "mend") {
      const correction = field(`correction-${number}`);
      correction.hidden = false;
      correction.value = values[0];
      field(`delete-${number}`).checked = values[1] === "1";
    } else EDGES[kind].forEach((edge, at) => (field(`${kind}-${number}-${edge}`).value = values[at]));
  }

  /** Return the values of all fields about a sentence, for `restore`. */
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

  /** Open the correction with the text set aside, else with the sentence. */
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

  /** Delete the sentence, or undo that. */
  toggleDeletion(number) {
    this.openMend(number);
    const box = field(`delete-${number}`);
    box.checked = !box.checked;
    changed(box);
  }

  /** Move to the field that corrects this type of error; a deleted sentence has none. */
  write(number, type) {
    if (type === "C" && !this.isMissing(number) && !this.isMissing(number + 1)) this.openGap(number);
    const missing = field(`missing-${number}-text`) ?? field(`missing-${number + 1}-text`);
    writeIn(type === "C" ? missing : field(`correction-${number}`));
  }

  insert(place) {
    this.openGap(place);
    writeIn(field(`missing-${place}-text`));
  }

  /** Remove the fields of a span or of a missing segment. */
  remove(fields) {
    const row = fields.closest(".verify-row");
    row.focus();
    fields.remove();
    changed(this.form);
  }

  /** Set one edge of the fields named `name` to a frame of the video. If the edges are now in the
      wrong order, clear the other one. */
  mark(name, edge, frame) {
    const [start, end] = [field(`${name}-start`), field(`${name}-end`)];
    const marked = edge === "start" ? start : end;
    const other = edge === "start" ? end : start;
    marked.value = String(frame - this.startFrame);
    if (start.value && end.value && Number(start.value) >= Number(end.value)) other.value = "";
    changed(marked);
  }

  /** Set both edges. The player counts frames from the start of the video, the work from the start
      of the clip. */
  take(name, [first, end]) {
    field(`${name}-start`).value = String(first - this.startFrame);
    field(`${name}-end`).value = String(end - this.startFrame);
    changed(field(`${name}-end`));
  }

  /** Return the frames of the video that the fields name, or null. */
  range(name) {
    const [first, end] = ["start", "end"].map((edge) => field(`${name}-${edge}`)?.value.trim() ?? "");
    if (!/^\d+$/.test(first) || !/^\d+$/.test(end) || Number(first) >= Number(end)) return null;
    return [Number(first) + this.startFrame, Number(end) + this.startFrame];
  }

  /** Build the fields that a stored draft needs before it is put into the form. */
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

/** Put the cursor at the end of the text. */
function writeIn(writing) {
  writing.focus();
  writing.setSelectionRange(writing.value.length, writing.value.length);
  writing.scrollIntoView({ block: "nearest" }); // focus alone can leave it behind the bar
}

/** Remove the fields from the page. Move the focus first: a removed field that has it reports a
    change, and listeners would see a half-changed page. */
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
