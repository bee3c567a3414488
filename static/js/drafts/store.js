/* Store a person's text on one assignment in localStorage.

   Each open tab keeps one copy: {base, from, content, sent, at}. `base` is the server's version
   that the content grew from, and `from` its content (merge.js). `sent` lists contents that were
   sent without a reply, so that this page recognizes its own save. Text that was not chosen is kept
   as an earlier version until the work is submitted. `title` names the work on other pages
   (keptWorks). `failed`: the browser stores nothing, because it is full or refuses. */

import { now } from "../ui/moments.js";

const MAX_EARLIER = 20;

export class DraftStore {
  constructor(user, assignment) {
    this.place = `draft:${user}:${assignment}:`;
    this.mine = this.place + Math.random().toString(36).slice(2);
    this.earlierKey = `earlier:${user}:${assignment}`;
    this.failed = false;
  }

  keep(copy) {
    return this.write(this.mine, { ...copy, at: now(), title: titleOfPage() });
  }

  forget(key = this.mine) {
    try {
      localStorage.removeItem(key);
    } catch {
      // then nothing was stored
    }
  }

  /** Return the copies of all tabs with their keys, newest first. */
  copies() {
    const copies = [];
    for (const key of this.keys()) {
      if (!key.startsWith(this.place)) continue;
      const copy = this.read(key);
      if (copy?.content && typeof copy.content === "object") copies.push({ sent: [], base: 0, at: 0, ...copy, key });
    }
    return copies.sort((a, b) => b.at - a.at);
  }

  earlier() {
    const list = this.read(this.earlierKey);
    return Array.isArray(list) ? list : [];
  }

  keepEarlier(content, why) {
    const same = JSON.stringify(content);
    const others = this.earlier().filter((version) => JSON.stringify(version.content) !== same);
    const list = [{ content, why, at: now() }, ...others];
    return this.write(this.earlierKey, list.slice(0, MAX_EARLIER));
  }

  /** Delete everything about submitted work. */
  clear() {
    for (const key of this.keys()) if (key.startsWith(this.place)) this.forget(key);
    this.forget(this.earlierKey);
  }

  keys() {
    try {
      return Object.keys(localStorage);
    } catch {
      return [];
    }
  }

  read(key) {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null;
    }
  }

  write(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
      this.failed = false;
    } catch {
      this.failed = true;
    }
    return !this.failed;
  }
}

function titleOfPage() {
  return (document.querySelector("h1")?.textContent ?? "").replaceAll(/\s+/g, " ").trim();
}

/** Return the works whose text this device keeps for the person, newest first. */
export function keptWorks(user) {
  const works = new Map();
  const start = `draft:${user}:`;
  const anywhere = new DraftStore(user, "");
  for (const key of anywhere.keys()) {
    if (!key.startsWith(start)) continue;
    const [assignment] = key.slice(start.length).split(":");
    const { title = "", at = 0 } = anywhere.read(key) ?? {};
    if (!(works.get(assignment)?.at > at)) works.set(assignment, { assignment, title, at });
  }
  return [...works.values()].sort((a, b) => b.at - a.at);
}
