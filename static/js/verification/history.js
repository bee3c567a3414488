/* What each verdict replaced, so that U can restore it, and a notice where typed text was
   removed. */

import { copyOf, find } from "../ui/dom.js";

const MAX_STEPS = 200;

export class History {
  constructor() {
    this.steps = [];
    this.notices = new Map();
  }

  /** Add a step, {place, verdict, parts}: the previous state of a sentence. */
  push(step) {
    this.steps.push(step);
    if (this.steps.length > MAX_STEPS) this.steps.shift();
  }

  /** Remove and return the last step, or the step of a notice. */
  take(step = this.steps.at(-1)) {
    if (!step) return null;
    this.steps = this.steps.filter((other) => other !== step);
    this.clear(step.place);
    return step;
  }

  /** Show in the sentence's row what was removed; `step` restores it. */
  show(row, step, removed) {
    this.clear(step.place);
    const notice = copyOf(find("#notice-template", HTMLTemplateElement));
    notice.querySelector("[data-what]").textContent = `Removed ${removed.join(" and ")}. Undo brings it back.`;
    row.append(notice);
    this.notices.set(step.place, { notice, step });
  }

  clear(place) {
    this.notices.get(place)?.notice.remove();
    this.notices.delete(place);
  }

  /** Return the step of the notice that contains the element. */
  stepOf(element) {
    for (const { notice, step } of this.notices.values()) if (notice.contains(element)) return step;
    return null;
  }
}
