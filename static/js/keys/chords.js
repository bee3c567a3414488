/* Chords of keys as text: the modifiers, then the code of the key, as in annotate/keys/lists.py. */

import { IS_MAC, isComposing } from "./typing.js";

const NUMPAD = /^Numpad(\d|Enter)$/;

/** Return the chord of a key event, such as "Alt+KeyK"; "" for a modifier alone, AltGr and input
    methods. On a Mac, where Option types letters, Control with Option is Alt too. */
export function chordOf(event) {
  if (isComposing(event) || event.getModifierState("AltGraph")) return "";
  if (/^(?:Control|Shift|Alt|Meta)/.test(event.key)) return "";
  const isCtrl = (event.ctrlKey && !(IS_MAC && event.altKey)) || event.metaKey;
  if (event.key === "?" && !isCtrl && !event.altKey) return "?";
  const modifiers = [isCtrl && "Ctrl", event.altKey && "Alt", event.shiftKey && "Shift"].filter(Boolean);
  return [...modifiers, codeOf(event, isCtrl)].join("+");
}

/** Ctrl chords use the letter that the key types, as browsers do; all others use the key's
    position. */
function codeOf(event, isCtrl) {
  if (isCtrl && /^[a-z]$/i.test(event.key)) return `Key${event.key.toUpperCase()}`;
  const numpad = NUMPAD.exec(event.code)?.[1];
  if (numpad) return numpad === "Enter" ? numpad : `Digit${numpad}`;
  return event.code || event.key;
}

/** Return the names of a chord's keys. `signs` maps key codes to signs, for keys that have one. */
export function namesOf(chord, signs) {
  const parts = chord.split("+");
  const code = parts.pop();
  return [...parts, signs[code] ?? code.replace(/^(?:Key|Digit)/, "")];
}
