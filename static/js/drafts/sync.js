/* Keep a work form, this device and the server in sync, with or without a connection.

   One request at a time. Typed text is stored on the device within 250 ms and on the server within
   two seconds of a pause, or at once on leaving a field or the page. A save names the version it
   grew from; if the server has a later one, the two are merged field by field (merge.js). Clashes
   are shown (conflict.js), and nothing is sent until a person has chosen; until then `theirs` holds
   the other version, its clashes and the base.

   State: saved, unsaved, saving, offline, signed-out, conflict, refused, closed. Events: state;
   conflict {version, content, savedAt, clashes}; agreed (the conflict is resolved); merged;
   lease-lost {message}; restored; followed; closed {message}; full (this device stores nothing). */

import { Emitter } from "../ui/emitter.js";
import { fillAround, isHidden, readForm, sameContent } from "./form.js";
import { mergeContent } from "./merge.js";
import { now } from "../ui/moments.js";
import { restore } from "./restore.js";
import { post, Unreachable } from "../ui/requests.js";

const KEEP_AFTER_MS = 200;
const SAVE_AFTER_MS = 1200;
const SAVE_AT_LEAST_EVERY_MS = 10_000;
const RETRY_MS = [2000, 4000, 8000, 15_000, 30_000];
const MAX_SENT = 8;

export class DraftSync extends Emitter {
  constructor({ form, store, url, version, stored, savedAt }) {
    super();
    this.form = form;
    this.store = store;
    this.url = url;
    this.version = version;
    this.savedAt = savedAt;
    this.saved = stored;
    this.sent = [];
    this.state = "saved";
    this.message = "";
    this.retries = 0;
    this.isReachable = true;
    this.channel = "BroadcastChannel" in window ? new BroadcastChannel(store.place) : null;
    this.channel?.addEventListener("message", ({ data }) => this.heard(data));
  }

