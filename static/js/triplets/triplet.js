/* Verify a composed query by key: move from clip to clip, give each a verdict, answer the three
   questions, and edit the modification in place. V and X on an offered clip add and remove it. */

import { onKeys } from "../keys/grammar.js";
import { mountLoops } from "../player/loops.js";
import { find, findAll } from "../ui/dom.js";

const QUESTIONS = ["right", "enough", "needed"];
const form = find("#work-form", HTMLFormElement);
const group = document.getElementById("targets");
if (group) start();

function start() {
  const [loops] = mountLoops();
  const cells = [...group.querySelectorAll("[data-cell]")];
  const targets = cells.filter((cell) => cell.dataset.cell === "target");
  const isEditable = form.dataset.editable === "true";
  const corrected = find("#corrected", HTMLInputElement);
  const original = document.getElementById("modification").textContent;
  /** @type {{cell: HTMLElement | null, field: HTMLInputElement, was: HTMLInputElement | null}[]} */
  const undoSteps = [];
  let current = null;
  let wasDue = isDue();

  /** Select the cell. Return false without one. */
  function select(cell, { focus = true } = {}) {
    if (!cell) return false;
    if (current) {
      delete current.dataset.current;
      current.tabIndex = -1;
    }
    current = cell;
    cell.dataset.current = "";
    cell.tabIndex = 0;
    if (focus) {
      cell.focus({ preventScroll: true });
      cell.scrollIntoView({ block: "nearest" });
    }
    return true;
  }

  /** Move to the next cell sideways, or to the nearest one of the next row. */
  function move([across, down]) {
    if (across) return select(cells[cells.indexOf(current) + across]);
    const from = current.getBoundingClientRect();
    const distance = (cell) => {
      const to = cell.getBoundingClientRect();
      const rows = (to.top - from.top) * down;
      return rows > 1 ? rows * 10 + Math.abs(to.left - from.left) : Infinity;
    };
    const [nearest] = cells.filter((cell) => distance(cell) < Infinity).sort((a, b) => distance(a) - distance(b));
    return select(nearest);
  }

  /** Give a verdict and move to the next undecided target. */
  function judge(verdict) {
    const isTarget = current.dataset.cell === "target";
    const field = find(isTarget ? `[value="${verdict}"]` : "[type=checkbox]", HTMLInputElement, current);
    undoSteps.push({ cell: current, field, was: isTarget ? current.querySelector("[type=radio]:checked") : field.checked ? field : null });
    field.checked = isTarget || verdict === "valid";
    field.dispatchEvent(new Event("change", { bubbles: true }));
    select((isTarget && nextUndecided()) || current);
  }

  /** Answer yes at the first press, and toggle the answer at each further one. */
  function answer(name) {
    const [yes, no] = findAll(`input[name=${name}]`, HTMLInputElement);
    const field = yes.checked ? no : yes;
    undoSteps.push({ cell: null, field, was: yes.checked ? yes : no.checked ? no : null });
    field.checked = true;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** Restore what the last verdict or answer replaced. */
  function undo() {
    const last = undoSteps.pop();
    if (!last) return;
    if (last.was) last.was.checked = true;
    else last.field.checked = false;
    last.field.dispatchEvent(new Event("change", { bubbles: true }));
    if (last.cell) select(last.cell);
  }

  function edit() {
    if (!corrected.value) set(original);
    draw();
    corrected.focus();
    corrected.setSelectionRange(corrected.value.length, corrected.value.length);
  }

  function set(text) {
    corrected.value = text;
    corrected.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function isDue() {
    return QUESTIONS.some((name) => form.elements[name].value === "no");
  }

  /** After the first "no", fill in the text to edit; clear an unedited one with the last "no". */
  function prefill({ target }) {
    if (!isEditable || !QUESTIONS.includes(target.name)) return;
    if (isDue() && !wasDue && !corrected.value.trim()) set(original);
    else if (!isDue() && corrected.value.trim() === original.trim()) set("");
    wasDue = isDue();
  }

  function nextUndecided() {
    const place = targets.indexOf(current);
    const isOpen = (cell) => !cell.querySelector(":checked");
    return targets.slice(place + 1).find(isOpen) ?? targets.find(isOpen);
  }

  function draw() {
    document.querySelector("[data-decided]").textContent = String(targets.filter((cell) => cell.querySelector(":checked")).length);
    const answers = QUESTIONS.map((name) => form.elements[name].value);
    document.querySelector("[data-answered]").textContent = String(answers.filter(Boolean).length);
    document.getElementById("corrected-field").hidden = !isDue() && !corrected.value;
  }

  const ifEditable = (act) => () => (isEditable ? act() : false);
  onKeys("triplet", {
    left: () => move([-1, 0]),
    "right-clip": () => move([1, 0]),
    up: () => move([0, -1]), // beyond the last clip, the arrows scroll the page
    down: () => move([0, 1]),
    undecided: () => select(nextUndecided()),
    valid: ifEditable(() => judge("valid")),
    wrong: ifEditable(() => judge("wrong")),
    edit: ifEditable(edit),
    ...Object.fromEntries(QUESTIONS.map((name) => [name, ifEditable(() => answer(name))])),
  }, { region: group });
  onKeys("loops", { play: () => loops.toggle() }, { region: group });
  onKeys("work", {
    undo: ifEditable(undo),
    leave: ({ target }) => Boolean(target.closest("#corrected, #remark")) && select(current),
  }, { region: group });
  group.addEventListener("focusin", ({ target }) => {
    const cell = target.closest("[data-cell]");
    if (cell && cell !== current) select(cell, { focus: false });
  });
  // A click on the picture selects its clip.
  group.addEventListener("click", ({ target }) => {
    if (!target.closest("input, label, button")) select(target.closest("[data-cell]"));
  });
  document.getElementById("edit-modification")?.addEventListener("click", edit);
  // An unedited text isn't a correction.
  corrected.addEventListener("blur", () => {
    if (corrected.value.trim() === original.trim() && !isDue()) set("");
    draw();
  });
  document.addEventListener("change", prefill);
  document.addEventListener("change", draw);
  form.addEventListener("work:filled", () => {
    wasDue = isDue();
    draw();
  });
  select(nextUndecided() ?? cells[0], { focus: false });
  draw();
}
