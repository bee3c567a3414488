import assert from "node:assert/strict";
import { test } from "node:test";

import { wordDiff } from "../../static/js/drafts/word_diff.js";
import { Marks } from "../../static/js/spans/marks.js";

const changed = (pieces) => pieces.filter(({ same }) => !same).map(({ text }) => text);
const whole = (pieces) => pieces.map(({ text }) => text).join("");

test("two versions show the words that differ, and their pieces join to the texts", () => {
  const cases = [
    ["She jumps high.", "She dives high.", ["jumps"], ["dives"]],
    ["She jumps up high.", "She dives in high.", ["jumps up"], ["dives in"]],
    ["a b c d", "b c d e", ["a "], [" e"]],
    ["", "new", [], ["new"]],
    ["same", "same", [], []],
  ];
  for (const [left, right, removed, added] of cases) {
    const [before, after] = wordDiff(left, right);
    assert.deepEqual([changed(before), changed(after)], [removed, added]);
    assert.deepEqual([whole(before), whole(after)], [left, right]);
  }
});

/** Return the marks of "She runs. She jumps. She dives.", with one at each of these sentences. */
function marked(...places) {
  const field = { value: "She runs. She jumps. She dives." };
  const marks = new Marks(field, { value: "" });
  for (const place of places) marks.set(place, place * 10, place * 10 + 10);
  return {
    marks,
    edit(text) {
      field.value = text;
      marks.follow();
      return marks.list.map((mark) => [marks.placeOf(mark), mark.start, mark.text]);
    },
  };
}

test("a mark moves with its sentence, through edits before and in it", () => {
  const { edit } = marked(1);
  assert.deepEqual(edit("Now she runs. She jumps. She dives."), [[1, 10, "She jumps."]]);
  assert.deepEqual(edit("Now she runs. She jumps high. She dives."), [[1, 10, "She jumps high."]]);
  assert.deepEqual(edit("One. Now she runs. She jumps high. She dives."), [[2, 10, "She jumps high."]]);
});

test("a deleted sentence loses its mark, and its text brings it back", () => {
  const { edit, marks } = marked(1, 2);
  assert.deepEqual(edit("She runs. She dives."), [[1, 20, "She dives."]]);
  assert.equal(marks.store.value, '[{"at":10,"start":20,"end":30,"text":"She dives."}]');
  assert.deepEqual(edit("She runs. She jumps. She dives."), [[1, 10, "She jumps."], [2, 20, "She dives."]]);
});

test("marks that are stored are found by their text nearest to their place", () => {
  const store = { value: JSON.stringify([{ at: 12, start: 0, end: 5, text: "She dives." }, { at: 0, start: 5, end: 5, text: "She" }]) };
  const marks = new Marks({ value: "She dives. So. She dives." }, store);
  assert.deepEqual(marks.list, [{ at: 15, start: 0, end: 5, text: "She dives." }]);
  assert.deepEqual(new Marks({ value: "" }, { value: "not JSON" }).list, []);
});
