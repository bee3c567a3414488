/* Ask the server for warnings about the two texts while they are edited, mark the words in
   question, and store which words the writer decided to leave. */

import { Follower } from "../drafts/follow.js";
import { Emitter } from "../ui/emitter.js";

const CHECK_AFTER_MS = 600;

export class Checks extends Emitter {
  constructor(form, marks) {
    super();
    this.form = form;
    this.marks = marks;
    const { url } = document.getElementById("checks").dataset;
    this.follower = new Follower(form, url, (data, content) => this.show(data, content), { after: CHECK_AFTER_MS });
    for (const field of Object.keys(marks)) this.mark(field, form.elements[field].value);
    form.addEventListener("input", () => this.soon());
    document.addEventListener("click", (event) => this.onClick(event));
  }

  soon() {
    this.follower.soon();
  }

  /** The promise of the check of the current texts; null if it has already come. */
  get pending() {
    return this.follower.pending;
  }

  show({ html }, content) {
    for (const field of Object.keys(this.marks)) {
      replaceKeepingPlace(document.getElementById(`${field}-warnings`), html[field]);
      this.mark(field, content[field] ?? "");
    }
  }

  mark(field, checked) {
    const links = document.querySelectorAll(`#${field}-warnings [data-mark]:not([data-mark=""])`);
    const marks = [...links].flatMap((link) => placesOf(link).map((place) => ({ ...place, kind: link.dataset.mark })));
    this.marks[field].set(checked, marks);
    this.emit("checked", { field, count: this.countOf(field) });
  }

  countOf(field) {
    return Number(document.getElementById(`${field}-warnings`).dataset.count);
  }

  onClick(event) {
    const link = event.target.closest("[data-jump]");
    const button = event.target.closest("[data-keep], [data-unkeep]");
    if (link) this.jump(event, link);
    else if (button && this.form.dataset.editable === "true") this.keep(button);
  }

  /** Move to the next place of the word at each click. */
  jump(event, link) {
    event.preventDefault();
    const marks = this.marks[link.dataset.jump];
    const places = placesOf(link).map((place) => marks.now(place)).filter(Boolean);
    if (places.length === 0) return this.form.elements[link.dataset.jump].focus();
    const turn = Number(link.dataset.turn ?? 0) % places.length;
    link.dataset.turn = String(turn + 1);
    marks.show(places[turn].start, places[turn].end);
  }

  keep(button) {
    const { keep, unkeep } = button.dataset;
    const input = this.form.elements[keep ?? unkeep];
    const place = button.closest("all" in button.dataset ? ".split-warning" : "li");
    const subjects = [...place.querySelectorAll("[data-subject]")].map((element) => element.dataset.subject);
    const keptSubjects = new Set(input.value.split("\n").filter(Boolean));
    for (const subject of subjects) {
      if (keep) keptSubjects.add(subject);
      else keptSubjects.delete(subject);
    }
    input.value = [...keptSubjects].join("\n");
    input.dispatchEvent(new Event("change", { bubbles: true }));
    this.follower.ask();
  }
}

function placesOf(link) {
  return link.dataset.places.split(" ").filter(Boolean).map((place) => {
    const [start, end] = place.split("-").map(Number);
    return { start, end };
  });
}

/** Replace the warnings; keep the focus and what is unfolded. */
function replaceKeepingPlace(old, html) {
  const read = new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
  const fresh = /** @type {HTMLElement} */ (document.importNode(read, true));
  for (const details of old.querySelectorAll("details[open]")) {
    /** @type {HTMLDetailsElement | null} */
    const same = fresh.querySelector(`details[data-clip="${CSS.escape(details.dataset.clip)}"]`);
    if (same) same.open = true;
  }
  const hadFocus = old.contains(document.activeElement);
  const controls = [...old.querySelectorAll("a, button, summary")];
  const at = controls.indexOf(document.activeElement);
  old.replaceWith(fresh);
  if (!hadFocus) return;
  const now = [...fresh.querySelectorAll("a, button, summary")];
  (now[Math.min(at, now.length - 1)] ?? fresh).focus({ preventScroll: true });
}
