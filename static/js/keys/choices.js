/* Choices that a single key picks: the radio buttons of one question, each with data-choice, the
   name of its key or its number among them. Shift with the key chooses and submits at once, Enter
   submits the choice, U restores the previous choice, or opens the previous item where the page
   links to it. */

import { onKeys } from "./grammar.js";

/**
 * @param {HTMLElement} choices contains the radio buttons, in a form
 * @param {object} how
 * @param {string} how.group group of the keys
 * @param {() => boolean} how.isOpen whether a choice is possible
 * @param {() => void} how.submit
 * @param {(radio: HTMLInputElement, isAtOnce: boolean) => void} [how.chosen] after a choice by key
 */
export function choiceKeys(choices, { group, isOpen, submit, chosen = () => {} }) {
  /** @type {(HTMLInputElement | null)[]} */
  const previous = [];
  const status = document.getElementById(`${choices.id}-status`);
  const say = (text) => status && (status.textContent = text);
  const checked = () => /** @type {HTMLInputElement | null} */ (choices.querySelector("input[type=radio]:checked"));
  const radioOf = (choice) => /** @type {HTMLInputElement | null} */ (choices.querySelector(`[data-choice="${choice}"]:not(:disabled)`));

  const set = (radio) => {
    const last = checked();
    if (radio) radio.checked = true;
    else if (last) last.checked = false;
    (radio ?? last)?.dispatchEvent(new Event("change", { bubbles: true }));
  };
  /** The focus doesn't move: on a choice, the arrows would change it instead of seeking. */
  const pick = (choice) => (_event, place, isAtOnce) => {
    const radio = isOpen() && radioOf(choice ?? String(place));
    if (!radio) return false;
    if (checked() !== radio) previous.push(checked());
    set(radio);
    say(`${nameOf(radio)} is chosen.`);
    chosen(radio, isAtOnce);
    if (isAtOnce) submit();
    return true;
  };
  const undo = () => {
    if (!isOpen() || !previous.length) return goBack();
    const radio = previous.pop();
    set(radio);
    say(radio ? `${nameOf(radio)} is chosen again.` : "Nothing is chosen.");
    return true;
  };
  const goBack = () => {
    const link = document.querySelector("[data-undo]");
    if (link) link.click();
    else say("Nothing to undo.");
  };
  const submitByEnter = (event) => {
    if (!isOpen()) return false;
    if (!checked() && !event.ctrlKey && !event.metaKey) return say("Nothing chosen yet.");
    return submit();
  };

  const names = [...choices.querySelectorAll("[data-choice]")].map((radio) => radio.dataset.choice);
  const isIn = (target) => choices.contains(target) || Boolean(target.closest("[data-loops]"));
  const named = Object.fromEntries(names.map((name) => [name, pick(name)]));
  onKeys(group, { ...named, choose: pick() }, { region: isIn });
  onKeys("work", { undo, submit: submitByEnter }, { region: isIn });
}

/** Return the text of a choice without the name of its key. */
export function nameOf(radio) {
  const label = document.getElementById(radio.getAttribute("aria-labelledby") ?? "") ?? radio.closest("label");
  const copy = /** @type {Element} */ (label.cloneNode(true));
  for (const mark of copy.querySelectorAll("kbd")) mark.remove();
  return copy.textContent.trim();
}
