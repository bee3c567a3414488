/* Sign off: a key chooses a verdict, and a verdict that sends a text back moves to the comment. */

import { choiceKeys } from "../keys/choices.js";
import { find } from "../ui/dom.js";

const choices = document.getElementById("verdict");
if (choices) start();

function start() {
  const form = find("#work-form", HTMLFormElement);
  const comment = find("#comment", HTMLTextAreaElement);
  choiceKeys(choices, {
    group: "signoff",
    isOpen: () => form.dataset.editable === "true",
    submit: () => form.requestSubmit(document.getElementById("submit-next")),
    chosen: ({ value }) => {
      if (value !== "agree" && !comment.value.trim()) comment.focus();
    },
  });
}
