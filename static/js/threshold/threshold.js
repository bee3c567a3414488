/* The page of the thresholds: show what another value keeps and sends back while the slider moves.
   The form has the counts at each thousandth (review/threshold/choice.py); without this module it
   asks the server. */

import "../ui/copy.js";

const STEPS_TO_ONE = 1000;

function summed(steps) {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

/** Return a function from a threshold in whole thousandths to what it keeps and sends back. */
export function reader(data) {
  const [back, flagged, alarms] = [data.back, data.flagged, data.alarms].map(summed);
  return (thousandths) => {
    const at = Math.min(Math.max(thousandths - data.first, 0), back.length - 1);
    return {
      kept: data.captions - back[at],
      back: back[at],
      sample_kept: data.sampled - flagged[at],
      flagged: flagged[at],
      missed: data.faulty - (flagged[at] - alarms[at]),
      false_alarms: alarms[at],
    };
  };
}

/** Return the typed threshold, with a decimal point or comma, in whole thousandths; null if it
    isn't a number in range. */
export function typed(text, least, most) {
  if (!/^-?(\d+([.,]\d{0,3})?|[.,]\d{1,3})$/.test(text.trim())) return null;
  const thousandths = Math.round(Number(text.trim().replace(",", ".")) * STEPS_TO_ONE);
  return thousandths < least * STEPS_TO_ONE || thousandths > most * STEPS_TO_ONE ? null : thousandths;
}

function mount(form) {
  const name = form.dataset.choice;
  const read = reader(JSON.parse(form.dataset.counts));
  const slider = form.querySelector("[data-slider]");
  const field = form.elements.value;
  const figure = document.querySelector(`[data-figure="${name}"]`);
  const adopt = form.querySelector("[data-adopt]");
  const refusal = form.querySelector("[data-refusal]");
  form.querySelector("[data-show]").hidden = true;

  const show = (thousandths) => {
    const value = thousandths / STEPS_TO_ONE;
    const counts = read(thousandths);
    for (const place of form.querySelectorAll("[data-says]")) {
      place.textContent = place.dataset.says === "value" ? value : counts[place.dataset.says];
    }
    slider.setAttribute("aria-valuetext", `${value}: ${counts.kept} kept, ${counts.back} sent back`);
    const [left, right, lowest, highest] = ["left", "right", "lowest", "highest"].map((key) => Number(figure.dataset[key]));
    const inside = Math.min(Math.max(value, lowest), highest);
    const x = left + ((right - left) * (inside - lowest)) / (highest - lowest);
    figure.querySelector("[data-line]").setAttribute("transform", `translate(${x} 0)`);
  };

  const answered = () => {
    for (const message of form.querySelectorAll("[data-said-before]")) message.hidden = true;
  };
  const follow = () => {
    const thousandths = typed(field.value, Number(field.dataset.least), Number(field.dataset.most));
    const refused = thousandths === null;
    const isCurrent = !refused && "current" in adopt.dataset && thousandths === Math.round(Number(adopt.dataset.current) * STEPS_TO_ONE);
    adopt.disabled = refused || isCurrent;
    const already = form.querySelector("[data-is-current]");
    if (already) already.hidden = !isCurrent;
    adopt.querySelector("[data-says]").hidden = refused;
    refusal.hidden = !refused;
    if (refused) answered();
    field.setAttribute("aria-invalid", refused);
    return thousandths;
  };
  const showTyped = () => {
    const thousandths = follow();
    if (thousandths === null) return;
    slider.value = thousandths / STEPS_TO_ONE;
    show(thousandths);
  };

  slider.addEventListener("input", () => {
    field.value = slider.value;
    show(follow());
  });
  field.addEventListener("input", () => {
    answered();
    showTyped();
  });
  showTyped();
}

document.querySelectorAll("[data-choice]").forEach(mount);
document.addEventListener("htmx:load", ({ detail: { elt } }) => {
  if (elt !== document.body) elt.querySelectorAll("[data-choice]").forEach(mount);
});
