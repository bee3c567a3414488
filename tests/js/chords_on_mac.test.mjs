import assert from "node:assert/strict";
import { test } from "node:test";

Object.defineProperty(globalThis, "navigator", { value: { platform: "MacIntel" }, configurable: true });
const { chordOf } = await import("../../static/js/keys/chords.js");

const pressed = (key, code, modifiers) => chordOf({ key, code, getModifierState: () => false, ...modifiers });

test("on a Mac, Command is Ctrl, and Control with Option is Alt", () => {
  assert.equal(pressed("k", "KeyK", { metaKey: true }), "Ctrl+KeyK");
  assert.equal(pressed("˚", "KeyK", { ctrlKey: true, altKey: true }), "Alt+KeyK");
  assert.equal(pressed("k", "KeyK", { ctrlKey: true }), "Ctrl+KeyK");
});
