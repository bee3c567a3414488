import assert from "node:assert/strict";
import { test } from "node:test";

Object.defineProperty(globalThis, "navigator", { value: { platform: "Linux x86_64" }, configurable: true });
const { chordOf, namesOf } = await import("../../static/js/keys/chords.js");

const pressed = (key, code, { altGraph = false, ...modifiers } = {}) =>
  chordOf({ key, code, getModifierState: (name) => altGraph && name === "AltGraph", ...modifiers });

test("a chord is the modifiers in their order, then the place of the key", () => {
  const cases = [
    ["k", "KeyK", { altKey: true }, "Alt+KeyK"],
    ["K", "KeyK", { shiftKey: true, altKey: true, ctrlKey: true }, "Ctrl+Alt+Shift+KeyK"],
    ["Enter", "Enter", { metaKey: true }, "Ctrl+Enter"],
    ["z", "KeyY", { ctrlKey: true }, "Ctrl+KeyZ"], // a German keyboard: Ctrl goes by the letter,
    ["z", "KeyY", {}, "KeyY"], // all others by the place
    ["1", "Numpad1", {}, "Digit1"],
    ["Enter", "NumpadEnter", {}, "Enter"],
    ["?", "Minus", { shiftKey: true }, "?"],
    ["?", "Minus", { shiftKey: true, altKey: true }, "Alt+Shift+Minus"],
    ["F1", "", {}, "F1"],
  ];
  for (const [key, code, modifiers, chord] of cases) assert.equal(pressed(key, code, modifiers), chord);
});

test("modifiers alone, AltGr and input methods are no chord", () => {
  for (const name of ["Control", "Shift", "Alt", "AltGraph", "Meta"]) assert.equal(pressed(name, `${name}Left`), "");
  assert.equal(pressed("@", "KeyQ", { ctrlKey: true, altKey: true, altGraph: true }), "");
  assert.equal(pressed("Enter", "Enter", { isComposing: true }), "");
  assert.equal(pressed("Enter", "Enter", { keyCode: 229 }), "");
});

test("the names of a chord's keys are letters, digits and signs", () => {
  assert.deepEqual(namesOf("Ctrl+Alt+KeyK", {}), ["Ctrl", "Alt", "K"]);
  assert.deepEqual(namesOf("Shift+Digit1", {}), ["Shift", "1"]);
  assert.deepEqual(namesOf("ArrowLeft", { ArrowLeft: "←" }), ["←"]);
});
