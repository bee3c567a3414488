/* The dynamics check: choose a verdict by key, record how much of the video was watched, and ask
   before a submit if that was little. With Alt the keys are 1 and 2, since browsers use Alt+D, and
   Option+N is a dead key on a Mac. */

import { choiceKeys } from "../keys/choices.js";
import { askOnce, linkTo } from "../ui/ask_once.js";
import "../player/watched_share.js";
import { find } from "../ui/dom.js";

const form = find("#work-form", HTMLFormElement);
const choices = document.getElementById("verdict");

choiceKeys(choices, {
  group: "dynamics",
  isOpen: () => form.dataset.editable === "true",
  submit: () => form.requestSubmit(document.getElementById("submit-next")),
});

const watched = document.getElementById("watched");
const percentShown = watched.querySelector("[data-percent]");
const drawQuestion = askOnce(form, [{ notice: document.getElementById("unwatched"), links: unwatchedLinks }]);
form.addEventListener("change", drawQuestion);

/** Without a verdict, another message says so first. */
function unwatchedLinks() {
  const percent = Number(percentShown.textContent);
  const isChosen = choices.querySelector(":checked");
  if (!isChosen || percent >= Number(watched.dataset.enough)) return [];
  return [linkTo("#watched", `${percent} % of this video`)];
}

// player/watched_share.js is loaded first and has updated the share
document.addEventListener("player:watched", drawQuestion);
