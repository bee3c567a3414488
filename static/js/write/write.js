/* The Write page: live word counts per part, and for the whole text against the project's limits; and
   after a refused submit, the errors that are mended disappear. */

import { Follower } from "../drafts/follow.js";
import { setBudget } from "../ui/budget.js";
import { find } from "../ui/dom.js";
import { countWords } from "../ui/words.js";

const form = find("#work-form", HTMLFormElement);
const budget = document.querySelector(".work-bar .budget");
const parts = [...form.querySelectorAll("textarea")];

function count() {
  let total = 0;
  for (const part of parts) {
    const words = countWords(part.value);
    total += words;
    form.querySelector(`[data-count-of="${part.name}"]`).textContent = words === 1 ? "1 word" : `${words} words`;
  }
  setBudget(budget, total);
}

/** A person who has read a model's text no longer writes independently of it. */
function noteOpened({ currentTarget: details }) {
  const field = form.elements.machine_draft;
  if (!details.open || field.value === details.dataset.caption) return;
  field.value = details.dataset.caption;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

const problems = find("#problems", HTMLElement);
let mended = null; // only after a refused submit, as a follower also asks when the connection is back

function follow() {
  return new Follower(form, document.getElementById("write-points").dataset.problemsUrl, (answer) => {
    const detail = { problems: answer.problems, fields: ["", ...parts.map((part) => part.name)] };
    form.dispatchEvent(new CustomEvent("work:checked", { detail }));
  });
}

document.querySelector("#machine-draft details")?.addEventListener("toggle", noteOpened);
form.addEventListener("input", () => {
  count();
  if (problems.hidden) return;
  mended ??= follow();
  mended.soon();
});
form.addEventListener("work:filled", count);
count();
