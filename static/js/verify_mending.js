/* The fields that mend a sentence: its correction, the frames it talks about, what is missing
   before it. They are built where they are asked for, and only there, so that a caption of ten
   thousand sentences stays light. What was typed comes back with its mark. */

const MENDS = ["A", "B", "D"];
const FIELD = /^(correction|delete|span|missing)-(\d+)(?:-(?:text|start|end))?$/;

export class Mending {
  /** `rows` are the sentences, `end` is the place behind them. */
  constructor(form, rows, end) {
    Object.assign(this, { form, rows, end });
    this.kept = new Map();
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
      if (!isDue && mend && !field(`correction-${number}`).value.trim()) mend.remove();
      const isMissing = types.includes("C");
      if (isMissing && !("c" in row.dataset) && !this.isMissing(number) && !this.isMissing(number + 1)) this.openGap(number);
      if (isMissing) row.dataset.c = "";
      else delete row.dataset.c;
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
    correction.value = isDeleted ? "" : (this.kept.get(number) ?? "");
  }

  isMissing(place) {
    return Boolean(field(`missing-${place}`));
  }

  openMend(number) {
    const mend = copied("mend-template", number, number + 1);
    const span = part(this.rows[number], "span");
    if (span) span.before(mend);
    else this.rows[number].append(mend);
  }

  openGap(place) {
    if (this.isMissing(place)) return;
    const row = this.rows[place] ?? this.end;
    row.prepend(copied("gap-template", place, row === this.end ? "the end" : `sentence ${place + 1}`));
  }

  openSpan(number) {
    if (!part(this.rows[number], "span")) this.rows[number].append(copied("span-template", number, number + 1));
  }

  edit(number) {
    if (!part(this.rows[number], "mend")) this.openMend(number);
    const correction = field(`correction-${number}`);
    if (correction.hidden) return;
    if (!correction.value) {
      correction.value = textOf(this.rows[number]);
      changed(correction);
    }
    correction.focus();
  }

  /** Deletes the sentence, or keeps it after all. */
  toggleDeletion(number) {
    if (!part(this.rows[number], "mend")) this.openMend(number);
    const box = field(`delete-${number}`);
    box.checked = !box.checked;
    changed(box);
  }

  /** The cursor to where this type of error is mended; a deleted sentence shows no such field. */
  write(number, type) {
    const missing = field(`missing-${number}-text`) ?? field(`missing-${number + 1}-text`);
    const writing = type === "C" ? missing : field(`correction-${number}`);
    writing.focus();
    writing.scrollIntoView({ block: "nearest" }); // for focus alone the bar hides nothing
  }

  insert(place) {
    this.openGap(place);
    field(`missing-${place}-text`).focus();
  }

  /** Takes out the fields of a span or of a missing segment. */
  remove(fields) {
    const row = fields.closest(".verify-row");
    fields.remove();
    row.focus();
    changed(this.form);
  }

  /** Puts one edge of the fields named `name` to a frame of the video; an edge that is now on the
      wrong side of it is to be marked again. */
  mark(name, edge, frame) {
    const [start, end] = [field(`${name}-start`), field(`${name}-end`)];
    const marked = edge === "start" ? start : end;
    const other = edge === "start" ? end : start;
    marked.value = frame - this.startFrame;
    if (start.value && end.value && Number(start.value) >= Number(end.value)) other.value = "";
    changed(marked);
  }

  /** The player counts the video's frames, the work those of the clip. */
  take(name, [first, end]) {
    field(`${name}-start`).value = first - this.startFrame;
    field(`${name}-end`).value = end - this.startFrame;
    changed(field(`${name}-end`));
  }

  /** The frames of the video that the fields name, or null. */
  range(name) {
    const [first, end] = ["start", "end"].map((edge) => field(`${name}-${edge}`)?.value.trim() ?? "");
    if (!/^\d+$/.test(first) || !/^\d+$/.test(end) || Number(first) >= Number(end)) return null;
    return [Number(first) + this.startFrame, Number(end) + this.startFrame];
  }

  /** What is said of the sentences that have the fields of a correction, by number. */
  mended() {
    const boxes = [...this.form.querySelectorAll(".verify-mend input")];
    const numbers = boxes.map((box) => Number(box.name.slice("delete-".length)));
    return new Map(numbers.map((number, at) => [
      number,
      { correction: field(`correction-${number}`).value.trim(), isDeleted: boxes[at].checked },
    ]));
  }

  /** The texts of what is missing, by place. */
  inserted() {
    const gaps = [...this.form.querySelectorAll(".verify-gap")];
    const typed = gaps.map((gap) => [Number(gap.dataset.place), gap.querySelector("textarea").value.trim()]);
    return new Map(typed.filter(([, text]) => text));
  }

  /** Builds the fields that a stored draft needs, before it is put into the form. */
  prepare(content) {
    const open = { correction: "openMend", delete: "openMend", span: "openSpan", missing: "openGap" };
    for (const [name, value] of Object.entries(content)) {
      const [, kind, digits] = (value && name.match(FIELD)) || [];
      const number = Number(digits);
      if (!kind || number > this.rows.length || (kind !== "missing" && !this.rows[number])) continue;
      if (!field(name)) this[open[kind]](number);
    }
  }
}

export function textOf(row) {
  return row.querySelector("[data-text]").textContent;
}

function part(row, kind) {
  return row.querySelector(`:scope > .verify-${kind}`);
}

function field(name) {
  return document.getElementById(name);
}

function changed(element) {
  element.dispatchEvent(new Event("input", { bubbles: true }));
}

function copied(template, number, ordinal) {
  const copy = document.getElementById(template).content.firstElementChild.cloneNode(true);
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const attribute of element.attributes) {
      attribute.value = attribute.value.replace("NUMBER", number).replace("ORDINAL", ordinal);
    }
  }
  return copy;
}
