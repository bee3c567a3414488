/* Skip the clip from the dialog (templates/annotate/queue/work_dialogs.html): send the draft first,
   then the reason. After a refusal the dialog stays open, keeps its fields and shows the problem. */

import { post, Unreachable } from "../ui/requests.js";

export function showSkip({ sync, heartbeat }) {
  /** @type {HTMLFormElement | null} */
  const form = document.querySelector("#skip form");
  if (!form) return;
  const { detail } = form.elements;
  const problem = form.querySelector("[data-error]");
  let isBusy = false;

  const show = (message) => {
    problem.textContent = message;
    problem.hidden = !message;
    if (!message) return detail.removeAttribute("aria-invalid");
    detail.setAttribute("aria-invalid", "true");
    detail.focus();
  };

  const send = async () => {
    await sync.flush();
    await heartbeat.pause();
    const { status, data } = await post(form.action, { reason: form.elements.reason.value, detail: detail.value });
    if (status !== 200) return show(data.message || "The server refused this. Reload the page and try again.");
    heartbeat.stop();
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
      show("There is no connection, so the clip is not skipped yet. Try again when it is back.");
    } finally {
      isBusy = false;
      heartbeat.goOn();
    }
  });
}
