/* The Split page: the sentences, the two texts with their counts and marks, the checks, and the
   questions about undecided sentences and open warnings before a submit. */

import { askOnce, linkTo } from "../ui/ask_once.js";
import { find } from "../ui/dom.js";
import { Checks } from "./checks.js";
import { Marks } from "./marks.js";
import { FIELDS, Sentences } from "./sentences.js";
import { findSentence } from "./placing.js";
import { Preview } from "./preview.js";
import { countWords } from "../ui/words.js";

const form = find("#work-form", HTMLFormElement);
const totals = document.getElementById("split-totals");
const warned = document.getElementById("warned");
const marks = Object.fromEntries(FIELDS.map((field) => [field, new Marks(form.elements[field])]));
const previews = FIELDS.map((field) => new Preview(form.elements[field]));
const sentences = new Sentences(form, { show: (field, start, end) => marks[field].show(start, end) });
const checks = new Checks(form, marks);
const drawQuestions = askOnce(form, [
  { notice: document.getElementById("undecided"), links: undecidedLinks },
  { notice: warned, links: warningLinks },
], { ready: () => checks.pending, isWrong: () => FIELDS.some((field) => !countWords(form.elements[field].value)) });

function count() {
  for (const field of FIELDS) {
    const words = countWords(form.elements[field].value);
    form.querySelector(`[data-count-of="${field}"]`).textContent = words === 1 ? "1 word" : `${words} words`;
    for (const number of document.querySelectorAll(`[data-words-of="${field}"]`)) number.textContent = String(words);
    marks[field].draw();
  }
  for (const preview of previews) preview.draw();
}

function countUndecided() {
  const left = sentences.undecided.length;
  const all = sentences.rows.length;
  document.getElementById("decided").textContent = left ? `${left} of ${all} to decide` : `all ${all} decided`;
  const link = totals.querySelector("[data-undecided]");
  link.hidden = left === 0;
  link.querySelector("[data-number]").textContent = String(left);
  drawQuestions();
}

function undecidedLinks() {
  return sentences.undecided.map(({ dataset: { number } }) => linkTo(`#said-${number}`, `sentence ${Number(number) + 1}`, { row: number }));
}

function warningLinks() {
  const open = [...document.querySelectorAll(".split-warning")].flatMap((warning) => [...warning.querySelectorAll("[data-subject]")].map((subject) => {
    const field = warning.parentElement.id.replace("-warnings", "");
    const text = subject.dataset.mark ? subject.dataset.subject : warning.querySelector("h3").textContent.trim();
    const { places } = subject.dataset;
    return linkTo(`#${field}-warnings`, `${text} (${field})`, places ? { jump: field, places } : {});
  }));
  warned.querySelector("[data-open]").textContent = open.length === 1 ? "1 warning is open" : `${open.length} warnings are open`;
  return open;
}

form.addEventListener("input", count);
sentences.addEventListener("targets", ({ detail }) => {
  countUndecided();
  document.getElementById("split-status").textContent = detail.said;
});
checks.addEventListener("checked", ({ detail: { field, count: warningCount } }) => {
  drawQuestions();
  totals.querySelector(`[data-warnings-of="${field}"]`).textContent = warningCount ? `, ${warningCount} warning${warningCount === 1 ? "" : "s"}` : "";
});

form.addEventListener("work:filled", () => {
  sentences.refresh();
  count();
  checks.soon();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-row]");
  const find = event.target.closest("[data-find]");
  const replace = event.target.closest("[data-replace]");
  if (link) {
    event.preventDefault();
    sentences.setCurrent(sentences.row(link.dataset.row), { focus: true });
  } else if (event.target.closest("[data-undecided]")) {
    event.preventDefault();
    sentences.setCurrent(sentences.undecided[0], { focus: true });
  } else if (find) {
    showPassage(find.dataset.find);
  } else if (replace) {
    if (sentences.replace(replace.dataset.replace, Number(replace.dataset.with))) replace.closest("li").remove();
  }
});

function showPassage(text) {
  for (const field of FIELDS) {
    const place = findSentence(form.elements[field].value, { number: 0, text });
    if (place) return marks[field].show(place.start, place.end);
  }
}
