/* Where the sentences of the merged text stand in one of the two texts, and how one goes in or out
   without touching a word that a person has written.

   A sentence is {text, number}; `placed` are those that belong into the text, in their order. What
   stands letter by letter as it was put may be taken out again; an edited one is only recognised. */

const ALIKE = 0.6; // share of the shorter one's words from which on a stretch is a sentence, edited
const FEWEST_SHARED = 3;
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * What became of a text. Where the sentence stands edited, nothing was done and its place is named.
 *
 * @typedef {{text: string, outcome: "edited", start: number, end: number}
 *   | {text: string, outcome: "put", at: number, inserted: string}
 *   | {text: string, outcome: "there" | "removed" | "absent"}} Outcome
 */

/**
 * The text with the sentence in its place. outcome: "put", "there", or "edited" (nothing done).
 *
 * @returns {Outcome}
 */
export function put(text, sentence, placed, { evenIfEdited = false } = {}) {
  const all = [...placed.filter(({ number }) => number !== sentence.number), sentence];
  const found = locate(text, all.sort((one, other) => one.number - other.number));
  const own = found.get(sentence.number);
  if (own?.exact) return { text, outcome: "there" };
  if (own && !evenIfEdited) return { text, outcome: "edited", start: own.start, end: own.end };
  const later = all.filter(({ number }) => number > sentence.number && found.has(number));
  const at = later.length ? Math.min(...later.map(({ number }) => found.get(number).start)) : text.length;
  const before = at > 0 && !/\s/.test(text[at - 1]) ? " " : "";
  const after = at < text.length ? " " : "";
  const inserted = before + sentence.text + after;
  return { text: text.slice(0, at) + inserted + text.slice(at), outcome: "put", at, inserted };
}

/**
 * The text without the sentence. outcome: "removed", "edited" (it stays), or "absent".
 *
 * @returns {Outcome}
 */
export function takeOut(text, sentence, placed) {
  const own = locate(text, placed).get(sentence.number);
  if (!own) return { text, outcome: "absent" };
  if (!own.exact) return { text, outcome: "edited", start: own.start, end: own.end };
  let { start, end } = own;
  if (text[end] === " ") end += 1;
  else if (end === text.length && text[start - 1] === " ") start -= 1;
  return { text: text.slice(0, start) + text.slice(end), outcome: "removed" };
}

/** Where the sentence stands unedited, or null. */
export function findSentence(text, sentence) {
  return locateExact(text, [sentence]).get(sentence.number) ?? null;
}

/** number -> {start, end, exact} for every sentence that is found in the text. */
function locate(text, sentences) {
  const found = locateExact(text, sentences);
  const taken = [...found.values()];
  const free = stretches(text).filter((piece) => !taken.some((other) => overlap(piece, other)));
  const missing = sentences.filter(({ number }) => !found.has(number));
  const scored = missing.flatMap((sentence) =>
    free.map((piece) => ({ sentence, piece, score: alike(sentence.text, piece.text) })),
  );
  scored.sort((one, other) => other.score - one.score);
  const used = new Set();
  for (const { sentence, piece, score } of scored) {
    if (score < ALIKE) break;
    if (found.has(sentence.number) || used.has(piece)) continue;
    used.add(piece);
    found.set(sentence.number, { start: piece.start, end: piece.end, exact: false });
  }
  return found;
}

function locateExact(text, sentences) {
  const found = new Map();
  const taken = [];
  for (const { number, text: wanted } of sentences) {
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
      const place = { start: at, end: at + wanted.length, exact: true };
      const alone = isEdge(text[at - 1]) && isEdge(text[place.end]);
      if (!alone || taken.some((other) => overlap(place, other))) continue;
      found.set(number, place);
      taken.push(place);
      break;
    }
  }
  return found;
}

const isEdge = (character) => character === undefined || /\s/.test(character);
const overlap = (one, other) => one.start < other.end && other.start < one.end;

function stretches(text) {
  const found = [];
  for (const { segment, index } of new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)) {
    const trimmed = segment.trim();
    if (!trimmed) continue;
    const start = index + segment.indexOf(trimmed);
    found.push({ start, end: start + trimmed.length, text: trimmed });
  }
  return found;
}

function alike(one, other) {
  const [left, right] = [wordsOf(one), wordsOf(other)];
  let shared = 0;
  for (const word of left) if (right.has(word)) shared += 1;
  if (shared < FEWEST_SHARED) return 0;
  return shared / Math.min(left.size, right.size);
}

const wordsOf = (text) => new Set(text.toLowerCase().match(WORD) ?? []);
