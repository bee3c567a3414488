/* Chords of keys as text: the code of a key after its modifiers, as in annotate/keys/lists.py. */

const NUMPAD = /^Numpad(\d|Enter)$/;

/** The chord of a key event, such as "Alt+KeyK"; empty for a modifier alone, AltGr and dead keys. */
export function chordOf(event) {
  if (event.isComposing || event.getModifierState("AltGraph")) return "";
  if (/^(?:Control|Shift|Alt|Meta)/.test(event.key)) return "";
  const isCtrl = event.ctrlKey || event.metaKey;
  if (event.key === "?" && !isCtrl && !event.altKey) return "?";
  const modifiers = [isCtrl && "Ctrl", event.altKey && "Alt", event.shiftKey && "Shift"].filter(Boolean);
  return [...modifiers, codeOf(event, isCtrl)].join("+");
}

/** Ctrl goes with the letter that the key types, as in the browser; all else with the key's place. */
function codeOf(event, isCtrl) {
  if (isCtrl && /^[a-z]$/i.test(event.key)) return `Key${event.key.toUpperCase()}`;
  const numpad = NUMPAD.exec(event.code)?.[1];
  if (numpad) return numpad === "Enter" ? numpad : `Digit${numpad}`;
  return event.code || event.key;
}

/** The names of a chord's keys; `signs` are those of the keys that have one. */
export function namesOf(chord, signs) {
  const parts = chord.split("+");
  const code = parts.pop();
  return [...parts, signs[code] ?? code.replace(/^(?:Key|Digit)/, "")];
}
