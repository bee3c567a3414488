/* Find the sentences of the merged text in one of the two texts, and insert or remove one without
   changing what a person wrote.

   A sentence is {text, number}; `placed` are the sentences that belong in the text, in their order.
   An unedited sentence can be removed again; an edited one is only recognized.

   The server aligns sentences, too (annotate/text/align.py). This stays in the browser because each
   key changes a text that was typed and not yet sent, and because the page works offline. */

const ALIKE = 0.6; // share of the shorter text's words that an edited sentence must keep
const MIN_SHARED = 3;
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * The result for a text. If the sentence is there in an edited form, the text is unchanged and the
 * result gives its place.
 *
 * @typedef {{text: string, outcome: "edited", start: number, end: number}
 *   | {text: string, outcome: "put", at: number, inserted: string}
 *   | {text: string, outcome: "there" | "removed" | "absent"}} Outcome
 */

/**
 * Insert the sentence in its place. The outcome is "put", "there", or "edited" (nothing is done).
 *
 * @returns {Outcome}
 */
export function put(text, sentence, placed, { evenIfEdited = false } = {}) {
  const all = [...placed.filter(({ number }) => number !== sentence.number), sentence];
  const places = locate(text, all.sort((a, b) => a.number - b.number));
  const own = places.get(sentence.number);
  if (own?.exact) return { text, outcome: "there" };
  if (own && !evenIfEdited) return { text, outcome: "edited", start: own.start, end: own.end };
  const later = all.filter(({ number }) => number > sentence.number && places.has(number));
  const at = later.length ? Math.min(...later.map(({ number }) => places.get(number).start)) : text.length;
  const before = at > 0 && !/\s/.test(text[at - 1]) ? " " : "";
  const after = at < text.length ? " " : "";
  const inserted = before + sentence.text + after;
  return { text: text.slice(0, at) + inserted + text.slice(at), outcome: "put", at, inserted };
}

/**
 * Remove the sentence. The outcome is "removed", "edited" (nothing is done), or "absent".
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

/** Return the place of the unedited sentence, or null. */
export function findSentence(text, sentence) {
  return locateExact(text, [sentence]).get(sentence.number) ?? null;
}

/** Return a map number -> {start, end, exact} of the sentences in the text. */
function locate(text, sentences) {
  const places = locateExact(text, sentences);
  const exactPlaces = [...places.values()];
  const free = stretches(text).filter((piece) => !exactPlaces.some((other) => overlap(piece, other)));
  const missing = sentences.filter(({ number }) => !places.has(number));
  const scored = missing.flatMap((sentence) =>
    free.map((piece) => ({ sentence, piece, score: alike(sentence.text, piece.text) })),
  );
  scored.sort((a, b) => b.score - a.score);
  const used = new Set();
  for (const { sentence, piece, score } of scored) {
    if (score < ALIKE) break;
    if (places.has(sentence.number) || used.has(piece)) continue;
    used.add(piece);
    places.set(sentence.number, { start: piece.start, end: piece.end, exact: false });
  }
  return places;
}

function locateExact(text, sentences) {
  const places = new Map();
  const usedPlaces = [];
  for (const { number, text: wording } of sentences) {
    for (let at = text.indexOf(wording); at >= 0; at = text.indexOf(wording, at + 1)) {
      const place = { start: at, end: at + wording.length, exact: true };
      const isSeparate = isEdge(text[at - 1]) && isEdge(text[place.end]);
      if (!isSeparate || usedPlaces.some((other) => overlap(place, other))) continue;
      places.set(number, place);
      usedPlaces.push(place);
      break;
    }
  }
  return places;
}

const isEdge = (character) => character === undefined || /\s/.test(character);
const overlap = (a, b) => a.start < b.end && b.start < a.end;

function stretches(text) {
  const pieces = [];
  for (const { segment, index } of new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)) {
    const trimmed = segment.trim();
    if (!trimmed) continue;
    const start = index + segment.indexOf(trimmed);
    pieces.push({ start, end: start + trimmed.length, text: trimmed });
  }
  return pieces;
}

function alike(a, b) {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  let shared = 0;
  for (const word of left) if (right.has(word)) shared += 1;
  if (shared < MIN_SHARED) return 0;
  return shared / Math.min(left.size, right.size);
}

const wordsOf = (text) => new Set(text.toLowerCase().match(WORD) ?? []);
