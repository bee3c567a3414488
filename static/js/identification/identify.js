/* Pick a clip: a digit picks, Enter submits and opens the next text, U returns to the last pick. */

import { choiceKeys } from "../keys/choices.js";

const choices = /** @type {HTMLFieldSetElement | null} */ (document.getElementById("place"));
if (choices) {
  const { form } = choices;
  choiceKeys(choices, {
    group: "identify",
    isOpen: () => true,
    submit: () => form.requestSubmit(document.getElementById("submit-next")),
  });
}
