/* Questions before a submit: each is a hidden notice on the page that lists links to what is open.
   They are asked once and are no hindrance: the second submit goes through.

   questions: [{ notice, links }], where links() returns the links to what is open now and
   [data-links] in the notice takes them; an element with data-one and data-several gets
   the words that fit one link or more. ready() may return a promise to wait for before asking.
   Returns the function that brings open notices up to date. */

import { endGoodNews } from "./dialog.js";

export function askOnce(form, questions, { ready = () => null } = {}) {
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

  // Before the frame of the page hears of it.
  document.addEventListener("submit", (event) => {
    if (event.target !== form) return;
    const wait = waiting ? null : ready();
    if (!waiting && !wait && !ask()) return;
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

/** Shows the notice with its links, or hides it when there is nothing left. */
function list(notice, links) {
  notice.querySelector("[data-links]").replaceChildren(...links.flatMap((link, place) => (place ? [", ", link] : [link])));
  for (const words of notice.querySelectorAll("[data-one]")) {
    words.textContent = links.length === 1 ? words.dataset.one : words.dataset.several;
  }
  notice.hidden = links.length === 0;
  return !notice.hidden;
}

/** A link in the words of `text`; `data` becomes its data attributes. */
export function linkTo(hash, text, data) {
  const link = document.createElement("a");
  link.href = hash;
  link.textContent = text;
  Object.assign(link.dataset, data);
  return link;
}
