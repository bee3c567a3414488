import assert from "node:assert/strict";
import { test } from "node:test";

import { findSentence, put, takeOut } from "../../static/js/split/placing.js";

const RUN = { number: 1, text: "She runs to the board." };
const JUMP = { number: 2, text: "She jumps very high." };
const DIVE = { number: 3, text: "She dives in." };
const EDITED = "She jumps very high indeed.";

test("a sentence is put before the next of those that are there", () => {
  const text = `${RUN.text} ${DIVE.text}`;
  const { outcome, at, text: whole } = put(text, JUMP, [RUN, DIVE]);
  assert.deepEqual([outcome, at], ["put", RUN.text.length + 1]);
  assert.equal(whole, `${RUN.text} ${JUMP.text} ${DIVE.text}`);
  assert.equal(put("", JUMP, []).text, JUMP.text);
  assert.equal(put(RUN.text, JUMP, [RUN]).text, `${RUN.text} ${JUMP.text}`);
  assert.equal(put(whole, JUMP, [RUN, JUMP, DIVE]).outcome, "there");
});

test("what is put can be taken out again, and leaves the text as it was", () => {
  for (const before of ["", RUN.text, DIVE.text, `${RUN.text} ${DIVE.text}`]) {
    const { text } = put(before, JUMP, [RUN, DIVE]);
    assert.deepEqual(takeOut(text, JUMP, [RUN, JUMP, DIVE]), { text: before, outcome: "removed" });
  }
  assert.deepEqual(takeOut(RUN.text, JUMP, [RUN, JUMP]), { text: RUN.text, outcome: "absent" });
});

test("a sentence that a person edited is shown, and neither put twice nor taken out", () => {
  const text = `${RUN.text} ${EDITED}`;
  const place = { start: RUN.text.length + 1, end: text.length };
  assert.deepEqual(put(text, JUMP, [RUN]), { text, outcome: "edited", ...place });
  assert.deepEqual(takeOut(text, JUMP, [RUN, JUMP]), { text, outcome: "edited", ...place });
  assert.equal(put(text, JUMP, [RUN], { evenIfEdited: true }).outcome, "put");
});

test("of two edited forms, the one that kept more words is the sentence", () => {
  for (const [text, start] of [[`${EDITED} She jumps very far.`, 0], [`She jumps very far. ${EDITED}`, 20]]) {
    assert.deepEqual(put(text, JUMP, []), { text, outcome: "edited", start, end: start + EDITED.length });
  }
});

test("only whole sentences are found, and of equal ones each has its own place", () => {
  assert.equal(findSentence(`x${DIVE.text}`, DIVE), null);
  const again = { ...DIVE, number: 4 };
  const twice = `${DIVE.text} ${DIVE.text}`;
  assert.equal(takeOut(twice, again, [DIVE, again]).text, DIVE.text);
  assert.equal(put(DIVE.text, again, [DIVE]).text, twice);
});
