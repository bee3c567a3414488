/* The dynamics check: the two verdicts by key, how much of the video was watched, and a question
   before a submit when that is little. With Alt the verdicts are 1 and 2: Alt+D is the browser's,
   Option+N a dead key on a Mac. */

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

/** Without a verdict there is nothing to submit, and that is said first. */
function unwatchedLinks() {
  const percent = Number(percentShown.textContent);
  const isChosen = choices.querySelector(":checked");
  if (!isChosen || percent >= Number(watched.dataset.enough)) return [];
  return [linkTo("#watched", `${percent} % of this video`)];
}

// after player/watched_share.js, which was loaded before, has written the new share
document.addEventListener("player:watched", drawQuestion);
