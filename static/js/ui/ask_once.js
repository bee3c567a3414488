/* Questions before a submit: hidden notices on the page that link to what is open. Each is asked
   once; the second submit goes through.

   questions: [{ notice, links }]. links() returns the links to what is open now, which go into
   [data-links] of the notice; an element with data-one and data-several gets the words for one or
   more links. ready() may return a promise to wait for before asking. Nothing is asked if isWrong()
   or too little of the clip was watched: the server refuses such work and names the errors, which
   come first. Returns a function that updates open notices. */

import { endGoodNews } from "./dialog.js";

/**
 * @param {HTMLFormElement} form
 * @param {{notice: HTMLElement, links: () => HTMLAnchorElement[]}[]} questions
 * @param {{ready?: () => Promise<unknown> | null, isWrong?: () => boolean}} [options]
 */
export function askOnce(form, questions, { ready = () => null, isWrong = () => false } = {}) {
  let waiting = false;

  const draw = () => {
    for (const { notice, links } of questions) if (!notice.hidden) list(notice, links());
  };

  const ask = () => {
    const open = questions.filter(({ notice, links }) => notice.hidden && list(notice, links()));
    if (open.length === 0) return false;
    const [{ notice }] = open;
    endGoodNews();
    notice.scrollIntoView({ block: "center" });
    notice.focus();
    return true;
  };

  // In the capture phase, before the work page handles it.
  document.addEventListener("submit", (event) => {
    if (event.target !== form) return;
    const wait = waiting ? null : ready();
    if (!waiting && !wait && (isUnwatched() || isWrong() || !ask())) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!wait) return;
    waiting = true;
    const { submitter } = event;
    wait.finally(() => {
      waiting = false;
      form.requestSubmit(submitter);
    });
  }, { capture: true });

  return draw;
}

function isUnwatched() {
  const watched = document.getElementById("watched");
  return Boolean(watched) && Number(watched.querySelector("progress").value) < Number(watched.dataset.required);
}

/** Show the notice with its links, or hide it without any. Return whether it is shown. */
function list(notice, links) {
  notice.querySelector("[data-links]").replaceChildren(...links.flatMap((link, place) => (place ? [", ", link] : [link])));
  for (const words of notice.querySelectorAll("[data-one]")) {
    words.textContent = links.length === 1 ? words.dataset.one : words.dataset.several;
  }
  notice.hidden = links.length === 0;
  return !notice.hidden;
}

/** Return a link with `text`; `data` becomes its data attributes. */
export function linkTo(hash, text, data) {
  const link = document.createElement("a");
  link.href = hash;
  link.textContent = text;
  Object.assign(link.dataset, data);
  return link;
}
