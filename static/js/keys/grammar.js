/* Dispatch keys to actions, on all pages. A page lists its keys as data (annotate/keys/lists.py), and
   its scripts bind actions to them:

   onKeys("verify", { ok: () => ... }, { region: list })

   A key works outside text fields; one of the column "anywhere" also works in them, unless it types
   a character there. In a field of one line, Enter is Escape: it ends the text; so does Shift+Enter in
   an input, where the browser would submit. Keys of the work take precedence over keys of the player,
   except in the player itself. The action bound last is called first; if it returns false, the next
   one is called. */

import { chordOf } from "./chords.js";
import { current } from "./personal.js";
import { keepSingleKeys, TYPES, typesText, worksAnywhere } from "./typing.js";
import "./card.js";

/**
 * @typedef {(event: KeyboardEvent, place: number, isAtOnce: boolean) => unknown} Act
 * @typedef {{actions: Record<string, Act>, region: ((target: Element) => boolean), ownsArrows: boolean}} Handler
 */

const ONE_LINE = "[enterkeyhint=done], input:not([type=checkbox], [type=radio], [type=button], [type=submit])";
const PRESSED_BY_ENTER = "button, summary, a";
const MOVED_BY_ARROWS = "input[type=radio], [role=slider]";
const MOVES = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"]);
const SHIFT = "Shift+";
/** @type {Map<string, Handler[]>} */
const handlers = new Map();
/** @type {Map<string, {group: string, action: string, place: number, isAnywhere: boolean}[]>} */
let bound = new Map();

/**
 * Bind actions to the keys of a group.
 *
 * @param {string} group
 * @param {Record<string, Act>} actions
 * @param {{region?: Element | ((target: Element) => boolean) | null, ownsArrows?: boolean}} [where]
 *   `region` is the part of the page that the keys belong to; when single keys are limited, they work
 *   only there. In a region that owns the arrows, the arrows never change a choice.
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
  const typed = event.defaultPrevented ? "" : chordOf(event);
  // In a textarea of one sentence, Shift+Enter types a line break; an input has none.
  const endsText = typed === "Enter" || (typed === "Shift+Enter" && event.target.matches("input"));
  const chord = endsText && event.target.matches(ONE_LINE) ? "Escape" : typed;
  if (!chord || (event.target.closest(TYPES) && typesText(event))) return;
  const isAtOnce = chord.startsWith(SHIFT) && !bound.has(chord);
  const entries = bound.get(isAtOnce ? chord.slice(SHIFT.length) : chord) ?? [];
  const isInPlayer = Boolean(event.target.closest(".player"));
  // Sorting is stable: keys of the work come first in the list.
  const sorted = isInPlayer ? [...entries].sort((a, b) => Number(isMedia(b)) - Number(isMedia(a))) : entries;
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

/** Return whether Shift with a choice of this group chooses and submits at once. */
function takesAtOnce(group) {
  return current().some(({ name, keys }) => name === group && keys.some(({ action }) => action === "at-once"));
}

function mayAct(event, isAnywhere, { region, ownsArrows }, isMediaKey) {
  const { target, code, key } = event;
  const isCtrl = event.ctrlKey || event.metaKey; // these also work from the guideline beside the work
  if (document.querySelector("dialog:modal") || (!isCtrl && target.closest("dialog, [popover]"))) return false;
  if (isAnywhere) return !(target.closest("select") && MOVES.has(code)); // Alt+↓ opens a select
  if (target.closest(TYPES)) return false;
  if ((key === "Enter" || key === " ") && target.closest(PRESSED_BY_ENTER)) return false;
  if (key === " " && target.closest("input, [role=slider]")) return false;
  if (MOVES.has(code) && target.closest(MOVED_BY_ARROWS) && !(ownsArrows && region(target))) return false;
  // A key that is held down seeks and moves, but never judges or submits twice.
  if (event.repeat && !isMediaKey && !MOVES.has(code)) return false;
  // In the notice about missing fields, a person may think that a field has the focus.
  if (!isMediaKey && target.closest("#problems")) return false;
  return worksAnywhere() || region(target);
}

const checkbox = document.querySelector("[data-single-keys]");
if (checkbox) keepSingleKeys(checkbox);
bind();
document.addEventListener("keys:changed", bind);
document.addEventListener("keydown", press);
