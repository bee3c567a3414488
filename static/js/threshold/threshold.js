/* The page of the thresholds: the field, the figure's line and the slider follow one another. What a
   value would keep and send back is the server's answer (templates/review/threshold/threshold.html). The
   line and the field move before it comes, so that they stay under the thumb. */

import "../ui/copy.js";

function moveLine(name, value) {
  const figure = document.querySelector(`[data-figure="${name}"]`);
  const [left, right, lowest, highest] = ["left", "right", "lowest", "highest"].map((key) => Number(figure.dataset[key]));
  const inside = Math.min(Math.max(value, lowest), highest);
  const x = left + ((right - left) * (inside - lowest)) / (highest - lowest);
  figure.querySelector("[data-line]").setAttribute("transform", `translate(${x} 0)`);
}

/* Captured, so that the field has the value before htmx sends it. */
const follow = ({ target: slider }) => {
  if (!slider.matches("[data-slider]")) return;
  slider.form.elements.value.value = slider.value;
  slider.setAttribute("aria-valuetext", slider.value);
  moveLine(slider.form.dataset.choice, Number(slider.value));
};
document.addEventListener("input", follow, { capture: true });

/* Enter in the field presses Show, which loads the page where there are no scripts. */
document.addEventListener("submit", (event) => {
  if (!event.submitter?.matches("[data-choice] .without-js")) return;
  event.preventDefault();
  window.htmx.trigger(event.submitter.closest("form"), "input");
});

document.addEventListener("htmx:load", ({ detail: { elt: answer } }) => {
  const form = /** @type {HTMLFormElement} */ (answer.closest("[data-choice]"));
  if (!form || !answer.id.startsWith("trial-")) return;
  const { value, words } = answer.dataset;
  const slider = /** @type {HTMLInputElement} */ (form.querySelector("[data-slider]"));
  /** @type {HTMLInputElement} */ (form.elements.namedItem("value")).setAttribute("aria-invalid", String(value === undefined));
  if (value === undefined) return;
  if (document.activeElement !== slider) {
    slider.value = value;
    moveLine(form.dataset.choice, Number(value));
  }
  if (Number(slider.value) === Number(value)) slider.setAttribute("aria-valuetext", words);
});
