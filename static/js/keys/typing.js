/* Where keys type, and whether single keys work on the whole page. A reader of WCAG 2.1.4 can confine
   them to the player, or to the part that they are about, by the checkbox in the card of keys. */

export const TYPES = "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable]";

/** Single keys work anywhere on the page, where nobody types. */
export function worksAnywhere() {
  /** @type {HTMLInputElement | null} */
  const checkbox = document.querySelector("[data-single-keys]");
  return checkbox?.checked ?? true;
}

/** Keeps the choice on this device. */
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
