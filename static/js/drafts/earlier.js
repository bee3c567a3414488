/* List the earlier versions of the text that this device kept
   (templates/annotate/queue/work_dialogs.html): versions not chosen in a conflict, or left in
   another tab. Restoring one keeps the current text as another earlier version. */

import { copyOf } from "../ui/dom.js";
import { fillForm, labelOf, readForm } from "./form.js";
import { closeDialog } from "../ui/dialog.js";
import { momentOf } from "../ui/moments.js";

/** Return a function that redraws the list and its count. */
export function showEarlier({ form, store, isClosed }) {
  const dialog = document.getElementById("earlier");
  const button = document.getElementById("earlier-button");
  const list = dialog.querySelector("[data-versions]");
  const template = dialog.querySelector("template");

  const draw = () => {
    const versions = store.earlier();
    button.hidden = versions.length === 0;
    button.querySelector("[data-count]").textContent = String(versions.length);
    list.replaceChildren(...versions.map(entry));
  };

  const entry = ({ content, why, at }) => {
    const element = copyOf(template);
    element.querySelector("[data-why]").textContent = why;
    element.querySelector("[data-at]").textContent = momentOf(at);
    const text = element.querySelector("[data-text]");
    for (const [name, value] of Object.entries(content)) {
      const field = form.elements[name];
      if (!value.trim() || field?.type === "hidden" || field?.type === "checkbox") continue;
      const label = document.createElement("h4");
      label.textContent = labelOf(form, name);
      const reading = document.createElement("p");
      reading.className = "reading";
      reading.dir = "auto";
      reading.textContent = value;
      text.append(label, reading);
    }
    const back = element.querySelector("[data-put-back]");
    back.hidden = isClosed();
    back.addEventListener("click", () => {
      store.keepEarlier(readForm(form), "Before an earlier version was put back");
      fillForm(form, content);
      form.dispatchEvent(new Event("change", { bubbles: true }));
      draw();
      closeDialog(dialog);
    });
    return element;
  };

  draw();
  return draw;
}
