/* Verify a caption: judge the sentences by key, correct them, add what is missing, and see the
   corrected caption.

   OK and a deletion move to the next sentence, and after the last one to the theme, where Enter
   answers yes and submits. An error type moves to the field that corrects it; Escape returns to the
   sentence, Enter moves to the next. U undoes. In the fields of a missing segment, the keys mark and
   play that segment's frames, elsewhere the current sentence's. */

import { Follower } from "../drafts/follow.js";
import { onKeys } from "../keys/grammar.js";
import { mountPlayers } from "../player/player.js";
import { timesOfSentences } from "../spans/timeline.js";
import { find, findAll } from "../ui/dom.js";
import { History } from "./history.js";
import { Mending } from "./mending.js";

const LETTERS = ["A", "B", "C", "D"];
const ACTS = ["ok", "A", "B", "C", "D", "edit", "delete", "insert", "play", "start", "end", "theme", "undecided"];
const form = find("#work-form", HTMLFormElement);
const list = document.getElementById("verify-rows");
if (list) start();

function start() {
  const rows = [...list.querySelectorAll("li")];
  const end = document.getElementById("verify-end");
  const theme = document.getElementById("theme");
  const verdicts = rows.map((row) => find(".verify-verdict", HTMLInputElement, row));
  const isEditable = form.dataset.editable === "true";
  const tools = document.getElementById("verify-tools");
  const buttons = new Map(findAll("[data-do]", HTMLButtonElement, tools).map((button) => [button.dataset.do, button]));
  const mending = new Mending(form, rows, end);
  const [player] = mountPlayers();
  const times = new Map(timesOfSentences().map(({ mark, start, end }) => [Number(mark) - 1, [start, end]]));
  const history = new History();
  const status = document.getElementById("verify-status");
  const rebuilt = new Follower(form, list.dataset.changesUrl, drawRebuilt, { lose: () => drawRebuilt(null) });
  const decided = new Set();
  const drawn = verdicts.map((verdict) => verdict.value); // the verdicts as last drawn
  /** @type {HTMLLIElement | null} */
  let current = null;

  const placeOf = (row) => (row === end ? rows.length : row.value - 1);
  const typesOf = (place) => LETTERS.filter((letter) => verdicts[place].value.toUpperCase().split("#").includes(letter));

  function select(row, { focus = true } = {}) {
    if (!row) return;
    if (current) {
      delete current.dataset.current;
      current.tabIndex = -1;
    }
    if (current && current !== end) verdicts[placeOf(current)].tabIndex = -1;
    current = row;
    row.dataset.current = "";
    row.tabIndex = 0;
    if (row !== end) verdicts[placeOf(row)].tabIndex = 0;
    tools.hidden = !isEditable;
    document.getElementById("verify-current").textContent = row === end ? "The end" : `Sentence ${placeOf(row) + 1}`;
    tools.querySelector("[data-letters]").hidden = row === end;
    press();
    if (!focus) return;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  function press() {
    const isSentence = current !== end;
    const pressed = new Set(isSentence ? typesOf(placeOf(current)) : []);
    if (isSentence && verdicts[placeOf(current)].value === "ok") pressed.add("ok");
    for (const [what, button] of buttons) {
      if (button.hasAttribute("aria-pressed")) button.setAttribute("aria-pressed", String(pressed.has(what)));
    }
  }

  function move(by) {
    const place = Math.min(Math.max(placeOf(current) + by, 0), rows.length);
    select(rows[place] ?? end);
    follow();
  }

  /** Seek to the frames of the current sentence, if it has any and the video is paused. */
  function follow() {
    const range = current === end ? null : mending.range(`span-${placeOf(current)}`);
    if (range && player?.video.paused) player.seekFrame(range[0]);
  }

  /** Move to the next sentence; from the last one, to what is still open. */
  function goOn(place) {
    const next = rows[place + 1] ?? nextUndecided(place);
    if (next) {
      select(next);
      return follow();
    }
    if (form.elements.theme.value) return select(rows[place]);
    theme.focus({ preventScroll: true });
    theme.scrollIntoView({ block: "nearest" });
  }

  /** Run an action. `target`: where the focus is; in a missing segment the action is about its
      frames. */
  function act(what, target = current) {
    const place = placeOf(current);
    const gap = target.closest(".verify-gap");
    if (what === "play") return play(gap ? [gap.id] : [`span-${place}`, `missing-${place}`, `missing-${place + 1}`]);
    if (what === "theme") return answerTheme();
    if (what === "undecided") return select(nextUndecided(place));
    if (!isEditable || buttons.get(what)?.disabled) return false;
    if (what === "undo") return undo();
    if (what === "insert") return mending.insert(place);
    if (what === "start" || what === "end") return mark(what, gap, place);
    if (current === end) return;
    if (what === "edit") return mending.edit(place);
    const types = typesOf(place);
    history.push(stepOf(place));
    if (what === "delete") {
      if (!types.includes("B") && !types.includes("D")) judge(place, "B");
      mending.toggleDeletion(place);
      return "deleted" in rows[place].dataset ? goOn(place) : select(rows[place]);
    }
    judge(place, what);
    if (what === "ok") goOn(place);
    else if (typesOf(place).includes(what)) mending.write(place, what);
    else if (document.activeElement === document.body) select(current); // its field is gone
  }

  /** Return the state of a sentence, for `undo`. */
  function stepOf(place, verdict = verdicts[place]?.value ?? "") {
    return { place, verdict, parts: mending.snapshot(place) };
  }

  /** Restore what the last verdict, or the one of a notice, replaced. */
  function undo(wanted) {
    const step = history.take(wanted);
    if (!step) return void (status.textContent = "Nothing to undo.");
    const row = rows[step.place] ?? end;
    mending.restore(step.parts);
    if (row !== end) {
      verdicts[step.place].value = drawn[step.place] = step.verdict;
      verdicts[step.place].dispatchEvent(new Event("input", { bubbles: true }));
    } else form.dispatchEvent(new Event("input", { bubbles: true }));
    select(row);
    status.textContent = `${row === end ? "The end" : `Sentence ${step.place + 1}`} is as it was before.`;
  }

  /** After a new verdict, remove what it doesn't need, with a notice if anything was typed there. */
  function settle(place) {
    const verdict = verdicts[place];
    const step = stepOf(place, drawn[place]);
    if (document.activeElement === verdict && history.steps.at(-1)?.place !== place) history.push(step);
    drawn[place] = verdict.value;
    if (!typesOf(place).length && verdict.value.trim() !== "ok") return;
    history.clear(place);
    const hasC = (other) => Boolean(rows[other]) && typesOf(other).includes("C");
    const removed = mending.settle(place, typesOf(place), hasC);
    if (!removed.length) return;
    history.show(rows[place], history.steps.at(-1)?.place === place ? history.steps.at(-1) : step, removed);
    status.textContent = `Sentence ${place + 1}. Removed ${removed.join(" and ")}. U undoes.`;
  }

  /** Answer yes if the theme has no answer; else move to the answer, and from there choose the
      other one. */
  function answerTheme() {
    const answers = findAll("[name=theme]", HTMLInputElement, form);
    const chosen = answers.find((answer) => answer.checked);
    const isThere = chosen && chosen === document.activeElement;
    const answer = isThere ? answers.find((other) => other !== chosen) : (chosen ?? answers[0]);
    if (isEditable && answer !== chosen) answer.click();
    answer.focus();
  }

  function judge(place, what) {
    const previousTypes = typesOf(place);
    const types = what === "ok" ? [] : LETTERS.filter((letter) => previousTypes.includes(letter) !== (letter === what));
    verdicts[place].value = types.join("#") || (what === "ok" ? "ok" : "");
    verdicts[place].dispatchEvent(new Event("input", { bubbles: true }));
  }

  function nextUndecided(place) {
    const isOpen = (row) => !decided.has(placeOf(row));
    return rows.slice(place + 1).find(isOpen) ?? rows.slice(0, place + 1).find(isOpen);
  }

  function mark(edge, gap, place) {
    if (!player) return;
    if (!gap && current === end) mending.openGap(place);
    else if (!gap) mending.openSpan(place);
    const name = gap?.id ?? (current === end ? `missing-${place}` : `span-${place}`);
    mending.mark(name, edge, edge === "start" ? player.aim : player.aim + 1);
  }

  /** Return the frames that the caption itself gives the sentence of these fields. */
  function ownRange(name) {
    const place = name.match(/^span-(\d+)$/)?.[1];
    return times.get(Number(place))?.map((frame) => frame + player.start);
  }

  /** Play the first of these that has frames, in a loop. */
  function play(names) {
    if (!player) return;
    const [range] = names.map((name) => mending.range(name) ?? ownRange(name)).filter(Boolean);
    if (!range) return;
    player.setRange(...range);
    player.seekFrame(range[0]);
    if (player.video.paused) player.do("play");
  }

  function takeOut(fields) {
    const row = fields.closest(".verify-row");
    const step = stepOf(placeOf(row));
    history.push(step);
    mending.remove(fields);
    if (row === end) return;
    history.show(row, step, [fields.matches(".verify-gap") ? "the missing content" : "the frames"]);
    status.textContent = `Sentence ${step.place + 1}. Taken out. U undoes.`;
  }

  function drawRow(row) {
    if (row === end) return;
    const place = placeOf(row);
    mending.show(place, typesOf(place));
    if (verdicts[place].value.trim()) decided.add(place);
    else decided.delete(place);
  }

  function drawRest() {
    document.querySelector("[data-decided]").textContent = String(decided.size);
    document.querySelector("[data-theme-due]").hidden = Boolean(form.elements.theme.value);
    press();
  }

  function askRebuilt() {
    document.getElementById("rebuilt").ariaBusy = "true";
    rebuilt.soon();
  }

  /** Show the corrected caption, or that the server doesn't answer, but never an outdated one. */
  function drawRebuilt(answer) {
    if (answer) document.getElementById("rebuilt").outerHTML = answer.html.trim();
    document.getElementById("rebuilt").hidden = !answer;
    document.getElementById("rebuilt-lost").hidden = Boolean(answer);
  }

  function changed({ target }) {
    const row = target.closest(".verify-row");
    if (row && row !== end && target === verdicts[placeOf(row)] && target.value !== drawn[placeOf(row)]) settle(placeOf(row));
    if (row) drawRow(row);
    drawRest();
    askRebuilt();
  }

  list.addEventListener("focusin", ({ target }) => {
    const row = target.closest(".verify-row");
    if (row && row !== current) select(row, { focus: false });
  });
  tools.addEventListener("click", ({ target, detail: isPointer }) => {
    const button = target.closest("[data-do]");
    if (!button) return;
    act(button.dataset.do);
    if (isPointer && document.activeElement === button) select(current); // so that keys work
  });
  list.addEventListener("click", ({ target }) => {
    const fields = target.closest(".verify-gap, .verify-span");
    const { dataset } = target.closest("button") ?? {};
    if (dataset && "take" in dataset && player?.range) mending.take(fields.id, player.range);
    else if (dataset && "play" in dataset) play([fields.id]);
    else if (dataset && "undo" in dataset) undo(history.stepOf(target));
    else if (dataset && "remove" in dataset) takeOut(fields);
    else if (!target.closest("input, textarea, label, button")) select(target.closest(".verify-row"));
  });
  /** Enter moves to what is still open; on the theme it answers yes, and then submits. */
  function submit(event) {
    if (!isEditable || event.ctrlKey || event.metaKey) return false;
    if (decided.size < rows.length) {
      status.textContent = `${rows.length - decided.size} of ${rows.length} sentences are undecided.`;
      return select(nextUndecided(placeOf(current)));
    }
    if (form.elements.theme.value) return false;
    if (!theme.contains(event.target)) return goOn(rows.length - 1);
    const isAnswer = event.target.matches("[name=theme]");
    (isAnswer ? event.target : find("[name=theme]", HTMLInputElement, theme)).click();
    return false;
  }

  const acts = ACTS.map((what) => [what, ({ target }) => act(what, list.contains(target) ? target : current)]);
  const step = (by) => ({ target }) => (list.contains(target) ? move(by) : select(current));
  const region = (target) => list.contains(target) || theme.contains(target);
  onKeys("verify", {
    ...Object.fromEntries(acts),
    up: step(-1),
    down: step(1),
    first: () => select(rows[0]),
    last: () => select(rows.at(-1)),
  }, { region });
  onKeys("work", {
    submit,
    undo: () => act("undo"),
    leave: ({ key, target }) => target !== current && form.contains(target) && (key === "Enter" && list.contains(target) ? goOn(placeOf(current)) : select(current)),
  }, { region });

  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  form.addEventListener("work:fill", ({ detail }) => mending.prepare(detail.content));
  form.addEventListener("work:filled", () => {
    verdicts.forEach((verdict, place) => (drawn[place] = verdict.value));
    rows.forEach(drawRow);
    drawRest();
    askRebuilt();
  });
  // The list is one Tab stop: the arrows move between its sentences.
  for (const verdict of verdicts) verdict.tabIndex = -1;
  rows.forEach(drawRow);
  const asks = "dialog[open], #problems:not([hidden]), #conflict:not([hidden])";
  const isFree = isEditable && !document.querySelector(asks) && document.activeElement === document.body && !location.hash;
  const isPhone = matchMedia("(max-width: 48rem)").matches;
  select(nextUndecided(-1) ?? rows[0], { focus: isFree && !isPhone });
  if (isFree && isPhone) {
    current.focus({ preventScroll: true });
    if (current !== rows[0]) current.scrollIntoView(); // work that begins shows its title first
  }
  drawRest();
}
