/* Whether a person is typing, and whether single keys work on the whole page. For WCAG 2.1.4, a
   checkbox in the card of keys limits single keys to the player or to the part they belong to. */

export const TYPES = "input:not([type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable]";

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
