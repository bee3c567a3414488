/* The keys of this page, with those that the person has chosen instead: kept for them in this browser
   (localStorage), so that they last over sign-outs and are nobody else's on a shared computer. */

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

/** The groups as they are bound now. @returns {Group[]} */
export function current() {
  return defaults.map((group) => ({ ...group, keys: group.keys.map((key) => ({ ...key, ...chosen[idOf(group, key)] })) }));
}

/** The name of what a key does, over all pages: groups of different kinds of work differ. */
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
    const kept = JSON.parse(localStorage.getItem(store) ?? "{}");
    return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
  } catch {
    return {};
  }
}

function write() {
  try {
    if (isChanged()) localStorage.setItem(store, JSON.stringify(chosen));
    else localStorage.removeItem(store);
  } catch {
    // the keys then last as long as the page
  }
  document.dispatchEvent(new CustomEvent("keys:changed"));
}
