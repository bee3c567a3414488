/* The search that Ctrl+K (Command+K) or its link in the header opens: a combobox. The arrows
   choose, Enter opens, Escape closes. The server lists the results (review/navigation); Enter
   before they arrive opens the page Find. */

import { isComposing } from "../keys/typing.js";
import { find, findAll } from "./dom.js";
import { openDialog } from "./dialog.js";

if (document.querySelector("#switcher")) mount();

function mount() {
  const dialog = find("#switcher", HTMLDialogElement);
  const field = find("input", HTMLInputElement, dialog);
  const status = find("[role=status]", HTMLElement, dialog);
  let listedText = null; // the text that the options belong to
  let requestedText = null;

  const options = () => findAll("[role=option]", HTMLAnchorElement, dialog);
  const active = () => options().find((option) => option.getAttribute("aria-selected") === "true");

  function choose(option) {
    for (const other of options()) other.setAttribute("aria-selected", `${other === option}`);
    if (!option) return field.removeAttribute("aria-activedescendant");
    field.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  function open() {
    if (dialog.open || document.querySelector("dialog:modal")) return;
    openDialog(dialog);
    field.select();
    field.dispatchEvent(new CustomEvent("find"));
  }

  document.addEventListener("keydown", (event) => {
    if (event.code !== "KeyK" || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  for (const link of findAll("[data-switcher]", HTMLAnchorElement)) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open();
    });
  }
  // A click on the backdrop closes the dialog.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });

  field.addEventListener("htmx:beforeRequest", () => {
    requestedText = field.value;
  });
  dialog.addEventListener("htmx:afterSwap", () => {
    listedText = requestedText;
    const rows = options();
    field.setAttribute("aria-expanded", `${rows.length > 0}`);
    choose(rows[0]);
    status.textContent = rows.length === 1 ? "1 result" : `${rows.length} results`;
  });

  field.addEventListener("keydown", (event) => {
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const rows = options();
      choose(rows.at((rows.indexOf(active()) + step) % rows.length));
    } else if (event.key === "Enter" && listedText === field.value && active()) {
      event.preventDefault();
      active().click();
    }
  });
  // A link to a part of this page loads nothing, so close the dialog.
  dialog.addEventListener("click", (event) => {
    if (event.target.closest("[role=option]") && !event.ctrlKey && !event.metaKey) dialog.close();
  });
}
