/* Dialogs, menus and toasts: what markup alone can't do.

   <button data-open="ID">       opens <dialog id="ID">: modal, or beside the work if it is .guideline
   <button data-close>           closes its dialog, and so does Esc; a link loads the dialog anew, too
   Ctrl+Enter                    does what the dialog offers, also from a text of several lines
   ?                             opens and closes the page's list of keys
   dispatch "toast" on <body>    {level: "ok|info|warn|danger", text}; HX-Trigger can send it */

import { isComposing } from "../keys/typing.js";
import { copyOf, find, findAll } from "./dom.js";

const GOOD_NEWS_LASTS_MS = 8000;

export function openDialog(dialog, opener = document.activeElement) {
  if (dialog.open) return;
  dialog.opener = opener;
  if (!dialog.classList.contains("guideline")) return dialog.showModal();
  dialog.show();
  // On a touch screen the focus would open the keyboard over the text.
  if (!matchMedia("(pointer: coarse)").matches) dialog.querySelector("input").focus();
}

export function closeDialog(dialog) {
  dialog.close();
  if (dialog.opener?.isConnected) dialog.opener.focus();
}

// The browser would return the focus to what had it at showModal, which a swap may have removed.
document.addEventListener("cancel", (event) => {
  const dialog = event.target;
  if (!(dialog instanceof HTMLDialogElement)) return; // a chooser of files
  event.preventDefault();
  const link = dialog.querySelector("a[data-close]");
  if (link) link.click();
  else closeDialog(dialog);
}, true);

export function toast(text, level = "info") {
  const list = document.getElementById("toasts");
  const item = copyOf(find("#toast-template", HTMLTemplateElement));
  item.classList.add(level);
  item.querySelector("p").textContent = text;
  list.append(item);
  expire(item);
  return item;
}

/** Remove the success message of the previous item before an error is shown. */
export function endGoodNews(which = "") {
  for (const item of document.querySelectorAll(`#toasts > li${which}:not(.warn, .warning, .danger, .error)`)) item.remove();
}

/** Remove the messages that came with the page, or with a part of it, after a while, and earlier
    ones about a success at once: there is little room for several. */
export function expireToasts() {
  if (document.querySelector("#toasts > li:not([data-expires])")) endGoodNews("[data-expires]");
  for (const item of document.querySelectorAll("#toasts > li:not([data-expires])")) expire(item);
}

function expire(item) {
  item.dataset.expires = "";
  if (item.matches(".warn, .warning, .danger, .error")) return; // errors stay until they are closed
  const remove = () => {
    if (item.matches(":hover, :focus-within")) setTimeout(remove, GOOD_NEWS_LASTS_MS);
    else item.remove();
  };
  setTimeout(remove, GOOD_NEWS_LASTS_MS);
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open]");
  if (opener) openDialog(document.getElementById(opener.dataset.open), opener);
  const closer = event.target.closest("[data-close]");
  if (closer) closeDialog(closer.closest("dialog"));
  event.target.closest("[data-dismiss]")?.closest("li").remove();
  for (const menu of findAll("details.menu[open]", HTMLDetailsElement)) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

let isPressing = false; // while a mouse button or finger is down

document.addEventListener("mousedown", () => { isPressing = true; }, true);
for (const end of ["mouseup", "keydown", "dragend"]) {
  document.addEventListener(end, () => { isPressing = false; }, true);
}

// A menu or popover closes when the keyboard focus leaves it, so that it never covers the focus. A
// press on the label of a box in it also moves the focus outside, but must not close it: the click
// would miss the box, and Chromium crashes if the pressed element disappears.
document.addEventListener("focusout", (event) => {
  if (isPressing) return;
  const target = event.target;
  const relatedTarget = /** @type {Node | null} */ (event.relatedTarget);
  if (!relatedTarget) return; // the window lost the focus, or a click that the listener above handles
  /** @type {HTMLDetailsElement | null} */
  const menu = target.closest("details.menu[open]");
  if (menu && !menu.contains(relatedTarget)) menu.open = false;
  const popover = target.closest("[popover]");
  if (popover?.matches(":popover-open") && !popover.contains(relatedTarget)) popover.hidePopover();
});

document.addEventListener("keydown", (event) => {
  /** @type {HTMLDialogElement | null} */
  const dialog = document.querySelector("dialog:modal");
  if (dialog && submits(event)) {
    event.preventDefault();
    pressMain(dialog, event.target);
  } else if (asksForKeys(event)) {
    document.querySelector("[popover][id$=-keys]")?.togglePopover();
  } else if (event.key === "Escape") {
    /** @type {HTMLDetailsElement | null} */
    const menu = event.target.closest?.("details.menu[open]");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  }
});

function submits(event) {
  if (event.key !== "Enter" || event.repeat || event.defaultPrevented || isComposing(event)) return false;
  return event.ctrlKey || event.metaKey;
}

/** Send the form with the focus, else the dialog's first form; without a form press the main button. */
function pressMain(dialog, target) {
  const form = target.closest("form") ?? dialog.querySelector("form");
  const button = (form ?? dialog).querySelector(form ? "button:not([type=button])" : "button.primary");
  if (button) button.click();
  else form?.requestSubmit();
}

/** Return whether the event is a question mark outside text fields, while single keys work
    everywhere. */
function asksForKeys(event) {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || isComposing(event)) return false;
  if (event.target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog")) return false;
  /** @type {HTMLInputElement | null} */
  const anywhere = document.querySelector("[data-single-keys]");
  return anywhere?.checked ?? false;
}

document.body.addEventListener("toast", (event) => toast(event.detail.text, event.detail.level));
expireToasts();
