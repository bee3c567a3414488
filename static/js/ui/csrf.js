/* Send the newest CSRF token with every form and request: signing in again, even in another tab,
   makes the token of an open page invalid. */

export function csrfToken() {
  return document.cookie.match(/(?:^|; )csrftoken=(\w+)/)?.[1] ?? "";
}

document.addEventListener("submit", (event) => {
  const field = /** @type {HTMLFormElement} */ (event.target).elements.csrfmiddlewaretoken;
  if (field) field.value = csrfToken();
}, { capture: true });

document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-CSRFToken"] = csrfToken();
  delete event.detail.parameters.csrfmiddlewaretoken; // may be older, and the server would prefer it
});