  /** Follow the form from now on. `typed`: the page came back with text that is not stored yet. */
  start({ typed = false } = {}) {
    if (!typed) this.saved = readForm(this.form);
    restore(this, typed);
    // On the document, since fields can be outside their form.
    const isOurs = ({ target }) => target === this.form || target.form === this.form;
    document.addEventListener("input", (event) => isOurs(event) && this.changed());
    document.addEventListener("change", (event) => isOurs(event) && this.changed());
    document.addEventListener("focusout", (event) => isOurs(event) && this.save());
    addEventListener("online", () => this.retryNow());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.retryNow();
      else this.saveNow({ leaving: true });
    });
    addEventListener("pagehide", () => this.leave());
  }

  get isDirty() {
    return !sameContent(readForm(this.form), this.saved);
  }

  /** Whether closing the page now would lose text. */
  get isAtRisk() {
    return this.store.failed && this.state !== "closed" && this.isDirty;
  }

  changed() {
    if (this.state === "closed") return;
    this.keepTimer ??= setTimeout(() => this.keep(), KEEP_AFTER_MS);
    if (this.state === "saved" || this.state === "refused") this.set("unsaved");
    this.dirtySince ??= Date.now();
    clearTimeout(this.saveTimer);
    const longest = this.dirtySince + SAVE_AT_LEAST_EVERY_MS - Date.now();
    this.saveTimer = setTimeout(() => this.save(), Math.max(0, Math.min(SAVE_AFTER_MS, longest)));
  }

  keep() {
    clearTimeout(this.keepTimer);
    this.keepTimer = null;
    if (this.state === "closed") return;
    if (!this.isDirty && !this.theirs) return this.store.forget();
    const base = this.theirs?.base ?? { version: this.version, content: this.saved };
    const content = readForm(this.form);
    const isKept = this.store.keep({ base: base.version, from: base.content, content, sent: this.sent });
    if (!isKept) this.dispatchEvent(new Event("full"));
  }

  /** Save unless a retry is scheduled. */
  save(options) {
    return this.retryTimer ? Promise.resolve() : this.saveNow(options);
  }

  saveNow(options = {}) {
    clearTimeout(this.saveTimer);
    if (this.running) return this.running;
    if (this.theirs || this.state === "closed") return Promise.resolve();
    this.running = this.send(options).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  /** Wait until everything typed so far is on the server or can't be saved now; return which. */
  async flush() {
    await this.running;
    this.keep();
    await this.saveNow();
    if (this.state === "unsaved") await this.saveNow(); // the person typed during the save
    return !this.isDirty;
  }

  retryNow() {
    clearTimeout(this.retryTimer);
    this.retryTimer = null;
    this.retries = 0;
    return this.saveNow();
  }

  /** Take over what another request learned about the connection. */
  reached(isReachable) {
    this.isReachable = isReachable;
    if (this.theirs) this.set("conflict");
    if (!isReachable && this.state === "saved") this.set("offline");
    if (isReachable && this.state === "offline" && !this.running) this.retryNow();
  }

  async send({ leaving = false }) {
    const content = readForm(this.form);
    if (sameContent(content, this.saved)) return this.settle();
    clearTimeout(this.retryTimer);
    this.retryTimer = null;
    this.dirtySince = null;
    this.noteSent(content);
    if (this.state !== "offline" && this.state !== "signed-out") this.set("saving");
    let reply;
    try {
      reply = await post(this.url, { base_version: this.version, content }, { leaving });
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.isReachable = false;
      return this.retryLater("offline");
    }
    this.isReachable = true;
    if (reply.status !== 401) this.retries = 0;
    await this.answered(reply, content);
  }

  /** Keeps what is sent until a reply, so that our own save is recognized. The first stays, as it may
      have arrived before the connection broke. */
  noteSent(content) {
    const [first, ...others] = [...this.sent.filter((own) => !sameContent(own, content)), content];
    this.sent = [first, ...others.slice(1 - MAX_SENT)];
    this.keep();
  }

  async answered({ status, data }, content) {
    if (status === 200) {
      // Another tab can report a later version first.
      if (data.version > (this.theirs ?? this).version) this.adopt(data.version, content, data.saved_at);
      if (!data.holds_lease) this.emit("lease-lost", { message: "" });
    } else if (status === 409) {
      await this.differs(data);
    } else if (status === 410) {
      this.close(data.message);
    } else if (status === 401) {
      this.retryLater("signed-out", data.message);
    } else {
      const notYours = "This work is no longer yours, or you are signed in as somebody else.";
      this.set("refused", status === 404 ? notYours : data.message || "The server refused to save this.");
    }
  }

  /** Record that the server now has `content` as `version`. */
  adopt(version, content, savedAt) {
    this.agree();
    this.version = version;
    this.saved = content;
    this.savedAt = savedAt ? new Date(savedAt) : new Date(now());
    this.sent = [];
    this.form.elements.base_version.value = version;
    this.channel?.postMessage({ type: "saved", version, content, savedAt: this.savedAt });
    this.settle();
    this.keep();
  }

  settle() {
    this.dirtySince = null;
    if (!this.isDirty) this.set("saved");
    else {
      this.set("unsaved");
      this.changed();
    }
  }

  /** Handle a later version on the server: our own save whose reply was lost, or somebody else's. */
  async differs({ version, content, saved_at: savedAt }) {
    const formContent = readForm(this.form);
    if ([formContent, ...this.sent].some((own) => sameContent(own, content))) {
      this.adopt(version, content, savedAt);
      return;
    }
    const base = this.theirs?.base ?? { version: this.version, content: this.saved };
    this.meet({ version, content, savedAt: savedAt ? new Date(savedAt) : null }, base);
  }

  /** Merge the form, which grew from `base`, with the server's version. */
  meet(theirs, base) {
    const mine = readForm(this.form);
    const hidden = (name) => isHidden(this.form, name);
    let merged = mergeContent({ base: base.content, mine, theirs: theirs.content, isHidden: hidden });
    if (merged.content !== mine && !fillAround(this.form, merged.content)) {
      merged = mergeContent({ base: null, mine, theirs: theirs.content, isHidden: hidden });
    }
    if (merged.clashes.length === 0) return this.goOnFrom(theirs);
    const { clashes } = merged;
    this.theirs = { ...theirs, clashes, base: { version: base.version, content: merged.base } };
    this.keep();
    this.set("conflict");
    this.emit("conflict", this.theirs);
  }

  /** Apply the form's changes on top of that version. */
  goOnFrom({ version, content, savedAt }) {
    this.agree();
    Object.assign(this, { version, saved: content, savedAt, sent: [] });
    this.form.elements.base_version.value = version;
    this.settle();
    this.keep();
    this.emit("merged", {});
  }

  agree() {
    if (!this.theirs) return;
    this.theirs = null;
    this.emit("agreed", {});
  }

  /** End a conflict: the form now holds what the person chose. */
  async resolve() {
    this.goOnFrom(this.theirs);
    await this.saveNow();
  }

  /** Reload the stored text; this form lacks fields for it. */
  reload() {
    this.close("");
    location.reload();
  }

  /** Handle a message from another tab with the same work. */
  heard({ type, version, content, savedAt }) {
    if (this.state === "closed") return;
    if (type === "closed") return this.close("This work was submitted in another tab.");
    if (version <= this.version) return;
    if (this.theirs || (this.isDirty && !sameContent(readForm(this.form), content))) {
      this.differs({ version, content, saved_at: savedAt });
    } else if (fillAround(this.form, content)) {
      Object.assign(this, { version, saved: readForm(this.form), savedAt: new Date(savedAt), sent: [] });
      this.form.elements.base_version.value = version;
      this.settle();
      this.emit("followed", {});
    } else {
      location.reload();
    }
  }

  leave() {
    this.keep();
    if (this.state === "closed" || this.theirs || !this.isDirty) return;
    if (!this.running) return void this.saveNow({ leaving: true });
    // The server stores this or the running save, depending on which arrives first, and refuses the
    // other. The copy on this device supplies the rest later, and never replaces another person's
    // version.
    const content = readForm(this.form);
    if (sameContent(content, this.sent.at(-1))) return;
    this.noteSent(content);
    post(this.url, { base_version: this.version, content }, { leaving: true }).catch(() => {});
  }

  /** Stop saving, since the work is submitted. A text that differs stays as an earlier version. */
  close(message) {
    if (message && this.isDirty) this.store.keepEarlier(readForm(this.form), "Not part of what was submitted");
    this.store.forget();
    clearTimeout(this.saveTimer);
    clearTimeout(this.retryTimer);
    clearTimeout(this.keepTimer);
    this.set("closed", message);
    if (message) this.emit("closed", { message });
  }

  /** This tab has submitted: delete the local copies and tell the other tabs. */
  finish() {
    this.channel?.postMessage({ type: "closed" });
    this.close("");
    this.store.clear();
  }

  retryLater(state, message = "") {
    this.set(state, message);
    const wait = RETRY_MS[Math.min(this.retries++, RETRY_MS.length - 1)];
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => {
      this.retryTimer = null;
      this.saveNow();
    }, wait);
  }

  set(state, message = "") {
    if (this.theirs && state !== "closed") state = "conflict";
    if (this.state === "closed") return;
    this.state = state;
    this.message = message;
    this.dispatchEvent(new Event("state"));
  }
}
