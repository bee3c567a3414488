/* On a phone, show beside the sentences the one that changed last in each text. */

import { find } from "../ui/dom.js";

const SENTENCE_END = /[.!?…]["”’)]*\s+/g;

export class Preview {
  constructor(box) {
    this.box = box;
    this.line = find(`[data-preview-of="${box.name}"]`, HTMLElement);
    this.text = "";
    this.draw();
  }

  draw() {
    const text = this.box.value.trim();
    const start = sentenceAt(text, firstDifference(this.text, text));
    this.text = text;
    this.line.textContent = text ? (start ? "… " : "") + text.slice(start) : "Nothing yet";
    this.line.classList.toggle("muted", !text);
  }
}

/** Return the place of the first change, after spaces; the end of a new text. */
function firstDifference(before, after) {
  if (!before) return after.length;
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  while (/\s/.test(after[at] ?? "")) at += 1;
  return at;
}

/** Return the start of the sentence at this place; of the last sentence at the text's end. */
function sentenceAt(text, place) {
  const starts = [0, ...[...text.matchAll(SENTENCE_END)].map((end) => end.index + end[0].length)];
  return starts.findLast((start) => start <= place && start < text.length) ?? 0;
}
