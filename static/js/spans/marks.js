/* Times of one field's sentences, which follow the text while it is edited.

   A mark is {at, start, end, text}: the place in the text, the clip's frames [start, end), and the
   beginning of the sentence (annotate/text/spans.py). An edited sentence keeps its mark. A deleted
   one loses it, and gets it back when its text returns, as after Ctrl+Z or cut and paste. */

const MAX_QUOTE_LENGTH = 80;

/** Return the sentences of a text. The server splits differently, and finds a mark by its place. */
export function sentencesOf(text) {
  const segments = new Intl.Segmenter("en", { granularity: "sentence" }).segment(text);
  return [...segments].map(({ segment, index }) => {
    const start = index + segment.length - segment.trimStart().length;
    return { start, end: start + segment.trim().length };
  }).filter(({ start, end }) => end > start);
}

export class Marks {
  /** @param {HTMLTextAreaElement} field @param {HTMLInputElement} store */
  constructor(field, store) {
    this.field = field;
    this.store = store;
    this.gone = [];
    this.read();
  }

  /** Read the marks from the form. */
  read() {
    this.text = this.field.value;
    this.list = parse(this.store.value).map((mark) => ({ ...mark, at: nearest(this.text, mark.text, mark.at) }));
  }

  write() {
    const list = this.list.map(({ at, start, end, text }) => ({ at, start, end, text }));
    this.store.value = list.length ? JSON.stringify(list) : "";
  }

  get sentences() {
    return sentencesOf(this.field.value);
  }

  /** Return the index of the sentence at the caret or before it; -1 without sentences. */
  placeAt(caret) {
    const before = this.sentences.filter(({ start }) => start <= caret).length - 1;
    return this.sentences.length ? Math.max(before, 0) : -1;
  }

  /** Return the index of a mark's sentence; -1 if its text is gone. */
  placeOf(mark) {
    return mark.at < 0 ? -1 : this.sentences.findIndex(({ end }) => mark.at < end);
  }

  markOf(place) {
    return this.list.find((mark) => this.placeOf(mark) === place);
  }

  set(place, start, end) {
    const at = this.sentences[place].start;
    this.remove(place);
    this.list.push({ at, start, end, text: this.quote(at) });
    this.list.sort((a, b) => a.at - b.at);
    this.write();
  }

  remove(place) {
    this.list = this.list.filter((mark) => this.placeOf(mark) !== place);
    this.write();
  }

  /** Move the marks with an edit of the text. */
  follow() {
    const old = this.text;
    this.text = this.field.value;
    if (old === this.text || !(this.list.length || this.gone.length)) return;
    const { from, to, added } = change(old, this.text);
    const sentences = sentencesOf(old);
    const remaining = [];
    for (const mark of this.list) {
      const end = sentences.find((sentence) => mark.at < sentence.end)?.end ?? mark.at;
      if (mark.at >= 0 && to > from && from <= mark.at && end <= to) {
        this.gone.push({ ...mark, text: old.slice(mark.at, end) });
        continue;
      }
      if (mark.at >= to) mark.at += added - (to - from);
      else if (mark.at > from) mark.at = from;
      if (mark.at >= 0) {
        mark.at += /^\s*/.exec(this.text.slice(mark.at))[0].length;
        mark.text = this.quote(mark.at);
      }
      remaining.push(mark);
    }
    this.list = remaining;
    this.bringBack();
    this.write();
  }

  bringBack() {
    const restored = this.gone.filter((mark) => this.text.includes(mark.text));
    this.gone = this.gone.filter((mark) => !restored.includes(mark));
    for (const mark of restored) {
      const at = nearest(this.text, mark.text, mark.at);
      this.list.push({ ...mark, at, text: this.quote(at) });
    }
    this.list.sort((a, b) => a.at - b.at);
  }

  quote(at) {
    const end = this.sentences.find((sentence) => at < sentence.end)?.end ?? at;
    return this.text.slice(at, Math.min(end, at + MAX_QUOTE_LENGTH)).trim();
  }
}

/** Return the edit: old[from, to) was replaced by `added` characters. If one edit has several
    descriptions, as in "She jumps. She dives.", choose the one about whole sentences. */
function change(old, text) {
  const shorter = Math.min(old.length, text.length);
  let from = 0;
  while (from < shorter && old[from] === text[from]) from += 1;
  let tail = 0;
  while (tail < shorter - from && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail += 1;
  const removed = old.length - tail - from;
  const added = text.length - tail - from;
  if (!removed || !added) from -= stepsBack(removed ? old : text, from, from + removed + added);
  return { from, to: from + removed, added };
}

/** Return how far text[from, to) can move back, over equal characters, to begin at a sentence. */
function stepsBack(text, from, to) {
  const starts = new Set(sentencesOf(text).map(({ start }) => start));
  for (let back = 0; back <= from; back += 1) {
    if (starts.has(from - back)) return back;
    if (text[from - back - 1] !== text[to - back - 1]) return 0;
  }
  return 0;
}

/** Return the occurrence of the quote nearest to a place; -1 without one. */
function nearest(text, quote, at) {
  let best = -1;
  for (let place = text.indexOf(quote); place >= 0; place = text.indexOf(quote, place + 1)) {
    if (best < 0 || Math.abs(place - at) < Math.abs(best - at)) best = place;
  }
  return best;
}

function parse(value) {
  try {
    const list = JSON.parse(value || "[]");
    return Array.isArray(list) ? list.filter((mark) => mark?.text && mark.end > mark.start) : [];
  } catch {
    return [];
  }
}
