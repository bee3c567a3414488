/* Keeps the hold on the work alive while the page is looked at, and counts time at work: seconds
   with typing, clicking or playing in the last minute. Watched frames go along.

   Events: lost {message} once the hold has ended; reached {isReachable}; version {version} of the draft
   that the server has. */

import { findAll } from "../ui/dom.js";
import { Emitter } from "../ui/emitter.js";
import { post, Unreachable } from "../ui/requests.js";

const BEAT_MS = 30_000;
const STILL_AT_WORK_MS = 60_000;
const MOST_SECONDS = 120; // the server counts no more per beat

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
      // the player counts the video's frames, the server the clip's
      this.watched = detail.intervals.map(([first, end]) => [first - this.start, end - this.start]);
    });
    // of several clips, as much of the work's own as of the one that was played least
    document.addEventListener("loops:watched", ({ detail }) => {
      if (this.frames) this.watched = [[0, Math.floor(detail.share * this.frames)]];
    });
    setInterval(() => this.tick(), 1000);
    setInterval(() => this.beat(), BEAT_MS);
    addEventListener("offline", () => this.beat());
    addEventListener("online", () => this.beat());
    document.addEventListener("visibilitychange", () => this.beat({ leaving: document.hidden }));
    if (new Date() > this.expiresAt) this.beat();
  }

  tick() {
    // clips that loop by themselves say nothing of anybody's presence
    const isPlaying = findAll("video:not([data-loop])", HTMLVideoElement).some((video) => !video.paused);
    if (!document.hidden && (isPlaying || Date.now() - this.lastSign < STILL_AT_WORK_MS)) this.seconds += 1;
  }

  /** Says that somebody is here. While the page is hidden only what was done before is reported. */
  beat({ leaving = false } = {}) {
    if (this.stopped || this.paused || (document.hidden && !leaving)) return this.running;
    return (this.running = this.send(leaving));
  }

  async send(leaving) {
    const seconds = Math.min(this.seconds, MOST_SECONDS);
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

  /** Quiet while a submit is under way, which ends the hold. Resolves when no beat is. */
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
