/* A form that is sent while its part of the page loads, such as by a filter, is sent once that is
   there: htmx would ignore it, or drop it with its old part. While the page that a sent form opens
   loads, no form is sent again. */

import { findAll } from "./dom.js";
import { fieldsOf, nameOf, typeAgain } from "./typed.js";

const OPENING_MS = 5000; // after that, the page may be used again, in case the other one never came
const loading = new Map(); // the request for each part, by its id
let isOpening = false; // whether the browser loads another page

document.addEventListener("htmx:beforeSend", ({ detail: { xhr, target, requestConfig } }) => {
  if (requestConfig.verb !== "get") return;
  loading.set(target.id, xhr);
  xhr.addEventListener("loadend", () => loading.get(target.id) === xhr && loading.delete(target.id));
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
  const xhr = loading.get(target.id);
  if (!xhr || verb === "get" || !(elt instanceof HTMLFormElement)) return;
  event.preventDefault();
  const sendLater = () => queueMicrotask(() => send(elt, triggeringEvent.submitter, target.id));
  xhr.addEventListener("loadend", sendLater, { once: true }); // another filter may follow at once
});

/** Press the same button again, in the form that took the place of the sent one, if there is one. */
function send(sent, submitter, partId) {
  const button = [...sent.elements].indexOf(submitter);
  const form = sent.isConnected ? sent : sameForm(sent) ?? putBack(sent, partId);
  if (form !== sent) typeAgain(document, fieldsOf(sent));
  form.elements[button].click();
}

const sameForm = (sent) => findAll("form", HTMLFormElement).find((form) => nameOf(form) === nameOf(sent));

/** Put a form back whose row is no longer in the list, so that it can be sent. */
function putBack(form, partId) {
  form.hidden = true;
  document.getElementById(partId).append(form);
  window.htmx.process(form);
  return form;
}
