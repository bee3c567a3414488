/* One grammar of keys for all pages. A page lists its keys as data (annotate/keys/lists.py), and its
   scripts say what each of them does:

   onKeys("verify", { ok: () => ... }, { region: list })

   A key works where nobody types, one of the column "anywhere" while somebody writes too. The keys of
   the work come before those of the player, except in the player itself. What was bound last comes
   first; a function that gives false declines, and the next one is asked. */

import { chordOf } from "./chords.js";
import { current } from "./personal.js";
import { keepSingleKeys, TYPES, worksAnywhere } from "./typing.js";
import "./card.js";

/**
 * @typedef {(event: KeyboardEvent, place: number, isAtOnce: boolean) => unknown} Act
 * @typedef {{actions: Record<string, Act>, region: ((target: Element) => boolean), ownsArrows: boolean}} Handler
 */

const PRESSED_BY_ENTER = "button, summary, a";
const MOVED_BY_ARROWS = "input[type=radio], [role=slider]";
const MOVES = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"]);
const SHIFT = "Shift+";
/** @type {Map<string, Handler[]>} */
const handlers = new Map();
/** @type {Map<string, {group: string, action: string, place: number, isAnywhere: boolean}[]>} */
let bound = new Map();

/**
 * Says what the keys of a group do.
 *
 * @param {string} group
 * @param {Record<string, Act>} actions
 * @param {{region?: Element | ((target: Element) => boolean) | null, ownsArrows?: boolean}} [where]
 *   `region` is the part that the keys are about: all that is left of them when single keys are
 *   confined. In a region that owns the arrows they never change a choice.
 */
export function onKeys(group, actions, { region = null, ownsArrows = false } = {}) {
  const isIn = typeof region === "function" ? region : (target) => Boolean(region?.contains(target));
  handlers.set(group, [{ actions, region: isIn, ownsArrows }, ...(handlers.get(group) ?? [])]);
}

function bind() {
  bound = new Map();
  const add = (chord, entry) => bound.set(chord, [...(bound.get(chord) ?? []), entry]);
  for (const { name, keys } of current()) {
    for (const { action, keys: plain, anywhere } of keys) {
      plain.forEach((chord, place) => add(chord, { group: name, action, place, isAnywhere: false }));
      anywhere.forEach((chord, place) => add(chord, { group: name, action, place, isAnywhere: true }));
    }
  }
}

function press(event) {
  const chord = event.defaultPrevented ? "" : chordOf(event);
  if (!chord) return;
  const isAtOnce = chord.startsWith(SHIFT) && !bound.has(chord);
  const entries = bound.get(isAtOnce ? chord.slice(SHIFT.length) : chord) ?? [];
  const isInPlayer = Boolean(event.target.closest(".player"));
  // Sorting is stable: the list has the work's own keys first.
  const sorted = isInPlayer ? [...entries].sort((one, other) => Number(isMedia(other)) - Number(isMedia(one))) : entries;
  for (const { group, action, place, isAnywhere } of sorted) {
    if (isAtOnce && !takesAtOnce(group)) continue;
    for (const handler of handlers.get(group) ?? []) {
      const act = handler.actions[action];
      if (!act || !mayAct(event, isAnywhere, handler, isMedia({ group }))) continue;
      if (act(event, place, isAtOnce) === false) continue;
      event.preventDefault();
      return;
    }
  }
}

function isMedia({ group }) {
  return group === "player" || group === "loops";
}

/** Whether Shift with a choice of this group chooses and submits at once. */
function takesAtOnce(group) {
  return current().some(({ name, keys }) => name === group && keys.some(({ action }) => action === "at-once"));
}

function mayAct(event, isAnywhere, { region, ownsArrows }, isMediaKey) {
  const { target, code, key } = event;
  const isCtrl = event.ctrlKey || event.metaKey; // these work from the guideline beside the work too
  if (document.querySelector("dialog:modal") || (!isCtrl && target.closest("dialog, [popover]"))) return false;
  if (isAnywhere) return !(target.closest("select") && MOVES.has(code)); // Alt+↓ opens a select
  if (target.closest(TYPES)) return false;
  if ((key === "Enter" || key === " ") && target.closest(PRESSED_BY_ENTER)) return false;
  if (key === " " && target.closest("input, [role=slider]")) return false;
  if (MOVES.has(code) && target.closest(MOVED_BY_ARROWS) && !(ownsArrows && region(target))) return false;
  // Held down, a key seeks and moves; it never judges or submits twice.
  if (event.repeat && !isMediaKey && !MOVES.has(code)) return false;
  // In the notice of what a submit lacks somebody may believe to be in a field already.
  if (!isMediaKey && target.closest("#problems")) return false;
  return worksAnywhere() || region(target);
}

const checkbox = document.querySelector("[data-single-keys]");
if (checkbox) keepSingleKeys(checkbox);
bind();
document.addEventListener("keys:changed", bind);
document.addEventListener("keydown", press);
