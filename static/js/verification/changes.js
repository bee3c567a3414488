/* What changed in a caption, word by word, as nodes to show. */

import { wordDiff } from "../ui/word_diff.js";

/** The pieces of rebuild.js as texts, <ins> and <del>. */
export function nodesOf(pieces) {
  const made = [];
  let plain = "";
  const change = (tag, text) => {
    if (!text) return;
    if (plain) made.push(plain);
    plain = "";
    const element = document.createElement(tag);
    element.textContent = text;
    made.push(element);
  };
  for (const { text, was } of pieces) {
    if (was === null) plain += text;
    else if (!was || !text) {
      change("del", was);
      change("ins", text);
    } else {
      for (const { kind, text: part } of changes(was, text)) {
        if (kind === "same") plain += part;
        else change(kind, part);
      }
    }
  }
  if (plain) made.push(plain);
  return made;
}

/** The two sides of a word diff in one line. */
function changes(was, text) {
  const [left, right] = wordDiff(was, text).map((side) => side.map((piece) => ({ ...piece })));
  const found = [];
  while (left.length || right.length) {
    if (left[0] && !left[0].same) found.push({ kind: "del", text: left.shift().text });
    else if (right[0] && !right[0].same) found.push({ kind: "ins", text: right.shift().text });
    else if (left[0] && right[0] && (left[0].text.startsWith(right[0].text) || right[0].text.startsWith(left[0].text))) {
      const length = Math.min(left[0].text.length, right[0].text.length);
      found.push({ kind: "same", text: right[0].text.slice(0, length) });
      for (const side of [left, right]) {
        side[0].text = side[0].text.slice(length);
        if (!side[0].text) side.shift();
      }
    } else {
      if (left[0]) found.push({ kind: "del", text: left.shift().text });
      if (right[0]) found.push({ kind: "ins", text: right.shift().text });
    }
  }
  return found;
}
