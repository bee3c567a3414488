/* The counts of the Merge page: words and sentences of each part, words in all, and filled rows.

   The server counts sentences. Until it has counted the latest change, its last count is changed by
   the difference that the browser counts. */

import { sentencesOf } from "../spans/marks.js";
import { setBudget } from "../ui/budget.js";
import { countWords } from "../ui/words.js";
import { PARTS, rowsOf, textOf } from "./rows.js";

const budget = document.querySelector(".work-bar .budget");
const parts = PARTS.map((name) => document.getElementById(name));
const lastCount = new Map(parts.map((part) => [part.id, { sentences: Number.parseInt(sentencesIn(part).textContent), here: countHere(part) }]));

export function drawCounts() {
  let total = 0;
  for (const part of parts) {
    const words = countWords(textsOf(part));
    part.querySelector("[data-words]").textContent = words === 1 ? "1 word" : `${words} words`;
    total += words;
    drawSentences(part);
  }
  setBudget(budget, total);
  for (const label of document.querySelectorAll("[data-words-left]")) label.textContent = wordsLeft(total);
  const texts = parts.flatMap(rowsOf).map(textOf);
  document.querySelector("[data-filled]").textContent = String(texts.filter((text) => text.trim()).length);
  document.querySelector("[data-rows-in-all]").textContent = String(texts.length);
}

/** Take over the server's counts of the texts in `content`, which can have changed since. */
export function countedByServer(sentences, content) {
  for (const part of parts) {
    const isText = new RegExp(`^${part.id}-\\d+-text$`);
    const texts = Object.keys(content).filter((name) => isText.test(name)).map((name) => content[name]);
    lastCount.set(part.id, { sentences: sentences[part.id] ?? 0, here: countIn(texts) });
    drawSentences(part);
  }
}

/** Return whether the counts break the rules, so that the server refuses the text. */
export function breaksRules() {
  return budget.dataset.state !== "inside"
    || parts.some((part) => !countWords(textsOf(part)) || part.querySelector("[data-counts]:is(.over, .under)") !== null);
}

function drawSentences(part) {
  const { sentences, here } = lastCount.get(part.id);
  const number = Math.max(0, sentences + countHere(part) - here);
  const counts = part.querySelector("[data-counts]");
  const { least, most } = counts.dataset;
  const noun = number === 1 ? " sentence" : " sentences";
  sentencesIn(part).textContent = most ? String(number) : number + noun;
  counts.classList.toggle("over", Boolean(most) && number > Number(most));
  counts.classList.toggle("under", number > 0 && number < Number(least));
}

function sentencesIn(part) {
  return part.querySelector("[data-sentences]");
}

function countHere(part) {
  return countIn(rowsOf(part).map(textOf));
}

function countIn(texts) {
  return texts.reduce((sum, text) => sum + sentencesOf(text).length, 0);
}

function textsOf(part) {
  return rowsOf(part).map(textOf).join("\n");
}

function wordsLeft(total) {
  const { low, high } = budget.dataset;
  if (total > Number(high)) return `${total - Number(high)} words too many`;
  return total < Number(low) ? `${Number(low) - total} words to write` : `${Number(high) - total} words left`;
}
