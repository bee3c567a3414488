/* The page that starts a run. The count beside the form always belongs to the current form, and an
   invalid field is scrolled into view, also out of a folded box. */

import { fieldOf } from "../ui/dom.js";

// A refusal swaps the form, so nothing here holds on to its elements.
/** @type {() => HTMLFormElement | null} */
const form = () => document.querySelector("form#new-run");
const asker = () => document.getElementById("ask-preview");
const isInForm = (event) => form()?.contains(event.target) ?? false;
const preview = () => document.getElementById("preview");
const button = () => document.getElementById("start-run");

/* Browsers show a validation message only at a visible field. */
document.addEventListener("invalid", (event) => {
  if (!isInForm(event)) return;
  const target = fieldOf(event);
  const fold = target.closest("details");
  if (fold) fold.open = true;
  target.setAttribute("aria-invalid", "true");
}, true);

document.addEventListener("input", (event) => {
  if (!isInForm(event)) return;
  const target = fieldOf(event);
  if (target.validity?.valid === false) target.setAttribute("aria-invalid", "true");
  else target.removeAttribute?.("aria-invalid");
  // Ignore the answer about an earlier state of the form.
  window.htmx.trigger(asker(), "htmx:abort");
  preview().hidden = false;
  preview().dataset.counting = "";
  button().removeAttribute("aria-disabled");
  button().textContent = "Start the run";
});

document.addEventListener("submit", (event) => {
  if (!isInForm(event) || button().getAttribute("aria-disabled") !== "true") return;
  event.preventDefault();
  event.stopPropagation(); // before htmx sends it
}, true);

for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(failure, (event) => {
    if (event.target !== asker()) return;
    delete preview().dataset.counting;
    preview().lastElementChild.textContent = "This could not be counted. You can start the run anyway.";
  });
}

/* A browser that returns to the page restores the typed values. */
addEventListener("pageshow", () => {
  const fields = /** @type {HTMLInputElement[]} */ ([...(form()?.elements ?? [])]);
  const changed = fields.some((field) => field.type === "radio" || field.type === "checkbox"
    ? field.checked !== field.defaultChecked
    : "defaultValue" in field && field.type !== "hidden" && field.value !== field.defaultValue);
  if (changed) form().dispatchEvent(new Event("input", { bubbles: true }));
});
