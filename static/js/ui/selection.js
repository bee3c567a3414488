/* Select rows of a list: all rows of the page, and ranges with Shift. A row stays selected when the
   list is sorted or filtered in place, if it is still listed. A form with data-selection has the
   checkboxes, [data-selected] shows the number, [data-select-all] is in the table's head. */

/** @type {HTMLInputElement | null} */
let last = null;
/** The values of the boxes that were checked before a swap. @type {string[]} */
let kept = [];
let lost = 0; // how many of them the swap took away

document.addEventListener("click", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLInputElement) || box.type !== "checkbox") return;
  if (box.matches("[data-select-all]")) {
    for (const checkbox of boxes()) checkbox.checked = box.checked;
  } else if (boxes().includes(box)) {
    if (event.shiftKey && last?.isConnected) selectRange(last, box);
    last = box;
  }
  lost = 0;
  count();
});

document.addEventListener("htmx:beforeSwap", () => (kept = selected().map((checkbox) => checkbox.value)));
document.addEventListener("htmx:load", selectAgain);
count();

function selectAgain() {
  for (const checkbox of boxes()) checkbox.checked ||= kept.includes(checkbox.value);
  lost += kept.length - selected().length;
  kept = [];
  count();
}

/** @param {HTMLInputElement} first @param {HTMLInputElement} end */
function selectRange(first, end) {
  const all = boxes();
  const places = [all.indexOf(first), all.indexOf(end)].sort((a, b) => a - b);
  for (const checkbox of all.slice(places[0], places[1] + 1)) checkbox.checked = end.checked;
}

function count() {
  const form = document.querySelector("form[data-selection]");
  const output = form?.querySelector("[data-selected]");
  if (!output) return;
  const all = boxes();
  const number = selected().length;
  output.textContent = `${number || "None"} selected${lost ? `, ${lost} no longer listed` : ""}`;
  const head = document.querySelector("[data-select-all]");
  if (head instanceof HTMLInputElement) {
    head.checked = number > 0 && number === all.length;
    head.indeterminate = number > 0 && number < all.length;
  }
}

function selected() {
  return boxes().filter((checkbox) => checkbox.checked);
}

/** @returns {HTMLInputElement[]} */
function boxes() {
  const form = document.querySelector("form[data-selection]");
  if (!(form instanceof HTMLFormElement)) return [];
  const inputs = [...form.elements].filter((checkbox) => checkbox instanceof HTMLInputElement);
  return inputs.filter((checkbox) => checkbox.type === "checkbox" && checkbox.name !== "all");
}
