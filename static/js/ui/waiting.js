/* A form that is sent while its part of the page loads, such as by a filter, is sent once that is
   there: htmx would ignore it, or drop it with its old part. */

import { findAll } from "./dom.js";
import { fieldsOf, nameOf, typeAgain } from "./typed.js";

const loading = new Map(); // the request for each part, by its id

document.addEventListener("htmx:beforeSend", ({ detail: { xhr, target, requestConfig } }) => {
  if (requestConfig.verb !== "get") return;
  loading.set(target.id, xhr);
  xhr.addEventListener("loadend", () => loading.get(target.id) === xhr && loading.delete(target.id));
});

document.addEventListener("htmx:confirm", (event) => {
  const { elt, target, verb, triggeringEvent } = event.detail;
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
