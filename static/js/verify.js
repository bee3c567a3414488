/* Verifying: the sentences by key, their corrections, what is missing, and the caption rebuilt.

   On a sentence the letters O, A, B, C and D, E to edit, I to insert before it, P to play what is
   missing there, and the arrows work alone; while writing with Alt: 0 to 4 are ok, A, B, C and D,
   5 inserts, 6 plays. Escape leads from a field back to its sentence. */

import { mountPlayers } from "./player.js";
import { Mending } from "./verify_mending.js";
import { rebuild } from "./verify_rebuild.js";
import { wordDiff } from "./word_diff.js";

const LETTERS = ["A", "B", "C", "D"];
const KEYS = { KeyO: "ok", KeyA: "A", KeyB: "B", KeyC: "C", KeyD: "D", KeyE: "edit", KeyI: "insert", KeyP: "play", Enter: "edit" };
const ALT_KEYS = { Digit0: "ok", Digit1: "A", Digit2: "B", Digit3: "C", Digit4: "D", Digit5: "insert", Digit6: "play" };
const MOVES = { ArrowDown: 1, ArrowUp: -1 };
const REST_MS = 200;
const form = document.getElementById("work-form");
const list = document.getElementById("verify-rows");
if (list) start();

function start() {
  const rows = [...list.children];
  const end = rows.pop();
  const texts = rows.map((row) => row.querySelector("[data-text]").textContent);
  const gaps = JSON.parse(document.getElementById("gaps").textContent);
  const isEditable = form.dataset.editable === "true";
  const tools = document.getElementById("verify-tools");
  const mending = new Mending(form, rows);
  const [player] = mountPlayers();
  let current = null;
  let resting = null;

  const verdicts = new Map(rows.map((row) => [row, row.querySelector(".verify-verdict")]));
  const verdictOf = (row) => verdicts.get(row);
  const typesOf = (row) => LETTERS.filter((letter) => verdictOf(row).value.toUpperCase().split("#").includes(letter));

  function select(row, { focus = true } = {}) {
    if (!row) return;
    if (current) {
      delete current.dataset.current;
      current.tabIndex = -1;
    }
    current = row;
    row.dataset.current = "";
    row.tabIndex = 0;
    tools.hidden = !isEditable;
    document.getElementById("verify-current").textContent = row === end ? "The end" : `Sentence ${Number(row.dataset.number) + 1}`;
    tools.querySelector("[data-letters]").hidden = row === end;
    press();
    if (!focus) return;
    row.focus();
    row.scrollIntoView({ block: "nearest" });
  }

  function press() {
    const types = current === end ? [] : typesOf(current);
    for (const button of tools.querySelectorAll("[data-do]")) {
      const { do: what } = button.dataset;
      const isOk = what === "ok" && current !== end && verdictOf(current).value === "ok";
      button.setAttribute("aria-pressed", String(isOk || types.includes(what)));
    }
  }

  function act(what) {
    if (!isEditable || !current) return;
    const place = current === end ? rows.length : Number(current.dataset.number);
    if (what === "insert") return mending.insert(place);
    if (what === "play") return play([place, place + 1].find((at) => mending.isOpen(at)));
    if (current === end) return;
    if (what === "edit") return mending.edit(place);
    const had = typesOf(current);
    const types = what === "ok" ? [] : LETTERS.filter((letter) => had.includes(letter) !== (letter === what));
    const value = types.join("#") || (what === "ok" ? "ok" : "");
    verdictOf(current).value = value;
    verdictOf(current).dispatchEvent(new Event("input", { bubbles: true }));
  }

  function play(place) {
    const range = place !== undefined && mending.range(place);
    if (!range || !player) return;
    player.setRange(range[0], range[1]);
    player.seekFrame(range[0]);
    if (player.video.paused) player.do("play");
  }

  function draw() {
    rows.forEach((row) => mending.show(row, typesOf(row)));
    const decided = rows.filter((row) => verdictOf(row).value.trim()).length;
    document.querySelector("[data-decided]").textContent = decided;
    if (current) press();
    clearTimeout(resting);
    resting = setTimeout(drawRebuilt, REST_MS);
  }

  function drawRebuilt() {
    const judged = texts.map((text, number) => ({ text, ...mending.mended(number) }));
    document.getElementById("rebuilt").replaceChildren(...nodes(rebuild(judged, gaps, mending.inserted())));
  }

  list.addEventListener("focusin", ({ target }) => {
    const row = target.closest(".verify-row");
    if (row && row !== current) select(row, { focus: false });
  });
  tools.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-do]");
    if (button) act(button.dataset.do);
  });
  list.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button?.dataset.take && player?.range) mending.take(Number(button.dataset.take), player.range);
    else if (button?.dataset.play) play(Number(button.dataset.play));
    else if (button?.dataset.remove) mending.remove(Number(button.dataset.remove));
    else if (!target.closest("input, textarea, label, button")) select(target.closest(".verify-row"));
  });
  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return;
    const isRow = event.target === current;
    if (!isRow && event.key === "Escape") current.focus();
    else if ((isRow || event.altKey) && event.key in MOVES) {
      const all = [...rows, end];
      select(all[all.indexOf(current) + MOVES[event.key]]);
    } else {
      const what = event.altKey ? !event.getModifierState("AltGraph") && ALT_KEYS[event.code] : isRow && KEYS[event.code];
      if (!what) return;
      act(what);
    }
    // The player's own letters wait while a sentence has the focus.
    event.preventDefault();
    event.stopPropagation();
  });
  form.addEventListener("input", draw);
  form.addEventListener("change", draw);
  form.addEventListener("work:fill", ({ detail }) => mending.prepare(detail.content));
  form.addEventListener("work:filled", draw);
  for (const row of [...rows, end]) row.tabIndex = -1;
  select(rows.find((row) => !verdictOf(row).value.trim()) ?? rows[0], { focus: false });
  draw();
}

function nodes(pieces) {
  const made = [];
  let plain = "";
  const flush = () => {
    if (plain) made.push(plain);
    plain = "";
  };
  const change = (tag, text) => {
    if (!text) return;
    flush();
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
  flush();
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
