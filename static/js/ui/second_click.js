/* Ignore the second click of a double click that sent a form or opened this page: it would press
   what has come to this place meanwhile, and so leave or cover the answer to the first. */

let hasActed = true; // whether the first click sent a form or, at first, opened this page

document.addEventListener("click", (event) => {
  if (event.detail === 1) hasActed = false;
  if (event.detail < 2 || !hasActed) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });

document.addEventListener("submit", ({ target }) => {
  if (/** @type {HTMLFormElement} */ (target).method === "post") hasActed = true;
}, { capture: true });
