/* The player of one clip (templates/annotate/corpus/player.html).

   const [player] = mountPlayers();
   player.frame              the frame on the screen, counted from the start of the video
   player.seekFrame(n)       shows frame n, exactly
   player.range              null or [first, end): the loop
   player.watched            [[first, end), ...]: frames played or stepped through

   Events on the section: player:frame {frame}, player:range {range},
   player:watched {intervals, frames, of} at most every two seconds. */

import { onKeys } from "../keys/grammar.js";
import { Filmstrip } from "./filmstrip.js";
import { connectOpening, keptSpeed, openClip, usualSpeed } from "./habits.js";
import { addInterval, countFrames, readIntervals } from "./intervals.js";
import { changeSpeed, connectControls } from "./controls.js";
import { connectPreview } from "./preview.js";
import { Reverse } from "./reverse.js";
import { formatTime } from "./timecode.js";
import { showWaveform } from "./waveform.js";
import { Zoom } from "./zoom.js";

const SLOW = 0.25;
const ZOOM = 1.5;
const PANS = [[-1, 0], [1, 0], [0, -1], [0, 1]];
const REPORT_EVERY_MS = 2000;
const SPEAK_AFTER_MS = 500; // held keys are announced once, after the last one
// seconds of video; a longer jump between two pictures was a seek
const MAX_GAP_SECONDS = 0.5;
const WHY_IT_FAILED = {
  1: "Loading the video was stopped. Reload the page to try again.",
  2: "The connection broke while the video was loading. Reload the page to try again.",
  3: "This browser cannot decode the video. Tell the project's admin which clip it is.",
  4: "The video could not be loaded: it is missing, or this browser can't play it. Reload the page; if that doesn't help, tell the project's admin.",
};

export class Player {
  constructor(root) {
    const data = root.dataset;
    this.root = root;
    this.video = root.querySelector("video");
    this.fps = Number(data.fpsNum) / Number(data.fpsDen);
    this.start = Number(data.start);
    this.end = Number(data.end);
    this.frame = this.start;
    this.range = null;
    this.watched = readIntervals(data.watched ?? "", this.start);
    this.target = null; // the frame being sought
    this.stepping = false;
    this.isAtRest = false; // a seek has ended, and nothing has played since
    this.spoken = this.start; // the last frame announced to screen readers
    this.find = (name) => root.querySelector(name);
    this.timeline = this.find(".player-timeline");
    this.strip = new Filmstrip(this.find("canvas"), {
      start: this.start,
      end: this.end,
      shots: numbers(data.shots),
      src: data.filmstripSrc,
      columns: Number(data.filmstripColumns),
      tileWidth: Number(data.filmstripTileWidth),
      tileHeight: Number(data.filmstripTileHeight),
      tileFrames: numbers(data.filmstripFrames),
    });
    this.find("[data-show=length]").textContent = formatTime((this.end - this.start) / this.fps);
    this.find("[data-show=frames]").textContent = `/ ${this.end - this.start}`;
    this.zoom = new Zoom(this.find(".player-stage"), this.video);
    this.reverse = new Reverse(this);
    this.setSpeed(keptSpeed());
    this.listen();
    this.render();
    showWaveform(this);
    if (this.video.error) this.fail();
    if (this.video.readyState >= HTMLMediaElement.HAVE_METADATA) openClip(this);
  }

  listen() {
    const { video } = this;
    video.addEventListener("loadedmetadata", () => openClip(this));
    video.addEventListener("seeked", () => this.arrived());
    video.addEventListener("play", () => {
      this.isAtRest = false;
      this.render();
    });
    video.addEventListener("pause", () => {
      this.confine({ ranOut: video.ended }); // a seek to the end also counts as ended, but doesn't pause
      this.settle();
      this.render();
      this.reportWatched();
    });
    video.addEventListener("volumechange", () => this.render());
    video.addEventListener("timeupdate", () => this.confine());
    video.addEventListener("error", () => this.fail());
    video.addEventListener("click", () => this.do("play"));
    video.requestVideoFrameCallback((_, picture) => this.shown(picture));
    connectControls(this);
    connectPreview(this);
  }

