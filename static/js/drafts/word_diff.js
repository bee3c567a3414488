/* Find the words that two texts share, to show two versions side by side. */

const MAX_TABLE = 4_000_000; // cells; in a larger table, everything between the common ends counts as changed

/** Return [{text, same}, ...] for each side. The pieces of a side join to its text. */
export function wordDiff(left, right) {
  const a = left.match(/\s+|[^\s]+/g) ?? [];
  const b = right.match(/\s+|[^\s]+/g) ?? [];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const common = longestCommon(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [pieces(a, start, end, common.map(([i]) => i)), pieces(b, start, end, common.map(([, j]) => j))];
}

function pieces(words, start, end, shared) {
  const sharedPlaces = new Set(shared.map((place) => place + start));
  const isSame = (place) => place < start || place >= words.length - end || sharedPlaces.has(place);
  const runs = [];
  words.forEach((text, place) => {
    // a space between two changed words is part of the change
    const isBetween = !text.trim() && place > 0 && place < words.length - 1;
    const same = isSame(place) && !(isBetween && !isSame(place - 1) && !isSame(place + 1));
    if (runs.at(-1)?.same === same) runs.at(-1).text += text;
    else runs.push({ text, same });
  });
  return runs;
}

function longestCommon(a, b) {
  if (a.length * b.length > MAX_TABLE) return [];
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const below = table[(i + 1) * width + j];
      const beside = table[i * width + j + 1];
      table[i * width + j] = a[i] === b[j] ? table[(i + 1) * width + j + 1] + 1 : Math.max(below, beside);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (table[(i + 1) * width + j] >= table[i * width + j + 1]) i++;
    else j++;
  }
  return pairs;
}
