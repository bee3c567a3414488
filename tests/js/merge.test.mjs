import assert from "node:assert/strict";
import { test } from "node:test";

import { mergeContent } from "../../static/js/drafts/merge.js";

const isHidden = (name) => name.endsWith("-sentence");
const merge = (base, mine, theirs) => mergeContent({ base, mine, theirs, isHidden });

test("each side's own changes are kept", () => {
  const base = { a: "one", b: "two", c: "three" };
  const merged = merge(base, { a: "ONE", b: "two", c: "three" }, { a: "one", b: "TWO", c: "three" });
  assert.deepEqual(merged.content, { a: "ONE", b: "TWO", c: "three" });
  assert.deepEqual(merged.clashes, []);
  assert.deepEqual(merged.base, { a: "one", b: "TWO", c: "three" });
});

test("a field that both changed is a clash unless they agree, and keeps its old base", () => {
  const merged = merge({ a: "one", b: "two" }, { a: "mine", b: "same" }, { a: "theirs", b: "same" });
  assert.deepEqual(merged, { content: { a: "mine", b: "same" }, clashes: ["a"], base: { a: "one", b: "same" } });
});

test("a field that they removed goes, and an empty one counts as missing", () => {
  assert.deepEqual(merge({ a: "one", b: "" }, { a: "one", b: "" }, {}).content, { b: "" });
});

test("where the sentence of a row differs or nothing is shared, every difference is a clash", () => {
  const [mine, theirs] = [{ "1-sentence": "x", text: "one" }, { "1-sentence": "y", text: "ONE" }];
  assert.deepEqual(merge({ "1-sentence": "x", text: "one" }, mine, theirs).clashes, ["1-sentence", "text"]);
  assert.deepEqual(merge(null, { text: "one" }, { text: "ONE" }), { content: { text: "one" }, clashes: ["text"], base: null });
});
