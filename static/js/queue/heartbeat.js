/* Extend the lease of the work while its page is visible, and count time at work: seconds with
   typing, clicking or playing in the last minute. Also send the watched frames.

   Events: lost {message} when the lease has ended; reached {isReachable}; version {version} of the
   server's draft. */

import { findAll } from "../ui/dom.js";
import { Emitter } from "../ui/emitter.js";
import { now } from "../ui/moments.js";
import { post, Unreachable } from "../ui/requests.js";

const BEAT_MS = 30_000;
const STILL_AT_WORK_MS = 60_000;
const MAX_SECONDS = 120; // the server counts no more per beat

export class Heartbeat extends Emitter {
  constructor({ url, start, frames, expiresAt }) {
    super();
    this.url = url;
    this.start = start;
    this.frames = frames;
    this.expiresAt = expiresAt;
    this.seconds = 0;
    this.lastSign = 0;
    this.watched = null;
    this.stopped = false;
    this.paused = false;
  }

  begin() {
    for (const sign of ["keydown", "input", "pointerdown", "wheel"]) {
      document.addEventListener(sign, () => (this.lastSign = Date.now()), { passive: true, capture: true });
    }
    document.addEventListener("player:watched", ({ detail }) => {
      this.lastSign = Date.now();
      // the player counts frames from the start of the video, the server from the start of the clip
      this.watched = detail.intervals.map(([first, end]) => [first - this.start, end - this.start]);
    });
    // with several clips, report the share of the least watched one
    document.addEventListener("loops:watched", ({ detail }) => {
      if (this.frames) this.watched = [[0, Math.floor(detail.share * this.frames)]];
    });
    setInterval(() => this.tick(), 1000);
    setInterval(() => this.beat(), BEAT_MS);
    addEventListener("offline", () => this.beat());
    addEventListener("online", () => this.beat());
    document.addEventListener("visibilitychange", () => this.beat({ leaving: document.hidden }));
    if (now() > this.expiresAt) this.beat();
  }

  tick() {
    // clips that loop by themselves don't show that a person is present
    const isPlaying = findAll("video:not([data-loop])", HTMLVideoElement).some((video) => !video.paused);
    if (!document.hidden && (isPlaying || Date.now() - this.lastSign < STILL_AT_WORK_MS)) this.seconds += 1;
  }

  /** Report time at work. While the page is hidden, only earlier time is reported. */
  beat({ leaving = false } = {}) {
    if (this.stopped || this.paused || (document.hidden && !leaving)) return this.running;
    return (this.running = this.send(leaving));
  }

  async send(leaving) {
    const seconds = Math.min(this.seconds, MAX_SECONDS);
    const watched = this.watched;
    this.seconds -= seconds;
    this.watched = null;
    const body = { active_seconds: seconds, watched: watched ?? [] };
    try {
      const { status, data } = await post(this.url, body, { leaving });
      this.emit("reached", { isReachable: true });
      if (status === 200) {
        this.expiresAt = new Date(data.lease_expires_at);
        this.emit("version", { version: data.version });
      } else this.putBack(seconds, watched);
      if (status === 410) this.lose(data);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.putBack(seconds, watched);
      this.emit("reached", { isReachable: false });
    }
  }

  putBack(seconds, watched) {
    this.seconds += seconds;
    this.watched ??= watched;
  }

  lose({ message, code }) {
    if (this.stopped) return;
    this.stopped = true;
    this.emit("lost", { message, code });
  }

  /** Pause during a submit, which ends the lease. Resolves when no beat is running. */
  async pause() {
    this.paused = true;
    await this.running;
  }

  goOn() {
    this.paused = false;
  }

  stop() {
    this.stopped = true;
  }
}
