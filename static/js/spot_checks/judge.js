/* Judge an item of a spot check: one key for each judgment, which opens the next item. U returns to
   the previous item, where the same keys replace its judgment. */

import { onKeys } from "../keys/grammar.js";
import { TYPES } from "../keys/typing.js";
import { find } from "../ui/dom.js";

const form = find("#spot-form", HTMLFormElement);
const buttonOf = (verdict) => find(`[name=verdict][value=${verdict}]`, HTMLButtonElement);
const region = (target) => Boolean(target.closest(".work-main, .work-bar"));

onKeys("spot-check", {
  right: () => form.requestSubmit(buttonOf("right")),
  wrong: () => form.requestSubmit(buttonOf("wrong")),
}, { region });
onKeys("work", {
  undo: () => document.querySelector("[data-undo]")?.click(),
  leave: ({ target }) => target.matches(TYPES) && form.contains(target) && target.blur(),
}, { region });
