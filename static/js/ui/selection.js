/* Select rows of a list: all rows of the page, and ranges with Shift. A row stays selected when the
   list is sorted, filtered or paged in place, and is selected again once it is listed again. A form with
   data-selection has the checkboxes, [data-selected] shows the number, [data-select-all] is in the
   table's head. */

/** @type {HTMLInputElement | null} */
let last = null;
/** The values of the checked boxes, on this page of the list and on others. @type {Set<string>} */
const values = new Set();

document.addEventListener("click", (event) => {
  const box = event.target;
  if (!(box instanceof HTMLInputElement) || box.type !== "checkbox") return;
  if (box.matches("[data-select-all]")) {
    if (!box.checked) values.clear();
    for (const checkbox of boxes()) checkbox.checked = box.checked;
  } else if (boxes().includes(box)) {
    if (event.shiftKey && last?.isConnected) selectRange(last, box);
    last = box;
  }
  remember();
  count();
});

document.addEventListener("htmx:beforeSwap", remember);
document.addEventListener("htmx:load", selectAgain);
count();

function remember() {
  for (const { checked, value } of boxes()) {
    if (checked) values.add(value);
    else values.delete(value);
  }
}

function selectAgain() {
  for (const checkbox of boxes()) checkbox.checked ||= values.has(checkbox.value);
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
  const listed = new Set(all.map((checkbox) => checkbox.value));
  const others = [...values].filter((value) => !listed.has(value)).length;
  const note = ` (${others} not on this page ${others === 1 ? "is" : "are"} left out)`;
  output.textContent = `${number || "None"} selected${others ? note : ""}`;
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
