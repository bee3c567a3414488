/* Fill the Split page from a draft. An old draft can number its sentences differently, since the
   merged text can change: a target follows its sentence.

   Loaded before the work page's own script, which fills the form at once. */

import { fillField } from "../drafts/form.js";
import { find } from "../ui/dom.js";

const form = find("#work-form", HTMLFormElement);

form.addEventListener("work:fill", (event) => {
  event.preventDefault();
  const { content } = event.detail;
  const targets = new Map();
  const turnThere = countTurns();
  for (let number = 0; `sentence-${number}` in content; number++) {
    targets.set(turnThere(content[`sentence-${number}`]), content[`target-${number}`] ?? "");
  }
  const turnHere = countTurns();
  for (let number = 0; form.elements[`sentence-${number}`]; number++) {
    const target = targets.get(turnHere(form.elements[`sentence-${number}`].value)) ?? "";
    for (const radio of form.elements[`target-${number}`]) radio.checked = radio.value === target;
  }
  /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */
  const fields = form.querySelectorAll('#spatial, #temporal, [name="merged"], [name^="keep-"]');
  for (const field of fields) {
    fillField(field, content[field.name] ?? "");
  }
});

/** Return a unique name for each sentence, also for repeated ones. */
function countTurns() {
  const counts = new Map();
  return (text) => {
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return `${counts.get(text)} ${text}`;
  };
}
