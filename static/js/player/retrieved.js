/* The page of one query. A ranked clip shows its middle frame and loops, muted, while it has the
   pointer or the focus; with reduced motion, only after a click. The left and right arrows open the
   previous and next query, Space plays and pauses the clips above. */

import { Loop, mountLoops } from "./loops.js";
import { TYPES } from "../keys/typing.js";

const KEYS = { ArrowLeft: "prev", ArrowRight: "next" };
const calm = matchMedia("(prefers-reduced-motion: reduce)");

class RankedClip {
  constructor(button) {
    this.button = button;
    this.loop = new Loop(button.querySelector("video"));
    this.isOn = false;
    button.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && this.offer());
    button.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && this.stop());
    button.addEventListener("focus", () => button.matches(":focus-visible") && this.offer());
    button.addEventListener("blur", () => this.stop());
    button.addEventListener("click", () => (this.isOn ? this.stop() : this.play()));
  }

  offer() {
    if (!calm.matches) this.play();
  }

  async play() {
    if (this.isOn) return;
    this.isOn = true;
    this.button.dataset.playing = "";
    // once a round, and never again after a failed load
    while (this.isOn && (await this.loop.rewind())) {
      if (!this.isOn) break;
      await this.loop.video.play().catch(() => {}); // an error event gives the reason
      await this.end();
    }
  }

  /** Show the middle frame: clips cut from one video may have no poster of their own. */
  still() {
    const { video, start, end } = this.loop;
    const seek = () => !this.isOn && (video.currentTime = (start + end) / 2);
    if (video.readyState >= HTMLMediaElement.HAVE_METADATA) seek();
    else video.addEventListener("loadedmetadata", seek, { once: true });
    if (video.preload === "none") video.preload = "metadata";
  }

  /** Wait until the clip ends or is stopped. */
  end() {
    return new Promise((resolve) => {
      const look = () => (!this.isOn || this.loop.hasEnded ? resolve() : requestAnimationFrame(look));
      look();
    });
  }

  stop() {
    this.isOn = false;
    delete this.button.dataset.playing;
    this.loop.video.pause();
    this.still();
  }
}

const ranked = new Map([...document.querySelectorAll("[data-ranked]")].map((button) => [button, new RankedClip(button)]));
const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    ranked.get(/** @type {HTMLElement} */ (target)).still();
    observer.unobserve(target);
  }
}, { rootMargin: "25%" });
for (const button of ranked.keys()) observer.observe(button);
const [above] = mountLoops();

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target.closest(TYPES)) return;
  if (event.code === "Space" && !event.target.closest("button, a, summary")) {
    event.preventDefault();
    above?.toggle();
  }
  if (event.key in KEYS) document.querySelector(`a[rel="${KEYS[event.key]}"]`)?.click();
});
