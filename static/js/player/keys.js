/* Keys of the player.

   With Alt every command works anywhere, also in the middle of a sentence: none of these
   combinations is taken by Chromium, types a letter once refused here, or is a dead key on a Mac
   (Option+I, E, U and N are). Without Alt they work where nobody types. A reader of WCAG 2.1.4 can
   confine those to the player by the checkbox in the list of keys. */

const COMMANDS = {
  KeyK: "play",
  KeyJ: "second-back",
  KeyL: "second-forward",
  Comma: "frame-back",
  Period: "frame-forward",
  BracketLeft: "slower",
  BracketRight: "faster",
  KeyA: "range-in",
  KeyB: "range-out",
  KeyX: "range-clear",
  KeyG: "goto",
  KeyM: "mute",
};
const PLAIN_COMMANDS = {
  ...COMMANDS,
  Space: "play",
  ArrowLeft: "second-back",
  ArrowRight: "second-forward",
};
export const TYPES = "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable]";
const OWN_KEYS = `${TYPES}, [role=slider], input[type=radio], dialog, [popover]`;
const PRESSED_BY_SPACE = "button, summary, input[type=checkbox], a";

/** The command this key event asks of the player, or null. */
export function commandFor(event, root, singleKeysAnywhere) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return null;
  if (event.altKey) {
    // AltGr types letters on many keyboards
    return event.getModifierState("AltGraph") ? null : (COMMANDS[event.code] ?? null);
  }
  const target = event.target;
  if (target.closest(OWN_KEYS)) return null;
  if (event.code === "Space" && target.closest(PRESSED_BY_SPACE)) return null;
  if (!singleKeysAnywhere && !root.contains(target)) return null;
  return PLAIN_COMMANDS[event.code] ?? null;
}

/** The choice of single keys anywhere, kept on this device. */
export function keepSingleKeys(checkbox) {
  checkbox.checked = read() !== "player";
  checkbox.addEventListener("change", () => {
    try {
      localStorage.setItem("single-keys", checkbox.checked ? "page" : "player");
    } catch {
      // the choice then lasts as long as the page
    }
  });
}

function read() {
  try {
    return localStorage.getItem("single-keys");
  } catch {
    return null;
  }
}
