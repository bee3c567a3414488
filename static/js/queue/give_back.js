/* Give work back from a dialog: skip it, or send a write-up back. The draft is sent first, then the
   fields of the dialog. After a refusal the dialog stays open, keeps them and shows the problem.

   A form[data-gives-back] has [data-error], and the field that is described by it. */

import { post, Unreachable } from "../ui/requests.js";
import { find, findAll } from "../ui/dom.js";

export function giveBackFromDialogs(connections) {
  for (const form of findAll("form[data-gives-back]", HTMLFormElement)) giveBackFrom(form, connections);
}

function giveBackFrom(form, { sync, heartbeat }) {
  const problem = find("[data-error]", HTMLElement, form);
  const field = find(`[aria-describedby="${problem.id}"]`, HTMLElement, form);
  let isBusy = false;

  const show = (message) => {
    problem.textContent = message;
    problem.hidden = !message;
    if (!message) return field.removeAttribute("aria-invalid");
    field.setAttribute("aria-invalid", "true");
    field.focus();
  };

  const send = async () => {
    await sync.flush();
    await heartbeat.pause();
    const { status, data } = await post(form.action, Object.fromEntries(new FormData(form)));
    if (status !== 200) return show(data.message || "The server refused this. Reload the page and try again.");
    heartbeat.stop();
    sync.keep();
    location.assign(data.next);
  };

  form.addEventListener("input", () => show(""));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    try {
      await send();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      show("There is no connection, so nothing is given back yet. Try again when it is back.");
    } finally {
      isBusy = false;
      heartbeat.goOn();
    }
  });
}
