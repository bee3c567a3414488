/* Submit the work once: send the draft first, then the text. All attempts use the same key, so that
   a lost reply never creates a second caption. Retry after lost connections; typing cancels the
   retries. */

import { readForm } from "../drafts/form.js";
import { fieldOf } from "../ui/dom.js";
import { Emitter } from "../ui/emitter.js";
import { post, Unreachable } from "../ui/requests.js";

const RETRY_MS = [1000, 2000, 4000, 8000, 15_000];

/** Return whether the server refused the submit because too little of the clip was watched. */
function isUnwatched({ status, data }) {
  return status === 422 && data.problems.some(({ field }) => field === "watched");
}

export class Submission extends Emitter {
  constructor({ form, sync, heartbeat }) {
    super();
    this.form = form;
    this.sync = sync;
    this.heartbeat = heartbeat;
    this.busy = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit(event.submitter?.value === "next" ? "next" : "");
    });
    document.addEventListener("input", (event) => fieldOf(event).form === form && this.stopWaiting?.());
  }

  async submit(then) {
    if (this.busy || this.sync.state === "closed") return;
    if (this.sync.theirs) return this.emit("choose");
    this.setBusy("Submitting…");
    try {
      await this.tryUntilHeard(then);
      if (this.sync.state === "signed-out") this.emit("signed-out");
    } finally {
      if (!this.left) {
        this.heartbeat.goOn();
        this.setBusy("");
      }
    }
  }

  async tryUntilHeard(then) {
    this.toldAgain = false;
    let mustBeat = true; // report frames watched offline before the server checks them
    for (let attempt = 0; ; attempt++) {
      // The first attempt may have been stored; its lease is then over, so a retry sends no
      // heartbeat.
      await Promise.all([this.sync.flush(), mustBeat && this.heartbeat.beat()]);
      mustBeat = false;
      if (this.sync.theirs) return this.emit("choose");
      if (this.sync.state === "signed-out" || this.sync.state === "closed") return;
      await this.heartbeat.pause();
      try {
        const reply = await this.send(then);
        mustBeat = attempt > 0 && !this.toldAgain && isUnwatched(reply);
        if (mustBeat) {
          this.toldAgain = true;
          this.heartbeat.goOn();
          continue;
        }
        if (!(await this.mustRepeat(reply))) return;
        continue;
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
      }
      this.setBusy("Waiting for the connection to submit…");
      if (!(await this.wait(RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]))) return this.emit("stopped");
    }
  }

  send(then) {
    const { form, sync } = this;
    const content = readForm(form);
    return post(form.action, { key: form.elements.key.value, base_version: sync.version, content, then });
  }

  /** Handle the server's answer. Return true if only our own lost save prevented the submit. */
  async mustRepeat({ status, data }) {
    if (status === 200) {
      this.left = true;
      this.heartbeat.stop();
      this.sync.finish();
      location.assign(data.next);
    } else if (status === 409) {
      await this.sync.differs(data);
      if (this.sync.theirs) this.emit("choose");
      return !this.sync.theirs;
    } else if (status === 410) {
      this.emit("lost", { message: data.message, code: data.code });
    } else if (status === 422) {
      this.emit("problems", { problems: data.problems });
    } else if (status === 401) {
      this.sync.retryLater("signed-out", data.message);
    } else {
      this.emit("refused", { message: data.message || "The server refused this. Reload the page and try again." });
    }
    return false;
  }

  /** Resolve to false if the person types instead. */
  wait(milliseconds) {
    return new Promise((resolve) => {
      const end = (goOn) => {
        clearTimeout(timer);
        removeEventListener("online", onOnline);
        this.stopWaiting = null;
        resolve(goOn);
      };
      const onOnline = () => end(true);
      const timer = setTimeout(() => end(true), milliseconds);
      addEventListener("online", onOnline);
      this.stopWaiting = () => end(false);
    });
  }

  setBusy(text) {
    this.busy = Boolean(text);
    this.emit("busy", { text });
  }
}
