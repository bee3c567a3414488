/* Show the times of sentences as bars under the player's filmstrip. A bar with the pointer or the
   focus plays its part of the clip in a loop until it loses them; a click keeps the loop. The
   arrows move between bars. With reduced motion, only a click plays. */

import { mountPlayers } from "../player/player.js";
import { formatSeconds } from "../player/timecode.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{name: string, mark: string, start: number, end: number}} Span  frames of the clip */

export class SpanTimeline {
  constructor(player) {
    this.player = player;
    this.before = null; // the player's state before a span is previewed
    this.root = document.createElement("div");
    this.root.className = "span-timeline";
    this.root.setAttribute("role", "group");
    this.root.setAttribute("aria-label", "Times of sentences");
    this.root.hidden = true;
    player.find(".player-preview-place").after(this.root);
    this.root.addEventListener("keydown", (event) => this.move(event));
  }

  /** The loop that the person has set, also while another span is previewed. */
  get range() {
    return this.before ? this.before.range : this.player.range;
  }

  /** @param {Span[]} spans */
  draw(spans) {
    this.stop();
    const { start, end } = this.player;
    const lanes = [];
    const bars = spans.map((span) => {
      const bar = spanButton(this, span);
      let lane = lanes.findIndex((free) => free <= span.start);
      if (lane < 0) lane = lanes.length;
      lanes[lane] = span.end;
      bar.className = "span-bar";
      bar.textContent = span.mark;
      bar.tabIndex = -1;
      bar.style.left = `${(100 * span.start) / (end - start)}%`;
      bar.style.width = `${(100 * (span.end - span.start)) / (end - start)}%`;
      bar.style.top = `calc(${lane} * var(--span-lane))`;
      return bar;
    });
    if (bars.length) bars[0].tabIndex = 0;
    this.root.style.height = `calc(${lanes.length} * var(--span-lane))`;
    this.root.hidden = bars.length === 0;
    this.root.replaceChildren(...bars);
  }

  move(event) {
    const bars = /** @type {HTMLElement[]} */ ([...this.root.children]);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const next = bars[bars.indexOf(event.target) + step];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault(); // else the key moves the video
    if (!next) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  try(span) {
    const { player } = this;
    this.before ??= { range: player.range, frame: player.aim, isPlaying: !player.video.paused };
    this.play(span);
  }

  keep(span) {
    this.before = null;
    this.play(span);
  }

  play({ start, end }) {
    const { player } = this;
    player.setRange(player.start + start, player.start + end);
    player.seekFrame(player.start + start);
    player.video.play().catch(() => player.render()); // an error event gives the reason
  }

  stop() {
    if (!this.before) return;
    const { range, frame, isPlaying } = this.before;
    const { player } = this;
    this.before = null;
    if (!isPlaying) player.video.pause();
    player.setRange(...(range ?? [null]));
    player.seekFrame(frame);
  }
}

/** Return a button that plays a span; the caller adds its content. */
export function spanButton(timeline, span) {
  const { fps } = timeline.player;
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-label", `${span.name}, ${wordsOf(span, fps)}`);
  button.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && !calm.matches && timeline.try(span));
  button.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && timeline.stop());
  button.addEventListener("focus", () => button.matches(":focus-visible") && !calm.matches && timeline.try(span));
  button.addEventListener("blur", () => timeline.stop());
  button.addEventListener("click", () => timeline.keep(span));
  return button;
}

export function wordsOf({ start, end }, fps) {
  return `${formatSeconds(start / fps)} to ${formatSeconds(end / fps)}`;
}

/** Show the spans that the server wrote into the page, if any. Return the timeline. */
export function showSpans() {
  const [player] = mountPlayers();
  if (!player) return null;
  const timeline = new SpanTimeline(player);
  timeline.draw(timesOfSentences());
  return timeline;
}

/** @returns {Span[]} what the server wrote into the page */
export function timesOfSentences() {
  return JSON.parse(document.getElementById("sentence-spans")?.textContent ?? "[]");
}