  /** Run a command. `place`: the index of the pressed key among the command's keys. */
  do(command, place = 0) {
    const second = Math.round(this.fps);
    if (command !== "reverse" && !command.startsWith("zoom") && command !== "pan") this.reverse.stop();
    const commands = {
      play: () => this.togglePlay(),
      "frame-back": () => this.step(-1),
      "frame-forward": () => this.step(1),
      "second-back": () => this.seekFrame(this.aim - second),
      "second-forward": () => this.seekFrame(this.aim + second),
      slower: () => changeSpeed(this, -1),
      faster: () => changeSpeed(this, 1),
      "range-in": () => this.setRange(this.aim, this.range?.[1] > this.aim ? this.range[1] : this.end),
      "range-out": () => this.setRange(this.range?.[0] <= this.aim ? this.range[0] : this.start, this.aim + 1),
      "range-clear": () => this.setRange(null),
      goto: () => this.find(".player-goto").focus(),
      slow: () => this.setSpeed(this.video.playbackRate === SLOW ? usualSpeed(SLOW) : SLOW),
      reverse: () => this.reverse.toggle(),
      "zoom-in": () => this.zoom.by(ZOOM),
      "zoom-out": () => this.zoom.by(1 / ZOOM),
      pan: () => this.zoom.pan(...PANS[place]),
      mute: () => void (this.video.muted = !this.video.muted),
    };
    return commands[command]();
  }

  /** The frame being sought, else the current one. */
  get aim() {
    return this.target ?? this.frame;
  }

  togglePlay() {
    if (!this.video.paused) return this.video.pause();
    const [first, end] = this.range ?? [this.start, this.end];
    if (this.aim >= end - 1 || this.aim < first) this.seekFrame(first);
    this.video.play().catch(() => this.render()); // an error event gives the reason
  }

  step(by) {
    this.video.pause();
    this.stepping = true;
    this.seekFrame(this.aim + by);
  }

  seekFrame(frame) {
    this.target = Math.min(Math.max(Math.round(frame), this.start), this.end - 1);
    // seek to the middle of a frame, since rounding can cross its edges
    if (!this.video.seeking) this.video.currentTime = (this.target + 0.5) / this.fps;
    this.seekingTo ??= this.target;
    this.render();
  }

  arrived() {
    const behind = this.target !== null && this.seekingTo !== this.target;
    this.seekingTo = null;
    if (behind) return this.seekFrame(this.target); // keys came faster than seeks
    this.frame = this.target ?? this.frameAt(this.video.currentTime);
    this.target = null;
    if (this.stepping) this.watch(this.frame, this.frame + 1);
    this.stepping = false;
    this.isAtRest = this.video.paused;
    this.last = this.frame;
    this.moved();
  }

  /** Handle a picture that reached the screen. */
  shown(picture) {
    this.video.requestVideoFrameCallback((_, next) => this.shown(next));
    // After a seek the picture before it can still be reported.
    if (this.video.seeking || this.target !== null || this.isAtRest) return;
    this.frame = frameOf(picture.mediaTime, this.fps);
    const gap = this.frame - (this.last ?? this.frame);
    if (!this.video.paused && gap >= 0 && gap <= this.fps * MAX_GAP_SECONDS) {
      this.watch(this.last ?? this.frame, this.frame + 1);
    }
    this.last = this.frame;
    this.confine();
    this.moved();
  }

  /** Keep the playing video inside the clip or its loop. `ranOut`: the video stopped at its end. */
  confine({ ranOut = false } = {}) {
    if (this.video.paused && !ranOut) return;
    if (this.target !== null || this.video.seeking) return;
    // the picture on the screen can be ahead of currentTime
    const now = ranOut ? this.end : Math.max(this.frame, this.frameAt(this.video.currentTime));
    if (this.range && now >= this.range[1] - 1) {
      this.seekFrame(this.range[0]);
      if (this.video.paused) this.video.play().catch(() => this.render());
    } else if (now >= this.end - 1) {
      this.video.pause();
      this.watch(this.last ?? this.end - 1, this.end);
      this.seekFrame(this.end - 1);
    } else if (now < this.start) {
      this.seekFrame(this.start);
    }
  }

  /** Seek to the reported frame: after a pause, Firefox often shows the next one. */
  settle() {
    if (this.video.paused && this.target === null) this.seekFrame(this.frame);
  }

  frameAt(seconds) {
    return Math.floor(seconds * this.fps + 1e-3);
  }

