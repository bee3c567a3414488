/* Notices above the form of a work page: problems after a submit, and the state of the lease. */

import { endGoodNews, toast } from "../ui/dialog.js";
import { fieldOf } from "../ui/dom.js";
import { now } from "../ui/moments.js";

export function showProblems(submission, form) {
  const summary = document.getElementById("problems");
  const title = document.title;
  // Fields can be outside the form and name it.
  const page = form.closest(".work");
  let current = []; // the problems that are listed

  submission.addEventListener("problems", ({ detail }) => {
    draw(detail.problems);
    endGoodNews();
    summary.focus();
    const fields = new Set(detail.problems.map(({ field }) => field));
    if (fields.size === 1) document.getElementById([...fields][0])?.focus();
    document.title = `Not complete: ${title}`;
  });
  // The text is checked again while it is mended; new problems wait for the next submit.
  form.addEventListener("work:checked", ({ detail: { problems, fields } }) => {
    const now = (listed) => (fields.includes(listed.field) ? problems.find(({ field }) => field === listed.field) : listed);
    const left = current.map(now).filter(Boolean);
    if (JSON.stringify(left) === JSON.stringify(current)) return;
    if (left.length) draw(left);
    else clear();
  });
  submission.addEventListener("refused", ({ detail }) => {
    clear();
    const item = document.createElement("li");
    item.textContent = detail.message;
    summary.querySelector("ul").replaceChildren(item);
    endGoodNews();
    summary.hidden = false;
    summary.focus();
  });
  submission.addEventListener("signed-out", () => document.getElementById("signed-out").focus());
  summary.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    const target = link && document.getElementById(link.hash.slice(1));
    if (!target) return;
    event.preventDefault();
    target.scrollIntoView({ block: "center" });
    target.focus();
  });
  // A missing choice is now made; the next submit checks typed text again.
  document.addEventListener("change", (event) => {
    const target = fieldOf(event);
    const choice = target.form === form && target.closest("fieldset[aria-invalid]");
    if (choice) settle(choice);
  });

  function draw(problems) {
    clear();
    current = problems;
    summary.querySelector("ul").replaceChildren(...problems.map(({ field, message }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = `#${field || form.id}`;
      link.textContent = message;
      item.append(link);
      return item;
    }));
    for (const { field, message } of problems) show(field, message);
    summary.hidden = false;
    form.dispatchEvent(new CustomEvent("work:problems"));
  }

  function settle(choice) {
    choice.removeAttribute("aria-invalid");
    const place = document.getElementById(`${choice.id}-error`);
    if (place) forget(place);
    summary.querySelector(`a[href="#${choice.id}"]`)?.closest("li").remove();
    if (!summary.querySelector("li")) clear();
  }

  function forget(place) {
    place.hidden = true;
    place.textContent = "";
  }

  function show(field, message) {
    document.getElementById(field)?.setAttribute("aria-invalid", "true");
    const place = document.getElementById(`${field}-error`);
    if (!place) return;
    place.textContent = place.textContent ? `${place.textContent} ${message}` : message;
    place.hidden = false;
  }

  function clear() {
    current = [];
    summary.hidden = true;
    document.title = title;
    for (const field of page.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    page.querySelectorAll("[data-error]").forEach(forget);
  }
}

/** Show the end of the lease: in the bar before it ends, above the form after. */
export function showHold({ form, sync, heartbeat }) {
  const ended = document.getElementById("hold-ended");
  const closed = document.getElementById("work-closed");
  const bar = document.getElementById("lease");
  const status = document.getElementById("submit-status");
  const buttons = [...document.querySelectorAll("[data-submits]")];

  const end = ({ message, code }) => {
    heartbeat.stop();
    if (sync.state === "closed") return;
    if (message) ended.querySelector("[data-message]").textContent = message;
    if (!ended.hidden) return ended.focus();
    ended.hidden = false;
    for (const button of buttons) button.hidden = true;
    const isWithdrawn = code === "withdrawn";
    ended.querySelector("[data-advice]").hidden = isWithdrawn;
    document.getElementById("take-again-button").hidden = isWithdrawn;
    bar.textContent = "Hold ended";
    document.title = `Hold ended: ${document.title}`;
    ended.focus();
  };

  if (form.dataset.editable === "true") {
    sync.addEventListener("lease-lost", ({ detail }) => end(detail));
    heartbeat.addEventListener("lost", ({ detail }) => end(detail));
    const draw = () => {
      const left = Math.round((heartbeat.expiresAt - now()) / 60_000);
      if (ended.hidden) bar.textContent = left > 0 ? `Yours for ${left} min more` : "Your hold is ending";
    };
    setInterval(draw, 10_000);
    draw();
  }
  heartbeat.addEventListener("reached", ({ detail }) => sync.reached(detail.isReachable));
  sync.addEventListener("closed", ({ detail }) => {
    heartbeat.stop();
    closed.querySelector("[data-message]").textContent = detail.message;
    closed.hidden = false;
    for (const button of buttons) button.hidden = true;
    bar.textContent = "";
    document.title = `Submitted: ${document.title}`;
    closed.focus();
  });

  return {
    watch(submission) {
      submission.addEventListener("lost", ({ detail }) => end(detail));
      submission.addEventListener("busy", ({ detail }) => {
        status.textContent = detail.text;
        for (const button of buttons) button.setAttribute("aria-disabled", String(Boolean(detail.text)));
      });
      submission.addEventListener("stopped", () => toast("Not submitted, because you kept typing. Submit again when you are done."));
    },
  };
}
