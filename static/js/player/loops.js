/* Synchronized, muted loops of clips (templates/review/display/loop.html inside [data-loops]).

   All begin together, and again when the longest has ended; a shorter one waits on its last frame.
   A clip elsewhere on the page joins by naming the id of the group: data-loop="targets".
   Only clips near the screen are loaded and played. With reduced motion nothing plays until the
   button [data-loops-play] is pressed; [data-loops-slow] halves the speed.

   const [loops] = mountLoops();   loops.toggle()   loops.slow()

   Event, at most every two seconds: loops:watched {share}, the played share (0 to 1) of the
   page's least played clip. Clips that are hidden or failed to load don't count. */

import { addInterval, countFrames } from "./intervals.js";

const PAUSE_MS = 400;
// milliseconds; a clip that loads more slowly joins in the next round
const PATIENCE_MS = 3000;
const SLOW = 0.5;
const TELL_MS = 2000;

export class Loop {
  constructor(video) {
    const fps = Number(video.dataset.fpsNum) / Number(video.dataset.fpsDen);
    this.video = video;
    // seek to the middle of a frame, since rounding can cross its edges
    this.start = (Number(video.dataset.start) + 0.5) / fps;
    this.end = (Number(video.dataset.end) - 0.5) / fps;
    this.isNear = false;
    this.fps = fps;
    this.first = Number(video.dataset.start);
    this.last = Number(video.dataset.end) - 1;
    this.before = -1;
    this.watched = [];
    video.addEventListener("error", () => video.closest("figure").setAttribute("data-failed", ""));
  }

  get hasEnded() {
    return this.video.error || this.video.ended || this.video.currentTime >= this.end;
  }

  get counts() {
    return !this.video.error && this.video.getClientRects().length > 0;
  }

  get share() {
    return countFrames(this.watched) / (this.last - this.first + 1);
  }

  /** Add the frames played since the last call, unless the video jumped. */
  note() {
    const frame = Math.min(Math.floor(this.video.currentTime * this.fps), this.last);
    const before = this.before < 0 || frame < this.before || frame - this.before > this.fps ? frame : this.before;
    this.before = frame;
    if (frame >= this.first) this.watched = addInterval(this.watched, Math.max(before, this.first), frame + 1);
  }

  /** Show the first frame. Return whether it could be shown. */
  async rewind() {
    const { video } = this;
    this.before = -1;
    if (video.error) return false;
    video.preload = "auto";
    video.pause();
    if (video.readyState < HTMLMediaElement.HAVE_METADATA && !(await once(video, "loadedmetadata"))) return false;
    const isShown = once(video, "seeked");
    video.currentTime = this.start;
    return isShown;
  }
}

class Loops {
  constructor(root) {
    this.root = root;
    const joins = root.id ? document.querySelectorAll(`video[data-loop="${root.id}"]`) : [];
    this.loops = [...new Set([...joins, ...root.querySelectorAll("video[data-loop]")])].map((video) => new Loop(video));
    this.playing = [];
    this.round = 0;
    this.isOn = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.isSlow = false;
    this.toldAt = 0;
    this.toldShare = 0;
    root.querySelector("[data-loops-play]")?.addEventListener("click", () => this.toggle());
    root.querySelector("[data-loops-slow]")?.addEventListener("click", () => this.slow());
    this.watch();
    this.draw();
    if (this.isOn) this.begin();
  }

  watch() {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          this.loops.find(({ video }) => video === target).isNear = isIntersecting;
        }
        if (this.isOn && !this.playing.length) this.begin();
      },
      { rootMargin: "25%" },
    );
    for (const { video } of this.loops) observer.observe(video);
  }

  toggle() {
    this.isOn = !this.isOn;
    if (this.isOn) this.begin();
    else this.stop();
    this.draw();
  }

  slow() {
    this.isSlow = !this.isSlow;
    for (const { video } of this.loops) video.playbackRate = this.isSlow ? SLOW : 1;
    this.draw();
  }

  stop() {
    this.round += 1;
    for (const { video } of this.playing) video.pause();
    this.playing = [];
  }

  async begin() {
    this.stop();
    const round = this.round;
    const near = this.loops.filter((loop) => loop.isNear);
    const areReady = await Promise.all(near.map((loop) => loop.rewind()));
    if (round !== this.round) return;
    this.playing = near.filter((_, place) => areReady[place]);
    for (const { video } of this.playing) {
      video.playbackRate = this.isSlow ? SLOW : 1;
      video.play().catch(() => {}); // an error event gives the reason
    }
    if (this.playing.length) requestAnimationFrame(() => this.tick(round));
  }

  tick(round) {
    if (round !== this.round) return;
    for (const loop of this.playing) loop.note();
    for (const { video, hasEnded } of this.playing) if (hasEnded) video.pause();
    this.tell();
    if (this.playing.every((loop) => loop.hasEnded)) setTimeout(() => round === this.round && this.begin(), PAUSE_MS);
    else requestAnimationFrame(() => this.tick(round));
  }

  tell() {
    const share = Math.min(...this.loops.filter((loop) => loop.counts).map((loop) => loop.share));
    const isDone = share === 1;
    if (!Number.isFinite(share) || share <= this.toldShare || (!isDone && Date.now() - this.toldAt < TELL_MS)) return;
    this.toldAt = Date.now();
    this.toldShare = share;
    this.root.dispatchEvent(new CustomEvent("loops:watched", { bubbles: true, detail: { share } }));
  }

  draw() {
    const play = this.root.querySelector("[data-loops-play]");
    if (play) play.querySelector("[data-label]").textContent = this.isOn ? "Pause" : "Play";
    this.root.querySelector("[data-loops-slow]")?.setAttribute("aria-pressed", String(this.isSlow));
    this.root.dataset.playing = String(this.isOn);
  }
}

function once(video, name) {
  return new Promise((resolve) => {
    video.addEventListener(name, () => resolve(true), { once: true });
    video.addEventListener("error", () => resolve(false), { once: true });
    setTimeout(resolve, PATIENCE_MS, false);
  });
}

const mounted = new Map();

/** Return the groups under root; each is mounted once. */
export function mountLoops(root = document) {
  return [...root.querySelectorAll("[data-loops]")].map((group) => {
    if (!mounted.has(group)) mounted.set(group, new Loops(group));
    return mounted.get(group);
  });
}

mountLoops();
