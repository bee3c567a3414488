/* Says when the server no longer answers a page that asks again by itself, until it does. */

const PATIENCE_MS = 15_000;
const line = document.getElementById("server-state");
const isPoll = (event) => event.detail.elt.getAttribute("hx-trigger")?.startsWith("every ");

function show(text) {
  if (line.textContent !== text) line.textContent = text;
}

document.addEventListener("htmx:configRequest", (event) => {
  if (isPoll(event)) event.detail.timeout = PATIENCE_MS;
});

for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(name, (event) => {
    const isTrouble = name !== "htmx:responseError" || event.detail.xhr.status >= 500;
    if (isTrouble && isPoll(event)) show("The server doesn’t answer; retrying.");
  });
}

document.addEventListener("htmx:beforeOnLoad", (event) => {
  if (event.detail.xhr.status < 500 && isPoll(event)) show("");
});
