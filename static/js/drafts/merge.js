/* Merge two versions of one content, field by field, from the version they share.

   A field that only one side changed takes that side's text. A field that both changed differently
   is a clash, and a person chooses. Hidden fields say what the other fields belong to (the sentence
   of a row): if a hidden field differs, or the shared version is unknown (base null), every field
   that differs is a clash. */

/** Return {content, clashes, base}. `content` has my text for every clash; the next merge starts
    from `base`. */
export function mergeContent({ base, mine, theirs, isHidden }) {
  const names = [...new Set([...Object.keys(base ?? {}), ...Object.keys(mine), ...Object.keys(theirs)])];
  const text = (content, name) => content[name] ?? "";
  const different = names.filter((name) => text(mine, name) !== text(theirs, name));
  const onlyTheirs = (name) => text(mine, name) === text(base, name);
  const onlyMine = (name) => text(theirs, name) === text(base, name);
  if (!base || different.some(isHidden)) return { content: mine, clashes: different, base };

  const clashes = different.filter((name) => !onlyTheirs(name) && !onlyMine(name));
  const content = pick(mine, theirs, different.filter(onlyTheirs));
  return { content, clashes, base: pick(theirs, base, clashes) };
}

/** Return `content` with the fields `names` taken from `other`. */
export function pick(content, other, names) {
  const picked = { ...content };
  for (const name of names) {
    if (name in other) picked[name] = other[name];
    else delete picked[name];
  }
  return picked;
}