  setRange(first, end) {
    this.range = first === null ? null : [first, end];
    this.render();
    this.emit("player:range", { range: this.range });
  }

  setSpeed(speed) {
    this.video.playbackRate = speed;
    this.find(".player-speed").value = String(speed);
  }

  watch(first, end) {
    this.watched = addInterval(this.watched, Math.max(first, this.start), Math.min(end, this.end));
    this.report ??= setTimeout(() => this.reportWatched(), REPORT_EVERY_MS);
  }

  reportWatched() {
    if (!this.report) return;
    clearTimeout(this.report);
    this.report = null;
    const frames = countFrames(this.watched);
    this.emit("player:watched", { intervals: this.watched, frames, of: this.end - this.start });
  }

  moved() {
    this.render();
    this.speak();
    this.emit("player:frame", { frame: this.frame });
  }

  /** Announce the final frame to screen readers. A focused timeline is read out by itself. */
  speak() {
    clearTimeout(this.speaking);
    if (!this.video.paused || this.frame === this.spoken || this.timeline.matches(":focus")) return;
    this.speaking = setTimeout(() => {
      this.spoken = this.frame;
      const frame = this.frame - this.start;
      this.find("[data-show=live]").textContent = `Frame ${frame}, ${formatTime(frame / this.fps)}`;
    }, SPEAK_AFTER_MS);
  }

  emit(name, detail) {
    this.root.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  }

  render() {
    const frame = this.aim - this.start;
    const time = formatTime(frame / this.fps);
    const playing = !this.video.paused;
    this.root.dataset.playing = playing;
    this.root.dataset.muted = this.video.muted;
    this.find("[data-do=play]").setAttribute("aria-label", playing ? "Pause" : "Play");
    this.find("[data-do=mute]")?.setAttribute("aria-pressed", this.video.muted);
    this.find("[data-do=range-clear]").disabled = !this.range;
    this.find("[data-show=time]").textContent = time;
    this.find("[data-show=frame]").textContent = `f${frame}`;
    if (!playing || this.target !== null) {
      // during playback, a screen reader on the slider would read out every frame
      this.timeline.setAttribute("aria-valuenow", this.aim);
      this.timeline.setAttribute("aria-valuetext", `${time}, frame ${frame}`);
    }
    this.strip.draw({ frame: this.aim, range: this.range, watched: this.watched });
  }

  fail() {
    const box = this.find(".player-error");
    box.hidden = false;
    box.textContent = WHY_IT_FAILED[this.video.error?.code] ?? WHY_IT_FAILED[4];
  }
}

/** Return the frame of a picture. Its time is the frame's start; after a seek in Firefox it is the
    sought time, the frame's middle. Adding a quarter of a frame keeps both away from the edges. */
function frameOf(mediaTime, fps) {
  return Math.floor(mediaTime * fps + 0.25);
}

function numbers(text) {
  return text ? text.split(" ").filter(Boolean).map(Number) : [];
}

const mounted = new WeakMap();

/** Return the players under root; each is mounted once. */
export function mountPlayers(root = /** @type {ParentNode} */ (document)) {
  return [...root.querySelectorAll("[data-player]")].map((section) => {
    if (!mounted.has(section)) mounted.set(section, new Player(section));
    return mounted.get(section);
  });
}

/** Return the player that a key acts on: the one with the focus, else the page's first. */
function playerFor(target) {
  const sections = [...document.querySelectorAll("[data-player]")];
  return mounted.get(sections.find((section) => section.contains(target)) ?? sections[0]);
}

/** The commands of keys, which go to the player that the key acts on. */
const COMMANDS = ["play", "second-back", "second-forward", "frame-back", "frame-forward", "slower", "faster", "range-in", "range-out", "range-clear", "goto", "mute", "slow", "reverse", "zoom-in", "zoom-out", "pan"];

onKeys("player", Object.fromEntries(COMMANDS.map((command) => [command, ({ target }, place) => {
  const player = playerFor(target);
  return player ? player.do(command, place) : false;
}])), { region: (target) => Boolean(playerFor(target)?.root.contains(target)) });

connectOpening();
mountPlayers();
document.addEventListener("htmx:load", (event) => mountPlayers(event.detail.elt.parentElement ?? document));
