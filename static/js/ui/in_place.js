/* Keep what a swap by htmx would lose: the focus, what was typed into other forms, the scroll positions
   of the page and its tables, and open menus. Also tell screen readers about the swap, and show when
   the server doesn't answer or the person is signed out.

   data-announce="12 clips"  on the swapped element, or on the sent form with an id: the text to
                             announce after the swap
   data-announced            on an element in it whose text is announced
   data-stays-open           on a details with an id that stays open during a swap
   shows_in, saves_in        the template tags of links and forms that change a part of their page */

import { expireToasts, openDialog } from "./dialog.js";
import { find, findAll } from "./dom.js";
import { nameOf, typeAgain, typedIn } from "./typed.js";
import "./second_click.js";
import "./waiting.js";

const PATIENCE_MS = 15_000;
const SIGNED_OUT = 401;
const FOCUSABLE = "a[href], button:not([disabled]), input:not([type=hidden], [disabled]), select, textarea, summary";
const ANNOUNCING = "[data-announce], [data-announced]";
const line = document.getElementById("server-state");
const announcement = document.getElementById("announcement");
const isPoll = (event) => event.detail.elt.getAttribute("hx-trigger")?.startsWith("every ");
const isInPlace = (event) => event.detail.boosted;
const isGet = (event) => event.detail.requestConfig.verb === "get";
const scrolled = new Map();
let focusPlace = null; // where the focus was before a swap
let openIds = []; // ids of open details before a swap
let typed = []; // fields of forms that were not sent
let isEveryColumnShown = false; // on a phone
let hasMoved = false; // whether the person has scrolled or pressed anything since the page loaded
let inView = null; // the element to keep in view during a swap

function show(text) {
  if (line.textContent !== text) line.textContent = text;
}

/** Show the link that signs in. What was typed stays, and can be sent afterwards. */
function askToSignIn() {
  const text = find("#sign-in-again", HTMLTemplateElement).content;
  if (!line.querySelector("a")) line.replaceChildren(text.cloneNode(true));
}

/* When the server doesn't answer, or refuses */

document.addEventListener("htmx:configRequest", (event) => {
  if (isPoll(event) || (isInPlace(event) && event.detail.verb === "get")) event.detail.timeout = PATIENCE_MS;
});

for (const name of /** @type {const} */ (["htmx:sendError", "htmx:timeout", "htmx:responseError"])) {
  document.addEventListener(name, (event) => {
    const { xhr, pathInfo } = event.detail;
    if (xhr.status === SIGNED_OUT) {
      if (isInPlace(event) && isGet(event)) location.assign(pathInfo.finalRequestPath);
      else askToSignIn();
      return;
    }
    const isTrouble = name !== "htmx:responseError" || xhr.status >= 500;
    if (isPoll(event) && isTrouble) show("The server doesn’t answer; retrying.");
    if (!isInPlace(event)) return;
    if (!isTrouble) show("The server refused this. Reload the page and try again.");
    else if (isGet(event)) show("The server doesn’t answer. Try again.");
    else show("The server doesn’t answer, so this may not be saved. Try again.");
  });
}

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { status } = event.detail.xhr;
  if (status < 500 && status !== SIGNED_OUT && (isPoll(event) || isInPlace(event))) show("");
});

for (const move of ["wheel", "touchmove", "pointerdown", "keydown"]) {
  addEventListener(move, () => (hasMoved = true), { once: true, passive: true });
}

/** Return the element to keep in view while another part is swapped: the focus, or the address's
    target. */
function attended(swapped) {
  const focus = document.activeElement === document.body ? null : document.activeElement;
  const part = focus ?? (hasMoved ? null : document.querySelector(":target"));
  const top = part?.getBoundingClientRect().top;
  return top >= 0 && top < innerHeight && !swapped.contains(part) ? part : null;
}

/* A redirect to another page has nothing to swap. */
document.addEventListener("htmx:beforeSwap", (event) => {
  if (!event.detail.shouldSwap) return;
  const { xhr, pathInfo, boosted, target } = event.detail;
  const requestedPath = new URL(pathInfo.finalRequestPath, location.href).pathname;
  const isElsewhere = xhr.responseURL && new URL(xhr.responseURL).pathname !== requestedPath;
  const isOurs = boosted ? xhr.responseText.includes(`id="${target.id}"`) : !isElsewhere;
  if (!isOurs) {
    event.detail.shouldSwap = false;
    if (boosted && isGet(event)) location.assign(pathInfo.finalRequestPath);
    else show("The server sent another page. Copy what you typed, then reload this one.");
    return;
  }
  pathInfo.anchor = undefined; // the scroll position stays
  for (const table of document.querySelectorAll(".table-scroll[id]")) scrolled.set(table.id, table.scrollLeft);
  inView = attended(target);
  focusPlace = boosted ? placeOf(document.activeElement, target) : null;
  openIds = findAll("details[data-stays-open][open]", HTMLDetailsElement, target).map((menu) => menu.id);
  typed = boosted && !isGet(event) ? typedIn(target, event.detail.requestConfig.elt) : [];
  isEveryColumnShown = target.querySelector("[data-every-column]:checked") !== null;
});

/* Before the swap is drawn, so that nothing flickers. */
document.body.addEventListener("htmx:afterSwap", (event) => {
  const part = /** @type {HTMLElement} */ (event.target);
  for (const menu of findAll("details[data-stays-open]", HTMLDetailsElement, part)) menu.open ||= openIds.includes(menu.id);
  typeAgain(part, typed);
  for (const box of findAll("[data-every-column]", HTMLInputElement, part)) box.checked ||= isEveryColumnShown;
});

