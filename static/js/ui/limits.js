/* Say when a text doesn't fit in its field: the browser would cut it at maxlength without a word. */

import { fieldOf } from "./dom.js";

/** Return whether the text fits at the caret; if not, say so below the field. */
export function fits(field, text, words) {
  const selected = field.selectionEnd - field.selectionStart;
  const room = field.maxLength - (field.value.length - selected);
  if (field.maxLength < 0 || text.length <= room) return true;
  const place = field.closest(".field") ?? field.parentElement;
  const note = place.querySelector("[data-too-long]") ?? document.createElement("p");
  note.className = "error";
  note.dataset.tooLong = "";
  note.setAttribute("role", "alert");
  note.textContent = words(text.length.toLocaleString("en"), Math.max(room, 0).toLocaleString("en"));
  place.append(note);
  return false;
}

const notPasted = (length, room) => `Not pasted: the text has ${length} characters, and ${room} more fit here.`;
const isFull = () => "No more characters fit here.";

document.addEventListener("beforeinput", (event) => {
  const field = fieldOf(event);
  if (!(field.maxLength > 0) || !event.inputType.startsWith("insert") || event.isComposing) return;
  const text = (event.data ?? event.dataTransfer?.getData("text/plain") ?? "").replaceAll("\r\n", "\n");
  const isPasted = event.inputType !== "insertText";
  if (!fits(field, text, isPasted ? notPasted : isFull)) event.preventDefault();
});
document.addEventListener("input", (event) => {
  const field = fieldOf(event);
  (field.closest(".field") ?? field.parentElement)?.querySelector("[data-too-long]")?.remove();
});
