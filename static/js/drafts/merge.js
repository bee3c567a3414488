/* Two versions of one content that grew from the same one, brought together field by field.

   A field that only one side changed takes that side's text; one that both changed differently is
   a clash, and a person chooses. Hidden fields say what the others belong to (the sentence of a
   row): where those differ, places mean different things and everything that differs clashes.
   So it does when nobody knows what the versions grew from (base null). */

/** {content, clashes, base}: content has mine in every clash; base is what a later merge starts from. */
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

/** `content` with the fields `names` as they are in `other`. */
export function pick(content, other, names) {
  const picked = { ...content };
  for (const name of names) {
    if (name in other) picked[name] = other[name];
    else delete picked[name];
  }
  return picked;
}
