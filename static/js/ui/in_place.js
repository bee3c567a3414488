/* What a swap by htmx would lose or leave unsaid: the focus, how far a table is scrolled sideways,
   a word for screen readers, and that the server doesn't answer.

   data-announce="12 clips"  on the swapped element: what screen readers are told when it comes in
   data-announced            on an element in it whose text they are told
   shows_in, saves_in        the template tags of links and forms that change a part of their page */

import { expireToasts } from "./dialog.js";

const PATIENCE_MS = 15_000;
const FOCUSABLE = "a[href], button:not([disabled]), input:not([type=hidden], [disabled]), select, textarea, summary";
const line = document.getElementById("server-state");
const announcement = document.getElementById("announcement");
const isPoll = (event) => event.detail.elt.getAttribute("hx-trigger")?.startsWith("every ");
const isInPlace = (event) => event.detail.boosted;
const isGet = (event) => event.detail.requestConfig.verb === "get";
const scrolled = new Map();
let left = null; // where the focus was before a swap

function show(text) {
  if (line.textContent !== text) line.textContent = text;
}

/* The server's silence. */

document.addEventListener("htmx:configRequest", (event) => {
  if (isPoll(event) || (isInPlace(event) && event.detail.verb === "get")) event.detail.timeout = PATIENCE_MS;
});

for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(name, (event) => {
    const isTrouble = name !== "htmx:responseError" || event.detail.xhr.status >= 500;
    if (isPoll(event) && isTrouble) show("The server doesn’t answer; retrying.");
    if (!isInPlace(event)) return;
    if (!isTrouble) show("The server refused this. Reload the page and try again.");
    else if (isGet(event)) show("The server doesn’t answer. Try again.");
    else show("The server doesn’t answer, so this may not be saved. Try again.");
  });
}

document.addEventListener("htmx:beforeOnLoad", (event) => {
  if (event.detail.xhr.status < 500 && (isPoll(event) || isInPlace(event))) show("");
});

/* A redirect to another page, such as to sign in, has nothing to swap. */
document.addEventListener("htmx:beforeSwap", (event) => {
  if (!event.detail.shouldSwap) return;
  const { xhr, pathInfo, boosted, target } = event.detail;
  const asked = new URL(pathInfo.finalRequestPath, location).pathname;
  const isElsewhere = xhr.responseURL && new URL(xhr.responseURL).pathname !== asked;
  const isOurs = boosted ? xhr.responseText.includes(`id="${target.id}"`) : !isElsewhere;
  if (!isOurs) {
    event.detail.shouldSwap = false;
    if (boosted && isGet(event)) location.assign(pathInfo.finalRequestPath);
    else show("The server sent another page. You may have to sign in: reload the page.");
    return;
  }
  pathInfo.anchor = undefined; // the place in the page stays
  for (const table of document.querySelectorAll(".table-scroll[id]")) scrolled.set(table.id, table.scrollLeft);
  left = boosted ? placeOf(document.activeElement, target) : null;
});

/* The address follows links and filters; after a form it is that of the page which came back. */
document.addEventListener("htmx:beforeHistoryUpdate", (event) => {
  if (isGet(event)) return;
  const { history, xhr, pathInfo } = event.detail;
  const isPage = xhr.responseURL && new URL(xhr.responseURL).pathname !== new URL(pathInfo.requestPath, location).pathname;
  history.type = "replace";
  history.path = isPage ? xhr.responseURL : location.href;
});

document.body.addEventListener("htmx:afterSettle", (event) => {
  for (const table of document.querySelectorAll(".table-scroll[id]")) table.scrollLeft = scrolled.get(table.id) ?? 0;
  expireToasts();
  const { boosted, xhr } = event.detail;
  if (boosted && event.target.isConnected) {
    if (xhr.status === 422) focusError(event.target);
    else if (left && document.activeElement === document.body) focusNear(event.target);
    left = null;
  }
  const said = "[data-announce], [data-announced]";
  const source = event.target.matches(said) ? event.target : event.target.querySelector(said);
  const announce = source?.dataset.announce ?? source?.textContent.trim();
  if (announce === undefined || (!boosted && announcement.textContent === announce)) return;
  announcement.textContent = "";
  setTimeout(() => (announcement.textContent = announce)); // said again where the count is the same
});

function placeOf(element, part) {
  if (!part.contains(element)) return null;
  const opener = element.closest("dialog[id]");
  return { dialog: opener?.id, place: [...part.querySelectorAll(FOCUSABLE)].indexOf(element) };
}

function focusNear(part) {
  const fields = [...part.querySelectorAll(FOCUSABLE)].filter((field) => field.checkVisibility());
  const opener = left.dialog && part.querySelector(`[data-open="${CSS.escape(left.dialog)}"]`);
  const next = [...part.querySelectorAll(FOCUSABLE)].slice(left.place).find((field) => field.checkVisibility());
  (opener || next || fields.at(-1) || document.getElementById("main")).focus({ preventScroll: true });
}

function focusError(part) {
  const field = part.querySelector("[aria-invalid=true]") ?? part.querySelector("[role=alert], .error");
  if (!field) return;
  if (!field.matches(FOCUSABLE)) field.tabIndex = -1;
  const fold = field.closest("details");
  if (fold) fold.open = true;
  field.focus();
}
