/* Select rows of a list: all rows of the page, and ranges with Shift. A form with data-selection
   has the checkboxes, [data-selected] shows the number, [data-select-all] is in the table's head. */

/** @type {HTMLInputElement | null} */
let last = null;

document.addEventListener("click", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLInputElement) || box.type !== "checkbox") return;
  if (box.matches("[data-select-all]")) {
    for (const checkbox of boxes()) checkbox.checked = box.checked;
  } else if (boxes().includes(box)) {
    if (event.shiftKey && last?.isConnected) selectRange(last, box);
    last = box;
  }
  count();
});

document.addEventListener("htmx:load", count);
count();

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
  const number = all.filter((checkbox) => checkbox.checked).length;
  output.textContent = number ? `${number} selected` : "None selected";
  const head = document.querySelector("[data-select-all]");
  if (head instanceof HTMLInputElement) {
    head.checked = number > 0 && number === all.length;
    head.indeterminate = number > 0 && number < all.length;
  }
}

/** @returns {HTMLInputElement[]} */
function boxes() {
  const form = document.querySelector("form[data-selection]");
  if (!(form instanceof HTMLFormElement)) return [];
  const inputs = [...form.elements].filter((checkbox) => checkbox instanceof HTMLInputElement);
  return inputs.filter((checkbox) => checkbox.type === "checkbox" && checkbox.name !== "all");
}
