/* The corrected caption as review/verification/judgement.py rebuilds it, in pieces that say what changed. */

const STOPS_WITHOUT_SPACE = /[。！？｡]$/u;

/** Pieces {text, was} in order; the texts joined are the new caption. `was` is what stood there, or
    null where nothing changed. `gaps` stand before each sentence, the last behind all of them;
    `inserted` maps a place to its text. */
export function rebuild(sentences, gaps, inserted) {
  const pieces = [{ text: gaps[0], was: null }];
  let last = null; // the text before, null at the beginning
  let waiting = [];
  const spaceAfter = (text) => (STOPS_WITHOUT_SPACE.test(text) ? "" : " ");
  const joint = () => (last === null ? "" : spaceAfter(last));
  const gap = () => (last !== null && waiting.length ? widest(waiting) : joint());
  const insert = (text, space) => {
    pieces.push({ text: space + text, was: "" });
    last = text;
    waiting = [];
  };
  sentences.forEach(({ text, correction, isDeleted }, place) => {
    if (place) waiting.push(gaps[place]);
    if (inserted.has(place)) insert(inserted.get(place), gap() || joint());
    if (isDeleted) {
      pieces.push({ text: "", was: last === null ? text + spaceAfter(text) : joint() + text });
      return;
    }
    pieces.push({ text: gap(), was: null }, { text: correction || text, was: correction ? text : null });
    last = correction || text;
    waiting = [];
  });
  if (inserted.has(sentences.length)) insert(inserted.get(sentences.length), joint());
  pieces.push({ text: gaps.at(-1), was: null });
  return pieces;
}

function widest(gaps) {
  const breaks = (gap) => gap.split("\n").length;
  return gaps.reduce((best, gap) => (breaks(gap) > breaks(best) ? gap : best));
}
