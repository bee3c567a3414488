/* The keys of this page, including those that the person changed. Changes are kept for this person
   in localStorage, so that they survive sign-outs and affect nobody else on a shared computer. */

/**
 * @typedef {{action: string, label: string, keys: string[], anywhere: string[], fixed: boolean, numbered: boolean}} Key
 * @typedef {{name: string, heading: string, keys: Key[]}} Group
 * @typedef {"keys" | "anywhere"} Column
 */

const data = JSON.parse(document.getElementById("key-list")?.textContent ?? '{"groups": [], "signs": {}}');
const owner = document.querySelector("#page-keys")?.dataset.owner ?? "";
const store = `keys:${owner}`;
let chosen = read();

/** @type {Group[]} */
export const defaults = data.groups;
export const signs = data.signs;

/**
 * The groups with their current keys.
 *
 * @returns {Group[]}
 */
export function current() {
  return defaults.map((group) => ({ ...group, keys: group.keys.map((key) => ({ ...key, ...chosen[idOf(group, key)] })) }));
}

/** Return a name for the action that is unique over all pages: kinds of work have groups of their
    own. */
export function idOf(group, key) {
  return `${group.name}.${key.action}`;
}

export function isChanged() {
  return Object.keys(chosen).length > 0;
}

/** @param {Column} column */
export function choose(id, column, chord) {
  chosen = { ...chosen, [id]: { ...chosen[id], [column]: [chord] } };
  write();
}

export function reset() {
  chosen = {};
  write();
}

function read() {
  try {
    const stored = JSON.parse(localStorage.getItem(store) ?? "{}");
    return stored && typeof stored === "object" && !Array.isArray(stored) ? stored : {};
  } catch {
    return {};
  }
}

function write() {
  try {
    if (isChanged()) localStorage.setItem(store, JSON.stringify(chosen));
    else localStorage.removeItem(store);
  } catch {
    // without storage, the keys last until the page is closed
  }
  document.dispatchEvent(new CustomEvent("keys:changed"));
}