/* The address follows links and filters; after a form it is the address of the returned page. */
document.addEventListener("htmx:beforeHistoryUpdate", (event) => {
  if (isGet(event)) return;
  const { history, xhr, pathInfo } = event.detail;
  const isPage = xhr.responseURL && new URL(xhr.responseURL).pathname !== new URL(pathInfo.requestPath, location.href).pathname;
  history.type = "replace";
  history.path = isPage ? xhr.responseURL : location.href;
});

document.body.addEventListener("htmx:afterSettle", (event) => {
  for (const table of document.querySelectorAll(".table-scroll[id]")) table.scrollLeft = scrolled.get(table.id) ?? 0;
  inView?.scrollIntoView({ block: "nearest" });
  expireToasts();
  const { boosted, xhr, target, requestConfig } = event.detail;
  const part = /** @type {HTMLElement} */ (event.target);
  if (boosted && part.id === target.id) {
    /** @type {HTMLElement | null} */
    const taking = part.querySelector("[data-takes-focus]"); // something new, shown only now
    if (xhr.status === 422) focusError(part);
    else if (taking) taking.focus();
    else if (focusPlace && document.activeElement.matches("body, :disabled")) focusNear(part, requestConfig.verb !== "get");
    focusPlace = null;
  }
  const sent = requestConfig.elt.id ? part.querySelector(`form#${CSS.escape(requestConfig.elt.id)}[data-announce]`) : null;
  const source = /** @type {HTMLElement} */ (sent ?? (part.matches(ANNOUNCING) ? part : part.querySelector(ANNOUNCING)));
  const announce = source?.dataset.announce ?? source?.textContent.trim();
  if (announce === undefined || (!boosted && announcement.textContent === announce)) return;
  announcement.textContent = "";
  setTimeout(() => (announcement.textContent = announce)); // announced again even if the count is the same
});

const controls = (part) => /** @type {HTMLElement[]} */ ([...part.querySelectorAll(FOCUSABLE)]);
const isSeen = (element) => element.checkVisibility();
const headings = (part) => findAll(":is(h1, h2, h3):not(dialog *)", HTMLElement, part);
const wordsOf = (heading) => heading.textContent.replace(/\d+/g, "").trim(); // without a count

function placeOf(element, part) {
  if (!part.contains(element)) return null;
  const row = element.closest("li[id], tr[id]");
  const before = headings(document).filter((heading) => heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
  return {
    id: element.id,
    dialog: element.closest("dialog[id]")?.id,
    row: row?.id,
    href: element.getAttribute("href"),
    form: element.form ? nameOf(element.form) : null,
    inRow: row ? controls(row).indexOf(element) : 0,
    inPart: controls(part).indexOf(element),
    top: element.getBoundingClientRect().top,
    headings: before.filter(isSeen).reverse(),
  };
}

/** Focus the control with the same id, else the one that opened the dialog, else the control at the
    same place in the row. Else after an act the control of the same form or the list's heading, since
    the next control may do the same to another row; after a link the same link, or the control at
    the same place in the part, which stays where it was in view. */
function focusNear(part, isAct) {
  const { id, dialog, row, inRow } = focusPlace;
  const same = id ? controls(part).find((control) => control.id === id && isSeen(control)) : undefined;
  const opener = dialog ? part.querySelector(`[data-open="${CSS.escape(dialog)}"]`) : null;
  const sameRow = row ? part.querySelector(`#${CSS.escape(row)}`) : null;
  const inSameRow = sameRow ? controls(sameRow).filter(isSeen) : [];
  const control = same ?? opener ?? (inSameRow[inRow] || inSameRow.at(-1)) ?? (isAct ? afterAct(part) : afterLink(part));
  control.focus({ preventScroll: true });
  if (!isAct && part.contains(control)) scrollBy({ top: control.getBoundingClientRect().top - focusPlace.top, behavior: "instant" });
  if (control.matches("[tabindex]:focus-visible")) control.scrollIntoView({ block: "nearest" });
}

function afterAct(part) {
  const { form, headings: before } = focusPlace;
  const sameForm = findAll("form", HTMLFormElement, part).find((other) => nameOf(other) === form);
  const inSameForm = sameForm ? controls(sameForm).find(isSeen) : undefined;
  if (inSameForm) return inSameForm;
  const remaining = headings(part).filter(isSeen);
  for (const heading of before) {
    const same = heading.isConnected ? heading : remaining.find((other) => wordsOf(other) === wordsOf(heading));
    if (same) return focusable(same);
  }
  return document.getElementById("main");
}

function afterLink(part) {
  const { href, inPart } = focusPlace;
  const sameLinks = href ? controls(part).filter((control) => isSeen(control) && control.getAttribute("href") === href) : [];
  const next = controls(part).slice(inPart).find(isSeen) ?? controls(part).findLast(isSeen);
  return (sameLinks.length === 1 ? sameLinks[0] : next) ?? document.getElementById("main");
}

function focusable(element) {
  element.tabIndex = -1;
  return element;
}

function focusError(part) {
  const field = part.querySelector("[aria-invalid=true]") ?? part.querySelector("[role=alert], .error");
  if (!field) return;
  const fold = field.closest("details");
  if (fold) fold.open = true;
  const dialog = field.closest("dialog");
  if (dialog) {
    dialog.open = false; // the server opened it, but not as a modal one
    openDialog(dialog, part.querySelector(`[data-open="${CSS.escape(dialog.id)}"]`));
  }
  (field.matches(FOCUSABLE) ? field : focusable(field)).focus();
}
