/* Keep text typed into a form with data-keeps on this device until the server has it. Ctrl+Enter in
   the text sends this form, not the work beside it.

   data-keeps="question:<person>:<work>:<messages so far>" is the key: once a message is stored, the
   number changes and the field starts empty. */

import { isComposing } from "../keys/typing.js";

function mount(form) {
  if (form.dataset.kept) return;
  form.dataset.kept = "yes";
  const field = form.querySelector("textarea");
  field.addEventListener("keydown", (event) => sendByKey(event, form));
  const key = form.dataset.keeps;
  try {
    field.value ||= localStorage.getItem(key) ?? "";
    const place = key.slice(0, key.lastIndexOf(":") + 1);
    for (const other of Object.keys(localStorage)) {
      if (other.startsWith(place) && other !== key) localStorage.removeItem(other);
    }
  } catch {
    return; // the browser stores nothing
  }
  field.addEventListener("input", () => {
    try {
      localStorage.setItem(key, field.value);
    } catch {
      // storage is full; the text is still in the field
    }
  });
}

function sendByKey(event, form) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || isComposing(event)) return;
  event.preventDefault(); // so that the keys of the work leave it alone
  if (!event.repeat) form.requestSubmit();
}

/* Firefox ESR doesn't open a details element for an address inside it. */
document.querySelector("a[href='#question-text']")?.addEventListener("click", () => {
  document.querySelector("#question").setAttribute("open", "");
  document.querySelector("#question-text").focus();
});

const mountAll = () => document.querySelectorAll("form[data-keeps]").forEach(mount);
mountAll();
document.addEventListener("htmx:load", mountAll);
