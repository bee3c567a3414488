/* After a refused submit, mark every undecided sentence until it is decided: the list of problems
   names a range of sentences, and links only to its first. */

import { fieldOf, find, findAll } from "../ui/dom.js";

const form = find("#work-form", HTMLFormElement);
const isDecided = (verdict) => verdict.value.trim() !== "";

form.addEventListener("work:problems", () => {
  for (const verdict of findAll(".verify-verdict", HTMLInputElement, form)) {
    if (!isDecided(verdict)) verdict.setAttribute("aria-invalid", "true");
  }
});

form.addEventListener("input", (event) => {
  const field = fieldOf(event);
  if (field.matches(".verify-verdict") && isDecided(field)) field.removeAttribute("aria-invalid");
});
