/* Write a modification: A accepts the proposal and continues, E and R move to their fields. Typing
   selects the field's own action, so that an earlier choice doesn't discard the text. */

import { choiceKeys } from "../keys/choices.js";
import { setBudget } from "../ui/budget.js";
import { find } from "../ui/dom.js";
import { countWords } from "../ui/words.js";

const form = find("#work-form", HTMLFormElement);
const choices = document.getElementById("decision");
const budget = document.querySelector(".budget");
/** @type {Record<string, string>} */
const FIELD_OF = { edit: "text", reject: "reason" };
if (choices) start();

function start() {
  const submit = () => form.requestSubmit(document.getElementById("submit-next"));
  choiceKeys(choices, {
    group: "modify",
    isOpen: () => form.dataset.editable === "true",
    submit,
    chosen: ({ value }) => (value === "accept" ? submit() : form.elements[FIELD_OF[value]].focus()),
  });
  for (const [action, name] of Object.entries(FIELD_OF)) {
    form.elements[name].addEventListener("input", () => choose(action));
  }
  // The confirmation was about the previous text.
  form.elements.text.addEventListener("input", () => (form.elements.keeps_same.checked = false));
  form.addEventListener("input", draw);
  form.addEventListener("change", draw);
  form.addEventListener("work:filled", draw);
  draw();
}

function choose(action) {
  const radio = find(`[value="${action}"]`, HTMLInputElement, choices);
  if (radio.checked) return;
  radio.checked = true;
  radio.dispatchEvent(new Event("change", { bubbles: true }));
}

function draw() {
  /** @type {HTMLInputElement | null} */
  const chosen = choices.querySelector(":checked");
  const action = chosen?.value;
  const text = action === "accept" ? document.querySelector(".modify-proposal blockquote").textContent : form.elements.text.value;
  setBudget(budget, countWords(text));
}
