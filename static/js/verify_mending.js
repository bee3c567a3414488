/* The fields that mend a sentence: they are built where a fault is marked, and only there, so that
   a caption of ten thousand sentences stays light. What was typed comes back with its mark. */

const MENDS = ["A", "B", "D"];

export class Mending {
  constructor(form, rows) {
    this.form = form;
    this.rows = rows;
    this.kept = new Map();
    this.startFrame = Number(form.dataset.startFrame);
    this.isEditable = form.dataset.editable === "true";
  }

  field(name) {
    return this.form.elements[name];
  }

  isOpen(place) {
    return Boolean(this.field(`missing-${place}-text`));
  }

  /** The fields that this verdict asks for, and no others. */
  show(row, types) {
    const number = Number(row.dataset.number);
    const box = row.querySelector("[data-mend]");
    const isDue = types.some((letter) => MENDS.includes(letter));
    if (this.isEditable && isDue && !box.firstElementChild) this.open(number);
    if (this.isEditable && !isDue && box.firstElementChild && !this.field(`correction-${number}`).value.trim()) box.replaceChildren();
    if (this.isEditable && types.includes("C") && !row.dataset.c && !this.isOpen(number) && !this.isOpen(number + 1)) this.openGap(number);
    row.dataset.c = types.includes("C") ? "true" : "";
    const isDeleted = Boolean(box.firstElementChild && this.field(`delete-${number}`).checked);
    row.dataset.state = isDeleted ? "deleted" : "";
    if (box.firstElementChild) this.showDeletion(number, isDeleted);
  }

  /** A deleted sentence has no correction; what was typed comes back when it stays after all. */
  showDeletion(number, isDeleted) {
    const correction = this.field(`correction-${number}`);
    if (isDeleted === correction.hidden) return;
    correction.hidden = isDeleted;
    if (!this.isEditable) return;
    if (isDeleted) this.kept.set(number, correction.value);
    correction.value = isDeleted ? "" : (this.kept.get(number) ?? "");
  }

  open(number) {
    fill(this.rows[number].querySelector("[data-mend]"), "mend-template", number);
  }

  openGap(place) {
    const box = this.form.querySelector(`[data-gap="${place}"]`);
    if (!box.firstElementChild) fill(box, "gap-template", place);
  }

  edit(number) {
    const box = this.rows[number].querySelector("[data-mend]");
    if (!box.firstElementChild) this.open(number);
    const correction = this.field(`correction-${number}`);
    if (correction.hidden) return;
    if (!correction.value) {
      correction.value = this.rows[number].querySelector("[data-text]").textContent;
      changed(correction);
    }
    correction.focus();
  }

  insert(place) {
    this.openGap(place);
    this.field(`missing-${place}-text`).focus();
  }

  remove(place) {
    const box = this.form.querySelector(`[data-gap="${place}"]`);
    box.replaceChildren();
    box.closest(".verify-row").focus();
    changed(this.form);
  }

  /** The player counts the video's frames, the work those of the clip. */
  take(place, [first, end]) {
    this.field(`missing-${place}-start`).value = first - this.startFrame;
    this.field(`missing-${place}-end`).value = end - this.startFrame;
    changed(this.field(`missing-${place}-end`));
  }

  range(place) {
    const [first, end] = ["start", "end"].map((edge) => this.field(`missing-${place}-${edge}`)?.value ?? "");
    if (!/^\d+$/.test(first) || !/^\d+$/.test(end) || Number(first) >= Number(end)) return null;
    return [Number(first) + this.startFrame, Number(end) + this.startFrame];
  }

  mended(number) {
    if (!this.rows[number].querySelector("[data-mend]").firstElementChild) return { correction: "", isDeleted: false };
    return {
      correction: this.field(`correction-${number}`)?.value.trim() ?? "",
      isDeleted: Boolean(this.field(`delete-${number}`)?.checked),
    };
  }

  /** The texts of what is missing, by place. */
  inserted() {
    const texts = [...this.form.querySelectorAll("[data-gap] textarea")];
    const typed = texts.map((text) => [Number(text.closest("[data-gap]").dataset.gap), text.value.trim()]);
    return new Map(typed.filter(([, text]) => text));
  }

  /** Builds the fields that a stored draft needs, before it is put into the form. */
  prepare(content) {
    for (const [name, value] of Object.entries(content)) {
      const match = value && name.match(/^(?:(correction|delete)|missing)-(\d+)(?:-(?:text|start|end))?$/);
      if (!match || Number(match[2]) > this.rows.length) continue;
      if (!match[1]) this.openGap(Number(match[2]));
      else if (!this.field(`correction-${match[2]}`) && this.rows[match[2]]) this.open(Number(match[2]));
    }
  }
}

function changed(field) {
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function fill(box, template, number) {
  const copy = document.getElementById(template).content.cloneNode(true);
  for (const element of copy.querySelectorAll("*")) {
    for (const attribute of element.attributes) attribute.value = attribute.value.replace("NUMBER", number);
  }
  box.replaceChildren(copy);
}
