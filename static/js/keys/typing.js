/* Whether a person is typing, what a key types, and whether single keys work on the whole page. For
   WCAG 2.1.4, a checkbox in the card of keys limits single keys to the player or to the part they
   belong to. */

export const TYPES = "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable]";
export const IS_MAC = /^(?:Mac|iP)/.test(navigator.platform);
const SPECIAL = /^(?:@|(?!\p{ASCII})[\p{Script=Latin}\p{Script=Common}])$/u;

/** Return whether the key belongs to an input method, such as the Enter that ends a composition:
    Safari sends it after the end, with the code 229. */
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}

/** Return whether the key types a character in a text field, also with AltGr, or with Option on a
    Mac. Elsewhere Alt types nothing, unless a layout gives a letter's place another sign with it. */
export function typesText(event) {
  const { key, code, altKey } = event;
  if (key !== "Dead" && [...key].length !== 1) return false;
  if (event.getModifierState("AltGraph")) return true;
  if (event.ctrlKey || event.metaKey) return altKey && !IS_MAC; // AltGr is Ctrl+Alt on Windows
  return !altKey || IS_MAC || (code.startsWith("Key") && SPECIAL.test(key));
}

/** Return whether single keys work on the whole page, outside text fields. */
export function worksAnywhere() {
  /** @type {HTMLInputElement | null} */
  const checkbox = document.querySelector("[data-single-keys]");
  return checkbox?.checked ?? true;
}

/** Keep the choice on this device. */
export function keepSingleKeys(checkbox) {
  checkbox.checked = read() !== "player";
  checkbox.addEventListener("change", () => {
    try {
      localStorage.setItem("single-keys", checkbox.checked ? "page" : "player");
    } catch {
      // without storage, the choice lasts until the page is closed
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
