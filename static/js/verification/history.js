/* What each verdict replaced, so that U brings it back, and a notice where typed text was set aside. */

import { copyOf, find } from "../ui/dom.js";

const MOST_STEPS = 200;

export class History {
  constructor() {
    this.steps = [];
    this.notices = new Map();
  }

  /** A step is {place, verdict, parts}: how a sentence stood before. */
  push(step) {
    this.steps.push(step);
    if (this.steps.length > MOST_STEPS) this.steps.shift();
  }

  /** The last step, or the one of a notice, which is then undone and forgotten. */
  take(step = this.steps.at(-1)) {
    if (!step) return null;
    this.steps = this.steps.filter((other) => other !== step);
    this.clear(step.place);
    return step;
  }

  /** Says in the sentence's row what was set aside; `step` brings it back. */
  show(row, step, gone) {
    this.clear(step.place);
    const notice = copyOf(find("#notice-template", HTMLTemplateElement));
    notice.querySelector("[data-what]").textContent = `Set aside: ${gone.join(" and ")}.`;
    row.append(notice);
    this.notices.set(step.place, { notice, step });
  }

  clear(place) {
    this.notices.get(place)?.notice.remove();
    this.notices.delete(place);
  }

  /** The step of the notice that an element stands in. */
  stepOf(element) {
    for (const { notice, step } of this.notices.values()) if (notice.contains(element)) return step;
    return null;
  }
}
