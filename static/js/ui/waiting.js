/* A form that is sent while its part of the page loads, such as by a filter, is sent once that is
   there: htmx would ignore it, or drop it with its old part. A filter or link that is used while a
   form of its part is saved loads the part once that is saved: htmx would abort the form's request.
   While the page that a sent form opens loads, no form is sent again. */

import { findAll } from "./dom.js";
import { fieldsOf, nameOf, typeAgain } from "./typed.js";

const OPENING_MS = 5000; // after that, the page may be used again, in case the other one never came
const loading = new Map(); // the request of a filter or link for each part, by its id
const saving = new Map(); // the request of a form for each part
let isOpening = false; // whether the browser loads another page

document.addEventListener("htmx:beforeSend", ({ detail: { xhr, target, requestConfig } }) => {
  const running = requestConfig.verb === "get" ? loading : saving;
  running.set(target.id, xhr);
  xhr.addEventListener("loadend", () => running.get(target.id) === xhr && running.delete(target.id));
});

document.addEventListener("htmx:beforeOnLoad", ({ detail: { xhr } }) => {
  if (xhr.getResponseHeader("HX-Redirect") === null) return;
  isOpening = true;
  setTimeout(() => (isOpening = false), OPENING_MS);
});

addEventListener("pageshow", () => (isOpening = false)); // the browser may keep this page, to go back to

document.addEventListener("htmx:confirm", (event) => {
  const { elt, target, verb, triggeringEvent } = event.detail;
  if (isOpening && verb !== "get") {
    event.preventDefault();
    return;
  }
  if (verb === "get") {
    if (elt.closest("[hx-boost]") && saving.has(target.id)) showLater(event);
    return;
  }
  const xhr = loading.get(target.id);
  if (!xhr || !(elt instanceof HTMLFormElement)) return;
  event.preventDefault();
  const sendLater = () => queueMicrotask(() => send(elt, triggeringEvent.submitter, target.id));
  xhr.addEventListener("loadend", sendLater, { once: true }); // another filter may follow at once
});

/** Load the part after the form of it that is being saved. If that is refused, its errors stay. */
function showLater(event) {
  const { elt, target } = event.detail;
  const xhr = saving.get(target.id);
  event.preventDefault();
  const show = () => xhr.status > 0 && xhr.status < 400 && !isOpening && useAgain(elt);
  xhr.addEventListener("loadend", () => queueMicrotask(show), { once: true });
}

/** Use a filter or link again, or the same one in the new part. */
function useAgain(used) {
  if (used instanceof HTMLFormElement) {
    const form = used.isConnected ? used : sameForm(used);
    if (form && form !== used) typeAgain(document, fieldsOf(used));
    form?.requestSubmit();
  } else {
    const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll("a[href]")]);
    const link = used.isConnected ? used : links.find(({ href }) => href === used.href);
    if (link) link.click();
    else location.assign(used.href);
  }
}

/** Press the same button again, in the form that took the place of the sent one, if there is one. */
function send(sent, submitter, partId) {
  const button = [...sent.elements].indexOf(submitter);
  const form = sent.isConnected ? sent : sameForm(sent) ?? putBack(sent, partId);
  if (form !== sent) typeAgain(document, fieldsOf(sent));
  form.elements[button].click();
}

const sameForm = (sent) => findAll("form", HTMLFormElement).find((form) => nameOf(form) === nameOf(sent) && form.method === sent.method);

/** Put a form back whose row is no longer in the list, so that it can be sent. */
function putBack(form, partId) {
  form.hidden = true;
  document.getElementById(partId).append(form);
  window.htmx.process(form);
  return form;
}
